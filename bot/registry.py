"""The agents that are there: fixed after construction, found by intent."""

from collections.abc import Iterable, Mapping, Sequence

from bot.core.agents import Agent
from bot.core.errors import ConfigurationError
from bot.core.manifests import Manifest
from bot.core.permissions import Profile
from bot.core.routing import Wish
from bot.core.tools import ToolGrant

ONBOARDING = "onboarding"
EVERYBODYS = frozenset({ONBOARDING, "account", "help_center"})


class Registry:
    """Live agents with their manifests, in the manifests' order."""

    def __init__(
        self,
        agents: Iterable[tuple[Manifest, Agent]],
        *,
        tools: ToolGrant,
        tool_names: Mapping[str, frozenset[str]],
    ) -> None:
        self._agents: dict[str, tuple[Manifest, Agent]] = {}
        self._tools = tools
        self._tool_names = tool_names
        for manifest, agent in agents:
            if manifest.intent != agent.intent or manifest.intent in self._agents:
                raise ConfigurationError(f"agent {manifest.intent} is registered wrongly or twice")
            self._agents[manifest.intent] = (manifest, agent)

    def __contains__(self, intent: str) -> bool:
        return intent in self._agents

    def agent(self, intent: str) -> Agent:
        """Return the agent of this intent."""
        return self._agents[intent][1]

    def manifest(self, intent: str) -> Manifest:
        """Return the manifest of this intent."""
        return self._agents[intent][0]

    @property
    def manifests(self) -> Sequence[Manifest]:
        """All manifests."""
        return [manifest for manifest, _ in self._agents.values()]

    @property
    def enabled(self) -> Sequence[str]:
        """Labels that the router may decide for; a planned agent says that it is to come."""
        return [m.intent for m in self.manifests if m.routable]

    def is_live(self, intent: str) -> bool:
        """Whether the agent is there and does its work already."""
        return intent in self and self.manifest(intent).status == "live"

    def profile(self, branches: frozenset[str]) -> Profile:
        """Return the profile of these branches; they imply the permissions of their tools.

        What the router never decides for (onboarding, accounts) and help are everybody's.
        """
        mine = [m for m in self.manifests if m.branch_id in branches or m.intent in EVERYBODYS]
        names = frozenset[str]().union(*(self.tools_of(m.intent) for m in mine))
        return Profile(
            branches=frozenset(m.branch_id for m in mine),
            permissions=self._tools.permissions_of(names),
        )

    def names(
        self, wishes: Sequence[Wish], profile: Profile, locale: str
    ) -> tuple[tuple[Wish, str], ...]:
        """Return the wishes that the person may have, with the name of the agent of each."""
        return tuple(
            (wish, self.manifest(wish.intent).display_name.in_locale(locale))
            for wish in wishes
            if wish.intent in self and profile.may_use(self.manifest(wish.intent).branch_id)
        )

    @property
    def tools(self) -> ToolGrant:
        """All tools, before any narrowing."""
        return self._tools

    def tools_of(self, intent: str) -> frozenset[str]:
        """Return the names of the tools of this agent (seed 000, NODE_TOOL_NAMES)."""
        return self._tool_names.get(intent, frozenset())
