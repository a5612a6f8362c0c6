"""The MEMORY tools (seed 000) over the memory repository."""

from pydantic import Field, JsonValue

from agents.tools.declare import reading, writing
from bot.core.codec import to_json
from bot.core.errors import ToolInputError
from bot.core.events import ChatKind
from bot.core.memory import Memory, MemoryNote, MemoryType
from bot.core.permissions import Permission
from bot.core.tools import Tool, ToolArguments, ToolContext
from bot.core.words import text
from bot.language.secret_words import is_secret
from bot.locales.catalogue import resolve

LONGEST_NOTE = 500
Notes = tuple[MemoryNote, ...]
READ = Permission.MEMORY_READ
WRITE = Permission.MEMORY_WRITE


class SaveArguments(ToolArguments):
    """Something to remember for good."""

    type: MemoryType
    text: str = Field(min_length=1, max_length=LONGEST_NOTE)


class AppendArguments(ToolArguments):
    """A sentence to add to a note."""

    note_id: str
    text: str = Field(min_length=1, max_length=LONGEST_NOTE)


class DeleteArguments(ToolArguments):
    """A note to forget."""

    note_id: str


class NoArguments(ToolArguments):
    """Nothing to say."""


def scope_of(context: ToolContext) -> str:
    """Return whose memory this chat uses: a group's own, else the person's."""
    return context.chat.key if context.chat.kind is ChatKind.GROUP else ""


def _refuse_secrets(context: ToolContext, words: str) -> None:
    """Hold what no caller has to remember.

    Raises:
        ToolInputError: the words are a secret; said in the person's language.
    """
    if is_secret(words):
        raise ToolInputError(resolve(text("chat.no_secrets"), context.person.locale))


class MemoryTools:
    """Functions behind the tools. Owner and scope come from the context."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def list(self, context: ToolContext, _arguments: NoArguments) -> JsonValue:
        """Return the notes of this scope."""
        notes = await self._memory.list(context.person.person_id, scope_of(context))
        return to_json(Notes, tuple(notes))

    async def save(self, context: ToolContext, arguments: SaveArguments) -> JsonValue:
        """Keep a note."""
        _refuse_secrets(context, arguments.text)
        note = await self._memory.save(
            context.person.person_id,
            scope_of(context),
            arguments.type,
            arguments.text,
            effect=context.effect,
        )
        return to_json(Notes, (note,))

    async def append(self, context: ToolContext, arguments: AppendArguments) -> JsonValue:
        """Add a sentence to a note."""
        _refuse_secrets(context, arguments.text)
        note = await self._memory.append(
            context.person.person_id,
            scope_of(context),
            arguments.note_id,
            arguments.text,
            effect=context.effect,
        )
        return to_json(Notes, (note,))

    async def delete(self, context: ToolContext, arguments: DeleteArguments) -> JsonValue:
        """Forget a note."""
        note = await self._memory.delete(
            context.person.person_id, scope_of(context), arguments.note_id, effect=context.effect
        )
        return to_json(Notes, (note,))


def memory_tools(memory: Memory) -> tuple[Tool, ...]:
    """Return the MEMORY group."""
    functions = MemoryTools(memory)
    return (
        reading(
            READ,
            "memory_list",
            NoArguments,
            functions.list,
            "What the person asked to be remembered.",
        ),
        writing(
            WRITE,
            "memory_save",
            SaveArguments,
            functions.save,
            "Remember something lasting, on request.",
        ),
        writing(
            WRITE,
            "memory_append",
            AppendArguments,
            functions.append,
            "Add a sentence to a remembered note.",
        ),
        writing(
            WRITE,
            "memory_delete",
            DeleteArguments,
            functions.delete,
            "Forget a note.",
            confirm=True,
        ),
    )
