"""The administrator's command: ``/grant platform:id MEETING -IOT``; without branches it shows."""

from bot.core.events import CommandReceived
from bot.core.people import People, Person
from bot.core.words import Lines, Text, Verbatim, Words, text
from bot.profiles import TAKEN, Profiles, UnknownBranchError

COMMAND = "grant"

RECENT = 5
"""Changes that are shown; all of them are kept."""


class GrantCommand:
    """Shows and changes what somebody may use."""

    def __init__(self, *, profiles: Profiles, people: People, admin_ids: frozenset[str]) -> None:
        self._profiles = profiles
        self._people = people
        self._admins = admin_ids

    def may_be_used_by(self, event: CommandReceived) -> bool:
        """Whether it comes from an administrator."""
        return f"{event.account.platform}:{event.account.user_id}" in self._admins

    async def answer(self, event: CommandReceived) -> Words:
        """Do what the command says and return what holds now, from the store."""
        who, *changes = event.argument.split() or [""]
        platform, _, user_id = who.partition(":")
        people = await self._people.with_id(platform, user_id)
        if not people:
            return text("hub.grant_nobody", id=who)
        try:
            for person in people:
                await self._profiles.change(
                    person,
                    tuple(changes),
                    change_id=f"{event.event_id}#{person.person_id}",
                    by=event.account.key,
                    at=event.occurred_at,
                )
        except UnknownBranchError as error:
            known = tuple(map(Verbatim, error.known))
            return text("hub.grant_unknown", name=error.name, known=known)
        shown = [await self._shown(person, who) for person in people]
        return text("hub.grant_result", people=Lines(tuple(shown)))

    async def _shown(self, person: Person, who: str) -> Text:
        account = next(
            account
            for account in await self._people.accounts(person.person_id)
            if who == f"{account.platform}:{account.user_id}"
        )
        profile = await self._profiles.of(person, account)
        history = await self._profiles.history(person)
        return text(
            "hub.grant_shown",
            who=person.name or who,
            branches=tuple(Verbatim(branch) for branch in sorted(profile.branches)),
            changes=Lines(
                tuple(
                    text(
                        "hub.grant_change",
                        branch=("" if grant.allowed else TAKEN) + grant.branch_id,
                        at=f"{grant.at:%Y-%m-%d %H:%M} UTC",
                        by=grant.by,
                    )
                    for grant in history[-RECENT:]
                )
            ),
        )
