"""The clock of the SHARED group (seed 000)."""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import JsonValue

from agents.tools.declare import free
from bot.core.errors import ToolInputError
from bot.core.tools import Tool, ToolArguments, ToolContext


class TimeArguments(ToolArguments):
    """Where; empty means where the person is."""

    zone: str = ""


async def now_time(context: ToolContext, arguments: TimeArguments) -> JsonValue:
    """Return the moment of the person's message, in their zone or another one."""
    now = context.now
    if arguments.zone:
        try:
            now = now.astimezone(ZoneInfo(arguments.zone))
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ToolInputError("zone: an IANA name such as Europe/Paris") from error
    return {"now": now.isoformat(timespec="minutes"), "weekday": f"{now:%A}"}


def clock_tools() -> tuple[Tool, ...]:
    """Return `now_time`."""
    return (
        free("now_time", TimeArguments, now_time, "The date and time now, in a zone or here."),
    )
