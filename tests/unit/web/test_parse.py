"""From frames to events."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.web.parse import (
    FrameError,
    account_of,
    command,
    delivery_key,
    kind_of,
    parse,
    read_frame,
)
from adapters.web.schemas import (
    MAX_FRAME_CHARS,
    MAX_TEXT_CHARS,
    Capsule,
    Edit,
    FileFacts,
    Hello,
    Message,
    Press,
    StoredStart,
    StoredUpdate,
)
from bot.core.errors import UnparseableError
from bot.core.events import (
    Attachment,
    ButtonPressed,
    CapsuleToggled,
    CommandReceived,
    InboundEvent,
    MessageReceived,
)
from bot.core.inbox import RawUpdate, UpdateKind
from bot.locales.catalogue import LOCALES, catalogue

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
ID = "client-id-1"
PRESSED = "Zk3-_9"
Stored = Message | Edit | Press | Capsule | StoredStart
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
FRAME_TYPES = ("hello", "message", "edit", "press", "capsule", "trace", "ping", "else")
FRAMES = st.fixed_dictionaries(
    {"type": st.sampled_from(FRAME_TYPES)},
    optional={
        "id": st.sampled_from([ID, "", "~start", "o_1:2"]) | JSON_VALUES,
        "text": st.text() | JSON_VALUES,
        "files": st.lists(st.text(), max_size=12) | JSON_VALUES,
        "item": st.sampled_from([ID, "o_1"]) | JSON_VALUES,
        "token": st.sampled_from(["abc", "a b"]) | JSON_VALUES,
        "intent": st.sampled_from(["MEETING", ""]) | JSON_VALUES,
        "event": st.text() | JSON_VALUES,
        "version": st.integers() | JSON_VALUES,
        "locale": st.sampled_from(["zh-CN", "en"]) | JSON_VALUES,
    },
)


def raw(frame: Stored, *files: FileFacts) -> RawUpdate:
    update = StoredUpdate(user="anna", locale="en", frame=frame, files=files)
    return RawUpdate(
        platform="web",
        bot="web",
        delivery_key=delivery_key("anna", frame),
        kind=kind_of(frame),
        lane=account_of("anna").key,
        received_at=NOW,
        body=update.model_dump(mode="json"),
    )


def event(frame: Stored, *files: FileFacts) -> InboundEvent:
    return parse(raw(frame, *files))


def frame_or_error(data: str) -> object:
    try:
        return read_frame(data)
    except FrameError as error:
        return error


def message(text: str) -> Message:
    return Message(type="message", id=ID, text=text)


def test_a_message_becomes_an_event_with_the_person_and_the_time() -> None:
    found = event(message("午饭 35"))

    assert isinstance(found, MessageReceived)
    assert (found.text, found.message_id, found.edited) == ("午饭 35", ID, False)
    assert found.event_id == f"web:web:anna:{ID}"
    assert (found.account.user_id, found.account.locale) == ("anna", "en")
    assert (found.chat.chat_id, found.occurred_at) == ("anna", NOW)


@pytest.mark.parametrize(
    ("text", "name", "argument"),
    [
        ("/help", "help", ""),
        ("/HELP", "help", ""),
        ("/bind 123 456", "bind", "123 456"),
        ("/why\nlast", "why", "last"),
    ],
)
def test_a_slash_word_is_a_command(text: str, name: str, argument: str) -> None:
    found = event(message(text))

    assert isinstance(found, CommandReceived)
    assert (found.name, found.argument) == (name, argument)


@pytest.mark.parametrize("text", ["/etc/hosts 在哪", "/", "/1", "a /help", "/help你好", "//help"])
def test_what_only_looks_like_a_command_is_a_message(text: str) -> None:
    assert command(text) is None
    assert isinstance(event(message(text)), MessageReceived)


def test_a_command_with_a_file_is_a_message_so_that_the_file_is_not_lost() -> None:
    file = FileFacts(ref="f_1", name="a.png", mime="image/png", size_bytes=3)

    found = event(message("/help"), file)

    assert isinstance(found, MessageReceived)
    assert found.attachments == (
        Attachment(kind="image", ref="f_1", name="a.png", mime="image/png", size_bytes=3),
    )


def test_an_edit_names_the_message_that_it_changes() -> None:
    found = event(Edit(type="edit", id=ID, item="client-id-0", text="午饭 36"))

    assert isinstance(found, MessageReceived)
    assert (found.message_id, found.text, found.edited) == ("client-id-0", "午饭 36", True)


def test_a_press_carries_the_token_and_the_message() -> None:
    found = event(Press(type="press", id=ID, item="o_1", token=PRESSED))

    assert isinstance(found, ButtonPressed)
    assert (found.message_id, found.token) == ("o_1", PRESSED)


def test_a_capsule_carries_its_label() -> None:
    found = event(Capsule(type="capsule", id=ID, intent="MEETING"))

    assert isinstance(found, CapsuleToggled)
    assert found.intent == "MEETING"


def test_the_first_visit_is_a_start_command() -> None:
    found = event(StoredStart(type="start"))

    assert isinstance(found, CommandReceived)
    assert (found.name, found.event_id) == ("start", "web:web:anna:~start")


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (message("/stop"), UpdateKind.STOP),
        (message("/stop now"), UpdateKind.STOP),
        (message("stop"), UpdateKind.MESSAGE),
        (message("/stopwatch"), UpdateKind.MESSAGE),
        (Press(type="press", id=ID, item="o_1", token=PRESSED), UpdateKind.BUTTON),
        (Capsule(type="capsule", id=ID, intent="IOT"), UpdateKind.MESSAGE),
        (StoredStart(type="start"), UpdateKind.MESSAGE),
    ],
)
def test_a_peek_tells_what_need_not_wait(frame: Stored, kind: UpdateKind) -> None:
    assert kind_of(frame) is kind


def test_the_same_client_id_of_two_people_gives_two_keys() -> None:
    assert delivery_key("anna", message("a")) != delivery_key("bert", message("a"))


def test_no_client_id_can_pose_as_the_start_or_as_an_id_of_ours() -> None:
    for taken in ("~start", "o_abcdefgh", "web:web:x"):
        with pytest.raises(FrameError):
            read_frame(json.dumps({"type": "message", "id": taken, "text": "a"}))


@pytest.mark.parametrize(
    ("frame", "key"),
    [
        ({"text": "a" * (MAX_TEXT_CHARS + 1)}, "web.error_too_long"),
        ({"text": "a\0b"}, "web.error_control"),
        ({"text": "a\x1bb"}, "web.error_control"),
        ({"text": "a\x85b"}, "web.error_control"),
        ({"text": "a\ud800b"}, "web.error_malformed"),
        ({"text": "  \n "}, "web.error_empty"),
        ({"text": ""}, "web.error_empty"),
        ({"text": "a", "files": ["f"] * 9}, "web.error_too_many_files"),
        ({"text": ["a"]}, "web.error_malformed"),
        ({"text": "a", "extra": 1}, "web.error_malformed"),
    ],
)
def test_a_bad_message_is_refused_with_its_reason_and_its_id(
    frame: dict[str, object], key: str
) -> None:
    with pytest.raises(FrameError) as caught:
        read_frame(json.dumps({"type": "message", "id": ID, **frame}))

    assert (caught.value.words.key, caught.value.frame_id) == (
        key,
        ID,
    )


@pytest.mark.parametrize(
    "data", ["", "hello", "[]", "null", "{}", '{"type":"x"}', "[" * 50_000, '{"type":"hello"']
)
def test_what_is_no_frame_is_malformed(data: str) -> None:
    with pytest.raises(FrameError) as caught:
        read_frame(data)

    assert caught.value.words.key == "web.error_malformed"


def test_an_oversize_frame_is_refused_before_it_is_read() -> None:
    with pytest.raises(FrameError) as caught:
        read_frame(" " * (MAX_FRAME_CHARS + 1))

    assert caught.value.words.key == "web.error_too_long"


def test_the_longest_message_passes_in_whatever_script() -> None:
    for sign in ("字", "\U0001f600", '"'):
        data = json.dumps({"type": "message", "id": ID, "text": sign * MAX_TEXT_CHARS})

        assert read_frame(data) == message(sign * MAX_TEXT_CHARS)


def test_line_ends_become_plain_and_margins_go() -> None:
    data = json.dumps({"type": "message", "id": ID, "text": " a\r\nb\rc\n"})

    assert read_frame(data) == message("a\nb\nc")


def test_a_hello_needs_nothing_but_its_type() -> None:
    assert read_frame('{"type":"hello"}') == Hello(type="hello")


@pytest.mark.parametrize("body", [{}, {"user": "", "frame": {"type": "start"}}, {"frame": 1}])
def test_a_body_of_somebody_else_is_unparseable(
    body: dict[str, str | int | dict[str, str]],
) -> None:
    update = raw(message("a"))
    foreign = RawUpdate(
        platform="web",
        bot="web",
        delivery_key=update.delivery_key,
        kind=update.kind,
        lane=update.lane,
        received_at=NOW,
        body={**body},  # type: ignore[dict-item]  # a dict of strings is JSON
    )

    with pytest.raises(UnparseableError):
        parse(foreign)


@given(FRAMES | JSON_VALUES)
def test_any_frame_is_an_event_or_an_error_with_words_in_every_language(value: object) -> None:
    frame = frame_or_error(json.dumps(value))

    if isinstance(frame, FrameError):
        assert all(frame.words.key in catalogue(locale) for locale in LOCALES)
    elif isinstance(frame, Message | Edit | Press | Capsule):
        assert event(frame).event_id == f"web:web:anna:{frame.id}"
        assert event(frame) == event(frame)


@given(st.text())
def test_any_text_is_an_event_or_an_error(data: str) -> None:
    frame = frame_or_error(data)

    assert not isinstance(frame, FrameError) or frame.words.key.startswith("web.error_")


def test_both_languages_have_the_same_texts() -> None:
    texts = [{key for key in catalogue(locale) if key.startswith("web.")} for locale in LOCALES]

    assert texts[0] == texts[1]
