"""Stands for an agent that runs elsewhere: asks it, checks the answer, says it."""

import structlog

from bot.core.agents import AgentResult, Status, Turn
from bot.core.manifests import Manifest
from bot.core.messages import TextBlock
from bot.core.remote import RemoteAgentError, RemoteAgents, RemoteContext, RemoteRequest
from bot.core.sessions import Expects, Pending
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
            pending=self._question(turn, reply.payload.text)
            if reply.status is Status.CLARIFY
            else None,
            action=reply.payload.action,
            params=reply.payload.params,
        )

    def _question(self, turn: Turn, asked: str) -> Pending:
        """Return the open question: the next short answer goes to the agent that asked."""
        return Pending(
            agent=self.intent,
            name="clarify",
            question=Verbatim(asked),
            asked_at=turn.now,
            expects=(Expects.CONFIRM, Expects.AMOUNT, Expects.TIME, Expects.WORDS),
        )


def request_of(turn: Turn, intent: str) -> RemoteRequest:
    """Return the request to a remote agent.

    It is told what was said to and by this agent, never the talk with others: what it has to know
    of that is the memo.
    """
    lines = [
        f"{who}: {words[:LONGEST_LINE]}"
        for past in turn.history
        if past.agent == intent
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
