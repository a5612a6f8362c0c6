"""Errors, split by what the caller does about them.

BotError
├─ ConfigurationError          stop at start-up; the message names the setting
├─ AdapterError                a platform call failed
│  ├─ RetryableAdapterError    the same call may work later
│  │  └─ RateLimitedError      ... after `retry_after_seconds`
│  ├─ AmbiguousSendError       the answer was lost; it may have been sent
│  └─ RejectedError            it will not work
│     └─ ChatGoneError         the person blocked the bot, or the chat is no more
├─ UnparseableError            an update nobody can read: dead letter
├─ StorageError
│  ├─ StorageUnavailableError  retryable
│  ├─ ConflictError            somebody else changed it first
│  └─ NotFoundError            no such thing for this owner
├─ ToolError
│  ├─ ToolInputError           the caller may mend the arguments
│  └─ ToolDeniedError          not granted in this turn
└─ StoppedError                the person said /stop
"""


class BotError(Exception):
    """Root of all errors that this project raises on purpose."""


class ConfigurationError(BotError):
    """The process cannot start like this; the text says which setting and what to do."""


class AdapterError(BotError):
    """A platform call failed."""


class RetryableAdapterError(AdapterError):
    """The same call may succeed later."""


class RateLimitedError(RetryableAdapterError):
    """The platform asks to wait.

    Attributes:
        retry_after_seconds: how long to leave this chat alone.
    """

    def __init__(self, retry_after_seconds: float) -> None:
        super().__init__(f"rate limited for {retry_after_seconds} s")
        self.retry_after_seconds = retry_after_seconds


class AmbiguousSendError(AdapterError):
    """The request left but no answer came: the message may or may not be there."""


class RejectedError(AdapterError):
    """The platform refuses this call for good; the text is its reason."""


class ChatGoneError(RejectedError):
    """The chat cannot be written to any more."""


class UnparseableError(BotError):
    """An update that no parser understands; it becomes a dead letter."""


class StorageError(BotError):
    """A store failed."""


class StorageUnavailableError(StorageError):
    """The store does not answer now; the same call may work later."""


class ConflictError(StorageError):
    """The stored row is not in the expected revision any more."""


class NotFoundError(StorageError):
    """There is no such row for this owner."""


class ToolError(BotError):
    """A tool call failed."""


class ToolInputError(ToolError):
    """The arguments are wrong; the text says how."""


class ToolDeniedError(ToolError):
    """The tool is not granted in this turn."""


class StoppedError(BotError):
    """The person stopped the turn; `done` names the effects that had already happened."""

    def __init__(self, done: int) -> None:
        super().__init__(f"stopped after {done} effects")
        self.done = done
