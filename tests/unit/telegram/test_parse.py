"""From the platform's JSON to events."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram.parse import cut_utf16, parse
from bot.core.errors import UnparseableError
from bot.core.events import (
    ButtonPressed,
    CapsuleToggled,
    ChatKind,
    CommandReceived,
    InboundEvent,
    MessageReceived,
)
from tests.unit.telegram.updates import NOW, PERSON, Json, mention, message, raw, update

CAPSULES = {"💰 记账": "ledger_manager"}


def event(content: Json, kind: str = "message") -> InboundEvent:
    return parse(raw(update(kind, content)), capsules=CAPSULES)


def said(content: Json, kind: str = "message") -> MessageReceived:
    found = event(content, kind)
    assert isinstance(found, MessageReceived)
    return found


def test_a_private_message_is_who_where_when_and_what() -> None:
    found = said(message("午饭35"))

    assert found.event_id == "telegram:42:1"
    assert (found.chat.chat_id, found.chat.kind) == ("7", ChatKind.PRIVATE)
    assert (found.account.user_id, found.account.display_name) == ("7", "Anna Lin")
    assert (found.text, found.message_id, found.occurred_at) == ("午饭35", "5", NOW)
    assert not found.edited


def test_the_same_update_gives_the_same_event() -> None:
    assert said(message("午饭35")) == said(message("午饭35"))


def test_an_edited_message_keeps_its_id_and_has_the_time_of_the_edit() -> None:
    later = int(NOW.timestamp()) + 60
    found = said(message("午饭53", edit_date=later), "edited_message")

    assert found.edited
    assert found.message_id == "5"
    assert (found.occurred_at - NOW).total_seconds() == 60


def test_a_command_has_a_name_and_an_argument() -> None:
    found = event(message("/Start@switch_bot  bind-42 "))

    assert isinstance(found, CommandReceived)
    assert (found.name, found.argument) == ("start", "bind-42")


def test_an_edited_command_is_no_command() -> None:
    assert isinstance(event(message("/start"), "edited_message"), MessageReceived)


@pytest.mark.parametrize("text", ["/", "/记账", "a/start", "//start", "/start;rm"])
def test_what_only_looks_like_a_command_is_a_message(text: str) -> None:
    assert said(message(text)).text == text


def test_a_capsule_is_pressed_by_its_label_with_or_without_the_mark() -> None:
    for label in ("💰 记账", "✓ 💰 记账"):
        found = event(message(label))
        assert isinstance(found, CapsuleToggled)
        assert found.intent == "ledger_manager"


def test_a_capsule_label_in_a_group_is_a_message() -> None:
    assert said(message("💰 记账", chat=-5)).text == "💰 记账"


def test_our_name_is_taken_out_of_what_is_said_in_a_group_and_others_stay() -> None:
    text = "@switch_bot 午饭35 with @switch_bottle and me@switch_bot"
    found = said(message(text, chat=-5, entities=mention(text)))

    assert found.text == "午饭35 with @switch_bottle and me@switch_bot"


def test_a_photo_is_an_image_in_its_largest_size_and_its_caption_is_the_text() -> None:
    photo = [{"file_id": "small"}, {"file_id": "large", "file_size": 9}]
    found = said(message(None, caption="报销", photo=photo, media_group_id="g"))

    assert (found.text, found.album) == ("报销", "g")
    (image,) = found.attachments
    assert (image.kind, image.ref, image.size_bytes) == ("image", "large", 9)


@pytest.mark.parametrize(
    ("field", "content", "kind"),
    [
        ("document", {"file_id": "d", "mime_type": "application/pdf"}, "file"),
        ("document", {"file_id": "d", "mime_type": "image/png"}, "image"),
        ("voice", {"file_id": "d"}, "audio"),
        ("video_note", {"file_id": "d"}, "video"),
        ("location", {"latitude": 31.2, "longitude": 121.5}, "location"),
        ("sticker", {"file_id": "s"}, "other"),
        ("dice", {"emoji": "x", "value": 3}, "other"),
    ],
)
def test_everything_else_arrives_as_an_attachment(field: str, content: Json, kind: str) -> None:
    (attachment,) = said(message(None) | {field: content}).attachments

    assert attachment.kind == kind


def test_an_animation_is_counted_once() -> None:
    both = {"file_id": "a"}
    assert len(said(message(None, document=both, animation=both)).attachments) == 1


def test_a_reply_names_the_message_it_answers() -> None:
    assert said(message("改成45", reply_to_message={"message_id": 3})).reply_to == "3"


def test_a_forum_topic_is_a_thread_and_a_reply_chain_is_none() -> None:
    topic = said(message("x", chat=-5, message_thread_id=9, is_topic_message=True))
    chain = said(message("x", chat=-5, message_thread_id=9))

    assert topic.chat.thread_id == "9"
    assert chain.chat.thread_id is None


def test_a_press_carries_its_token_and_the_message_it_stood_under() -> None:
    shown = {"message_id": 8, "date": 0, "chat": {"id": 7, "type": "private"}}
    query = {"id": "q", "from": PERSON, "data": "tok", "message": shown}
    found = event(query, "callback_query")

    assert isinstance(found, ButtonPressed)
    assert (found.token, found.message_id, found.occurred_at) == ("tok", "8", NOW)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"update_id": 1},
        {"update_id": 1, "message": {"text": "no chat"}},
        {"update_id": 1, "message": message(chat=7) | {"date": "soon"}},
        {"update_id": 1, "message": message("x", entities=[{"type": "bold"}])},
        {"update_id": 1, "callback_query": {"id": "q", "from": PERSON, "data": "t"}},
        {"update_id": 1, "brand_new": {"x": 1}},
        {"update_id": "one", "message": message()},
    ],
)
def test_what_nobody_can_read_is_said_to_be_unparseable(body: Json) -> None:
    """PT2: the row becomes a dead letter, the others go on."""
    with pytest.raises(UnparseableError):
        parse(raw(body), capsules={})


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    )
)
def test_no_content_of_a_message_raises_anything_else(content: object) -> None:
    for kind in ("message", "edited_message", "callback_query"):
        try:
            parse(raw({"update_id": 1, kind: content}), capsules={})
        except UnparseableError:
            continue


def test_spans_count_utf16_units() -> None:
    assert cut_utf16("😀 bold", 3, 4) == "bold"
