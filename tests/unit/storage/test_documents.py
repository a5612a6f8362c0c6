"""Documents say their version and are upgraded when they are read."""

from dataclasses import dataclass
from typing import cast

import pytest
from pydantic import JsonValue

from bot.core.errors import StorageError
from storage.documents import Document


@dataclass(frozen=True)
class Note:
    words: tuple[str, ...]
    pinned: bool


def _split(data: JsonValue) -> JsonValue:
    fields = cast("dict[str, JsonValue]", data)
    return {"words": list[JsonValue](cast("str", fields["text"]).split())}


def _pin(data: JsonValue) -> JsonValue:
    return {**cast("dict[str, JsonValue]", data), "pinned": True}


NEWEST = Document[Note](Note, _split, _pin)


def test_a_document_reads_as_it_was_written() -> None:
    note = Note(words=('a,"d":', "午饭", '{"v":9'), pinned=False)

    assert NEWEST.load(NEWEST.dump(note)) == note
    assert NEWEST.dump(note).startswith('{"v":3,"d":{')


def test_older_documents_are_read_through_the_upgrades_they_lack() -> None:
    assert NEWEST.load('{"v":1,"d":{"text":"a b"}}') == Note(words=("a", "b"), pinned=True)
    assert NEWEST.load('{"v":2,"d":{"words":["a"]}}') == Note(words=("a",), pinned=True)


def test_a_document_of_a_newer_program_is_refused() -> None:
    with pytest.raises(StorageError, match="version 4"):
        NEWEST.load('{"v":4,"d":{}}')
