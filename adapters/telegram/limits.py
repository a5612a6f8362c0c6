"""How fast Telegram takes messages, and how often it lets one be edited while it grows."""

from collections.abc import Mapping

from bot.core.events import ChatKind
from bot.core.ports import Rate, SendLimits

LIMITS = SendLimits(
    overall=Rate(burst=3, per_second=27.5),
    private=Rate(burst=3, per_second=1),
    group=Rate(burst=6, per_second=14 / 60),
)
"""30 a second in all, 1 a second in a chat with short bursts, 20 a minute in a group: burst and
rate together stay within each.

Source: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
"""

PREVIEW_PAUSES: Mapping[ChatKind, float] = {ChatKind.PRIVATE: 1.5, ChatKind.GROUP: 4.0}
"""Seconds between two previews: edits count against the 20 a minute of a group."""
