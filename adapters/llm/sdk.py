"""The SDK: imported when a model is configured, every option said, nothing read around us.

langchain-openai and the client below it read a dozen environment variables (keys, organization,
proxies, headers, tracing). Whatever they would find there is set here, so only `bot.settings`
decides where words go.
"""

import importlib.util
import logging
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import SecretStr

from adapters.importing import resting_collector
from bot.core.providers import Provider

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

MAX_ANSWER_TOKENS = 4096
TEMPERATURE = 0.3
SOCKET_SECONDS = 180.0
"""The last resort against a silent peer; deadlines by our clock are far shorter."""

OPENAI_HOST = "api.openai.com"
"""It alone wants ``max_completion_tokens``; most others know ``max_tokens`` only."""


def is_installed() -> bool:
    """Whether the extra `llm` is there."""
    return importlib.util.find_spec("langchain_openai") is not None


def connect(provider: Provider, *, proxy: str = "") -> "ChatOpenAI":
    """Return the SDK's client for this provider.

    It imports the SDK (seconds of work) and reads certificates, so it runs in a thread.
    """
    with resting_collector():
        import httpx2  # noqa: PLC0415  # heavy, only where a model is configured
        import langsmith  # noqa: PLC0415
        import openai  # noqa: PLC0415
        from langchain_openai import ChatOpenAI  # noqa: PLC0415

    langsmith.configure(enabled=False)
    for name in ("openai", "httpx2", "langsmith"):
        logging.getLogger(name).setLevel(logging.WARNING)  # OPENAI_LOG would log the prompts
    key = provider.key.get_secret_value() or "none"  # an empty one would be looked for elsewhere
    client = openai.AsyncOpenAI(
        api_key=key,
        admin_api_key="",
        organization="",
        project="",
        webhook_secret="",
        base_url=provider.base_url,
        timeout=SOCKET_SECONDS,
        max_retries=0,
        http_client=httpx2.AsyncClient(
            proxy=proxy or None, trust_env=False, timeout=SOCKET_SECONDS, follow_redirects=False
        ),
    )
    client.organization = client.project = client.admin_api_key = None
    client._custom_headers = {}  # noqa: SLF001  # OPENAI_CUSTOM_HEADERS has no other switch
    is_openai = urlsplit(provider.base_url).hostname == OPENAI_HOST
    return ChatOpenAI(
        model=provider.model,
        api_key=SecretStr(key),
        base_url=provider.base_url,
        organization="none",
        root_async_client=client,
        async_client=client.chat.completions,
        root_client=_Absent(),
        client=_Absent(),
        openai_proxy="",
        http_socket_options=(),
        max_retries=0,
        timeout=SOCKET_SECONDS,
        temperature=TEMPERATURE,
        max_completion_tokens=MAX_ANSWER_TOKENS if is_openai else None,
        extra_body=None if is_openai else {"max_tokens": MAX_ANSWER_TOKENS},
        disable_streaming=False,  # `streaming=False` would make one piece of every stream
        stream_usage=True,
        stream_chunk_timeout=None,
        use_responses_api=False,
        output_version="v0",
        cache=False,
        verbose=False,
        callbacks=None,
    )


class _Absent:
    """Stands where the SDK would build a second, synchronous client."""
