"""Counters of the process, for `/metrics` and the health page."""

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

from bot.core.model import Usage


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

        self.model_requests = Counter(
            "switchboard_model_requests",
            "Requests to language models by provider, kind and result.",
            ["provider", "kind", "result"],
            registry=self.registry,
        )
        self.model_tokens = Counter(
            "switchboard_model_tokens",
            "Tokens by provider and direction: input, output.",
            ["provider", "direction"],
            registry=self.registry,
        )
        self.model_cost = Counter(
            "switchboard_model_cost",
            "Cost by provider, in the currency of LLM_PRICES.",
            ["provider"],
            registry=self.registry,
        )

        self.routings = Counter(
            "switchboard_routing_calls",
            "Routing decisions asked of a language model, by result; all but ok fall through.",
            ["result"],
            registry=self.registry,
        )

    def routed_by_model(self, result: str) -> None:
        """Count how a routing call ended."""
        self.routings.labels(result).inc()

    def model_call(self, provider: str, kind: str, result: str, usage: Usage) -> None:
        """Count a request to a language model."""
        self.model_requests.labels(provider, kind, result).inc()
        self.model_tokens.labels(provider, "input").inc(usage.input_tokens)
        self.model_tokens.labels(provider, "output").inc(usage.output_tokens)
        self.model_cost.labels(provider).inc(float(usage.cost or 0))

    def text(self) -> str:
        """Return everything in the text format of Prometheus."""
        return generate_latest(self.registry).decode()
