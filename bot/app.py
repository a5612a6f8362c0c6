"""The composition root: builds everything from the settings and owns the life cycles."""

import asyncio
import importlib.util
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from pydantic import SecretStr

from adapters.charts import Charts
from adapters.feishu.adapter import FeishuAdapter
from adapters.http import HttpServer
from adapters.llm.access import build_chain
from adapters.llm.chain import ModelChain
from adapters.llm.vision import ModelVision
from adapters.local_model.classifier import LocalClassifier, is_installed
from adapters.local_model.examples import examples_of
from adapters.remote_agents.client import Endpoint, HttpRemoteAgents
from adapters.telegram.adapter import TelegramAdapter
from adapters.web.adapter import WebAdapter
from agents.account.agent import AccountAgent
from agents.chat.agent import ChatAgent
from agents.help_center.agent import HelpAgent
from agents.ledger.agent import LedgerAgent
from agents.ledger.by_model import LedgerReading, LedgerSpans
from agents.manifests import FOLDERS, joined, load_manifests, load_remote
from agents.onboarding.agent import OnboardingAgent
from agents.planned import PlannedAgent
from agents.remote.agent import RemoteAgent
from agents.schedule.agent import ScheduleAgent
from agents.schedule.by_model import ReminderReading, ReminderSpans
from agents.schedule.setting import ReminderSetting
from agents.tool_loop import ToolLoop
from agents.tools.account import account_tools
from agents.tools.clock import clock_tools
from agents.tools.conversations import conversation_tools
from agents.tools.ledger import ledger_tools
from agents.tools.memory import memory_tools
from agents.tools.profile import profile_tools
from agents.tools.schedules import schedule_tools
from agents.tools.vision import vision_tools
from agents.toolsets import node_tool_names
from agents.verbatim import ReadByModel, SpanReader, span_instructions
from bot.access import Access
from bot.briefing import Briefing
from bot.classifier import ModelClassifier
from bot.core.agents import Agent
from bot.core.errors import ConfigurationError
from bot.core.manifests import Manifest, Pack
from bot.core.memory import Memory
from bot.core.model import Model
from bot.core.outbox import OutboxClass
from bot.core.people import SETUP_DONE, Person
from bot.core.ports import Adapter, Clock, Connects
from bot.core.remote import RemoteAgents
from bot.core.routing import Classifier
from bot.core.stores import Stores
from bot.core.tools import ToolGrant
from bot.core.turns import TurnOutcome
from bot.core.vision import Vision
from bot.delivery import Delivery
from bot.dispatcher import Dispatcher
from bot.follow_ups import FollowUps
from bot.gates import Gates
from bot.grants import GrantCommand
from bot.housekeeping import Housekeeping
from bot.language.recurrence import next_fire
from bot.locales.catalogue import LOCALES
from bot.metrics import Metrics
from bot.notices import Notices
from bot.pictures import Pictures
from bot.preload import preload
from bot.presses import Presses
from bot.profiles import Profiles
from bot.reach import StoredReach
from bot.registry import Registry
from bot.router import StationRouter
from bot.rules import RuleClassifier, score
from bot.scheduler import FixedJob, Scheduler
from bot.settings import Settings
from bot.summarizer import Summarizer
from bot.views import StoredViews
from storage.sqlite.stores import open_stores as sqlite_stores

COMMANDS = {
    "start": "onboarding",
    "settings": "onboarding",
    "bind": "account",
    "unbind": "account",
    "new": "chat_manager",
    "chats": "chat_manager",
    "help": "help_center",
    "entries": "ledger_manager",
    "reminders": "schedule_manager",
}
"""Slash commands and the intents that answer them; `/why`, `/cancel`, `/stop` are the hub's."""

CALENDAR_FOLDER = "calendar"
"""Where `python -m bot calendar` puts the operator's yearly files, inside the data folder."""

AGENTS_FOLDER = "agents"
"""Where the operator puts manifests of remote agents, inside the data folder."""

FALLBACK = "chat_manager"
SWEEP_EVERY = timedelta(hours=1)
COUNT_EVERY = timedelta(seconds=30)
WAKE_EVERY = timedelta(seconds=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """The built application, not running yet."""

    settings: Settings
    clock: Clock
    stores: Stores
    registry: Registry
    dispatcher: Dispatcher
    delivery: Delivery
    scheduler: Scheduler
    profiles: Profiles
    views: StoredViews
    reach: StoredReach
    metrics: Metrics
    notices: Notices
    remote: HttpRemoteAgents
    model: ModelChain | None
    summarizer: Summarizer | None


def build_registry(
    stores: Stores,
    packs: frozenset[Pack],
    *,
    remote: Sequence[Manifest],
    asking: RemoteAgents,
    clock: Clock,
    model: Model | None = None,
    vision: Vision | None = None,
) -> Registry:
    """Return the agents of the switched-on packs, and remote ones, with manifests and tools."""
    folders = dict(zip((m.intent for m in load_manifests()), FOLDERS, strict=True))
    manifests = [
        manifest
        for manifest in joined(load_manifests(), remote)
        if manifest.pack in packs or not manifest.routable or manifest.endpoint
    ]
    loops = {
        manifest.intent: ToolLoop(model, clock=clock, limits=manifest.limits)
        for manifest in manifests
        if model is not None
    }
    ledger = LedgerAgent(stores.ledger)
    schedule = ScheduleAgent(stores.schedules, stores.memory)
    live: Mapping[str, Agent] = {
        "onboarding": OnboardingAgent(stores.schedules),
        "account": AccountAgent(stores.bindings, stores.people),
        "chat_manager": ChatAgent(
            memory=stores.memory,
            schedules=stores.schedules,
            turns=stores.turns,
            loop=loops.get("chat_manager"),
            sees=vision is not None,
        ),
        "ledger_manager": ledger if model is None else _reading_ledger(ledger, model),
        "schedule_manager": schedule
        if model is None
        else _reading_schedule(schedule, stores.memory, model),
        "help_center": HelpAgent(
            [("" if m.endpoint else folders[m.intent], m) for m in manifests]
        ),
    }
    return Registry(
        ((m, _agent(m, live, asking)) for m in manifests),
        tools=ToolGrant(
            (
                *ledger_tools(stores.ledger),
                *schedule_tools(stores.schedules),
                *memory_tools(stores.memory),
                *profile_tools(stores.people),
                *account_tools(stores.bindings),
                *clock_tools(),
                *conversation_tools(stores.turns),
                *vision_tools(vision),
            )
        ),
        tool_names=node_tool_names(manifests),
    )


def _reading_ledger(agent: LedgerAgent, model: Model) -> Agent:
    reader = SpanReader(model, schema=LedgerSpans, instructions=span_instructions("ledger"))
    return ReadByModel(agent, reader, LedgerReading())


def _reading_schedule(agent: ScheduleAgent, memory: Memory, model: Model) -> Agent:
    reader = SpanReader(model, schema=ReminderSpans, instructions=span_instructions("schedule"))
    return ReadByModel(agent, reader, ReminderReading(ReminderSetting(memory)))


def _agent(manifest: Manifest, live: Mapping[str, Agent], asking: RemoteAgents) -> Agent:
    if manifest.endpoint:
        return RemoteAgent(manifest, asking)
    return live.get(manifest.intent) or PlannedAgent(manifest)


def build_remote(
    manifests: Sequence[Manifest], settings: Settings, clock: Clock
) -> HttpRemoteAgents:
    """Return what asks the remote agents of these manifests."""
    keys = settings.remote_keys
    return HttpRemoteAgents(
        {
            manifest.intent: Endpoint(
                url=manifest.endpoint,
                seconds=manifest.answer_within,
                secret=keys.get(manifest.intent.lower(), SecretStr("")),
            )
            for manifest in manifests
        },
        clock=clock,
    )


def build(settings: Settings, stores: Stores, clock: Clock) -> App:
    """Return the application over opened stores."""
    manifests = load_remote(settings.data_dir / AGENTS_FOLDER)
    remote = build_remote(manifests, settings, clock)
    metrics = Metrics()
    reach = StoredReach(stores.gone_chats, clock)
    delivery = Delivery(outbox=stores.outbox, reach=reach, clock=clock, sends=metrics.sends)
    notices = Notices(
        admin_ids=settings.admin_ids,
        people=stores.people,
        outbox=stores.outbox,
        clock=clock,
        wake=delivery.wake,
    )
    model = build_chain(
        settings.providers,
        files=stores.files,
        clock=clock,
        proxy=settings.openai_proxy,
        count=lambda call: metrics.model_call(call.provider, call.kind, call.result, call.usage),
        key_refused=notices.key_refused,
    )
    sees = any(provider.vision_model for provider in settings.providers)
    vision = ModelVision(model) if model and sees else None
    registry = build_registry(
        stores,
        settings.packs,
        remote=manifests,
        asking=remote,
        clock=clock,
        model=model,
        vision=vision,
    )
    summarizer = None
    if model is not None:
        summarizer = Summarizer(model=model, turns=stores.turns, summaries=stores.summaries)
    housekeeping = Housekeeping(stores=stores, clock=clock, rows=metrics.rows)
    scheduler = Scheduler(
        schedules=stores.schedules,
        people=stores.people,
        clock=clock,
        next_fire=next_fire,
        wake=delivery.wake,
        late_after=timedelta(seconds=settings.late_after),
        jobs=(
            FixedJob(name="sweep", every=SWEEP_EVERY, run=housekeeping.sweep),
            FixedJob(name="count", every=COUNT_EVERY, run=housekeeping.count),
            FixedJob(name="wake", every=WAKE_EVERY, run=delivery.wake_all),
        ),
    )
    listed = settings.allowed_ids | settings.admin_ids if settings.allowed_ids else frozenset()
    access = Access(stores.invitations, allowed_ids=listed)
    profiles = Profiles(stores.grants, registry, defaults=settings.branches)
    gates = Gates(
        stores=stores,
        registry=registry,
        clock=clock,
        newcomer=newcomer(settings, clock),
        access=access,
        profiles=profiles,
        granting=GrantCommand(
            profiles=profiles, people=stores.people, admin_ids=settings.admin_ids
        ),
        commands=COMMANDS,
        fallback="QA" if registry.is_live("QA") else FALLBACK,
    )
    dispatcher = Dispatcher(
        stores=stores,
        router=StationRouter(
            enabled=registry.enabled,
            classifiers=classifiers(registry, settings, model, metrics),
            fallback="QA" if registry.is_live("QA") else FALLBACK,
            unknown="complex_task" if registry.is_live("complex_task") else FALLBACK,
        ),
        registry=registry,
        gates=gates,
        presses=Presses(
            actions=stores.actions,
            people=stores.people,
            outbox=stores.outbox,
            may_enter=access.may_enter,
        ),
        reach=reach,
        briefing=Briefing(stores.turns, stores.summaries, Pictures(vision)),
        clock=clock,
        committed=partial(_committed, delivery.wake, scheduler.changed, metrics, summarizer),
    )
    return App(
        settings=settings,
        clock=clock,
        stores=stores,
        registry=registry,
        dispatcher=dispatcher,
        delivery=delivery,
        scheduler=scheduler,
        profiles=profiles,
        views=StoredViews(stores=stores, registry=registry, gates=gates, locale=settings.locale),
        reach=reach,
        metrics=metrics,
        notices=notices,
        remote=remote,
        model=model,
        summarizer=summarizer,
    )


def classifiers(
    registry: Registry, settings: Settings, model: Model | None, metrics: Metrics
) -> tuple[Classifier, ...]:
    """Return the sources of classifications that are there, the best first."""
    rules: tuple[Classifier, ...] = (
        FollowUps(registry.enabled),
        RuleClassifier(registry.enabled),
    )
    asked: tuple[Classifier, ...] = ()
    if model is not None:
        count = metrics.routed_by_model
        asked = (ModelClassifier(model, registry.manifests, count=count),)
    if settings.local_model == "off" or not is_installed():
        return (*asked, *rules)
    examples = examples_of(registry.manifests)
    local = LocalClassifier(
        examples,
        enabled=registry.enabled,
        rule_scores=score,
        cache_folder=settings.data_dir / "cache",
    )
    return (*asked, rules[0], local, rules[1])


def newcomer(settings: Settings, clock: Clock) -> Person:
    """Return what a person begins as."""
    return Person(
        person_id="",
        locale=settings.locale,
        zone=settings.timezone,
        currency=settings.currency,
        setup_stage=0 if settings.onboarding == "on" else SETUP_DONE,
        created_at=clock.now(),
    )


def _committed(
    wake: Callable[[str, OutboxClass], None],
    schedules_changed: Callable[[], None],
    metrics: Metrics,
    summarizer: Summarizer | None,
    outcome: TurnOutcome,
) -> None:
    """Set off what follows a commit."""
    for draft in outcome.outbox:
        wake(draft.chat.key, draft.outbox_class)
    if any(str(call.get("name", "")).startswith("schedule_") for call in outcome.record.calls):
        schedules_changed()
    record = outcome.record
    metrics.turns.labels(record.agent or "hub", record.source, record.outcome).inc()
    if summarizer is not None and record.agent == "chat_manager":
        summarizer.consider(record)


def open_stores(settings: Settings) -> AbstractAsyncContextManager[Stores]:
    """Return the configured store, to be entered: MongoDB where it is named, else SQLite.

    Raises:
        ConfigurationError: MongoDB is configured and its extra is missing.
    """
    uri = settings.mongodb_uri.get_secret_value()
    if not uri:
        folder = settings.data_dir
        return sqlite_stores(folder / "switchboard.db", files_folder=folder / "files")
    if importlib.util.find_spec(settings.mongo_driver) is None:
        extra = "mongo" if settings.mongo_driver == "pymongo" else "motor"
        raise ConfigurationError(
            f"MONGODB_URI is set, but {settings.mongo_driver} is missing: "
            f"pip install 'switchboard[{extra}]'"
        )
    from storage.mongo.stores import open_stores as mongo_stores  # noqa: PLC0415  # only then

    return mongo_stores(uri, driver=settings.mongo_driver)


@asynccontextmanager
async def opened(settings: Settings, clock: Clock) -> AsyncIterator[App]:
    """Open the store and build on it."""
    folder = settings.data_dir
    await asyncio.to_thread(preload, folder / CALENDAR_FOLDER, folder / AGENTS_FOLDER)
    stores = await asyncio.to_thread(open_stores, settings)
    async with stores as open_now:
        yield build(settings, open_now, clock)


@asynccontextmanager
async def working(app: App, *adapters: Adapter) -> AsyncIterator[None]:
    """Run the hub with these adapters; at the end close intake, drain, then stop."""
    for adapter in adapters:
        app.dispatcher.attach(adapter)
        app.delivery.attach(adapter)
        app.notices.attach(adapter)
    grace = app.settings.shutdown_grace
    await app.reach.load()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.remote.running())
        if app.model is not None:
            await stack.enter_async_context(app.model.running())
        if app.summarizer is not None:
            await stack.enter_async_context(app.summarizer.running())
        for adapter in adapters:
            if isinstance(adapter, Connects):
                await stack.enter_async_context(adapter.connected())
        await stack.enter_async_context(app.delivery.running())
        stack.push_async_callback(partial(app.delivery.drain, grace_seconds=grace))
        await app.dispatcher.recover()
        await stack.enter_async_context(
            app.dispatcher.lanes.running(clock=app.clock, grace_seconds=grace)
        )
        await stack.enter_async_context(app.scheduler.running())
        for adapter in adapters:
            await stack.enter_async_context(adapter.running())
        yield


@asynccontextmanager
async def serving(app: App) -> AsyncIterator[HttpServer]:
    """Run the hub with everything that is configured, and the web chat."""
    charts = Charts()
    web = WebAdapter(
        sink=app.dispatcher.accept,
        accepted=app.stores.inbox.get,
        transcripts=app.stores.transcripts,
        files=app.stores.files,
        tokens=app.stores.web_tokens,
        views=app.views,
        clock=app.clock,
        charts=charts,
        host=app.settings.http_host,
    )
    chosen = (web, build_telegram(app, charts), build_feishu(app))
    adapters = tuple(adapter for adapter in chosen if adapter is not None)
    server = HttpServer(
        app.settings.http_host,
        app.settings.http_port,
        routes=[route for adapter in adapters for route in adapter.routes()],
        health={
            "store": app.dispatcher.health,
            **({"model": app.model.health} if app.model else {}),
            **{adapter.platform: adapter.health for adapter in adapters},
        },
        metrics=app.metrics.text,
        guard=web.access.guard,
    )
    async with server, working(app, *adapters):  # pages are sent away before the door is shut
        yield server


def build_telegram(app: App, charts: Charts) -> TelegramAdapter | None:
    """Return the Telegram adapter; None when it is not configured.

    Raises:
        ConfigurationError: it is configured wrongly, or its extra is missing.
    """
    settings = app.settings
    token = settings.telegram_bot_token.get_secret_value()
    if not token:
        return None
    bar = [m for m in app.registry.manifests if m.capsule is not None]
    return TelegramAdapter(
        token=token,
        sink=app.dispatcher.accept,
        views=app.views,
        reach=app.reach,
        files=app.stores.files,
        clock=app.clock,
        charts=charts,
        capsules={
            f"{m.capsule.icon} {m.capsule.label.in_locale(locale)}": m.intent
            for m in bar
            if m.capsule is not None
            for locale in LOCALES
        },
        commands=(*COMMANDS, "space", "why", "cancel", "stop"),
        api_base=settings.telegram_api_base,
        mode=settings.telegram_mode,
        webhook_url=settings.telegram_webhook_url,
        webhook_secret=settings.telegram_webhook_secret.get_secret_value(),
        locale=settings.locale,
    )


def build_feishu(app: App) -> FeishuAdapter | None:
    """Return the Feishu adapter; None when it is not configured.

    Raises:
        ConfigurationError: it is configured wrongly, or its extra is missing.
    """
    settings = app.settings
    secret = settings.feishu_app_secret.get_secret_value()
    if not settings.feishu_app_id and not secret:
        return None
    return FeishuAdapter(
        app_id=settings.feishu_app_id,
        secret=secret,
        sink=app.dispatcher.accept,
        views=app.views,
        reach=app.reach,
        files=app.stores.files,
        clock=app.clock,
        domain=settings.feishu_domain,
        mode=settings.feishu_mode,
        encrypt_key=settings.feishu_encrypt_key.get_secret_value(),
        verification_token=settings.feishu_verification_token.get_secret_value(),
        locale=settings.locale,
    )


async def run(
    settings: Settings, clock: Clock, *, stop: asyncio.Event, say: Callable[[str], None]
) -> None:
    """Run until ``stop`` is set.

    Raises:
        ConfigurationError: it cannot start like this.
    """
    async with opened(settings, clock) as app, serving(app) as server:
        say(server.url)
        await stop.wait()
