"""What the time resolver answers: resolved times, questions and refusals."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

Mode = Literal["reminder", "ledger", "range"]
Status = Literal["ok", "ask", "reject", "none"]
Kind = Literal["point", "range", "duration"]
Bound = Literal["exact", "after", "before"]


@dataclass(frozen=True, slots=True)
class ResolvedTime:
    """One time of a message.

    Attributes:
        kind: A point, a range with an exclusive end, or a bare length of time.
        start: Local and aware; None for a length.
        end: Exclusive end; also given for points of a day or more.
        seconds: The length, for a duration.
        grain: The smallest unit that was said.
        span: Where it stands in the text, half-open.
        bound: Whether only a limit was said (after, before).
        default_time: The time of day was not said and is this product's default.
        adjusted: The wall time was moved: a clamped day, a daylight saving gap.
    """

    kind: Kind
    start: datetime | None
    end: datetime | None
    seconds: int | None
    grain: str
    span: tuple[int, int]
    bound: Bound = "exact"
    default_time: bool = False
    adjusted: bool = False


@dataclass(frozen=True, slots=True)
class TimeResult:
    """What a message says about time, in a mode.

    Attributes:
        status: `ok`, `ask` (a person must choose), `reject` (it cannot be), `none` (no time).
        reason: A stable key that says why it asks or refuses.
        times: The times, when ok.
        candidates: What to offer, when it asks.
        spans: Where the words of time stand, whatever the status.
    """

    status: Status
    reason: str = ""
    times: tuple[ResolvedTime, ...] = ()
    candidates: tuple[datetime, ...] = ()
    spans: tuple[tuple[int, int], ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Context:
    """What a phrase is read against.

    Attributes:
        now: Local and aware.
        tz: The person's zone.
        mode: What the time is for.
        hint: `am` or `pm` when the text speaks of getting up or of dinner.
    """

    now: datetime
    tz: ZoneInfo
    mode: Mode
    hint: str = ""


class Trouble(Exception):  # noqa: N818
    """Why a phrase gives no time: a question or a refusal."""

    def __init__(
        self, reason: str, *, candidates: tuple[datetime, ...] = (), status: Status = "ask"
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.candidates = candidates
        self.status = status
