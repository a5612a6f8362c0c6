"""Stands for an agent that runs elsewhere: asks it, checks the answer, says it."""

import structlog

from bot.core.agents import AgentResult, Turn
from bot.core.manifests import Manifest
from bot.core.messages import TextBlock
from bot.core.remote import RemoteAgentError, RemoteAgents, RemoteContext, RemoteRequest
from bot.core.words import Verbatim, text

LONGEST_LINE = 500
"""Characters of one side of an earlier turn that are told."""

log = structlog.get_logger(__name__)


class RemoteAgent:
    """`bot.core.agents.Agent` for a manifest with an `endpoint`."""

    def __init__(self, manifest: Manifest, remote: RemoteAgents) -> None:
        self._manifest = manifest
        self._remote = remote

    @property
    def intent(self) -> str:
        """Its routing label."""
        return self._manifest.intent

    async def handle(self, turn: Turn) -> AgentResult:
        """Return the remote agent's answer, or that it cannot be had now."""
        request = request_of(turn, self.intent)
        try:
            reply = await self._remote.ask(self.intent, request, event_id=turn.event_id)
        except RemoteAgentError as error:
            log.warning("remote_agent_failed", agent=self.intent, says=str(error))
            name = Verbatim(self._manifest.display_name.in_locale(turn.locale))
            return AgentResult(blocks=(TextBlock(text("remote.away", name=name)),))
        return AgentResult(
            blocks=(TextBlock(Verbatim(reply.payload.text)),),
            status=reply.status,
            action=reply.payload.action,
            params=reply.payload.params,
        )


def request_of(turn: Turn, intent: str) -> RemoteRequest:
    """Return the request to a remote agent; groups show it the group's conversation only."""
    lines = [
        f"{who}: {words[:LONGEST_LINE]}"
        for past in turn.history
        for who, words in (("user", past.text), ("assistant", past.reply))
        if words
    ]
    return RemoteRequest(
        query=turn.query,
        context=RemoteContext(
            user_id=turn.person.person_id,
            current_space=turn.space,
            current_time=turn.now.isoformat(timespec="seconds"),
            chat_history=tuple(lines),
            cross_domain_memo=turn.memo,
        ),
        intent_l1=intent,
        confidence=turn.decision.confidence,
        ambiguous=turn.decision.ambiguous,
    )
