"""Commands about the bot as a whole: run, demo, doctor, agents, gallery."""

import argparse
import asyncio
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path

from bot.cli.voice import say, settings_loaded
from bot.clock import SystemClock
from bot.core.errors import ConfigurationError
from bot.core.failpoints import arm
from bot.environment import load_settings
from bot.garbage import put_off_collection
from bot.log import configure


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands."""
    named: tuple[tuple[str, str, Callable[[argparse.Namespace], int]], ...] = (
        ("run", "run the bot (the default)", run),
        ("demo", "print a scripted conversation", _demo),
        ("doctor", "test the set-up", _doctor),
        ("agents", "list the agents", _agents),
    )
    for name, purpose, work in named:
        commands.add_parser(name, help=purpose).set_defaults(run=work)
    gallery = commands.add_parser("gallery", help="write pages with every kind of message")
    gallery.add_argument("folder", type=Path, nargs="?", help="where to; else a temporary one")
    gallery.set_defaults(run=_gallery)


def run(_options: argparse.Namespace) -> int:
    """Run the bot until it is told to stop.

    Raises:
        ConfigurationError: it cannot start like this.
    """
    put_off_collection()
    from bot.serving import run as run_bot  # noqa: PLC0415  # others start without it
    from storage.folder import lock_folder  # noqa: PLC0415

    settings = settings_loaded()
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
        await run_bot(
            settings,
            SystemClock(),
            stop=stop,
            say=lambda url: say(f"Switchboard is ready: {url}  (stop with Ctrl-C)"),
        )

    with lock_folder(settings.data_dir):
        asyncio.run(until_signalled())
    return 0


def _demo(_options: argparse.Namespace) -> int:
    from bot.demo import demo  # noqa: PLC0415

    configure("ERROR")
    asyncio.run(demo(say))
    return 0


def _doctor(_options: argparse.Namespace) -> int:
    from bot.doctor import examine  # noqa: PLC0415

    settings, warnings = load_settings()
    configure("ERROR")
    findings = asyncio.run(examine(settings, warnings))
    for finding in findings:
        say(f"[{'ok' if finding.ok else '!!'}] {finding.what}: {finding.says}")
    return 0 if all(finding.ok for finding in findings) else 1


def _agents(_options: argparse.Namespace) -> int:
    from agents.manifests import joined, load_manifests, load_remote  # noqa: PLC0415
    from agents.toolsets import node_tool_names  # noqa: PLC0415

    remote = load_remote(settings_loaded().agents_folder)
    manifests = joined(load_manifests(), remote)
    tools = node_tool_names(manifests)
    for m in manifests:
        names = ", ".join(sorted(tools[m.intent])) or "-"
        say(f"{m.intent:18} {m.agent_id:7} {m.status:8} {m.pack:10} {m.display_name.en}")
        say(f"{'':18} {f'at {m.endpoint}' if m.endpoint else f'tools: {names}'}")
    return 0


def _gallery(options: argparse.Namespace) -> int:
    from bot.gallery.page import page  # noqa: PLC0415
    from bot.locales.catalogue import LOCALES  # noqa: PLC0415

    folder = options.folder or Path(tempfile.mkdtemp(prefix="switchboard-gallery-"))
    for locale in LOCALES:
        file = folder / f"gallery-{locale}.html"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(page(locale), encoding="utf-8")
        except OSError as error:
            raise ConfigurationError(f"gallery: cannot write {file}; name a folder") from error
        say(f"{file} shows every kind of message")
    return 0
