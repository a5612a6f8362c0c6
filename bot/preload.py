"""Reads everything that lies in files of the package before the loop needs it."""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from adapters.fetch.reading import is_installed as reads_pages
from adapters.local_model.classifier import is_installed
from adapters.local_model.examples import unknown_texts
from adapters.mcp.server import is_installed as speaks_mcp
from agents.help_center.agent import help_page
from agents.manifests import FOLDERS, load_manifests, load_remote
from agents.onboarding.zones import zone_names
from agents.orders import order_patterns
from agents.talk.prompt import template as talk_instructions
from agents.verbatim import span_instructions
from bot.classifier import template as route_prompt
from bot.core.errors import ConfigurationError
from bot.language.recurrence import resolve_recurrence
from bot.language.times import resolve_time
from bot.language.workdays import use_folder
from bot.locales.catalogue import LOCALES, catalogue
from bot.rules import rules
from bot.summarizer import instructions as summary_instructions

CALENDAR_WORDS = ("每个工作日9点", "农历八月十五", "every weekday at 9")
"""Each needs a calendar file or library that is read on first use."""


def preload(calendar_folder: Path | None = None, agents_folder: Path | None = None) -> None:
    """Fill the caches; it reads files, so it runs in a thread.

    Raises:
        ConfigurationError: a calendar file of the operator is not in order.
    """
    if calendar_folder is not None and calendar_folder.is_dir():
        try:
            use_folder(calendar_folder)
        except ValueError as error:
            raise ConfigurationError(
                f"{calendar_folder}: {error}; import the year again or delete the file"
            ) from error
    load_manifests()
    if agents_folder is not None:
        load_remote(agents_folder)
    for locale in LOCALES:
        catalogue(locale)
        for folder in FOLDERS:
            help_page(folder, locale)
    talk_instructions("chat")
    summary_instructions()
    for agent in ("ledger", "schedule"):
        order_patterns(agent)
        span_instructions(agent)
        talk_instructions(agent)
    rules()
    route_prompt()
    is_installed()
    reads_pages()
    speaks_mcp()
    unknown_texts()
    zone_names()
    now = datetime.now(UTC).astimezone(ZoneInfo("Asia/Shanghai"))
    for words in CALENDAR_WORDS:
        resolve_recurrence(words, now=now, tz=ZoneInfo("Asia/Shanghai"))
        resolve_time(words, now=now, tz=ZoneInfo("Asia/Shanghai"), mode="reminder")
