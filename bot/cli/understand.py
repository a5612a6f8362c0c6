"""Commands about understanding: explain, eval, calendar."""

import argparse
import asyncio
import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.cli.voice import say, settings_loaded
from bot.core.errors import ConfigurationError
from bot.environment import load_settings
from bot.log import configure

if TYPE_CHECKING:
    from bot.explain import Query


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands."""
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


def _explain(options: argparse.Namespace) -> int:
    from bot.explain import Query, explain_all  # noqa: PLC0415

    if options.file is None and not options.text.strip():
        raise ConfigurationError(
            'explain: say what, as explain "明早8点提醒我开会", or --file FILE'
        )
    zone = _zone(options.tz or "Asia/Shanghai")
    if options.file is None:
        rows = [Query(text=options.text, now=_instant(options.now), zone=zone, mode=options.mode)]
    else:
        rows = [_row(line, zone) for line in _lines(options.file)]
    settings, _ = load_settings()
    configure("ERROR")
    ask_model = not options.no_model
    for answer in asyncio.run(explain_all(rows, settings, ask_model=ask_model)):
        say(json.dumps(answer, ensure_ascii=False))
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
        say(line)
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
    from bot.language.workdays import check_year  # noqa: PLC0415

    try:
        data = json.loads(options.file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"calendar: cannot read {options.file} as JSON") from error
    if problems := check_year(data):
        raise ConfigurationError(f"calendar: {options.file}: {'; '.join(problems)}")
    folder = settings_loaded().calendar_folder
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"holidays-{data['year']}.json"
    target.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
    say(f"{target} holds {data['year']} now; restart the bot to use it")
    return 0
