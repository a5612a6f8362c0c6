"""The command line."""

import argparse
import asyncio
import importlib.util
import json
import signal
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.clock import SystemClock
from bot.core.errors import ConfigurationError, StorageError
from bot.core.failpoints import arm
from bot.log import configure
from bot.settings import Settings, load_settings

if TYPE_CHECKING:
    from bot.explain import Query

EXIT_CONFIGURATION = 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; a problem that a person can mend ends with one line and code 2."""
    options = _parser().parse_args(arguments)
    try:
        run: Callable[[argparse.Namespace], int] = options.run
        sys.exit(run(options))
    except ConfigurationError as error:
        print(f"switchboard: {error}", file=sys.stderr)  # noqa: T201  # the command line's voice
        sys.exit(EXIT_CONFIGURATION)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="switchboard", description="A chat assistant.")
    parser.set_defaults(run=_run)
    commands = parser.add_subparsers(metavar="COMMAND")

    commands.add_parser("run", help="run the bot (the default)").set_defaults(run=_run)
    commands.add_parser("demo", help="print a scripted conversation").set_defaults(run=_demo)
    commands.add_parser("doctor", help="test the set-up").set_defaults(run=_doctor)
    commands.add_parser("agents", help="list the agents").set_defaults(run=_agents)

    explain = commands.add_parser("explain", help="show how a text is understood")
    explain.add_argument("text", nargs="?", default="")
    explain.add_argument("--json", action="store_true", help="print JSON (the only format)")
    explain.add_argument("--no-model", action="store_true", help="no network model")
    explain.add_argument("--now", help="ISO 8601 instant to read it at")
    explain.add_argument("--tz", help="IANA zone of the person")
    explain.add_argument("--mode", choices=("reminder", "ledger", "range"), default="reminder")
    explain.add_argument("--file", type=Path, help="JSON lines {id, text, now?, tz?, mode?}")
    explain.set_defaults(run=_explain)

    evaluate = commands.add_parser("eval", help="measure the router on labelled phrases")
    evaluate.add_argument("what", choices=("routing",))
    evaluate.add_argument(
        "--file", type=Path, required=True, help="JSON lines {text, intent, also?}"
    )
    evaluate.add_argument("--no-model", action="store_true", help="no network model")
    evaluate.set_defaults(run=_evaluate)

    calendar = commands.add_parser("calendar", help="import a year of official working days")
    calendar.add_argument(
        "file", type=Path, help="JSON: year, source, official, holidays, workdays"
    )
    calendar.set_defaults(run=_calendar)

    export = commands.add_parser("export", help="write out what is stored of a person")
    export.add_argument("--user", required=True, help="person id, or platform:id of an account")
    export.add_argument("--format", choices=("csv", "json", "ics"), default="json")
    export.set_defaults(run=_export)

    migrate = commands.add_parser("migrate", help="copy everything from one store to the other")
    migrate.add_argument("--from", dest="source", choices=("sqlite", "mongo"), required=True)
    migrate.add_argument("--to", dest="target", choices=("sqlite", "mongo"), required=True)
    migrate.set_defaults(run=_migrate)

    backup = commands.add_parser("backup", help="copy the SQLite store into a new folder")
    backup.add_argument("folder", type=Path)
    backup.set_defaults(run=_backup)

    restore = commands.add_parser("restore", help="take a backup back into an empty data folder")
    restore.add_argument("folder", type=Path)
    restore.set_defaults(run=_restore)

    token = commands.add_parser("token", help="sign-ins for the web chat")
    token.add_argument("name", help="user id on the web chat, e.g. anna")
    token.add_argument("--revoke", action="store_true", help="delete this user's sign-ins")
    token.set_defaults(run=_token)

    invite = commands.add_parser("invite", help="let one account in that is not in ALLOWED_IDS")
    invite.add_argument("--revoke", metavar="USER", help="take back what a person redeemed")
    invite.set_defaults(run=_invite)

    grant = commands.add_parser("grant", help="show or change what a person may use")
    grant.add_argument("user", help="person id, or platform:id of an account")
    grant.add_argument("branches", nargs=argparse.REMAINDER, help="MEETING grants, -MEETING takes")
    grant.set_defaults(run=_grant)
    return parser


def _settings() -> Settings:
    settings, warnings = load_settings()
    configure(settings.log_level)
    for warning in warnings:
        print(f"switchboard: {warning}", file=sys.stderr)  # noqa: T201
    return settings


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201  # the command line's voice


def _run(_options: argparse.Namespace) -> int:
    from bot.app import run  # noqa: PLC0415  # other commands start faster without it
    from storage.folder import lock_folder  # noqa: PLC0415

    settings = _settings()
    if settings.failpoint:
        try:
            arm(settings.failpoint)
        except ValueError as error:
            raise ConfigurationError(f"FAILPOINT: {error}") from error

    async def until_signalled() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        await run(
            settings,
            SystemClock(),
            stop=stop,
            say=lambda url: _say(f"Switchboard is ready: {url}  (stop with Ctrl-C)"),
        )

    with lock_folder(settings.data_dir):
        asyncio.run(until_signalled())
    return 0


def _demo(_options: argparse.Namespace) -> int:
    from bot.demo import demo  # noqa: PLC0415

    configure("ERROR")
    asyncio.run(demo(_say))
    return 0


def _doctor(_options: argparse.Namespace) -> int:
    from bot.doctor import examine  # noqa: PLC0415

    settings, warnings = load_settings()
    configure("ERROR")
    findings = asyncio.run(examine(settings, warnings))
    for finding in findings:
        _say(f"[{'ok' if finding.ok else '!!'}] {finding.what}: {finding.says}")
    return 0 if all(finding.ok for finding in findings) else 1


def _agents(_options: argparse.Namespace) -> int:
    from agents.manifests import load_manifests  # noqa: PLC0415
    from agents.toolsets import node_tool_names  # noqa: PLC0415

    manifests = load_manifests()
    tools = node_tool_names(manifests)
    for m in manifests:
        names = ", ".join(sorted(tools[m.intent])) or "-"
        _say(f"{m.intent:18} {m.agent_id:7} {m.status:8} {m.pack:10} {m.display_name.en}")
        _say(f"{'':18} tools: {names}")
    return 0


def _explain(options: argparse.Namespace) -> int:
    from bot.explain import Query, explain_all  # noqa: PLC0415

    zone = _zone(options.tz or "Asia/Shanghai")
    if options.file is None:
        rows = [Query(text=options.text, now=_instant(options.now), zone=zone, mode=options.mode)]
    else:
        rows = [_row(line, zone) for line in _lines(options.file)]
    settings, _ = load_settings()
    configure("ERROR")
    ask_model = not options.no_model
    for answer in asyncio.run(explain_all(rows, settings, ask_model=ask_model)):
        _say(json.dumps(answer, ensure_ascii=False))
    return 0


def _evaluate(options: argparse.Namespace) -> int:
    from bot.evaluation import Phrase  # noqa: PLC0415
    from bot.explain import evaluate_routing  # noqa: PLC0415

    settings, _ = load_settings()
    configure("ERROR")
    phrases = []
    for line in _lines(options.file):
        try:
            row = json.loads(line)
            also = frozenset(row.get("also", ()))
            phrases.append(Phrase(text=row["text"], intent=row["intent"], also=also))
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigurationError(f"--file: not a line of the format: {line[:60]}") from error
    if not phrases:
        raise ConfigurationError(f"--file: {options.file} holds no phrases")
    for line in asyncio.run(evaluate_routing(phrases, settings, ask_model=not options.no_model)):
        _say(line)
    return 0


def _row(line: str, zone: ZoneInfo) -> "Query":
    from bot.explain import Query  # noqa: PLC0415

    try:
        row = json.loads(line)
        return Query(
            text=str(row["text"]),
            id=str(row.get("id", "")),
            now=_instant(row.get("now")),
            zone=_zone(row["tz"]) if row.get("tz") else zone,
            mode=row.get("mode", "reminder"),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(f"--file: not a line of the format: {line[:60]}") from error


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except OSError as error:
        raise ConfigurationError(f"--file: cannot read {path}") from error


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ConfigurationError(f"--tz: no such zone {name}; try Asia/Shanghai") from error


def _instant(value: str | None) -> datetime | None:
    if not value:
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError as error:
        raise ConfigurationError(f"--now: not ISO 8601: {value}") from error


def _calendar(options: argparse.Namespace) -> int:
    from bot.app import CALENDAR_FOLDER  # noqa: PLC0415
    from bot.language.workdays import check_year  # noqa: PLC0415

    try:
        data = json.loads(options.file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"calendar: cannot read {options.file} as JSON") from error
    if problems := check_year(data):
        raise ConfigurationError(f"calendar: {options.file}: {'; '.join(problems)}")
    folder = _settings().data_dir / CALENDAR_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"holidays-{data['year']}.json"
    target.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
    _say(f"{target} holds {data['year']} now; restart the bot to use it")
    return 0


def _export(options: argparse.Namespace) -> int:
    from bot.export import export  # noqa: PLC0415

    _say(asyncio.run(export(_settings(), options.user, options.format)))
    return 0


def _migrate(options: argparse.Namespace) -> int:
    if importlib.util.find_spec("pymongo") is None:
        raise ConfigurationError("migrate needs pymongo: pip install 'switchboard[mongo]'")
    from storage.transfer.migration import Places, migrate  # noqa: PLC0415

    settings = _settings()
    uri = settings.mongodb_uri.get_secret_value()
    if not uri:
        raise ConfigurationError("migrate: set MONGODB_URI to the database to copy to or from")
    places = Places(data_dir=settings.data_dir, mongodb_uri=uri, driver=settings.mongo_driver)
    try:
        moved = migrate(places, source=options.source, target=options.target, say=_say)
    except StorageError as error:
        raise ConfigurationError(f"migrate: {error}; run it again") from error
    for table in moved:
        _say(f"{table.table:18} {table.count:>8} rows, equal on both sides")
    return 0


def _backup(options: argparse.Namespace) -> int:
    from storage.transfer.backup import backup  # noqa: PLC0415

    saved = backup(_settings().data_dir, options.folder)
    _say(f"{saved.folder}: {saved.turns} turns, {saved.entries} entries, {saved.files} files")
    return 0


def _restore(options: argparse.Namespace) -> int:
    from storage.transfer.backup import restore  # noqa: PLC0415

    data_dir = _settings().data_dir
    saved = restore(options.folder, data_dir)
    _say(f"{data_dir}: {saved.turns} turns, {saved.entries} entries, {saved.files} files")
    return 0


def _token(options: argparse.Namespace) -> int:
    from bot.sign_ins import new_sign_in, revoke_sign_ins  # noqa: PLC0415

    settings = _settings()
    if options.revoke:
        count = asyncio.run(revoke_sign_ins(settings, options.name))
        _say(f"revoked {count} sign-in(s) of {options.name}")
    else:
        _say(asyncio.run(new_sign_in(settings, options.name)))
    return 0


def _invite(options: argparse.Namespace) -> int:
    from bot.admissions import expel, new_invitation  # noqa: PLC0415

    settings = _settings()
    if options.revoke:
        count = asyncio.run(expel(settings, options.revoke))
        _say(f"took back {count} invitation(s) of {options.revoke}")
        return 0
    if not settings.allowed_ids:
        raise ConfigurationError("invite: everyone is let in while ALLOWED_IDS is empty")
    code = asyncio.run(new_invitation(settings))
    _say(f"/start {code}\nSend this to the bot in a private chat; it works once, for 7 days.")
    if settings.telegram_bot_token.get_secret_value():
        _say(f"On Telegram as a link: https://t.me/YOUR_BOT?start={code}")
    return 0


def _grant(options: argparse.Namespace) -> int:
    from bot.admissions import grant  # noqa: PLC0415

    for line in asyncio.run(grant(_settings(), options.user, tuple(options.branches))):
        _say(line)
    return 0


if __name__ == "__main__":
    main()
