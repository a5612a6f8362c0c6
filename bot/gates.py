"""What comes before routing: who may enter, what session it is, commands and capsules."""

from collections.abc import Mapping
from dataclasses import replace
from zoneinfo import ZoneInfo

from bot.access import Access
from bot.core.errors import StaleOrderError
from bot.core.events import (
    Account,
    ChatKind,
    CommandReceived,
    InboundEvent,
    MessageReceived,
)
from bot.core.ids import derived_id
from bot.core.people import SETUP_DONE, Person
from bot.core.permissions import Profile
from bot.core.ports import Clock
from bot.core.sessions import Session
from bot.core.stores import Stores
from bot.core.turns import TurnRecord
from bot.core.words import Text, Verbatim, text
from bot.grants import COMMAND as GRANT
from bot.grants import GrantCommand
from bot.language.spoken_commands import parse_spoken_command
from bot.locales.catalogue import nearest_locale
from bot.outcomes import Reply
from bot.profiles import Profiles
from bot.registry import Registry
from bot.trace_words import trace_words
from bot.turn_state import TurnState, spoken

LONGEST_SPACE = 60
SPACE_LINK = "space_"
"""In a start link, e.g. on a door, it says where the person is: ``/start space_305``."""

LEAVE = frozenset({"-", "无", "none"})
"""Arguments of `/space` that mean: nowhere in particular."""

OWNERS: Mapping[str, str] = {"ledger": "ledger_manager", "schedule": "schedule_manager"}
"""Which agent owns what a message can stand for, by its noun."""

_SETTING = frozenset({"space", GRANT})
"""Commands of the hub that overwrite something when they are said with an argument."""

STOP_SUFFIX = "#stop"
"""`/stop` has a session of its own, so that it never waits for the turn it stops."""


class Gates:
    """Builds the state of a turn and answers what no agent has to."""

    def __init__(
        self,
        *,
        stores: Stores,
        registry: Registry,
        clock: Clock,
        newcomer: Person,
        access: Access,
        profiles: Profiles,
        granting: GrantCommand,
        commands: Mapping[str, str],
        fallback: str,
    ) -> None:
        self._stores = stores
        self._registry = registry
        self._clock = clock
        self._newcomer = newcomer
        self._access = access
        self._profiles = profiles
        self._granting = granting
        self._commands = commands
        self.fallback = fallback

    async def enter(self, event: InboundEvent) -> TurnState:
        """Return the state of a new turn: person, profile, session, and a refusal if any."""
        began_at = self._clock.now()
        person = await self._stores.people.get_or_create(
            event.account, defaults=self._defaults(event.account)
        )
        key = event.session_key
        if isinstance(event, CommandReceived) and event.name == "stop":
            key += STOP_SUFFIX
        session = await self._stores.sessions.load(key)
        if session is None:
            session = Session(key=key, person_id=person.person_id)
        if isinstance(event, CommandReceived) and event.argument.startswith(SPACE_LINK):
            space = event.argument.removeprefix(SPACE_LINK)[:LONGEST_SPACE]
            session = replace(session, space=space)
        profile = await self.profile_of(person, event.account)
        in_group = event.chat.kind is ChatKind.GROUP
        return TurnState(
            event=event,
            person=person,
            profile=profile,
            loaded=session,
            session=self._without_lost_capsule(session, profile),
            now=event.occurred_at.astimezone(ZoneInfo(person.zone)),
            began_at=began_at,
            said=spoken(event),
            group_space=await self._stores.group_spaces.get(event.chat.place) if in_group else "",
            refusal=await self._access.refusal(event),
            attachments=event.attachments if isinstance(event, MessageReceived) else (),
        )

    async def profile_of(self, person: Person, account: Account) -> Profile:
        """Return what the person may use when they come by this account."""
        return await self._profiles.of(person, account)

    def _without_lost_capsule(self, session: Session, profile: Profile) -> Session:
        """Clear a capsule that its person may not use any more: they cannot see it either."""
        intent = session.capsule
        if intent is None or intent not in self._registry:
            return session
        may = profile.may_use(self._registry.manifest(intent).branch_id)
        return session if may else replace(session, capsule=None)

    async def reload(self, state: TurnState) -> Person:
        """Return the person as stored now; the account may have become another's."""
        return await self._stores.people.find(state.event.account) or state.person

    async def owner_of_linked(self, state: TurnState, event: MessageReceived) -> str | None:
        """Return the agent whose entity is edited or replied to, and note the entities."""
        message_id = event.message_id if event.edited else event.reply_to
        if not message_id:
            return None
        linked = await self._stores.turns.linked(event.chat.key, message_id)
        state.linked = linked
        for entity in linked:
            owner = OWNERS.get(entity.partition(":")[0])
            if owner in self._registry.enabled:
                return owner
        return None

    # --- commands ------------------------------------------------------------------------------

    async def command(self, state: TurnState, event: CommandReceived) -> list[Reply] | str:
        """Answer a command, or return the intent of the agent that does.

        Raises:
            StaleOrderError: it sets something and was said long ago.
        """
        if state.is_stale and event.name in _SETTING and event.argument:
            raise StaleOrderError
        if event.name == "why":
            return await self._why(state)
        if event.name == "cancel":
            return self._cancel(state)
        if event.name == "space":
            return await self._space(state, event.argument)
        if event.name == GRANT and self._granting.may_be_used_by(event):
            return state.hub_reply(await self._granting.answer(event))
        intent = self._commands.get(event.name)
        if intent is None or intent not in self._registry:
            names = tuple(
                Verbatim(f"/{name}") for name in (*self._commands, "space", "why", "cancel")
            )
            return state.hub_reply(text("hub.unknown_command", name=event.name, known=names))
        return intent

    def spoken(self, state: TurnState, event: MessageReceived) -> CommandReceived | None:
        """Return the command that a message says in words, unless a question is open."""
        pending = state.session.pending
        is_open = pending is not None and not pending.soft
        said = None if is_open else parse_spoken_command(event.text)
        if said is None or event.attachments or event.edited:
            return None
        return CommandReceived(
            event_id=event.event_id,
            chat=event.chat,
            account=event.account,
            occurred_at=event.occurred_at,
            message_id=event.message_id,
            name=said.name,
            argument=said.argument,
        )

    async def _why(self, state: TurnState) -> list[Reply]:
        recent = await self._stores.turns.recent(state.event.session_key, limit=1)
        if not recent:
            return state.hub_reply(text("hub.why_nothing"))
        return state.hub_reply(explain_turn(recent[-1], self._registry, state.person.locale))

    async def _space(self, state: TurnState, argument: str) -> list[Reply]:
        """Note where the person is, or where all of the group are; without an argument say it."""
        said = argument.strip()[:LONGEST_SPACE]
        leaves = said in LEAVE
        if said:
            space = "" if leaves else said
            if state.event.chat.kind is ChatKind.GROUP:
                await self._stores.group_spaces.put(state.event.chat.place, space)
                state.group_space, space = space, ""
            state.session = replace(state.session, space=space)
        if leaves:
            return state.hub_reply(text("hub.space_left"))
        if not state.space:
            return state.hub_reply(text("hub.space_none"))
        key = "hub.space" if state.session.space else "hub.space_of_group"
        return state.hub_reply(text(key, space=state.space))

    def _cancel(self, state: TurnState) -> list[Reply]:
        if state.session.pending is None:
            return state.hub_reply(text("hub.nothing_open"))
        state.session = replace(state.session, pending=None)
        return state.hub_reply(text("hub.cancelled"))

    # --- capsules -------------------------------------------------------------------------------

    def toggle_capsule(self, state: TurnState, intent: str) -> list[Reply]:
        """Select or clear a capsule; it says nothing unless it may not be used."""
        if intent not in self._registry or self._registry.manifest(intent).capsule is None:
            return state.hub_reply(text("hub.no_capsule"), outcome="refused")
        if not state.profile.may_use(self._registry.manifest(intent).branch_id):
            return state.hub_reply(text("hub.no_permission"), outcome="refused")
        if state.person.setup_stage >= SETUP_DONE:
            state.toggle_capsule(intent)
        return []

    # --- newcomers ------------------------------------------------------------------------------

    def _defaults(self, account: Account) -> Person:
        locale = nearest_locale(account.locale) if account.locale else self._newcomer.locale
        return replace(
            self._newcomer,
            person_id=derived_id("p", account.key),
            locale=locale,
            name=account.display_name,
            created_at=self._clock.now(),
        )


def explain_turn(record: TurnRecord, registry: Registry, locale: str) -> Text:
    """Return why a turn went as it did, in words."""
    name: str | Text = text("hub.nobody")
    if record.agent in registry:
        name = registry.manifest(record.agent).display_name.in_locale(locale)
    return text(
        "hub.why",
        said=record.text,
        agent=name,
        source=text(f"hub.source_{record.source}"),
        confidence=f"{record.confidence:.2f}",
        trace=trace_words(record.trace, registry, locale),
    )
