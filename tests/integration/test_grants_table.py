"""Which tools a turn gets: role x agent x kind of chat, as one table."""

from pathlib import Path
from typing import Any

import pytest

from agents.toolsets import GROUPS
from bot.core.events import ChatKind
from tests.stage import stage

READY = {"now_time"}
REACH = {"fetch_url", "maps_weather"}
"""Out of the house, by permissions that chat and schedule bring along."""

TO_COME = {"analyze_receipt", "ledger_text2sql"}
"""Named by the seed, and not built yet."""

LEDGER = GROUPS["LEDGER"] - TO_COME
SCHEDULE = GROUPS["SCHEDULE"]
MEMORY = GROUPS["MEMORY"]
TALK = {"conversation_current", "conversation_list"}
ALL = frozenset({"chat", "ledger", "schedule"})

TABLE = {
    ("everything", "chat_manager"): READY | REACH | MEMORY | TALK | {"profile_update"},
    ("everything", "ledger_manager"): LEDGER | MEMORY,
    ("everything", "schedule_manager"): READY | REACH | SCHEDULE | MEMORY,
    ("everything", "help_center"): set(),
    ("chat only", "chat_manager"): READY | REACH | MEMORY | TALK | {"profile_update"},
    ("chat only", "ledger_manager"): MEMORY,
    ("chat only", "schedule_manager"): READY | REACH | SCHEDULE | MEMORY,
    ("ledger only", "ledger_manager"): LEDGER | MEMORY,
    ("ledger only", "chat_manager"): READY | MEMORY | TALK | {"profile_update"},
}
ROLES = {"everything": ALL, "chat only": {"chat"}, "ledger only": {"ledger"}}


@pytest.mark.parametrize("kind", list(ChatKind))
@pytest.mark.parametrize(("role", "intent"), sorted(TABLE))
async def test_a_turn_gets_groups_and_permissions_and_nothing_else(
    tmp_path: Path, role: str, intent: str, kind: ChatKind
) -> None:
    """What a branch does not grant is kept out by the branch; see `Dispatcher._ask`.

    Onboarding is everybody's, so the permissions of its tools (profile, schedule) are too.
    """
    async with stage(tmp_path) as hub:
        registry = hub.app.registry
        branches = {m.branch_id for m in registry.manifests if _branch(m.intent) in ROLES[role]}
        profile = registry.profile(frozenset(branches))
        granted = registry.tools.narrowed(
            registry.tools_of(intent), profile.permissions, kind
        ).names
    assert granted == TABLE[role, intent]


def _branch(intent: str) -> str:
    return intent.removesuffix("_manager")


SHARED = GROUPS["SHARED"] | GROUPS["MCP"]
SEED = {
    "chat_manager": SHARED | GROUPS["VISION"] | GROUPS["CONVERSATION"] | GROUPS["SELF"],
    "schedule_manager": SHARED | GROUPS["SCHEDULE"] | MEMORY,
    "ledger_manager": LEDGER | MEMORY,
}
"""Seed 000, and SELF, which is ours."""


@pytest.mark.parametrize("kind", list(ChatKind))
@pytest.mark.parametrize("intent", SEED)
async def test_with_all_configured_each_agent_has_the_seeds_tools(
    tmp_path: Path, intent: str, kind: ChatKind
) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {"s": {"command": "/nowhere"}}}', encoding="utf-8")
    model: dict[str, Any] = {
        "openai_model": "m",
        "openai_base_url": "http://127.0.0.1:9",
        "openai_vision_model": "m",
        "mcp_config": file,
    }
    async with stage(tmp_path, **model) as hub:
        registry = hub.app.registry
        profile = registry.profile(frozenset(m.branch_id for m in registry.manifests))
        granted = registry.tools.narrowed(
            registry.tools_of(intent), profile.permissions, kind
        ).names
    assert granted == SEED[intent]
