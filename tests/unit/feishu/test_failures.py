"""What a refusal of the platform means for the caller."""

import pytest

from adapters.feishu.client import base_of
from adapters.feishu.failures import (
    BotOffError,
    CardRefusedError,
    CredentialsRefusedError,
    MessageGoneError,
    ScopeMissingError,
    StaleSequenceError,
    StreamClosedError,
    TokenInvalidError,
    TooLongError,
    failure,
)
from bot.core.errors import (
    ChatGoneError,
    ConfigurationError,
    RateLimitedError,
    RejectedError,
    RetryableAdapterError,
)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (99991663, TokenInvalidError),
        (99991668, TokenInvalidError),
        (99991677, TokenInvalidError),
        (10014, CredentialsRefusedError),
        (99991672, ScopeMissingError),
        (230027, ScopeMissingError),
        (230006, BotOffError),
        (230002, ChatGoneError),
        (230013, ChatGoneError),
        (230099, CardRefusedError),
        (230025, TooLongError),
        (230031, MessageGoneError),
        (230072, MessageGoneError),
        (300309, StreamClosedError),
        (200850, StreamClosedError),
        (300317, StaleSequenceError),
        (230028, RejectedError),
    ],
)
def test_a_code_is_a_reaction(code: int, kind: type[Exception]) -> None:
    assert type(failure(400, code, "msg", {})) is kind
    assert type(failure(200, code, "msg", {})) is kind


@pytest.mark.parametrize("code", [99991400, 11232, 230020, 232019])
def test_a_limit_is_waited_for_as_long_as_the_platform_says(code: int) -> None:
    """PF12: the SDK takes 230020 for a message that is gone, 99991400 for a missing right."""
    error = failure(400, code, "", {"x-ogw-ratelimit-reset": "9"})
    assert isinstance(error, RateLimitedError)
    assert error.retry_after_seconds == 9
    for odd in ("soon", "-5", "0"):
        error = failure(429, code, "", {"x-ogw-ratelimit-reset": odd})
        assert isinstance(error, RateLimitedError)
        assert error.retry_after_seconds >= 1


@pytest.mark.parametrize(("status", "code"), [(502, 0), (500, 0), (503, 5), (404, 0)])
def test_a_gateways_answer_is_tried_again(status: int, code: int) -> None:
    assert type(failure(status, code, "", {})) is RetryableAdapterError


@pytest.mark.parametrize(
    ("domain", "base"),
    [
        ("feishu", "https://open.feishu.cn"),
        ("Lark", "https://open.larksuite.com"),
        ("https://open.example/", "https://open.example"),
        ("http://127.0.0.1:8082", "http://127.0.0.1:8082"),
    ],
)
def test_a_domain_is_an_address(domain: str, base: str) -> None:
    assert base_of(domain) == base


@pytest.mark.parametrize("domain", ["open.feishu.cn", "http://open.feishu.cn", "feishuu", ""])
def test_a_domain_that_would_give_the_secret_away_is_refused(domain: str) -> None:
    with pytest.raises(ConfigurationError, match="FEISHU_DOMAIN"):
        base_of(domain)
