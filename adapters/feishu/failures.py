"""Why a call to the open platform failed, as classes that say what to do about it.

A 200 whose body says ``code != 0`` is a failure like any other.
Source: https://open.feishu.cn/document/server-docs/getting-started/api-error-codes ,
https://open.feishu.cn/document/server-docs/im-v1/message/create (230xxx) and
https://open.feishu.cn/document/cardkit-v1/streaming-updates-openapi-overview (200850, 3003xx).
"""

from collections.abc import Mapping
from http import HTTPStatus

from bot.core.errors import (
    AdapterError,
    ChatGoneError,
    RateLimitedError,
    RejectedError,
    RetryableAdapterError,
)

_LONGEST_REASON_CHARS = 200
_RESET_HEADER = "x-ogw-ratelimit-reset"
_LONGEST_WAIT_SECONDS = 3600.0


class TokenInvalidError(RetryableAdapterError):
    """The access token is no longer taken: fetch a new one and call again, once."""


class CredentialsRefusedError(RetryableAdapterError):
    """App id or secret are wrong; once they are right the same call works."""


class BotOffError(RetryableAdapterError):
    """The app's bot ability is switched off; once it is on the same call works."""


class ScopeMissingError(RejectedError):
    """The app may not do this: an administrator has to grant a permission."""


class CardRefusedError(RejectedError):
    """The content is not taken: the same words go out as a plain message."""


class TooLongError(CardRefusedError):
    """The content is too long."""


class MessageGoneError(RejectedError):
    """The message cannot be changed or answered any more: a new one is sent instead."""


class StreamClosedError(RejectedError):
    """The card takes no more streamed text."""


class StaleSequenceError(RejectedError):
    """A later change of the card was there first: this one is not needed any more."""


_RATES: Mapping[int, float] = {99991400: 1.0, 11232: 5.0, 230020: 1.0, 232019: 1.0, 11247: 1.0}
"""Rate limits and how long to wait where the platform does not say."""

_CLASSES: Mapping[int, type[AdapterError]] = {
    99991661: TokenInvalidError,
    99991663: TokenInvalidError,
    99991664: TokenInvalidError,
    99991668: TokenInvalidError,
    99991677: TokenInvalidError,
    10003: CredentialsRefusedError,
    10012: CredentialsRefusedError,
    10014: CredentialsRefusedError,
    99991662: CredentialsRefusedError,
    99991672: ScopeMissingError,
    99991679: ScopeMissingError,
    230027: ScopeMissingError,
    230006: BotOffError,
    232025: BotOffError,
    230001: CardRefusedError,
    230099: CardRefusedError,
    200621: CardRefusedError,
    230025: TooLongError,
    230011: MessageGoneError,
    231003: MessageGoneError,
    230031: MessageGoneError,
    230072: MessageGoneError,
    230110: MessageGoneError,
    230002: ChatGoneError,
    230013: ChatGoneError,
    230035: ChatGoneError,
    230053: ChatGoneError,
    232009: ChatGoneError,
    200850: StreamClosedError,
    300309: StreamClosedError,
    300317: StaleSequenceError,
}


def failure(status: int, code: int, reason: str, headers: Mapping[str, str]) -> AdapterError:
    """Return the error for an answer that is none of success.

    Args:
        status: of HTTP.
        code: the body's; 0 when the body was none of the platform's.
        reason: the body's ``msg``.
        headers: of the answer.
    """
    if status == HTTPStatus.TOO_MANY_REQUESTS or code in _RATES:
        return RateLimitedError(_wait(headers, _RATES.get(code, 1.0)))
    says = f"{code or f'HTTP {status}'}: {reason[:_LONGEST_REASON_CHARS]}"
    if kind := _CLASSES.get(code):
        return kind(says)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or not code:
        return RetryableAdapterError(says)
    return RejectedError(says)


def _wait(headers: Mapping[str, str], default: float) -> float:
    """Return how long the platform asks to wait.

    Source: https://open.feishu.cn/document/server-docs/api-call-guide/frequency-control
    """
    try:
        seconds = float(headers.get(_RESET_HEADER, default))
    except ValueError:
        return default
    return min(max(seconds, default), _LONGEST_WAIT_SECONDS)
