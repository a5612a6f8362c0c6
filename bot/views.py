"""What a platform shows beside the messages: the capsule bar and the trace of an answer."""

from bot.core.events import Account, Chat
from bot.core.people import SETUP_DONE
from bot.core.stores import Stores
from bot.core.views import CapsuleView, ChatView
from bot.core.words import Verbatim, Words
from bot.gates import Gates, explain_turn
from bot.locales.catalogue import nearest_locale
from bot.registry import Registry


class StoredViews:
    """`bot.core.views.ChatViews` over the stores and the registry."""

    def __init__(self, *, stores: Stores, registry: Registry, gates: Gates, locale: str) -> None:
        self._stores = stores
        self._registry = registry
        self._gates = gates
        self._locale = locale

    async def chat(self, chat: Chat, account: Account) -> ChatView:
        """Return the person's language and the capsules of branches they may use."""
        person = await self._stores.people.find(account)
        if person is None:
            hint = nearest_locale(account.locale) if account.locale else self._locale
            return ChatView(locale=hint, capsules=())
        if person.setup_stage < SETUP_DONE:
            return ChatView(locale=person.locale, capsules=())
        session = await self._stores.sessions.load(f"{chat.key}|{account.key}")
        profile = await self._gates.profile_of(person, account)
        capsules = tuple(
            CapsuleView(
                intent=manifest.intent,
                icon=manifest.capsule.icon,
                label=Verbatim(manifest.capsule.label.in_locale(person.locale)),
                selected=session is not None and session.capsule == manifest.intent,
            )
            for manifest in sorted(
                self._registry.manifests, key=lambda m: m.capsule.order if m.capsule else 0
            )
            if manifest.capsule is not None and profile.may_use(manifest.branch_id)
        )
        return ChatView(locale=person.locale, capsules=capsules)

    async def trace(self, account: Account, event_id: str) -> tuple[Words, ...]:
        """Return why the turn went as it did; empty when it is not this account's."""
        record = await self._stores.turns.get(event_id)
        person = await self._stores.people.find(account)
        if record is None or person is None or record.person_id != person.person_id:
            return ()
        return (explain_turn(record, self._registry, person.locale),)
