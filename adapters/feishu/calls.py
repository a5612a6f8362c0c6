"""Typed calls: requests are built by lark-oapi's models and sent by our own client.

Imported in a thread, see `adapters.feishu.library`.
"""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from lark_oapi.api.cardkit.v1.model import (
    Card,
    ContentCardElementRequest,
    ContentCardElementRequestBody,
    CreateCardRequest,
    CreateCardRequestBody,
    IdConvertCardRequest,
    IdConvertCardRequestBody,
    SettingsCardRequest,
    SettingsCardRequestBody,
    UpdateCardRequest,
    UpdateCardRequestBody,
)
from lark_oapi.api.im.v1.model import (
    CreateMessageReactionRequest,
    CreateMessageReactionRequestBody,
    CreateMessageRequest,
    CreateMessageRequestBody,
    DeleteMessageReactionRequest,
    Emoji,
    GetMessageResourceRequest,
    PatchMessageRequest,
    PatchMessageRequestBody,
    ReplyMessageRequest,
    ReplyMessageRequestBody,
)
from lark_oapi.core.json import JSON
from pydantic import JsonValue

from adapters.feishu.client import Client
from bot.core.errors import RetryableAdapterError

_IMAGES = "/open-apis/im/v1/images"
_NAMES = "/open-apis/contact/v3/users/basic_batch"


class Calls:
    """The calls of the open platform that we make."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def send(self, place: tuple[str, str], kind: str, content: str, *, uuid: str) -> str:
        """Send a message to a place, ``("open_id" or "chat_id", id)``; return its id.

        The same uuid shows it once within an hour.

        Source: https://open.feishu.cn/document/server-docs/im-v1/message/create
        """
        body = (
            CreateMessageRequestBody.builder()
            .receive_id(place[1])
            .msg_type(kind)
            .content(content)
            .uuid(uuid or None)
            .build()
        )
        request = CreateMessageRequest.builder().receive_id_type(place[0]).request_body(body)
        return _id(await self._call(request.build()), "message_id")

    async def reply(
        self, message_id: str, kind: str, content: str, *, uuid: str, in_thread: bool
    ) -> str:
        """Answer a message; return the id of the answer.

        Source: https://open.feishu.cn/document/server-docs/im-v1/message/reply
        """
        body = (
            ReplyMessageRequestBody.builder()
            .msg_type(kind)
            .content(content)
            .uuid(uuid or None)
            .reply_in_thread(in_thread)
            .build()
        )
        request = ReplyMessageRequest.builder().message_id(message_id).request_body(body)
        return _id(await self._call(request.build()), "message_id")

    async def patch(self, message_id: str, card: str) -> None:
        """Change the card of a message; possible for 14 days.

        Source: https://open.feishu.cn/document/server-docs/im-v1/message-card/patch
        """
        body = PatchMessageRequestBody.builder().content(card).build()
        request = PatchMessageRequest.builder().message_id(message_id).request_body(body)
        await self._call(request.build())

    async def react(self, message_id: str, emoji: str) -> str:
        """Put a reaction on a message; return its id.

        Source: https://open.feishu.cn/document/server-docs/im-v1/message-reaction/create
        """
        kind = Emoji.builder().emoji_type(emoji).build()
        body = CreateMessageReactionRequestBody.builder().reaction_type(kind).build()
        request = CreateMessageReactionRequest.builder().message_id(message_id).request_body(body)
        return _id(await self._call(request.build()), "reaction_id")

    async def unreact(self, message_id: str, reaction_id: str) -> None:
        """Take a reaction of ours back."""
        request = DeleteMessageReactionRequest.builder().message_id(message_id)
        await self._call(request.reaction_id(reaction_id).build())

    async def upload_image(self, data: bytes) -> str:
        """Return the key under which a picture can be shown; 10 MB at most.

        Source: https://open.feishu.cn/document/server-docs/im-v1/image/create
        """
        form: Mapping[str, str | bytes] = {"image_type": "message", "image": data}
        return _id(await self._client.call("POST", _IMAGES, form=form), "image_key")

    async def resource(self, message_id: str, key: str, kind: str) -> bytes:
        """Return the bytes of a file in a message.

        Source: https://open.feishu.cn/document/server-docs/im-v1/message/get-2

        Raises:
            ValueError: more than we keep.
        """
        request = (
            GetMessageResourceRequest.builder()
            .message_id(message_id)
            .file_key(key)
            .type(kind)
            .build()
        )
        return await self._client.download(_path(request), query=request.queries)

    async def name_of(self, open_id: str) -> str:
        """Return a person's name in the address book; empty when it does not tell.

        Source: https://open.feishu.cn/document/contact-v3/user/basic_batch
        """
        body: JsonValue = {"user_ids": [open_id]}
        query = [("user_id_type", "open_id")]
        answer = await self._client.call("POST", _NAMES, query=query, body=body)
        users = answer.get("users")
        first = users[0] if isinstance(users, list) and users else None
        name = first.get("name") if isinstance(first, dict) else None
        return name if isinstance(name, str) else ""

    # --- CardKit --------------------------------------------------------------------------------

    async def create_card(self, card: str) -> str:
        """Make a card that can be streamed to; return its id.

        Source: https://open.feishu.cn/document/cardkit-v1/card/create
        """
        body = CreateCardRequestBody.builder().type("card_json").data(card).build()
        request = CreateCardRequest.builder().request_body(body).build()
        return _id(await self._call(request), "card_id")

    async def stream(self, card_id: str, element_id: str, text: str, *, sequence: int) -> None:
        """Show the whole text so far.

        Source: https://open.feishu.cn/document/cardkit-v1/card-element/content
        """
        body = ContentCardElementRequestBody.builder().content(text).sequence(sequence).build()
        request = ContentCardElementRequest.builder().card_id(card_id).element_id(element_id)
        await self._call(request.request_body(body).build())

    async def end_stream(self, card_id: str, *, sequence: int) -> None:
        """Close the stream of a card; it can be changed as a whole afterwards.

        Source: https://open.feishu.cn/document/cardkit-v1/card/settings
        """
        settings = json.dumps({"config": {"streaming_mode": False}})
        body = SettingsCardRequestBody.builder().settings(settings).sequence(sequence).build()
        request = SettingsCardRequest.builder().card_id(card_id).request_body(body)
        await self._call(request.build())

    async def update_card(self, card_id: str, card: str, *, sequence: int) -> None:
        """Change a card as a whole.

        Source: https://open.feishu.cn/document/cardkit-v1/card/update
        """
        whole = Card.builder().type("card_json").data(card).build()
        body = UpdateCardRequestBody.builder().card(whole).sequence(sequence).build()
        request = UpdateCardRequest.builder().card_id(card_id).request_body(body)
        await self._call(request.build())

    async def card_of(self, message_id: str) -> str:
        """Return the id of the card that a message shows.

        Source: https://open.feishu.cn/document/cardkit-v1/card/id_convert
        """
        body = IdConvertCardRequestBody.builder().message_id(message_id).build()
        request = IdConvertCardRequest.builder().request_body(body).build()
        return _id(await self._call(request), "card_id")

    async def _call(self, request: Any) -> Mapping[str, JsonValue]:  # noqa: ANN401  # untyped SDK
        body = json.loads(JSON.marshal(request.body)) if request.body is not None else None
        return await self._client.call(
            request.http_method.name, _path(request), query=request.queries, body=body
        )


def _path(request: Any) -> str:  # noqa: ANN401  # untyped SDK
    path: str = request.uri
    for name, value in request.paths.items():
        path = path.replace(f":{name}", quote(str(value), safe=""))
    return path


def _id(answer: Mapping[str, JsonValue], name: str) -> str:
    value = answer.get(name)
    if not isinstance(value, str) or not value:
        raise RetryableAdapterError(f"an answer without {name}")
    return value
