"""Why a call to the Bot API failed, as classes that say what to do about it.

The API tells reasons in English sentences only; the ones below are those its server sends.
Source: https://core.telegram.org/bots/api#making-requests and
https://github.com/tdlib/telegram-bot-api (Client.cpp, fail_query_with_error).
"""

from http import HTTPStatus

from adapters.telegram.schemas import Answer
from bot.core.errors import (
    AdapterError,
    ChatGoneError,
    RateLimitedError,
    RejectedError,
    RetryableAdapterError,
)

_LONGEST_REASON_CHARS = 200


class MarkupRefusedError(RejectedError):
    """The same part goes out again as plain text."""


class NotModifiedError(RejectedError):
    """The message shows this already: as good as done."""


class MessageGoneError(RejectedError):
    """The message cannot be edited any more: a new one is sent instead."""


class TooLongError(RejectedError):
    """The text is cut again."""


class TooBigError(RejectedError):
    """The file is too big, or the picture is of a shape that is not taken."""


class DraftRefusedError(RejectedError):
    """This chat shows no drafts: a message that is edited does the same."""


class QueryTooOldError(RejectedError):
    """The press waited too long for its toast; nothing is lost but the toast."""


class ChatMovedError(RejectedError):
    """The group has a new id; the same call goes there.

    Attributes:
        new_chat_id: where it is now.
    """

    def __init__(self, new_chat_id: int) -> None:
        super().__init__("the group has a new id")
        self.new_chat_id = new_chat_id


class TokenRefusedError(RetryableAdapterError):
    """The token is wrong or revoked; once it is right the same call works."""


class MethodUnknownError(TokenRefusedError):
    """This server is older than the method."""


class PollingConflictError(RetryableAdapterError):
    """Somebody else receives this bot's updates.

    Attributes:
        webhook: a webhook is set, so nobody may poll.
    """

    def __init__(self, *, webhook: bool) -> None:
        super().__init__("a webhook is set" if webhook else "another program polls")
        self.webhook = webhook


_REASONS: tuple[tuple[str, type[RejectedError]], ...] = (
    ("message is not modified", NotModifiedError),
    ("can't parse entities", MarkupRefusedError),
    ("can't find end of", MarkupRefusedError),
    ("unsupported start tag", MarkupRefusedError),
    ("message is too long", TooLongError),
    ("caption is too long", TooLongError),
    ("message_too_long", TooLongError),
    ("message to edit not found", MessageGoneError),
    ("message can't be edited", MessageGoneError),
    ("message_id_invalid", MessageGoneError),
    ("there is no text in the message to edit", MessageGoneError),
    ("textdraft_peer_invalid", DraftRefusedError),
    ("query is too old", QueryTooOldError),
    ("query id is invalid", QueryTooOldError),
    ("query_id_invalid", QueryTooOldError),
    ("file is too big", TooBigError),
    ("photo_invalid_dimensions", TooBigError),
    ("image_process_failed", TooBigError),
    ("chat not found", ChatGoneError),
    ("user is deactivated", ChatGoneError),
    ("group chat was deactivated", ChatGoneError),
)


def _unknown(reason: str, code: int) -> TokenRefusedError:
    if "method not found" in reason.lower():
        return MethodUnknownError("this server does not have the method")
    return TokenRefusedError(f"the bot token is refused ({code})")


def failure(status: int, answer: Answer) -> AdapterError:
    """Return the error for an answer that is not ok."""
    code = answer.error_code or status
    reason = answer.description[:_LONGEST_REASON_CHARS] or f"HTTP {code}"
    if answer.parameters.migrate_to_chat_id is not None:
        return ChatMovedError(answer.parameters.migrate_to_chat_id)
    if code == HTTPStatus.TOO_MANY_REQUESTS:
        return RateLimitedError(float(answer.parameters.retry_after or 1))
    if code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND}:
        return _unknown(reason, code)
    if code == HTTPStatus.FORBIDDEN:
        return ChatGoneError(reason)
    if code == HTTPStatus.CONFLICT:
        return PollingConflictError(webhook="webhook" in reason.lower())
    if code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return TooBigError(reason)
    if code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return RetryableAdapterError(reason)
    lowered = reason.lower()
    for sign, kind in _REASONS:
        if sign in lowered:
            return kind(reason)
    return RejectedError(reason)
