"""Accounts and what their people hold, in words."""

from collections.abc import Iterable

from bot.core.binding import Holdings
from bot.core.events import Account
from bot.core.words import Lines, Text, Verbatim, Words, text
from bot.locales.catalogue import DEFAULT_LOCALE, catalogue

LONGEST_NAME = 20
CODE_HALF = 4


def named(account: Account) -> Text:
    """Return where an account is and what it is called there; its id where it has no name."""
    key = f"account.platform_{account.platform}"
    known = key in catalogue(DEFAULT_LOCALE)
    platform: Words = text(key) if known else Verbatim(account.platform)
    name = account.display_name or account.user_id
    return text("account.named", platform=platform, name=Verbatim(name[:LONGEST_NAME]))


def listed(accounts: Iterable[Account]) -> tuple[Text, ...]:
    """Return the accounts for a sentence."""
    return tuple(named(account) for account in accounts)


def held(holdings: Holdings) -> Text:
    """Return how much somebody holds."""
    return text(
        "account.held",
        entries=holdings.entries,
        reminders=holdings.reminders,
        notes=holdings.notes,
    )


def sides(*holders: tuple[Account, Holdings]) -> Lines:
    """Return a line for each side of a binding."""
    return Lines(
        tuple(text("account.side", who=named(who), holds=held(what)) for who, what in holders)
    )


def grouped(code: str) -> str:
    """Return a code as it is read out: in two halves."""
    return f"{code[:CODE_HALF]}-{code[CODE_HALF:]}"
