"""Whether another program is connected as the same app: it takes a part of our events.

The platform gives each event to one random connection of the app, so two programs on one app hear
half each, and nothing fails. It does tell how many connections are open.

Source: https://open.feishu.cn/document/ukTMukTMukTM/uYDNxYjL2QTM24iN0EjN/event-v1/connection/get
"""

import structlog
from pydantic import ValidationError

from adapters.feishu.client import Client
from adapters.feishu.long_connection import LongConnection
from adapters.feishu.schemas import Online
from bot.core.errors import AdapterError, RetryableAdapterError
from bot.core.ports import Clock

EVERY_SECONDS = 300.0
"""How often a running bot looks. A connection that broke off may be counted a while longer, so
only what is seen twice in a row is another program."""

_PATH = "/open-apis/event/v1/connection"

log = structlog.get_logger(__name__)


async def online_connections(client: Client) -> int:
    """Return how many long connections of the app are open, ours and others'.

    Raises:
        AdapterError: by reaction.
    """
    answer = await client.call("GET", _PATH)
    try:
        return Online.model_validate(answer).online_instance_cnt
    except ValidationError:
        raise RetryableAdapterError("the platform does not say how many are connected") from None


class Neighbours:
    """Looks out for them while the bot runs.

    Attributes:
        says: what is known, for the health page.
    """

    def __init__(self, *, client: Client, link: LongConnection, clock: Clock) -> None:
        """Prepare.

        Args:
            client: asks.
            link: our own connection.
            clock: the time.
        """
        self._client = client
        self._link = link
        self._clock = clock
        self._crowded = 0
        self.says = "not looked for yet"

    async def run(self) -> None:
        """Look again and again."""
        while True:
            await self._clock.sleep(EVERY_SECONDS)
            await self._look()

    async def _look(self) -> None:
        own = 0 if self._link.trouble else 1
        try:
            others = await online_connections(self._client) - own
        except AdapterError as error:
            self._crowded = 0
            self.says = f"cannot be looked for: {error}"
            return
        self._crowded = self._crowded + 1 if others > 0 else 0
        if self._crowded > 1:
            log.critical("another_program_on_this_app", others=others)
            self.says = (
                f"! {others} more connected as this app: part of what people say goes there; "
                "stop it, or give it an app of its own"
            )
        elif not self._crowded:
            self.says = "nobody else is connected as this app"
