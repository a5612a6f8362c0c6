"""Regular expressions that are compiled when they are first needed, not when a module is read.

There are some 600 of them; compiling all costs a start 0.2 s, and receiving needs none.
"""

import re
import weakref
from collections.abc import Callable
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")
_waiting: list["weakref.ref[_Late]"] = []


def regex(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return what `re.compile` does, compiled at its first use or by `compile_waiting`.

    It is for constants of modules: what is not well-formed is noticed that late.
    """
    late = _Late(source, flags)
    _waiting.append(weakref.ref(late))
    return cast("re.Pattern[str]", late)


def compile_waiting() -> None:
    """Compile all that was not used yet; it takes its time, so it runs in a thread.

    Raises:
        re.error: one is not well-formed.
    """
    while _waiting:
        late = _waiting.pop()()
        if late is not None:
            late.compiled()


class _Late:
    """Stands for a pattern; asking it for anything compiles it, and then its methods are ours."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern = source
        self._flags = flags

    def compiled(self) -> re.Pattern[str]:
        """Return the pattern."""
        pattern = re.compile(self.pattern, self._flags)
        for name in _METHODS:
            setattr(self, name, getattr(pattern, name))
        return pattern

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        return cast("Callable[..., Any]", getattr(self.compiled(), name))
