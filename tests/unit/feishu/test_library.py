"""lark-oapi is imported in part, in a thread, and only when it is asked for."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
SCRIPT = """
import asyncio, sys
import adapters.feishu.adapter
assert not [m for m in sys.modules if m.startswith('lark')], 'imported too early'
from adapters.feishu.library import load
calls, opener = asyncio.run(load())
services = {m.split('.')[2] for m in sys.modules if m.startswith('lark_oapi.api.')}
print(calls.__name__, opener.__name__, *sorted(services))
assert 'lark_oapi.ws' not in sys.modules
assert len([m for m in sys.modules if m.startswith('lark_oapi')]) < 1500
import lark_oapi.api
assert lark_oapi.Client, 'the whole library can still be imported'
"""


def test_two_services_are_imported_and_the_whole_library_still_can_be() -> None:
    """PF26: ``import lark_oapi`` takes 4 s and 176 MB."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == ["Calls", "Opener", "cardkit", "im"]
