"""From messages to what the page shows."""

import json

from adapters.web.parse import chat_of
from adapters.web.render import Drawing, own, render
from adapters.web.schemas import FileFacts
from bot.core.messages import (
    Block,
    ChartBlock,
    ChartSeries,
    FieldsBlock,
    ImageBlock,
    Key,
    OutboundMessage,
    TableBlock,
    TextBlock,
    Tone,
)
from bot.core.outbox import OutboxDraft, Purpose
from bot.core.words import Verbatim, text

YES, NO = "t1", "t2"
CHART = ChartBlock(
    chart="bar",
    title=Verbatim("支出"),
    labels=(Verbatim("一月"), Verbatim("二月")),
    series=(ChartSeries(Verbatim("餐饮"), ("12.5", "7")),),
    unit="¥",
)


def draft(
    *blocks: Block, locale: str = "zh-CN", keys: tuple[tuple[Key, ...], ...] = ()
) -> OutboxDraft:
    return OutboxDraft(
        outbox_id="o_1",
        event_id="web:web:anna:1",
        chat=chat_of("anna"),
        person_id="p_1",
        message=OutboundMessage(blocks=blocks, locale=locale, keys=keys, reply_to="m1"),
        purpose=Purpose.REMINDER,
    )


def test_words_are_resolved_in_the_readers_language() -> None:
    chinese = render(draft(TextBlock(text("web.send"))), {})
    english = render(draft(TextBlock(text("web.send")), locale="en"), {})

    assert chinese["blocks"] == [{"kind": "text", "text": "发送"}]
    assert english["blocks"] == [{"kind": "text", "text": "Send"}]


def test_the_payload_says_which_event_it_answers_and_what_it_is_for() -> None:
    payload = render(draft(TextBlock(Verbatim("hi"))), {})

    assert (payload["event"], payload["purpose"], payload["reply_to"]) == (
        "web:web:anna:1",
        "reminder",
        "m1",
    )


def test_fields_tables_and_images_keep_their_order_and_words() -> None:
    payload = render(
        draft(
            FieldsBlock(((Verbatim("金额"), Verbatim("¥35")),), title=Verbatim("午饭")),
            TableBlock((Verbatim("a"), Verbatim("b")), ((Verbatim("1"), Verbatim("2")),)),
            ImageBlock("f_1", Verbatim("收据")),
        ),
        {},
    )

    assert payload["blocks"] == [
        {"kind": "fields", "title": "午饭", "fields": [["金额", "¥35"]]},
        {"kind": "table", "header": ["a", "b"], "rows": [["1", "2"]]},
        {"kind": "image", "file": "f_1", "alt": "收据"},
    ]


def test_a_drawn_chart_brings_both_pictures_and_its_numbers() -> None:
    payload = render(draft(CHART), {0: Drawing(light="f_l", dark="f_d")})

    assert payload["blocks"] == [
        {
            "kind": "chart",
            "light": "f_l",
            "dark": "f_d",
            "title": "支出",
            "header": ["", "餐饮 (¥)"],
            "rows": [["一月", "12.5"], ["二月", "7"]],
        }
    ]


def test_a_chart_that_nobody_could_draw_is_a_table() -> None:
    blocks = render(draft(CHART), {})["blocks"]

    assert isinstance(blocks, list)
    assert isinstance(blocks[0], dict)
    assert blocks[0]["kind"] == "table"
    assert blocks[0]["rows"] == [["一月", "12.5"], ["二月", "7"]]


def test_buttons_keep_their_rows_tones_and_tokens_and_empty_rows_go() -> None:
    yes = Key(label=Verbatim("好"), token=YES, tone=Tone.PRIMARY)
    no = Key(label=Verbatim("不"), token=NO, tone=Tone.DANGER)

    payload = render(draft(TextBlock(Verbatim("?")), keys=((yes, no), ())), {})

    assert payload["keys"] == [
        [
            {"label": "好", "token": YES, "tone": "primary"},
            {"label": "不", "token": NO, "tone": "danger"},
        ]
    ]


def test_markup_stays_text() -> None:
    payload = render(draft(TextBlock(Verbatim("<script>alert(1)</script>"))), {})

    assert payload["blocks"] == [{"kind": "text", "text": "<script>alert(1)</script>"}]


def test_the_same_message_renders_the_same_so_that_a_repeated_send_changes_nothing() -> None:
    assert render(draft(CHART), {}) == render(draft(CHART), {})


def test_an_own_message_is_json_with_its_files() -> None:
    file = FileFacts(ref="f_1", name="a.txt", mime="text/plain", size_bytes=2)

    payload = own("看", [file], edited=True)

    assert json.loads(json.dumps(payload)) == {
        "text": "看",
        "files": [{"ref": "f_1", "name": "a.txt", "mime": "text/plain", "size_bytes": 2}],
        "edited": True,
    }
