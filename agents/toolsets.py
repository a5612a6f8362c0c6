"""Tool groups by the names of seed 000, and which agent has which group."""

from collections.abc import Iterable, Mapping

from bot.core.errors import ConfigurationError
from bot.core.manifests import Manifest

MEMORY = frozenset({"memory_list", "memory_save", "memory_append", "memory_delete"})

GROUPS: Mapping[str, frozenset[str]] = {
    "SHARED": frozenset({"now_time", "fetch_url"}),
    "VISION": frozenset({"analyze_image"}),
    "MCP": frozenset({"mcp_list_tools", "mcp_call_tool", "maps_weather"}),
    "CONVERSATION": frozenset({"conversation_current", "conversation_list"}) | MEMORY,
    "LEDGER": frozenset(
        {
            "analyze_receipt",
            "ledger_text2sql",
            "ledger_insert",
            "ledger_update",
            "ledger_delete",
            "ledger_get_latest",
            "ledger_list_recent",
            "ledger_list",
        }
    ),
    "SCHEDULE": frozenset(
        {
            "schedule_insert",
            "schedule_update",
            "schedule_delete",
            "schedule_get_latest",
            "schedule_list_recent",
            "schedule_list",
        }
    ),
    "MEMORY": MEMORY,
    "PROFILE": frozenset({"profile_advance", "profile_update"}),
    "ACCOUNT": frozenset({"account_merge", "account_undo", "account_detach"}),
    "SELF": frozenset({"profile_update"}),
}
"""PROFILE, ACCOUNT and SELF are ours: what is done to a person, by the same journal.

A group may name tools that are not configured or still to come (`analyze_receipt`,
`ledger_text2sql`); then they are simply not there.
"""


def node_tool_names(manifests: Iterable[Manifest]) -> Mapping[str, frozenset[str]]:
    """Return NODE_TOOL_NAMES: the tools of every agent, from the groups its manifest names.

    Raises:
        ConfigurationError: a manifest names a group that does not exist.
    """
    names: dict[str, frozenset[str]] = {}
    for manifest in manifests:
        for group in manifest.tool_groups:
            if group not in GROUPS:
                raise ConfigurationError(f"{manifest.intent}: no tool group {group}")
        names[manifest.intent] = frozenset().union(*(GROUPS[g] for g in manifest.tool_groups))
    return names
