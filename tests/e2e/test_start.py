"""Starting, stopping and the command line, as a person meets them in a terminal."""

import asyncio
import json
import os
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli.voice import READER_GONE
from bot.demo import SCRIPT
from tests.chosen_store import environment
from tests.e2e.process import Bot, Ended, bot, command
from tests.e2e.web_client import WebClient, attending

pytestmark = pytest.mark.e2e

GRACE_SECONDS = 5
CONFIGURATION = 2


def settings(folder: Path) -> dict[str, object]:
    data = folder / "data"
    return {"DATA_DIR": data, "HTTP_PORT": 0, "ONBOARDING": "off", **environment(data)}


def content(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def assert_one_line(ended: Ended, *words: str) -> None:
    """The start was refused with one line that holds these words, and nothing else was said."""
    assert ended.code == CONFIGURATION
    assert ended.out == ""
    (line,) = ended.err.splitlines()
    assert line.startswith("switchboard: ")
    for word in words:
        assert word in line


# --- refused starts -----------------------------------------------------------------------------


async def test_an_unknown_name_in_the_env_file_is_named_with_the_nearest_right_one(
    tmp_path: Path,
) -> None:
    (tmp_path / ".env").write_text("DATA_DRI=elsewhere\n", encoding="utf-8")

    ended = await command("run", cwd=tmp_path)

    assert_one_line(ended, ".env", "DATA_DRI", "did you mean DATA_DIR?")


async def test_a_mistyped_platform_setting_in_the_environment_is_named(tmp_path: Path) -> None:
    ended = await command("run", cwd=tmp_path, **settings(tmp_path), TELEGRAM_BOT_TOKNE="1")

    assert_one_line(ended, "unknown setting TELEGRAM_BOT_TOKNE")


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("TIMEZONE", "Mars/Olympus", "not an IANA zone such as Asia/Shanghai"),
        ("HTTP_PORT", "many", "valid integer"),
        ("SHUTDOWN_GRACE", "0", "greater than 0"),
        ("CURRENCY", "yuan", "not a currency code"),
        ("FAILPOINT", "somewhere:1", "somewhere"),
    ],
)
async def test_a_wrong_value_is_named_with_what_is_expected(
    tmp_path: Path, name: str, value: str, says: str
) -> None:
    ended = await command("run", cwd=tmp_path, **{**settings(tmp_path), name: value})

    assert_one_line(ended, name, says)


async def test_a_taken_port_is_named_and_nothing_has_begun(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]

        ended = await command("run", cwd=tmp_path, **settings(tmp_path) | {"HTTP_PORT": port})

    assert_one_line(ended, "HTTP_PORT", str(port), "taken", "free port")


async def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("not a folder", encoding="utf-8")

    ended = await command("run", cwd=tmp_path, **settings(tmp_path))

    assert_one_line(ended, "DATA_DIR", "is a file", "name a folder")
    assert (tmp_path / "data").read_text(encoding="utf-8") == "not a folder"


async def test_a_second_process_on_the_folder_is_refused_and_the_first_goes_on(
    tmp_path: Path,
) -> None:
    async with bot(tmp_path) as first:
        ended = await command("run", cwd=tmp_path, **settings(tmp_path))

        assert_one_line(ended, "DATA_DIR", "in use by another Switchboard", "stop that one")
        page = WebClient("local")
        async with asyncio.timeout(20), attending(lambda: first.origin, page):
            await page.answer(page.say("午饭35"))


@pytest.mark.sqlite_only
async def test_a_database_that_is_none_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "data" / "switchboard.db"
    path.parent.mkdir()
    path.write_bytes(b"this is no database " * 500)

    ended = await command("run", cwd=tmp_path, **settings(tmp_path))

    assert_one_line(ended, "DATA_DIR", "switchboard.db", "restore it from a backup")
    assert path.read_bytes() == b"this is no database " * 500


@pytest.mark.sqlite_only
async def test_a_database_of_a_newer_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    async with bot(tmp_path) as running:
        await running.stop()
    path = tmp_path / "data" / "switchboard.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 9999")

    ended = await command("run", cwd=tmp_path, **settings(tmp_path))

    assert_one_line(ended, "newer")
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (9999,)


# --- stopping -----------------------------------------------------------------------------------


async def test_a_stop_during_work_ends_cleanly_and_loses_nothing_accepted(tmp_path: Path) -> None:
    pages = [WebClient("local"), WebClient("local")]
    async with (
        bot(tmp_path, SHUTDOWN_GRACE=GRACE_SECONDS) as running,
        asyncio.timeout(60),
        attending(lambda: running.origin, *pages),
    ):
        said = [pages[0].say(f"午饭{n}") for n in range(1, 16)]
        await pages[0].answer(said[0])

        async with asyncio.timeout(3 * GRACE_SECONDS):
            assert await running.stop() == 0
        taken = len(pages[0].receipts)
        assert await running.start(), running.log
        for event in said:
            await pages[0].answer(event)
        await pages[1].until(lambda: pages[1].version >= pages[0].version)

        assert taken > 0
        assert "Traceback" not in running.log
        assert '"level": "error"' not in running.log
        assert pages[1].items == pages[0].items
        assert [len(pages[0].answers(event)) for event in said] == [1] * len(said)
        await running.stop()
    exported = await command("export", "--user", "web:local", cwd=tmp_path, **settings(tmp_path))
    amounts = [entry["minor"] for entry in json.loads(exported.out)["entries"]]
    assert sorted(amounts) == [n * 100 for n in range(1, 16)]


async def test_a_stop_with_an_open_page_and_nothing_to_do_does_not_wait_for_the_page(
    tmp_path: Path,
) -> None:
    page = WebClient("local")
    async with (
        bot(tmp_path, SHUTDOWN_GRACE=60) as running,
        attending(lambda: running.origin, page),
        asyncio.timeout(20),
    ):
        await page.answer(page.say("午饭35"))

        assert await running.stop() == 0


# --- the command line ---------------------------------------------------------------------------


async def test_the_demo_prints_the_whole_conversation_and_keeps_nothing(tmp_path: Path) -> None:
    ended = await command("demo", cwd=tmp_path)

    assert (ended.code, ended.err) == (0, "")
    for step in SCRIPT:
        if not step.wait_minutes:
            assert f" you  | {step.shown}" in ended.out
    for words in ("已记：午饭 ¥35.00", "已修改", "⏰ 喝水", "✓ 喝水", "跑步", "由谁决定"):
        assert words in ended.out
    assert content(tmp_path) == []


async def test_output_that_nobody_reads_any_more_ends_a_command_quietly() -> None:
    read, write = os.pipe()
    os.close(read)
    demo = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "demo", stdout=write, stderr=asyncio.subprocess.PIPE
    )
    os.close(write)
    _, said = await demo.communicate()

    assert (demo.returncode, said) == (READER_GONE, b"")


async def test_explain_shows_how_a_text_is_understood_and_needs_no_folder(tmp_path: Path) -> None:
    ended = await command(
        "explain",
        "--json",
        "--no-model",
        "--now",
        "2026-12-01T10:00:00+08:00",
        "明早8点提醒我开会",
        cwd=tmp_path,
    )

    assert ended.code == 0
    found = json.loads(ended.out)
    assert found["route"]["intent"] == "schedule_manager"
    assert found["time"]["times"][0]["start"] == "2026-12-02T08:00:00+08:00"
    assert content(tmp_path) == []


async def test_explain_routes_without_the_local_model_where_the_setting_is_off(
    tmp_path: Path,
) -> None:
    ended = await command("explain", "--json", "讲个笑话", cwd=tmp_path, local_model="off")

    route = json.loads(ended.out)["route"]
    assert route["source"] == "rule_fallback"
    assert "local_model" not in " ".join(route["trace"])


async def test_explain_answers_a_file_line_by_line(tmp_path: Path) -> None:
    rows: list[dict[str, str]] = [
        {"id": "a", "text": "午饭35", "mode": "ledger"},
        {"id": "b", "text": "see you tomorrow", "tz": "Europe/Berlin"},
    ]
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")

    ended = await command("explain", "--json", "--file", str(path), cwd=tmp_path)

    answers = [json.loads(line) for line in ended.out.splitlines()]
    assert [answer["id"] for answer in answers] == ["a", "b"]
    assert answers[0]["route"]["intent"] == "ledger_manager"
    assert answers[1]["tz"] == "Europe/Berlin"


async def test_explain_refuses_a_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text("{", encoding="utf-8")

    broken = await command("explain", "--file", "cases.jsonl", cwd=tmp_path)
    missing = await command("explain", "--file", "nothing.jsonl", cwd=tmp_path)

    assert_one_line(broken, "--file", "not a line of the format")
    assert_one_line(missing, "--file", "cannot read nothing.jsonl")


async def test_the_doctor_tests_the_set_up_and_says_what_is_wrong(tmp_path: Path) -> None:
    well = await command("doctor", cwd=tmp_path, **settings(tmp_path))
    async with bot(tmp_path):
        held = await command("doctor", cwd=tmp_path, **settings(tmp_path))

    assert (well.code, held.code) == (0, 0)
    assert "[ok] data folder" in well.out
    assert "[!!]" not in well.out + held.out
    assert "[ok] bot: is running (process " in held.out
    assert "[ok] store" in held.out


async def test_the_doctor_names_a_port_that_another_program_holds(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        ended = await command("doctor", cwd=tmp_path, **settings(tmp_path) | {"HTTP_PORT": port})

    assert ended.code == 1
    assert f"[!!] web chat: HTTP_PORT {port} is taken" in ended.out


async def test_the_export_holds_what_was_booked_in_both_forms(tmp_path: Path) -> None:
    page = WebClient("local")
    async with (
        bot(tmp_path) as running,
        asyncio.timeout(30),
        attending(lambda: running.origin, page),
    ):
        await page.answer(page.say("午饭35"))
        await page.answer(page.say("10分钟后提醒我开会"))
        await running.stop()

    table = await command(
        "export", "--user", "web:local", "--format", "csv", cwd=tmp_path, **settings(tmp_path)
    )
    whole = await command("export", "--user", "web:local", cwd=tmp_path, **settings(tmp_path))
    nobody = await command("export", "--user", "web:nobody", cwd=tmp_path, **settings(tmp_path))

    header, row = table.out.splitlines()
    assert header.split(",")[:4] == ["occurred_on", "item", "amount", "currency"]
    assert row.split(",")[1:4] == ["午饭", "35.00", "CNY"]
    everything = json.loads(whole.out)
    assert [schedule["what"] for schedule in everything["schedules"]] == ["开会"]
    assert [turn["text"] for turn in everything["turns"]][-2:] == ["午饭35", "10分钟后提醒我开会"]
    assert_one_line(nobody, "no such person", "web:local")


async def test_a_token_lets_its_person_in_until_it_is_revoked(tmp_path: Path) -> None:
    made = await command("token", "anna", cwd=tmp_path, **settings(tmp_path))
    token = made.out.strip().partition("token=")[2]
    async with bot(tmp_path) as running, asyncio.timeout(30):
        page = WebClient("anna", token)
        async with attending(lambda: running.origin, page):
            await page.answer(page.say("午饭35"))
        assert page.state["user"] == "anna"

        revoked = await command("token", "anna", "--revoke", cwd=tmp_path, **settings(tmp_path))
        assert "revoked 1" in revoked.out
        stranger = WebClient("local", token)
        async with attending(lambda: running.origin, stranger):
            await stranger.until(lambda: stranger.state)
        assert stranger.state["user"] == "local"
    refused = await command("token", "Anna!", cwd=tmp_path, **settings(tmp_path))
    assert_one_line(refused, "token", "a-z")


async def test_the_agents_are_listed_with_their_tools(tmp_path: Path) -> None:
    ended = await command("agents", cwd=tmp_path)

    assert ended.code == 0
    for word in ("ledger_manager", "ledger_insert", "schedule_manager", "help_center"):
        assert word in ended.out


async def test_a_start_leaves_one_process_and_says_where_it_is(tmp_path: Path) -> None:
    running = Bot(tmp_path)

    assert await running.start()
    assert running.origin.startswith("http://127.0.0.1:")
    assert await running.stop() == 0


async def test_an_invitation_and_a_grant_are_made_while_the_bot_runs(tmp_path: Path) -> None:
    closed = settings(tmp_path) | {"ALLOWED_IDS": "web:anna"}
    made = await command("token", "bob", cwd=tmp_path, **closed)
    page = WebClient("bob", made.out.strip().partition("token=")[2])
    async with (
        bot(tmp_path, ALLOWED_IDS="web:anna") as running,
        asyncio.timeout(60),
        attending(lambda: running.origin, page),
    ):
        refused = await page.answer(page.say("午饭35"))
        assert "web:bob" in refused.text
        invited = await command("invite", cwd=tmp_path, **closed)
        assert "web:bob" not in (await page.answer(page.say(invited.out.splitlines()[0]))).text
        taken = await command("grant", "web:bob", "-ledger", cwd=tmp_path, **closed)
        assert "ledger taken away by command line" in taken.out
        assert "没有使用此功能的权限" in (await page.answer(page.say("午饭35"))).text

    nobody = await command("grant", "web:zoe", "ledger", cwd=tmp_path, **closed)
    assert_one_line(nobody, "no such person", "web:local")
    unknown = await command("grant", "web:bob", "LEDGRE", cwd=tmp_path, **closed)
    assert_one_line(unknown, "LEDGRE", "ledger")
    open_to_all = await command("invite", cwd=tmp_path, **settings(tmp_path))
    assert_one_line(open_to_all, "invite", "ALLOWED_IDS")
