"""Named places where a test can kill the process; nothing happens unless one is armed."""

import os
import signal
from enum import StrEnum


class Failpoint(StrEnum):
    """The moments between which something could be lost or doubled."""

    AFTER_INBOX = "after_inbox"
    AFTER_JOURNAL = "after_journal"
    AFTER_EFFECT = "after_effect"
    AFTER_EXTERNAL = "after_external"
    AFTER_COMMIT = "after_commit"
    AFTER_SEND_BEFORE_MARK = "after_send_before_mark"
    AFTER_MARK = "after_mark"
    AFTER_FIRE = "after_fire"


_armed: dict[str, int] = {}


def arm(spec: str) -> None:
    """Arm from text such as ``after_effect:3``: the process dies at the third hit.

    Raises:
        ValueError: no such failpoint, or no number.
    """
    name, _, count = spec.partition(":")
    _armed[Failpoint(name)] = int(count or 1)


def hit(point: Failpoint) -> None:
    """Count a hit of an armed point and kill the process at the last one."""
    if point not in _armed:
        return
    _armed[point] -= 1
    if _armed[point] <= 0:
        os.kill(os.getpid(), signal.SIGKILL)
