"""What aiogram costs, and that it still checks what we send."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from adapters.telegram.library import _load, ensure_installed
from bot.core.errors import ConfigurationError

MEASURE = """
import json, psutil, sys, time
import bot.app, adapters.telegram.adapter
assert "aiogram" not in sys.modules and "adapters.telegram.calls" not in sys.modules
from adapters.telegram.library import _load
before, began = psutil.Process().memory_info().rss, time.process_time()
_load()
after = psutil.Process().memory_info().rss
from aiogram.types import Update
print(json.dumps({
    "mb": (after - before) / 2**20, "all_mb": after / 2**20,
    "seconds": time.process_time() - began,
    "built": Update.__pydantic_complete__,
}))
"""


def test_the_library_costs_a_fraction_of_its_plain_import() -> None:
    """Decision 0010: at most 150 MB for the whole process; the plain import alone has 136."""
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE], cwd=root, capture_output=True, text=True, check=True
    )
    measured = json.loads(done.stdout)
    print(measured)  # noqa: T201  # shown when it fails

    assert not measured["built"]
    assert measured["mb"] < 60
    assert measured["all_mb"] < 150
    assert measured["seconds"] < 3


def test_what_we_send_is_checked_by_the_library() -> None:
    _load()
    from aiogram.methods import SendMessage  # noqa: PLC0415  # not before the above

    with pytest.raises(ValidationError, match="text"):
        SendMessage(chat_id=1, text=[])  # type: ignore[arg-type]


def test_every_class_that_is_used_is_built() -> None:
    _load()
    from adapters.telegram import calls  # noqa: PLC0415  # not before the above

    used = [
        kind
        for kind in vars(calls).values()
        if getattr(kind, "__module__", "").startswith(("aiogram.types.", "aiogram.methods."))
        and hasattr(kind, "model_rebuild")
        and kind.__name__ != "TelegramMethod"
    ]
    assert len(used) >= 15
    assert all(kind.__pydantic_complete__ for kind in used)


def test_a_missing_library_is_told_with_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)

    with pytest.raises(ConfigurationError, match="make setup"):
        ensure_installed()
