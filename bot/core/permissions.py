"""What a person may use: branches (agents), permissions (tools) and spaces."""

from dataclasses import dataclass
from enum import StrEnum


class Permission(StrEnum):
    """``resource:verb`` of a tool."""

    LEDGER_READ = "ledger:read"
    LEDGER_WRITE = "ledger:write"
    SCHEDULE_READ = "schedule:read"
    SCHEDULE_WRITE = "schedule:write"
    MEMORY_READ = "memory:read"
    MEMORY_WRITE = "memory:write"
    PROFILE_READ = "profile:read"
    PROFILE_WRITE = "profile:write"
    WEB_READ = "web:read"
    MCP_READ = "mcp:read"
    MCP_CALL = "mcp:call"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A permission profile.

    Attributes:
        branches: branch ids the person may use.
        permissions: what the tools of those branches may do.
        spaces: space ids whose data the person may see.
    """

    branches: frozenset[str]
    permissions: frozenset[Permission]
    spaces: frozenset[str] = frozenset()

    def may_use(self, branch_id: str) -> bool:
        """Whether the branch is granted."""
        return branch_id in self.branches
