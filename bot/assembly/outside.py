"""What the bot asks outside: language models, remote agents, MCP servers, pages."""

from collections.abc import Sequence

from pydantic import SecretStr

from adapters.remote_agents.client import Endpoint, HttpRemoteAgents
from bot.core.manifests import Manifest
from bot.core.ports import Clock
from bot.settings import Settings


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
