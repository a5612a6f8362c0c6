"""Finds whom an operator means."""

from bot.core.errors import ConfigurationError
from bot.core.people import Person
from bot.core.stores import Stores


async def find_person(stores: Stores, user: str) -> Person:
    """Return the person named by id or as ``platform:id``.

    Raises:
        ConfigurationError: there is no such person, or several of our bots know the id.
    """
    person = await stores.people.get(user)
    if person is not None:
        return person
    platform, _, user_id = user.partition(":")
    found = await stores.people.with_id(platform, user_id)
    if not found:
        wanted = "name somebody who has written, as platform:id (web:local, telegram:123)"
        raise ConfigurationError(f"no such person: {user}; {wanted}")
    if len(found) > 1:
        ids = ", ".join(person.person_id for person in found)
        raise ConfigurationError(f"{user} is several people, name one of them: {ids}")
    return found[0]
