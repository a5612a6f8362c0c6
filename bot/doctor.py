"""Tests of the set-up that really test: each finding says what to do."""

import asyncio
import importlib.util
import shutil
import socket
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from adapters.feishu import checkup as feishu
from adapters.fetch.reading import is_installed as reads_pages
from adapters.llm.access import check as check_model
from adapters.llm.sdk import is_installed
from adapters.mcp.checkup import check as check_service
from adapters.mcp.server import is_installed as speaks_mcp
from adapters.telegram.checkup import check
from bot.app import build, opened
from bot.clock import SystemClock
from bot.core.errors import BotError, ConfigurationError
from bot.core.extras import install
from bot.core.recurrence import Rule
from bot.environment import load_services
from bot.language.recurrence import next_fire
from bot.preload import preload
from bot.profiles import UnknownBranchError
from bot.settings import Settings
from storage.folder import DATABASE, FolderInUseError, lock_folder
from storage.sqlite.stores import open_stores as sqlite_stores

LOW_DISK_BYTES = 200 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Finding:
    """One test and how it went."""

    what: str
    ok: bool
    says: str


async def examine(settings: Settings, warnings: tuple[str, ...]) -> list[Finding]:
    """Return all findings for these settings."""
    findings = [Finding("settings", not warnings, "; ".join(warnings) or "read")]
    runs = _holder(settings)
    if runs:
        says = f"is running ({runs}): it holds the data folder and the port"
        findings.append(Finding("bot", ok=True, says=says))
    else:
        findings.append(_tested("data folder", lambda: _folder(settings)))
        findings.append(_tested("web chat", lambda: _port(settings)))
    findings.append(await _store(settings))
    findings.append(_tested("time", lambda: _time(settings)))
    findings.extend(await _telegram(settings))
    findings.extend(await _feishu(settings, runs=bool(runs)))
    findings.extend(await examine_models(settings))
    findings.extend(await examine_services(settings))
    reads = reads_pages()
    says = "read" if reads else f"not read: {install('web')}"
    findings.append(Finding("web pages", ok=True, says=says))
    charts = importlib.util.find_spec("matplotlib") is not None
    findings.append(
        Finding(
            "charts",
            ok=True,
            says="drawn" if charts else f"shown as tables: {install('charts')}",
        )
    )
    return findings


async def examine_models(settings: Settings) -> list[Finding]:
    """Return what each configured language model answers."""
    if not settings.providers:
        key = settings.openai_api_key.get_secret_value()
        says = "off: OPENAI_API_KEY is set, OPENAI_MODEL is not" if key else "off"
        return [Finding("model", ok=True, says=says)]
    if not is_installed():
        return [Finding("model", ok=False, says=f"missing: {install('llm')}")]
    results = await asyncio.gather(
        *(
            check_model(provider, clock=SystemClock(), proxy=settings.openai_proxy)
            for provider in settings.providers
        )
    )
    return [Finding(result.what, result.ok, result.says) for result in results]


async def examine_services(settings: Settings) -> list[Finding]:
    """Return what each MCP server offers."""
    if settings.mcp_config is None:
        return [Finding("mcp", ok=True, says="off: MCP_CONFIG is not set")]
    try:
        services = await asyncio.to_thread(load_services, settings)
    except ConfigurationError as error:
        return [Finding("mcp", ok=False, says=str(error))]
    if not await asyncio.to_thread(speaks_mcp):
        return [Finding("mcp", ok=False, says=f"missing: {install('mcp')}")]
    results = await asyncio.gather(*(check_service(s, clock=SystemClock()) for s in services))
    return [Finding(result.what, result.ok, result.says) for result in results]


async def _telegram(settings: Settings) -> list[Finding]:
    token = settings.telegram_bot_token.get_secret_value()
    if not token:
        return [Finding("telegram", ok=True, says="off: TELEGRAM_BOT_TOKEN is not set")]
    results = await check(
        token=token,
        clock=SystemClock(),
        mode=settings.telegram_mode,
        webhook_url=settings.telegram_webhook_url,
        webhook_secret=settings.telegram_webhook_secret.get_secret_value(),
        api_base=settings.telegram_api_base,
    )
    return [Finding(result.what, result.ok, result.says) for result in results]


async def _feishu(settings: Settings, *, runs: bool) -> list[Finding]:
    secret = settings.feishu_app_secret.get_secret_value()
    if not settings.feishu_app_id or not secret:
        half = bool(settings.feishu_app_id or secret)
        says = "FEISHU_APP_ID and FEISHU_APP_SECRET go together" if half else "off: not set"
        return [Finding("feishu", ok=not half, says=says)]
    if importlib.util.find_spec("lark_oapi") is None:
        says = f"lark-oapi is missing: {install('feishu')}"
        return [Finding("feishu", ok=False, says=says)]
    try:
        results = await feishu.check(
            app_id=settings.feishu_app_id,
            secret=secret,
            domain=settings.feishu_domain,
            mode=settings.feishu_mode,
            encrypt_key=settings.feishu_encrypt_key.get_secret_value(),
            verification_token=settings.feishu_verification_token.get_secret_value(),
            clock=SystemClock(),
            runs=runs,
        )
    except ConfigurationError as error:
        return [Finding("feishu", ok=False, says=str(error))]
    return [Finding(result.what, result.ok, result.says) for result in results]


def _tested(what: str, test: Callable[[], str]) -> Finding:
    try:
        return Finding(what, ok=True, says=test())
    except (BotError, OSError) as error:
        return Finding(what, ok=False, says=str(error))


def _holder(settings: Settings) -> str:
    """Return which process of ours holds the data folder; empty when none does."""
    try:
        with lock_folder(settings.data_dir):
            return ""
    except FolderInUseError as error:
        return f"process {error.holder}"
    except (BotError, OSError):
        return ""  # told by the test of the folder


def _folder(settings: Settings) -> str:
    with lock_folder(settings.data_dir):
        free = shutil.disk_usage(settings.data_dir).free
    if free < LOW_DISK_BYTES:
        raise ConfigurationError(f"only {free // 2**20} MB free; make room")
    return f"{settings.data_dir} is writable, {free // 2**20} MB free"


async def _store(settings: Settings) -> Finding:
    alone = settings.model_copy(update={"mcp_config": None})  # has a test of its own
    try:
        if not (
            settings.mongodb_uri.get_secret_value() or (settings.data_dir / DATABASE).exists()
        ):
            await _without_a_store(alone)
            return Finding("store", ok=True, says="none yet; the first start makes it")
        async with opened(alone, SystemClock()) as app:
            counts = await app.stores.inbox.counts()
    except UnknownBranchError as error:
        return Finding("settings", ok=False, says=str(error))
    except (BotError, OSError) as error:
        return Finding("store", ok=False, says=str(error))
    waiting, dead = counts.get("new", 0), counts.get("dead", 0)
    says = f"opens; {waiting} inputs waiting, {dead} dead letters"
    return Finding("store", ok=True, says=says)


async def _without_a_store(settings: Settings) -> None:
    """Build everything on a store that is thrown away: to look leaves nothing behind."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        async with sqlite_stores(path / DATABASE, files_folder=path / "files") as stores:
            await asyncio.to_thread(preload, settings.calendar_folder, settings.agents_folder)
            build(settings, stores, SystemClock())


def _port(settings: Settings) -> str:
    family = socket.AF_INET6 if ":" in settings.http_host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.http_host, settings.http_port))
        except OSError as error:
            raise ConfigurationError(
                f"HTTP_PORT {settings.http_port} is taken or not allowed; set another one"
            ) from error
    return f"{settings.http_host}:{settings.http_port} is free"


def _time(settings: Settings) -> str:
    now = SystemClock().now()
    rule = Rule(
        type="rrule",
        rrule="FREQ=DAILY",
        times=("08:00",),
        tz=settings.timezone,
        dtstart_local=now.replace(tzinfo=None),
    )
    fire = next_fire(rule, now)
    if fire is None:
        raise ConfigurationError("the zone data is broken: reinstall the package tzdata")
    return f"it is {now:%Y-%m-%d %H:%M} UTC; 08:00 in {settings.timezone} is {fire:%H:%M} UTC"
