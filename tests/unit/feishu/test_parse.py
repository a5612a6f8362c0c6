"""What people say, in every shape in which the platform tells it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.feishu.peek import Fate
from bot.core.errors import UnparseableError
from bot.core.events import (
    Attachment,
    ButtonPressed,
    CapsuleToggled,
    ChatKind,
    CommandReceived,
    MessageReceived,
)
from bot.core.inbox import UpdateKind
from tests.emulators.feishu import ANNA, BEN, BOT, GROUP
from tests.unit.feishu.events import api, looked, parsed, raw, said

PARAGRAPHS = [
    [
        {"tag": "at", "user_id": "@_user_1", "user_name": "Switchboard"},
        {"tag": "text", "text": " 看这个 ", "style": ["bold"]},
        {"tag": "a", "href": "https://a.example", "text": "链接"},
        {"tag": "at", "user_id": "@_user_2", "user_name": "Ben"},
        {"tag": "emotion", "emoji_type": "SMILE"},
    ],
    [],
    [{"tag": "img", "image_key": "img_1"}],
    [{"tag": "code_block", "language": "PYTHON", "text": "x  =  1\n"}],
    [{"tag": "media", "file_key": "file_1", "image_key": "img_2"}],
    [{"tag": "hr"}],
]
POST_TEXT = "标题\n看这个 链接 (https://a.example)@Ben[SMILE]\n\n\n```python\nx  =  1\n```\n\n---"


def message(**more: Any) -> MessageReceived:  # noqa: ANN401  # the emulator's arguments
    event = parsed(said(**more))
    assert isinstance(event, MessageReceived)
    return event


def test_a_private_message_is_said_in_the_chat_with_the_person() -> None:
    event = message(text="午饭35", message_id="om_1")
    assert (event.chat.chat_id, event.chat.kind) == (ANNA, ChatKind.PRIVATE)
    assert event.account.key == "feishu/cli_a1b2c3d4e5f6/tenant-1/ou_anna"
    assert (event.text, event.message_id, event.edited) == ("午饭35", "om_1", False)


def test_our_own_name_is_taken_out_and_those_of_others_are_put_in() -> None:
    """T24, PF19: exact placeholders: ``@_user_1`` is not the beginning of ``@_user_10``."""
    at = (BOT, BEN, *(f"ou_{n}" for n in range(7)), "ou_ten")
    event = message(text="@_user_1 @_user_2 请 @_user_10 看 @_all", chat=GROUP, at=at)
    assert event.text == "@Ben 请 @Switchboard 看 @所有人"
    assert event.mentions[:2] == (BOT, BEN)


@pytest.mark.parametrize("wrapped", [False, True], ids=["flat", "locale"])
def test_rich_text_is_read_with_its_pictures(wrapped: bool) -> None:  # noqa: FBT001
    """PF18."""
    content: dict[str, Any] = {"title": "标题", "content": PARAGRAPHS}
    if wrapped:
        content = {"zh_cn": content}
    event = message(kind="post", content=content, chat=GROUP, at=(BOT, BEN), message_id="om_1")
    assert event.text == POST_TEXT
    assert event.attachments == (
        Attachment(kind="image", ref="om_1|img_1|image"),
        Attachment(kind="video", ref="om_1|file_1|file"),
    )


@pytest.mark.parametrize(
    ("kind", "content", "attachment"),
    [
        ("image", {"image_key": "img_1"}, Attachment(kind="image", ref="om_1|img_1|image")),
        (
            "file",
            {"file_key": "file_1", "file_name": "a.pdf"},
            Attachment(kind="file", ref="om_1|file_1|file", name="a.pdf"),
        ),
        ("audio", {"file_key": "f", "duration": 3}, Attachment(kind="audio", ref="om_1|f|file")),
        ("sticker", {"file_key": "s"}, Attachment(kind="other", ref="sticker")),
        ("share_chat", {"chat_id": "oc_1"}, Attachment(kind="other", ref="share_chat")),
        ("merge_forward", {}, Attachment(kind="other", ref="merge_forward")),
        ("brand_new", {}, Attachment(kind="other", ref="brand_new")),
        (
            "location",
            {"name": "公司", "latitude": "31.2", "longitude": "121.4"},
            Attachment(kind="location", ref="31.2,121.4", name="公司"),
        ),
    ],
)
def test_what_comes_without_words_is_an_attachment(
    kind: str, content: dict[str, Any], attachment: Attachment
) -> None:
    event = message(kind=kind, content=content, message_id="om_1")
    assert event.attachments == (attachment,)


def test_a_command_is_one_after_the_bot_was_named_too() -> None:
    event = parsed(said(text="@_user_1 /help 记账", chat=GROUP, at=(BOT,)))
    assert isinstance(event, CommandReceived)
    assert (event.name, event.argument) == ("help", "记账")
    assert looked(said(text="/stop")).kind is UpdateKind.STOP
    assert looked(said(text="/stopping")).kind is UpdateKind.MESSAGE


def test_an_edit_is_another_delivery_of_the_same_message() -> None:
    first, edit = (
        said(text="午饭35", message_id="om_1"),
        said(text="午饭53", message_id="om_1", edited=True),
    )
    assert looked(first).key == "im.message.receive_v1:om_1"
    assert looked(edit).key.startswith("im.message.receive_v1:om_1:")
    event = parsed(edit)
    assert isinstance(event, MessageReceived)
    assert event.edited


@pytest.mark.parametrize("update_time", ["", "soon", "0", "same", "later"])
def test_a_message_that_nobody_edited_is_none_whatever_its_times_say(update_time: str) -> None:
    event = said(text="/help", message_id="om_1")
    message = event["event"]["message"]
    created = message["create_time"]
    times = {"same": created, "later": str(int(created) + 40)}
    message["update_time"] = times.get(update_time, update_time)
    assert isinstance(parsed(event), CommandReceived)
    assert looked(event).key == "im.message.receive_v1:om_1"


@pytest.mark.parametrize("time", ["0", "-5", "", "9" * 13, "9" * 30, "soon"])
def test_a_message_of_an_impossible_time_was_said_when_it_came(time: str) -> None:
    event = said(text="午饭35")
    event["event"]["message"] |= {"create_time": time, "update_time": time}
    assert parsed(event).occurred_at == raw(event).received_at


def test_a_redelivery_under_a_new_event_id_has_the_same_key_and_bots_do_not_share_it() -> None:
    """T17: two bots in one group each have their own."""
    event = said(text="午饭35", message_id="om_1")
    again = {**event, "header": {**event["header"], "event_id": "another"}}
    assert raw(event).event_id == raw(again).event_id
    assert raw(event, bot="cli_other").event_id != raw(event).event_id


def test_a_topic_is_named_by_its_first_message() -> None:
    event = message(text="@_user_1 好", chat=GROUP, at=(BOT,), thread_id="om_root")
    assert event.chat.thread_id == "om_root"


def test_a_press_remembers_where_its_button_stood() -> None:
    def pressed(value: dict[str, Any]) -> Any:  # noqa: ANN401  # any event
        return parsed(
            api().envelope(
                "card.action.trigger",
                {
                    "operator": {"open_id": ANNA},
                    "action": {"value": value},
                    "context": {"open_message_id": "om_1", "open_chat_id": "oc_1"},
                },
            )
        )

    private, group = pressed({"t": "T"}), pressed({"t": "T", "g": 1, "th": "om_root"})
    assert isinstance(private, ButtonPressed)
    assert (private.chat.chat_id, private.chat.kind) == (ANNA, ChatKind.PRIVATE)
    assert (group.chat.chat_id, group.chat.thread_id) == ("oc_1", "om_root")
    assert isinstance(pressed({"c": "MEETING"}), CapsuleToggled)
    with pytest.raises(UnparseableError):
        pressed({"x": 1})


def test_the_menu_selects_capsules_and_runs_commands() -> None:
    def chosen(key: str) -> Any:  # noqa: ANN401  # any event
        event = {"operator": {"operator_id": {"open_id": ANNA}}, "event_key": key}
        return parsed(api().envelope("application.bot.menu_v6", event), name="小安")

    assert chosen("capsule:MEETING").intent == "MEETING"
    assert (chosen("/help 记账").name, chosen("/help 记账").argument) == ("help", "记账")
    assert chosen("/help").account.display_name == "小安"
    assert chosen("/help").chat.chat_id == ANNA


# --- for us or not ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "me", "fate"),
    [
        ({"text": "午饭35"}, BOT, Fate.ACCEPT),
        ({"text": "午饭35"}, "", Fate.ACCEPT),
        ({"text": "@_user_1 午饭35", "chat": GROUP, "at": (BOT,)}, BOT, Fate.ACCEPT),
        ({"text": "@_user_1 午饭35", "chat": GROUP, "at": (BOT,)}, "", Fate.UNSURE),
        ({"text": "午饭35", "chat": GROUP}, "", Fate.IGNORE),
        ({"text": "午饭35", "chat": GROUP}, BOT, Fate.IGNORE),
        ({"text": "@_user_1 午饭35", "chat": GROUP, "at": (BEN,)}, BOT, Fate.IGNORE),
        ({"text": "@_user_1 午饭35", "chat": GROUP, "at": (BOT + "0",)}, BOT, Fate.IGNORE),
        ({"text": "@_all 午饭35", "chat": GROUP, "at": ("all",)}, BOT, Fate.IGNORE),
        ({"text": "35", "chat": GROUP, "parent_id": "om_ours"}, BOT, Fate.ACCEPT),
        ({"text": "35", "chat": GROUP, "parent_id": "om_other"}, BOT, Fate.IGNORE),
        ({"text": "35", "sender_type": "app"}, BOT, Fate.IGNORE),
        ({"text": "35", "who": BOT}, BOT, Fate.IGNORE),
        ({"text": "", "kind": "system"}, BOT, Fate.IGNORE),
    ],
)
def test_the_gate(more: dict[str, Any], me: str, fate: Fate) -> None:
    """T24, PF19, PF27: exact ids, and closed while ours is not known."""
    assert looked(said(**more), me=me, ours="om_ours").fate is fate


def test_a_lane_is_one_person_in_one_chat() -> None:
    lanes = {
        looked(said(text="1")).lane,
        looked(said(text="2")).lane,
        looked(said(text="3", who=BEN)).lane,
        looked(said(text="@_user_1 4", chat=GROUP, at=(BOT,))).lane,
    }
    assert len(lanes) == 3


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(content=_JSON, kind=st.sampled_from(["text", "post", "image", "file", "audio", "media"]))
def test_no_content_whatever_breaks_the_reading(content: Any, kind: str) -> None:  # noqa: ANN401
    event = said(text="x", kind="text")
    event["event"]["message"] |= {"content": json.dumps(content), "message_type": kind}
    assert looked(event).fate in {Fate.ACCEPT, Fate.IGNORE}
    assert isinstance(parsed(event), MessageReceived | CommandReceived)


@given(body=st.dictionaries(st.text(max_size=8), _JSON, max_size=4))
def test_no_body_whatever_breaks_the_peek(body: dict[str, Any]) -> None:
    assert looked(body).fate is Fate.IGNORE
