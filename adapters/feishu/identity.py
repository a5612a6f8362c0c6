"""Who we are there: without our own id nobody knows whether a group speaks to us."""

from pydantic import ValidationError

from adapters.feishu.client import Client
from adapters.feishu.schemas import Me, MeAnswer
from bot.core.errors import RetryableAdapterError

_PATH = "/open-apis/bot/v3/info"


async def who_am_i(client: Client) -> Me:
    """Return the bot of our app; it stands under ``bot``, not under ``data``.

    Source: https://open.feishu.cn/document/client-docs/bot-v3/obtain-bot-info

    Raises:
        AdapterError: by reaction.
    """
    answer = await client.call("GET", _PATH)
    try:
        me = MeAnswer.model_validate(answer).bot
    except ValidationError:
        raise RetryableAdapterError("the platform does not say who we are") from None
    if not me.open_id:
        raise RetryableAdapterError("the platform does not say who we are")
    return me
