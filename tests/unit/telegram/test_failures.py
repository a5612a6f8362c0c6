"""Every way the platform says no, and what is done about it."""

import pytest

from adapters.telegram import failures
from adapters.telegram.failures import failure
from adapters.telegram.schemas import Answer, Parameters
from bot.core.errors import (
    AdapterError,
    ChatGoneError,
    RateLimitedError,
    RejectedError,
    RetryableAdapterError,
)


@pytest.mark.parametrize(
    ("code", "description", "kind"),
    [
        (
            400,
            "Bad Request: message is not modified: specified new ...",
            failures.NotModifiedError,
        ),
        (400, "Bad Request: can't parse entities: Unsupported ...", failures.MarkupRefusedError),
        (400, "Bad Request: message is too long", failures.TooLongError),
        (400, "Bad Request: message caption is too long", failures.TooLongError),
        (400, "Bad Request: message to edit not found", failures.MessageGoneError),
        (400, "Bad Request: message can't be edited", failures.MessageGoneError),
        (400, "Bad Request: query is too old and response ...", failures.QueryTooOldError),
        (400, "Bad Request: file is too big", failures.TooBigError),
        (400, "Bad Request: PHOTO_INVALID_DIMENSIONS", failures.TooBigError),
        (400, "Bad Request: chat not found", ChatGoneError),
        (400, "Bad Request: something new", RejectedError),
        (401, "Unauthorized", failures.TokenRefusedError),
        (404, "Not Found", failures.TokenRefusedError),
        (404, "Not Found: method not found", failures.MethodUnknownError),
        (403, "Forbidden: bot was blocked by the user", ChatGoneError),
        (403, "Forbidden: bot was kicked from the group chat", ChatGoneError),
        (409, "Conflict: terminated by other getUpdates", failures.PollingConflictError),
        (413, "Request Entity Too Large", failures.TooBigError),
        (500, "Internal Server Error", RetryableAdapterError),
        (502, "", RetryableAdapterError),
    ],
)
def test_a_failure_is_named_for_what_to_do(
    code: int, description: str, kind: type[AdapterError]
) -> None:
    error = failure(code, Answer(ok=False, error_code=code, description=description))

    assert type(error) is kind


def test_a_rate_limit_says_how_long() -> None:
    answer = Answer(ok=False, error_code=429, parameters=Parameters(retry_after=33))
    error = failure(429, answer)

    assert isinstance(error, RateLimitedError)
    assert error.retry_after_seconds == 33


def test_a_moved_group_says_where_to() -> None:
    answer = Answer(ok=False, error_code=400, parameters=Parameters(migrate_to_chat_id=-9))
    error = failure(400, answer)

    assert isinstance(error, failures.ChatMovedError)
    assert error.new_chat_id == -9


def test_a_refused_token_is_waited_out_and_loses_no_message() -> None:
    assert issubclass(failures.TokenRefusedError, RetryableAdapterError)
