"""What is for us, decided before anything is stored."""

import pytest

from adapters.telegram.peek import POISON_LANE, Fate, peek
from bot.core.inbox import UpdateKind
from tests.unit.telegram.updates import ME, PERSON, Json, mention, message, update

GROUP = -100
HELLO = "@switch_bot 午饭35"
OTHER = "@zhangsan 午饭35"
TO_US = {"message_id": 3, "from": {"id": 42, "is_bot": True}}
TO_THEM = {"message_id": 3, "from": {"id": 8}}


def fate(content: Json, kind: str = "message") -> Fate:
    return peek(update(kind, content), bot="42", me=ME).fate


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (message("hello", chat=GROUP), Fate.IGNORE),
        (message(HELLO, chat=GROUP, entities=mention(HELLO)), Fate.ACCEPT),
        (
            message(
                "@SWITCH_bot hi", chat=GROUP, entities=mention("@SWITCH_bot hi", "@SWITCH_bot")
            ),
            Fate.ACCEPT,
        ),
        (message(OTHER, chat=GROUP, entities=mention(OTHER, "@zhangsan")), Fate.IGNORE),
        (message("hey switch_bot", chat=GROUP), Fate.IGNORE),
        (message("yes", chat=GROUP, reply_to_message=TO_US), Fate.ACCEPT),
        (message("yes", chat=GROUP, reply_to_message=TO_THEM), Fate.IGNORE),
        (message("/help", chat=GROUP), Fate.ACCEPT),
        (message("/help@switch_bot", chat=GROUP), Fate.ACCEPT),
        (message("/help@Switch_Bot x", chat=GROUP), Fate.ACCEPT),
        (message("/help@otherbot", chat=GROUP), Fate.IGNORE),
        (message("/help@otherbot", chat=GROUP, reply_to_message=TO_US), Fate.IGNORE),
        (message("/help@otherbot"), Fate.IGNORE),
        (message("hello"), Fate.ACCEPT),
        (message(None, chat=GROUP, photo=[{"file_id": "a"}]), Fate.IGNORE),
        (
            message(
                None,
                chat=GROUP,
                caption=HELLO,
                caption_entities=mention(HELLO),
                photo=[{"file_id": "a"}],
            ),
            Fate.ACCEPT,
        ),
        (message(None, new_chat_title="x"), Fate.IGNORE),
        (message("x") | {"from": PERSON | {"is_bot": True}}, Fate.IGNORE),
        (
            message(
                "as the channel",
                chat=GROUP,
                reply_to_message=TO_US,
                sender_chat={"id": -9, "type": "channel"},
            ),
            Fate.IGNORE,
        ),
    ],
)
def test_a_group_is_answered_only_when_it_speaks_to_us(content: Json, expected: Fate) -> None:
    """PT21: commands, mentions and replies to us; not other bots' commands, not the rest."""
    assert fate(content) is expected


def test_a_name_mentioned_by_its_account_counts_by_number() -> None:
    text = "Bot 午饭35"
    span = {"type": "text_mention", "offset": 0, "length": 3, "user": {"id": 42, "is_bot": True}}

    assert fate(message(text, chat=GROUP, entities=[span])) is Fate.ACCEPT
    span["user"] = {"id": 43, "username": "switch_bot"}
    assert fate(message(text, chat=GROUP, entities=[span])) is Fate.IGNORE


def test_before_we_know_who_we_are_groups_are_left_with_the_platform() -> None:
    seen = peek(update("message", message("/help", chat=GROUP)), bot="42", me=None)

    assert seen.fate is Fate.UNSURE
    assert peek(update("message", message("hi")), bot="42", me=None).fate is Fate.ACCEPT


@pytest.mark.parametrize("kind", ["poll_answer", "message_reaction", "brand_new_kind"])
def test_an_unknown_kind_of_update_is_passed_over(kind: str) -> None:
    """PT23: skipped and acknowledged."""
    assert fate({"x": 1}, kind) is Fate.IGNORE


def test_an_update_that_cannot_be_read_is_kept_as_it_came() -> None:
    """PT2: it becomes a row, so that somebody can look at it."""
    seen = peek({"update_id": 3, "message": {"chat": "?"}}, bot="42", me=ME)

    assert (seen.fate, seen.lane, seen.chat) == (Fate.ACCEPT, POISON_LANE, None)


def test_a_lane_is_a_person_in_a_thread_of_a_chat() -> None:
    topic = message("/help", chat=GROUP, message_thread_id=9, is_topic_message=True)
    lanes = {
        peek(update("message", content), bot="42", me=ME).lane
        for content in (topic, message("/help", chat=GROUP), message("/help"))
    }

    assert len(lanes) == 3


def test_stop_is_seen_at_once_whoever_it_is_addressed_to_in_our_name() -> None:
    for text in ("/stop", "/STOP@switch_bot", "/stop now"):
        seen = peek(update("message", message(text)), bot="42", me=ME)
        assert seen.kind is UpdateKind.STOP
    assert (
        peek(update("message", message("/stopwatch")), bot="42", me=ME).kind is UpdateKind.MESSAGE
    )


def test_a_moving_point_on_the_map_is_no_edit_of_anything() -> None:
    moved = message(None, location={"latitude": 1.0, "longitude": 2.0})

    assert fate(moved) is Fate.ACCEPT
    assert fate(moved, "edited_message") is Fate.IGNORE


def test_blocking_and_moving_are_noticed() -> None:
    change = {"chat": {"id": 7, "type": "private"}, "new_chat_member": {"status": "kicked"}}
    assert peek(update("my_chat_member", change), bot="42", me=ME).kicked is True
    change["new_chat_member"] = {"status": "member"}
    assert peek(update("my_chat_member", change), bot="42", me=ME).kicked is False
    moved = message(None, chat=GROUP, migrate_to_chat_id=-200)
    assert peek(update("message", moved), bot="42", me=ME).moved_to == -200
