"""Imports of an SDK beside a running loop.

An import makes objects by the hundred thousand, which stay; each full run of the garbage
collector looks at all of them and holds every thread up meanwhile. So it rests during the
import, and leaves alone afterwards what was there then.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_under_way = 0
_rests = False


@contextmanager
def resting_collector() -> Iterator[None]:
    """Let the collector rest until the last of the imports under way is done."""
    global _under_way, _rests  # noqa: PLW0603  # the collector is the process's as well
    with _lock:
        _under_way += 1
        if _under_way == 1 and gc.isenabled():
            _rests = True
            gc.disable()
    try:
        yield
    finally:
        with _lock:
            _under_way -= 1
            if _under_way == 0 and _rests:
                _rests = False
                gc.freeze()
                gc.enable()
