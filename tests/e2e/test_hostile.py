"""What nobody should send: it gets a clear answer and changes nothing; the bot goes on."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from aiohttp import ClientSession, WSMsgType, WSServerHandshakeError

from tests.chosen_store import as_sqlite
from tests.e2e.process import Bot, bot
from tests.e2e.web_client import WebClient, attending

pytestmark = pytest.mark.e2e

FRAME = {"type": "message", "id": "hostile-1", "text": "午饭35"}
DEEP = 20_000

BAD_FRAMES: Mapping[str, str] = {
    "nothing": "",
    "no JSON": "hello",
    "a list": "[]",
    "no type": "{}",
    "an unknown type": json.dumps({"type": "shutdown"}),
    "an unknown field": json.dumps({**FRAME, "admin": True}),
    "no text": json.dumps({**FRAME, "text": ""}),
    "blank text": json.dumps({**FRAME, "text": " \n\t "}),
    "text that is a number": json.dumps({**FRAME, "text": 35}),
    "text too long": json.dumps({**FRAME, "text": "长" * 8_001}),
    "a frame too long": json.dumps({**FRAME, "text": "x" * 200_000}),
    "a null character": json.dumps({**FRAME, "text": "午饭\u000035"}),
    "an escape sequence": json.dumps({**FRAME, "text": "\u001b[2J午饭35"}),
    "half a surrogate pair": '{"type":"message","id":"hostile-1","text":"\\ud83d"}',
    "an id of ours": json.dumps({**FRAME, "id": "~start"}),
    "an id with a path": json.dumps({**FRAME, "id": "../../etc/passwd"}),
    "deep lists": "[" * DEEP + "]" * DEEP,
    "deep objects": '{"type":' * DEEP + "1" + "}" * DEEP,
    "a number without end": '{"type":"hello","version":' + "9" * 10_000 + "}",
    "somebody else's file": json.dumps({**FRAME, "files": ["f_00000000000000000000"]}),
    "a message that is not there": json.dumps(
        {"type": "edit", "id": "hostile-1", "item": "not-there", "text": "午饭35"}
    ),
}

BAD_WORDS: Mapping[str, str] = {
    "digits": "9" * 8_000,
    "digits to book": "午饭" + "9" * 7_900,
    "digits to wait": "9" * 7_000 + "分钟后提醒我喝水",
    "Chinese digits": "午饭" + "九亿" * 3_900,
    "a date that is none": "99999年99月99日99点提醒我喝水",
    "SQL": "午饭'); DROP TABLE entries; --",
    "HTML": "<img src=x onerror=alert(1)><script>alert(1)</script>",
    "a formula": "=HYPERLINK(1)+" * 500,
    "braces": "{0.__class__.__mro__}%s%n${jndi:ldap://a}" * 100,
    "a bomb for regular expressions": "提醒我" * 2_600,
    "spaces": "午饭" + " " * 7_000 + "x",
    "separators": "，,。、；" * 1_500,
    "every minute": "每天" * 3_900,
    "commas and numbers": "1," * 3_900,
    "a slash": "/" + "a" * 7_000,
    "marks that turn text around": "\u202e午饭\u2066" * 900,
    "stacked marks": "é" + "\u0301" * 7_000,
    "emoji": "👨‍👩‍👧‍👦" * 700,
}


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[Bot]:
    async with bot(tmp_path) as opened, asyncio.timeout(100):
        yield opened
        await opened.stop()
        assert '"level": "error"' not in opened.log, opened.log[-2000:]


async def written(running: Bot) -> dict[str, int]:
    """Return how many rows there are of what a person owns or has said."""
    path = await as_sqlite(running.data)
    tables = ("entries", "schedules", "notes", "files", "inbox", "transcript_items")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
            for table in tables
        }


async def test_a_frame_that_cannot_be_taken_is_answered_in_words_and_changes_nothing(
    running: Bot,
) -> None:
    page = WebClient("local")
    async with attending(lambda: running.origin, page):
        await page.until(lambda: any(item.author == "bot" for item in page.shown))
        before = await written(running)
    answers: dict[str, str] = {}
    for name, data in BAD_FRAMES.items():
        answers[name] = await answer_to(running, data)

    assert [name for name, words in answers.items() if not words] == []
    assert await written(running) == before


async def test_binary_frames_and_frames_over_a_megabyte_change_nothing(running: Bot) -> None:
    async with (
        ClientSession() as session,
        session.ws_connect(f"{running.origin}/ws", headers={"Origin": running.origin}) as socket,
    ):
        await socket.send_bytes(b"\x00\xff" * 100)
        answer = json.loads((await socket.receive()).data)
        await socket.send_str("x" * 2**21)
        ended = await socket.receive()

    assert answer["type"] == "error"
    assert answer["text"]
    assert ended.type in {WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.ERROR}
    assert (await written(running))["inbox"] == 0


async def answer_to(running: Bot, data: str) -> str:
    """Say hello, send this, and return the words of the refusal."""
    async with (
        ClientSession() as session,
        session.ws_connect(f"{running.origin}/ws", headers={"Origin": running.origin}) as socket,
    ):
        await socket.send_str(data)
        async for message in socket:
            frame = json.loads(message.data)
            if frame["type"] == "error":
                assert not frame["retry"]
                return str(frame["text"])
    return ""


async def test_hostile_words_are_answered_and_book_nothing(running: Bot) -> None:
    page = WebClient("local")
    async with attending(lambda: running.origin, page):
        for name, words in BAD_WORDS.items():
            answer = await page.answer(page.say(words))
            assert answer.payload["blocks"], name
            stored = await written(running)
            assert (stored["entries"], stored["schedules"]) == (0, 0), (name, answer.text)
        said = [item.text for item in page.shown if item.author == "person"]
        assert said == [words.strip() for words in BAD_WORDS.values()]

        assert "¥35.00" in (await page.answer(page.say("午饭35"))).text
    assert (await written(running))["entries"] == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://localhost.evil.example"},
        {},
        {"Origin": "http://evil.example", "Host": "evil.example"},
    ],
    ids=str,
)
async def test_a_foreign_page_cannot_open_the_socket(
    running: Bot, headers: Mapping[str, str]
) -> None:
    async with ClientSession() as session:
        with pytest.raises(WSServerHandshakeError) as refused:
            await session.ws_connect(f"{running.origin}/ws", headers=headers)

    assert refused.value.status in {403, 421}
    assert (await written(running))["inbox"] == 0
