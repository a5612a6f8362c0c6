"""Counters of the process, for `/metrics` and the health page."""

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest


class Metrics:
    """What is counted; one registry per application, nothing global."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.turns = Counter(
            "switchboard_turns",
            "Answered events by agent, source and outcome.",
            ["agent", "source", "outcome"],
            registry=self.registry,
        )
        self.sends = Counter(
            "switchboard_sends",
            "Sends by platform and result: sent, retried, failed, ambiguous.",
            ["platform", "result"],
            registry=self.registry,
        )
        self.rows = Gauge(
            "switchboard_rows",
            "Stored rows by table and status.",
            ["table", "status"],
            registry=self.registry,
        )

    def text(self) -> str:
        """Return everything in the text format of Prometheus."""
        return generate_latest(self.registry).decode()
