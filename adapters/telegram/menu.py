"""The command menu, in every language.

Source: https://core.telegram.org/bots/api#setmycommands
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.locales.catalogue import LOCALES, catalogue

if TYPE_CHECKING:
    from adapters.telegram.calls import Calls


async def set_menu(calls: "Calls", names: Sequence[str], locale: str) -> None:
    """Set the menu for everyone, and for people of each of our languages.

    Args:
        calls: typed calls.
        names: commands in their order; those without words in the catalogue are left out.
        locale: language of the menu for everyone else.
    """
    for language, spoken in (("", locale), *((code[:2], code) for code in LOCALES)):
        texts = catalogue(spoken)
        menu = {name: texts[key] for name in names if (key := f"telegram.command_{name}") in texts}
        await calls.set_commands(menu, language)
