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
│  ├─ ToolDeniedError          not granted in this turn
│  └─ ToolUnknownError         nobody knows whether its effect elsewhere has happened
├─ ModelError                  a language model gave no answer that can be used
│  ├─ ModelUnavailableError    nobody answers now; do without, or later
│  │  └─ ModelBusyError        ... after `retry_after_seconds`
│  ├─ ModelKeyError            the operator has to mend key, address or model name
│  ├─ ModelOutputError         the answer is not what was asked for
│  ├─ ModelRefusalError        this request will not be answered as it stands
│  └─ ContextTooLongError      the caller has to say less
├─ StoppedError                the person said /stop
└─ StaleOrderError             an old message wants what is only done while it is fresh
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


class ToolUnknownError(ToolError):
    """The call to another service left and no answer came: its effect may have happened."""


class ModelError(BotError):
    """A language model gave no answer that can be used.

    The texts are for logs: they name the provider and what happened, never an address, a key or
    words of a conversation.
    """


class ModelUnavailableError(ModelError):
    """No provider answers in time; the same request may work later."""


class ModelBusyError(ModelUnavailableError):
    """The provider asks to wait.

    Attributes:
        retry_after_seconds: how long to leave it alone.
    """

    def __init__(self, message: str, retry_after_seconds: float) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class ModelKeyError(ModelError):
    """The provider refuses the key, the address or the model's name: the operator has to act."""


class ModelOutputError(ModelError):
    """The answer is empty, malformed, or no instance of the schema that was asked for."""


class ModelRefusalError(ModelError):
    """The provider will not answer this request as it stands, e.g. by its content policy."""


class ContextTooLongError(ModelError):
    """The messages are longer than the model takes."""


class StoppedError(BotError):
    """The person stopped the turn; `done` names the effects that had already happened."""

    def __init__(self, done: int) -> None:
        super().__init__(f"stopped after {done} effects")
        self.done = done


class StaleOrderError(BotError):
    """An old message orders what changes or deletes something: the person is asked first."""
