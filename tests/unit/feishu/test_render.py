"""Cards: every block, within every limit, and no word of anybody is markup of ours."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.feishu.prose import Code, Grid, Said, pieces
from adapters.feishu.render import (
    MAX_CARD_BYTES,
    Part,
    Spot,
    render,
    serialised,
    stream_card,
    stream_text,
)
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
from bot.core.words import Verbatim, text
from tests.emulators.feishu_rules import check_card, plain_of, walk

V = Verbatim


def shown(*blocks: Block, keys: tuple[tuple[Key, ...], ...] = (), **more: Any) -> tuple[Part, ...]:  # noqa: ANN401
    images = more.pop("images", {})
    spot = more.pop("spot", Spot())
    message = OutboundMessage(blocks=blocks, locale="zh-CN", keys=keys, **more)
    parts = render(message, images=images, spot=spot)
    for part in parts:
        check_card(serialised(part.card))
        check_card(serialised(part.simple))
        assert len(serialised(part.card).encode()) <= MAX_CARD_BYTES
        assert part.plain
    return parts


def key(label: str, token: str, tone: Tone = Tone.PLAIN) -> Key:
    return Key(label=V(label), token=token, tone=tone)


def elements(part: Part) -> list[dict[str, Any]]:
    return list(walk(part.card))


def test_our_own_words_are_no_markup() -> None:
    (part,) = shown(TextBlock(text("schedule.due", what=V("**喝** <at id=all></at>"))))
    (element,) = [e for e in elements(part) if e["tag"] == "plain_text"]
    assert "**喝** <at id=all></at>" in element["content"]


def test_a_models_words_are_markdown_without_any_tag_of_the_platform() -> None:
    (part,) = shown(TextBlock(V("**重要：**请注意 <at id=all></at> `a<b`\n# 大标题")))
    (element,) = [e for e in elements(part) if e["tag"] == "markdown"]
    assert "<at" not in element["content"]
    assert "\u200b**重要：**\u200b请注意" in element["content"]
    assert "`a<b`" in element["content"]
    assert "#### 大标题" in element["content"]


def test_fields_stand_beside_each_other_under_the_cards_title() -> None:
    block = FieldsBlock(title=V("午饭"), fields=((V("金额"), V("35.00")), (V("分类"), V("餐饮"))))
    (part,) = shown(block)
    assert part.card["header"] == {
        "title": {"tag": "plain_text", "content": "午饭"},
        "template": "blue",
    }
    assert plain_of(part.card).split("\n") == ["金额", "35.00", "分类", "餐饮", "午饭"]
    assert part.plain == "午饭\n金额: 35.00\n分类: 餐饮"
    many = FieldsBlock(fields=tuple((V(f"字段{n}"), V(str(n))) for n in range(40)))
    assert "字段39: 39" in shown(many)[0].plain


def test_a_table_is_one_and_a_fourth_is_code() -> None:
    """T20."""
    table = TableBlock(header=(V("a"), V("b")), rows=((V("1"), V("2")),))
    (part,) = shown(*[table] * 5)
    assert [e["tag"] for e in elements(part)] == ["table"] * 3 + ["markdown"] * 2
    prose = "| a | b |\n|---|---|\n| 1 | 2 |\n\n" * 7
    (part,) = shown(TextBlock(V(prose)))
    assert sum(e["tag"] == "table" for e in elements(part)) == 3


def test_a_long_table_is_told_whole() -> None:
    rows = tuple((V(f"项目{n}"), V(str(n))) for n in range(500))
    parts = shown(TableBlock(header=(V("名称"), V("数")), rows=rows))
    whole = "\n".join(part.plain for part in parts)
    assert all(f"项目{n} " in whole for n in range(500))


def test_charts_are_specifications_with_numbers_and_few_enough_points() -> None:
    chart = ChartBlock(
        chart="line",
        title=V("每日"),
        labels=tuple(V(str(n)) for n in range(1000)),
        series=(ChartSeries(V("元"), tuple(str(n) for n in range(1000))),),
    )
    (part,) = shown(chart)
    (element,) = [e for e in elements(part) if e["tag"] == "chart"]
    spec = element["chart_spec"]
    assert (spec["type"], spec["xField"]) == ("line", "x")
    assert len(spec["data"]["values"]) <= 150
    assert spec["data"]["values"][1]["y"] == 7.0


def test_a_pie_of_losses_is_bars() -> None:
    chart = ChartBlock(
        chart="pie", title=V("x"), labels=(V("a"),), series=(ChartSeries(V("s"), ("-3",)),)
    )
    (part,) = shown(chart)
    assert elements(part)[0]["chart_spec"]["type"] == "bar"


def test_six_charts_need_two_cards() -> None:
    chart = ChartBlock(
        chart="bar", title=V("x"), labels=(V("a"),), series=(ChartSeries(V("s"), ("3",)),)
    )
    assert len(shown(*[chart] * 6)) == 2


def test_a_picture_is_shown_by_its_key_or_told() -> None:
    block = ImageBlock(file_id="f", alt=V("小票"))
    assert elements(shown(block, images={0: "img_1"})[0])[0]["img_key"] == "img_1"
    assert "小票" in plain_of(shown(block)[0].card)


def test_buttons_carry_their_token_and_where_they_stand() -> None:
    keys = ((key("撤销", "T1", Tone.DANGER), key("改", "T2")),)
    (part,) = shown(TextBlock(V("好")), keys=keys, spot=Spot(group=True, thread="om_1"))
    buttons = [e for e in elements(part) if e["tag"] == "button"]
    assert [b["type"] for b in buttons] == ["danger", "default"]
    assert buttons[0]["behaviors"][0]["value"] == {"t": "T1", "g": 1, "th": "om_1"}
    assert any(e["tag"] == "button" for e in walk(part.simple))


def test_only_the_last_of_several_cards_has_the_buttons_and_only_the_first_the_name() -> None:
    keys = ((key("好", "T"),),)
    parts = shown(TextBlock(V("字" * 30_000)), keys=keys, mention="ou_anna")
    assert len(parts) > 2
    has_button = [any(e["tag"] == "button" for e in elements(p)) for p in parts]
    assert has_button == [False] * (len(parts) - 1) + [True]
    assert "<at id=ou_anna></at>" in serialised(parts[0].card)
    assert "<at" not in serialised(parts[1].card)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=4000).map(lambda s: TextBlock(V(s))),
            st.text(max_size=9000).map(lambda s: TextBlock(text("schedule.due", what=V(s)))),
            st.lists(st.tuples(st.text(max_size=50), st.text(max_size=500)), max_size=30).map(
                lambda rows: FieldsBlock(fields=tuple((V(a), V(b)) for a, b in rows))
            ),
            st.lists(st.tuples(st.text(max_size=50), st.text(max_size=90)), max_size=90).map(
                lambda rows: TableBlock(
                    header=(V("a"), V("b")), rows=tuple((V(a), V(b)) for a, b in rows)
                )
            ),
        ),
        max_size=6,
    )
)
def test_whatever_is_said_is_a_card_that_is_taken(blocks: list[Block]) -> None:
    """PF13."""
    assert shown(*blocks)


@pytest.mark.parametrize("word", ["字", "😀", "a", "👨‍👩‍👧"])
def test_a_text_without_any_break_is_cut_and_loses_nothing(word: str) -> None:
    parts = shown(TextBlock(text("schedule.due", what=V(word * 20_000))))
    whole = "".join(part.plain.replace("\n", "") for part in parts)
    assert whole.count(word) == 20_000


def test_a_text_is_read_into_what_it_consists_of() -> None:
    prose = "前\n\n| a | b |\n|---|---|\n| 1 | `2` |\n后\n```py\n| x | y |\n|---|---|\n```\n末"
    assert list(pieces(prose)) == [
        Said("前"),
        Grid((("a", "b"), ("1", "2"))),
        Said("后"),
        Code("| x | y |\n|---|---|", "py"),
        Said("末"),
    ]


def test_a_growing_text_fits_into_its_card() -> None:
    for text_so_far in ("", "字" * 50_000, "```\nx", "| a | b |\n|---|---|\n| 1 |"):
        card = stream_card(stream_text(text_so_far), mention="ou_anna")
        check_card(json.dumps(card, ensure_ascii=False))
