"""The PROFILE tools: the onboarding stage and what a person told us about themselves."""

from pydantic import Field, JsonValue

from agents.tools.declare import writing
from bot.core.codec import to_json
from bot.core.people import SETUP_DONE, People, Person, ProfileChange
from bot.core.permissions import Permission
from bot.core.tools import Tool, ToolArguments, ToolContext

WRITE = Permission.PROFILE_WRITE


class AdvanceArguments(ToolArguments):
    """A step of onboarding; the stage moves only from where it is (compare-and-set)."""

    from_stage: int = Field(ge=0, lt=SETUP_DONE)
    to_stage: int = Field(gt=0, le=SETUP_DONE)
    change: ProfileChange = ProfileChange()


class UpdateArguments(ToolArguments):
    """Fields to change."""

    change: ProfileChange


class ProfileTools:
    """Functions behind the tools."""

    def __init__(self, people: People) -> None:
        self._people = people

    async def advance(self, context: ToolContext, arguments: AdvanceArguments) -> JsonValue:
        """Move the onboarding stage and take the answer that moved it."""
        person = await self._people.advance_stage(
            context.person.person_id,
            from_stage=arguments.from_stage,
            to_stage=arguments.to_stage,
            change=arguments.change,
            effect=context.effect,
        )
        return to_json(Person, person)

    async def update(self, context: ToolContext, arguments: UpdateArguments) -> JsonValue:
        """Change profile fields."""
        person = await self._people.change(
            context.person.person_id, arguments.change, effect=context.effect
        )
        return to_json(Person, person)


def profile_tools(people: People) -> tuple[Tool, ...]:
    """Return the PROFILE group."""
    functions = ProfileTools(people)
    return (
        writing(
            WRITE,
            "profile_advance",
            AdvanceArguments,
            functions.advance,
            "Move the onboarding stage.",
        ),
        writing(
            WRITE,
            "profile_update",
            UpdateArguments,
            functions.update,
            "Change language, zone, currency or name.",
            overwrites=True,
        ),
    )
