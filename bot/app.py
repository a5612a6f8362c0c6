"""The composition root: builds everything from the settings and owns the life cycles."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from adapters.fetch.fetcher import WebPages
from adapters.fetch.reading import is_installed as reads_pages
from adapters.llm.access import build_chain
from adapters.llm.chain import ModelChain
from adapters.llm.vision import ModelVision
from adapters.mcp.server import is_installed as speaks_mcp
from adapters.mcp.servers import McpServers
from adapters.remote_agents.client import HttpRemoteAgents
from agents.manifests import load_remote
from bot.access import Access
from bot.assembly.agents import build_registry
from bot.assembly.commands import COMMANDS
from bot.assembly.outside import build_remote
from bot.assembly.sources import classifiers, keepers
from bot.assembly.stores import open_stores
from bot.briefing import Briefing
from bot.core.errors import ConfigurationError
from bot.core.extras import install
from bot.core.outbox import OutboxClass
from bot.core.patterns import compile_waiting
from bot.core.people import SETUP_DONE, Person
from bot.core.ports import Adapter, Clock, Connects
from bot.core.services import ServiceConfig
from bot.core.stores import Stores
from bot.core.turns import TurnOutcome
from bot.delivery import Delivery
from bot.dispatcher import Dispatcher
from bot.environment import load_services
from bot.gates import Gates
from bot.grants import GrantCommand
from bot.housekeeping import Housekeeping
from bot.language.recurrence import next_fire
from bot.metrics import Metrics
from bot.notices import Notices
from bot.pictures import Pictures
from bot.preload import preload
from bot.presses import Presses
from bot.profiles import Profiles
from bot.reach import StoredReach
from bot.registry import Registry
from bot.reminder_targets import ReminderTargets
from bot.router import StationRouter
from bot.scheduler import FixedJob, Scheduler
from bot.settings import Settings
from bot.summarizer import Summarizer
from bot.views import StoredViews

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
    targets: ReminderTargets
    profiles: Profiles
    views: StoredViews
    reach: StoredReach
    metrics: Metrics
    notices: Notices
    remote: HttpRemoteAgents
    pages: WebPages | None
    services: McpServers
    model: ModelChain | None
    summarizer: Summarizer | None


def build(
    settings: Settings, stores: Stores, clock: Clock, services: Sequence[ServiceConfig] = ()
) -> App:
    """Return the application over opened stores, with what MCP_CONFIG names."""
    if services and not speaks_mcp():
        raise ConfigurationError(f"MCP_CONFIG is set, but mcp is missing: {install('mcp')}")
    manifests = load_remote(settings.agents_folder)
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
    pages = WebPages(clock=clock) if reads_pages() else None
    mcp = McpServers(services, clock=clock)
    registry = build_registry(
        stores,
        settings.packs,
        remote=manifests,
        asking=remote,
        services=mcp,
        clock=clock,
        model=model,
        vision=vision,
        pages=pages,
    )
    summarizer = None
    if model is not None:
        summarizer = Summarizer(model=model, turns=stores.turns, summaries=stores.summaries)
    housekeeping = Housekeeping(stores=stores, clock=clock, rows=metrics.rows)
    targets = ReminderTargets(stores.people)
    scheduler = Scheduler(
        schedules=stores.schedules,
        people=stores.people,
        targets=targets,
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
            classifiers=classifiers(registry, settings, model, metrics, clock),
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
        briefing=Briefing(
            stores.turns,
            stores.summaries,
            Pictures(vision),
            keepers=keepers(stores),
        ),
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
        targets=targets,
        profiles=profiles,
        views=StoredViews(stores=stores, registry=registry, gates=gates, locale=settings.locale),
        reach=reach,
        metrics=metrics,
        notices=notices,
        remote=remote,
        pages=pages,
        services=mcp,
        model=model,
        summarizer=summarizer,
    )


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


@asynccontextmanager
async def opened(settings: Settings, clock: Clock) -> AsyncIterator[App]:
    """Open the store and build on it."""
    await asyncio.to_thread(preload, settings.calendar_folder, settings.agents_folder)
    services = await asyncio.to_thread(load_services, settings)
    stores = await asyncio.to_thread(open_stores, settings)
    async with stores as open_now:
        yield build(settings, open_now, clock, services)


@asynccontextmanager
async def working(app: App, *adapters: Adapter) -> AsyncIterator[None]:
    """Run the hub with these adapters; at the end close intake, drain, then stop."""
    for adapter in adapters:
        app.dispatcher.attach(adapter)
        app.delivery.attach(adapter)
        app.notices.attach(adapter)
        app.targets.attach(adapter)
    grace = app.settings.shutdown_grace
    await app.reach.load()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.remote.running())
        await stack.enter_async_context(app.services.running())
        if app.pages is not None:
            await stack.enter_async_context(app.pages.running())
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
        compiling = asyncio.create_task(asyncio.to_thread(compile_waiting))
        try:
            yield
        finally:
            await compiling
