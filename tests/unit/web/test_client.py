"""The connected pages."""

from datetime import UTC, datetime, timedelta

from adapters.web.client import BURST, QUEUE_FRAMES, Bucket, Clients, Connection
from adapters.web.schemas import Typing

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def test_a_page_that_does_not_read_is_cut_off() -> None:
    cut: list[str] = []
    page = Connection("anna", signed_in=False, hint="", abort=lambda: cut.append("cut"))

    for _ in range(QUEUE_FRAMES):
        page.push(Typing())
    assert cut == []
    page.push(Typing())

    assert cut == ["cut"]


def test_pages_are_counted_once_and_forgotten() -> None:
    clients = Clients()
    page = Connection("anna", signed_in=False, hint="", abort=lambda: None)

    clients.add(page)
    clients.add(page)
    assert (len(clients), clients.of("anna"), clients.of("bert")) == (1, (page,), ())
    clients.remove(page)
    clients.remove(page)

    assert len(clients) == 0


def test_a_burst_is_allowed_and_then_five_a_second() -> None:
    bucket = Bucket(NOW)

    burst = [bucket.take(NOW) for _ in range(BURST + 1)]
    later = [bucket.take(NOW + timedelta(seconds=1)) for _ in range(6)]

    assert burst == [True] * BURST + [False]
    assert later == [True] * 5 + [False]


def test_a_clock_that_goes_back_gives_nothing_away() -> None:
    bucket = Bucket(NOW)
    for _ in range(BURST):
        bucket.take(NOW)

    assert not bucket.take(NOW - timedelta(hours=1))
