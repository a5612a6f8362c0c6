"""Commands about people: token, invite, grant."""

import argparse
import asyncio

from bot.cli.voice import say, settings_loaded
from bot.core.errors import ConfigurationError


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands."""
    token = commands.add_parser("token", help="sign-ins for the web chat")
    token.add_argument("name", help="user id on the web chat, e.g. anna")
    token.add_argument("--revoke", action="store_true", help="delete this user's sign-ins")
    token.set_defaults(run=_token)

    invite = commands.add_parser("invite", help="let one account in that is not in ALLOWED_IDS")
    invite.add_argument("--revoke", metavar="USER", help="take back what a person redeemed")
    invite.set_defaults(run=_invite)

    grant = commands.add_parser("grant", help="show or change what a person may use")
    grant.add_argument("user", help="person id, or platform:id of an account")
    grant.add_argument("branches", nargs=argparse.REMAINDER, help="MEETING grants, -MEETING takes")
    grant.set_defaults(run=_grant)


def _token(options: argparse.Namespace) -> int:
    from bot.sign_ins import new_sign_in, revoke_sign_ins  # noqa: PLC0415

    settings = settings_loaded()
    if options.revoke:
        count = asyncio.run(revoke_sign_ins(settings, options.name))
        say(f"revoked {count} sign-in(s) of {options.name}")
    else:
        say(asyncio.run(new_sign_in(settings, options.name)))
    return 0


def _invite(options: argparse.Namespace) -> int:
    from bot.admissions import expel, new_invitation  # noqa: PLC0415

    settings = settings_loaded()
    if options.revoke:
        count = asyncio.run(expel(settings, options.revoke))
        say(f"took back {count} invitation(s) of {options.revoke}")
        return 0
    if not settings.allowed_ids:
        raise ConfigurationError("invite: everyone is let in while ALLOWED_IDS is empty")
    code = asyncio.run(new_invitation(settings))
    say(f"/start {code}\nSend this to the bot in a private chat; it works once, for 7 days.")
    if settings.telegram_bot_token.get_secret_value():
        say(f"On Telegram as a link: https://t.me/YOUR_BOT?start={code}")
    return 0


def _grant(options: argparse.Namespace) -> int:
    from bot.admissions import grant  # noqa: PLC0415

    for line in asyncio.run(grant(settings_loaded(), options.user, tuple(options.branches))):
        say(line)
    return 0
