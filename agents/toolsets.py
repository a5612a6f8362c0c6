"""Tool groups by the names of seed 000, and which agent has which group."""

from collections.abc import Iterable, Mapping

from bot.core.errors import ConfigurationError
from bot.core.manifests import Manifest

GROUPS: Mapping[str, frozenset[str]] = {
    "LEDGER": frozenset(
        {
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
    "MEMORY": frozenset({"memory_list", "memory_save", "memory_append", "memory_delete"}),
    "PROFILE": frozenset({"profile_advance", "profile_update"}),
}
"""PROFILE is ours: what onboarding does to a person, through the same journal as all writes."""


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
