"""Slash commands and who answers them."""

COMMANDS = {
    "start": "onboarding",
    "settings": "onboarding",
    "bind": "account",
    "unbind": "account",
    "new": "chat_manager",
    "chats": "chat_manager",
    "help": "help_center",
    "entries": "ledger_manager",
    "reminders": "schedule_manager",
}
"""Slash commands and the intents that answer them; `/why`, `/cancel`, `/stop` are the hub's."""

HUB_COMMANDS = ("space", "why", "cancel", "stop")
"""What the hub answers itself."""
