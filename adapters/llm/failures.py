"""What the SDK raises, by reaction. The texts carry no address, no key, no words.

Source: https://platform.openai.com/docs/guides/error-codes
"""

import re
from collections.abc import Mapping

from bot.core.errors import (
    ContextTooLongError,
    ModelBusyError,
    ModelError,
    ModelKeyError,
    ModelOutputError,
    ModelRefusalError,
    ModelUnavailableError,
)
from bot.core.patterns import regex

DEFAULT_RETRY_SECONDS = 20.0
MAX_RETRY_SECONDS = 600.0
_TOO_LONG = regex(
    r"context[_ ](?:length|window)|maximum context|too many tokens|prompt is too long|"
    r"input tokens exceed|reduce the length",
    re.IGNORECASE,
)
_CUT_TYPES = ("LengthFinishReasonError",)
_FILTER_TYPES = ("ContentFilterFinishReasonError", "OpenAIRefusalError")


class UnsupportedError(ModelRefusalError):
    """The endpoint does not know a part of the request (400): maybe it can do without.

    Attributes:
        about: what its answer speaks of: ``tools``, ``response_format``, or neither.
    """

    def __init__(self, message: str, about: str = "") -> None:
        super().__init__(message)
        self.about = about


def error_of(provider: str, error: Exception) -> ModelError:
    """Return the error by reaction."""
    status = getattr(error, "status_code", None)
    said = str(getattr(error, "message", "") or error)
    names = {kind.__name__ for kind in type(error).__mro__}
    if isinstance(status, int):
        return _by_status(provider, status, said, _headers(error))
    if _TOO_LONG.search(said) and "APIError" in names:
        return ContextTooLongError(f"{provider}: the messages are too long")
    if names & {"APIConnectionError", "APITimeoutError", "TransportError", "APIError"}:
        return ModelUnavailableError(f"{provider}: {type(error).__name__}")
    if names & set(_FILTER_TYPES):
        return ModelRefusalError(f"{provider}: refused by its content policy")
    if names & set(_CUT_TYPES):
        return ModelOutputError(f"{provider}: the answer did not fit")
    return ModelOutputError(f"{provider}: {type(error).__name__}")  # not what the API promises


def _by_status(provider: str, status: int, said: str, headers: Mapping[str, str]) -> ModelError:
    if status in (401, 403):
        return ModelKeyError(f"{provider}: the key is refused ({status})")
    if status == 404:  # noqa: PLR2004  # HTTP
        return ModelKeyError(f"{provider}: no such model or address (404)")
    if status == 402 or (status == 429 and "insufficient_quota" in said):  # noqa: PLR2004
        return ModelKeyError(f"{provider}: the account has no credit left ({status})")
    if status == 429:  # noqa: PLR2004
        return ModelBusyError(f"{provider}: rate limited", retry_after(headers))
    if status in (400, 413, 422):
        if status == 413 or _TOO_LONG.search(said):  # noqa: PLR2004
            return ContextTooLongError(f"{provider}: the messages are too long")
        about = next((w for w in ("response_format", "json_schema", "tool") if w in said), "")
        if about == "tool":
            about = "tools"
        elif about == "json_schema":
            about = "response_format"
        return UnsupportedError(f"{provider}: the request is refused ({status})", about)
    return ModelUnavailableError(f"{provider}: answers {status}")


def retry_after(headers: Mapping[str, str]) -> float:
    """Return the seconds that ``Retry-After`` asks for."""
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return DEFAULT_RETRY_SECONDS
    return min(max(seconds, 0.0), MAX_RETRY_SECONDS)


def _headers(error: Exception) -> Mapping[str, str]:
    headers: Mapping[str, str] = getattr(getattr(error, "response", None), "headers", {})
    return headers
