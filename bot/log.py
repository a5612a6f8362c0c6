"""Logging: structlog over the standard library, JSON off a terminal, secrets masked."""

import logging
import sys

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from bot.core.patterns import regex

_SECRET = regex(
    r"(?<!\d)\d{6,12}:[A-Za-z0-9_-]{30,}"  # Telegram bot token, also as "/bot123:..."
    r"|\bsk-[A-Za-z0-9_-]{16,}\b"  # model keys
    r"|(?<=token=)[A-Za-z0-9_-]{16,}"  # web sign-in
)


def mask(value: str) -> str:
    """Return ``value`` with everything that looks like a secret replaced by ``***``."""
    return _SECRET.sub("***", value)


def _mask_all(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    return {
        name: mask(value) if isinstance(value, str) else value for name, value in event.items()
    }


def configure(level: str) -> None:
    """Send our lines and those of libraries to standard error in one shape.

    Tracebacks never show local variables: they would carry tokens and people's words.
    """
    terminal = sys.stderr.isatty()
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    tracebacks: Processor = (
        structlog.processors.format_exc_info
        if terminal
        else structlog.processors.ExceptionRenderer(
            structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        )
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                tracebacks,
                _mask_all,
                structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
                if terminal
                else structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for noisy in ("apscheduler", "aiohttp.access", "asyncio"):
        logging.getLogger(noisy).setLevel(max(logging.WARNING, root.level))
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
