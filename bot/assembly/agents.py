"""The agents of the switched-on packs, with their manifests and tools."""

from collections.abc import Mapping, Sequence

from agents.account.agent import AccountAgent
from agents.chat.agent import ChatAgent
from agents.help_center.agent import HelpAgent
from agents.ledger.agent import LedgerAgent
from agents.ledger.by_model import ENTRY_WRITES, LedgerReading, LedgerSpans
from agents.manifests import FOLDERS, joined, load_manifests
from agents.onboarding.agent import OnboardingAgent
from agents.planned import PlannedAgent
from agents.remote.agent import RemoteAgent
from agents.schedule.agent import ScheduleAgent
from agents.schedule.by_model import REMINDER_WRITES, ReminderReading, ReminderSpans
from agents.schedule.setting import ReminderSetting
from agents.talk.talker import Talker
from agents.tool_loop import ToolLoop
from agents.tools.account import account_tools
from agents.tools.clock import clock_tools
from agents.tools.conversations import conversation_tools
from agents.tools.ledger import ledger_tools
from agents.tools.memory import memory_tools
from agents.tools.pages import page_tools
from agents.tools.profile import profile_tools
from agents.tools.schedules import schedule_tools
from agents.tools.services import service_tools
from agents.tools.vision import vision_tools
from agents.toolsets import node_tool_names
from agents.verbatim import ReadByModel, SpanReader, span_instructions
from bot.core.agents import Agent
from bot.core.manifests import Manifest, Pack
from bot.core.memory import Memory
from bot.core.model import Model
from bot.core.pages import Pages
from bot.core.ports import Clock
from bot.core.remote import RemoteAgents
from bot.core.services import Services
from bot.core.stores import Stores
from bot.core.tools import ToolGrant
from bot.core.vision import Vision
from bot.registry import Registry


def build_registry(
    stores: Stores,
    packs: frozenset[Pack],
    *,
    remote: Sequence[Manifest],
    asking: RemoteAgents,
    services: Services,
    clock: Clock,
    model: Model | None = None,
    vision: Vision | None = None,
    pages: Pages | None = None,
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

    def talker(folder: str, *, withheld: frozenset[str]) -> Talker:
        return Talker(
            loops.get(f"{folder}_manager"),
            folder=folder,
            memory=stores.memory,
            schedules=stores.schedules,
            withheld=withheld,
            about_money=folder == "ledger",
        )

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
        "ledger_manager": ledger
        if model is None
        else _reading_ledger(ledger, model, talker("ledger", withheld=ENTRY_WRITES)),
        "schedule_manager": schedule
        if model is None
        else _reading_schedule(
            schedule, stores.memory, model, talker("schedule", withheld=REMINDER_WRITES)
        ),
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
                *page_tools(pages),
                *service_tools(services),
            )
        ),
        tool_names=node_tool_names(manifests),
    )


def _reading_ledger(agent: LedgerAgent, model: Model, talker: Talker) -> Agent:
    reader = SpanReader(model, schema=LedgerSpans, instructions=span_instructions("ledger"))
    return ReadByModel(agent, reader, LedgerReading(), talker)


def _reading_schedule(agent: ScheduleAgent, memory: Memory, model: Model, talker: Talker) -> Agent:
    reader = SpanReader(model, schema=ReminderSpans, instructions=span_instructions("schedule"))
    return ReadByModel(agent, reader, ReminderReading(ReminderSetting(memory)), talker)


def _agent(manifest: Manifest, live: Mapping[str, Agent], asking: RemoteAgents) -> Agent:
    if manifest.endpoint:
        return RemoteAgent(manifest, asking)
    return live.get(manifest.intent) or PlannedAgent(manifest)
