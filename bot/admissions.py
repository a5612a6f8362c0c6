"""The operator's side of access: invitations and grants from the command line."""

import secrets

from bot.access import invite
from bot.app import opened
from bot.clock import SystemClock
from bot.find_person import find_person
from bot.settings import Settings

COMMAND_LINE = "command line"


async def new_invitation(settings: Settings) -> str:
    """Make an invitation and return its code, which lets one account in."""
    clock = SystemClock()
    async with opened(settings, clock) as app:
        return await invite(app.stores.invitations, made_by=COMMAND_LINE, clock=clock)


async def expel(settings: Settings, user: str) -> int:
    """Take back the invitations that a person's accounts redeemed; return how many.

    Raises:
        ConfigurationError: there is no such person.
    """
    async with opened(settings, SystemClock()) as app:
        person = await find_person(app.stores, user)
        accounts = await app.stores.people.accounts(person.person_id)
        return sum([await app.stores.invitations.expel(account.key) for account in accounts])


async def grant(settings: Settings, user: str, changes: tuple[str, ...]) -> list[str]:
    """Change what a person may use and return lines that say what holds now, and its history.

    Raises:
        ConfigurationError: there is no such person or branch.
    """
    clock = SystemClock()
    async with opened(settings, clock) as app:
        person = await find_person(app.stores, user)
        await app.profiles.change(
            person, changes, change_id=secrets.token_hex(16), by=COMMAND_LINE, at=clock.now()
        )
        lines = []
        for account in await app.stores.people.accounts(person.person_id):
            profile = await app.profiles.of(person, account)
            lines.append(f"{account.platform}:{account.user_id} may use {_list(profile.branches)}")
        history = await app.profiles.history(person)
        verbs = {True: "granted", False: "taken away"}
        lines += [
            f"{g.at:%Y-%m-%d %H:%M} {g.branch_id} {verbs[g.allowed]} by {g.by}" for g in history
        ]
        return lines


def _list(branches: frozenset[str]) -> str:
    return ", ".join(sorted(branches))
