"""What the measured processes are started with."""

import os
import tempfile
from pathlib import Path

BYTE_CODE = Path(tempfile.gettempdir()) / "switchboard-bench-bytecode"


def environment(**more: str) -> dict[str, str]:
    """Return ours, with byte code written as an installation has it.

    Where an environment forbids writing it, every start would compile all sources once more,
    which nobody's second start does. Measure the second start, for ours and for others' alike.
    """
    own = dict(os.environ)  # noqa: TID251  # handed on whole
    own.pop("PYTHONDONTWRITEBYTECODE", None)
    return own | {"PYTHONPYCACHEPREFIX": str(BYTE_CODE)} | more
