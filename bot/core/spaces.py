"""Where the people of a group are: a room, a floor, a site."""

from typing import Protocol


class GroupSpaces(Protocol):
    """Spaces by `Chat.place`; what a person says of themselves in the group comes before."""

    async def put(self, place: str, space: str) -> None:
        """Record the space of a group; an empty one takes it back."""
        ...

    async def get(self, place: str) -> str:
        """Return the space of a group; empty when none was said."""
        ...
