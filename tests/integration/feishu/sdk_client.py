"""An official client at work, in a process of its own: it calls, then listens for 2 events.

Arguments: ``lark_oapi`` or ``lark_channel``, address, app id, app secret. Prints a JSON line for
what it called and one for each event.
"""

import importlib
import json
import re
import sys
from typing import Any


class Models:
    """The classes of a package, each in its own module in both SDKs."""

    def __init__(self, package: str) -> None:
        self._package = package

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # the SDK's classes
        module = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
        return getattr(importlib.import_module(f"{self._package}.{module}"), name)


def main(library: str, domain: str, app_id: str, secret: str) -> None:
    sdk = importlib.import_module("lark_oapi" if library == "lark_oapi" else "lark_channel.client")
    client = sdk.Client.builder().app_id(app_id).app_secret(secret).domain(domain).build()
    im, kit = Models(f"{library}.api.im.v1.model"), Models(f"{library}.api.cardkit.v1.model")
    card = {
        "schema": "2.0",
        "config": {"streaming_mode": True, "update_multi": True},
        "body": {"elements": [{"tag": "markdown", "element_id": "text", "content": ""}]},
    }
    created = client.cardkit.v1.card.create(
        kit.CreateCardRequest.builder()
        .request_body(
            kit.CreateCardRequestBody.builder().type("card_json").data(json.dumps(card)).build()
        )
        .build()
    )
    assert created.success(), created.msg
    reference = {"type": "card", "data": {"card_id": created.data.card_id}}
    sent = client.im.v1.message.create(
        im.CreateMessageRequest.builder()
        .receive_id_type("open_id")
        .request_body(
            im.CreateMessageRequestBody.builder()
            .receive_id("ou_anna")
            .msg_type("interactive")
            .content(json.dumps(reference))
            .uuid("u-1")
            .build()
        )
        .build()
    )
    assert sent.success(), sent.msg
    streamed = client.cardkit.v1.card_element.content(
        kit.ContentCardElementRequest.builder()
        .card_id(created.data.card_id)
        .element_id("text")
        .request_body(
            kit.ContentCardElementRequestBody.builder().content("全文").sequence(1).build()
        )
        .build()
    )
    closed = client.cardkit.v1.card.settings(
        kit.SettingsCardRequest.builder()
        .card_id(created.data.card_id)
        .request_body(
            kit.SettingsCardRequestBody.builder()
            .settings(json.dumps({"config": {"streaming_mode": False}}))
            .sequence(2)
            .build()
        )
        .build()
    )
    replied = client.im.v1.message.reply(
        im.ReplyMessageRequest.builder()
        .message_id(sent.data.message_id)
        .request_body(
            im.ReplyMessageRequestBody.builder()
            .msg_type("text")
            .content(json.dumps({"text": "回复"}))
            .build()
        )
        .build()
    )
    codes = [created.code, sent.code, streamed.code, closed.code, replied.code]
    say({"called": codes, "message": sent.data.message_id})
    listen(library, domain, app_id, secret)


def listen(library: str, domain: str, app_id: str, secret: str) -> None:
    ws = importlib.import_module(f"{library}.ws.client")
    dispatcher = importlib.import_module(f"{library}.event.dispatcher_handler")
    trigger = importlib.import_module(f"{library}.event.callback.model.p2_card_action_trigger")

    def heard(event: Any) -> None:  # noqa: ANN401  # the SDK's model
        say({"text": json.loads(event.event.message.content)["text"]})

    def pressed(event: Any) -> Any:  # noqa: ANN401  # the SDK's models
        say({"token": event.event.action.value["t"]})
        return trigger.P2CardActionTriggerResponse({"toast": {"type": "info", "content": "收到"}})

    handler = (
        dispatcher.EventDispatcherHandler.builder("", "")
        .register_p2_im_message_receive_v1(heard)
        .register_p2_card_action_trigger(pressed)
        .build()
    )
    ws.Client(app_id, secret, event_handler=handler, domain=domain).start()


def say(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201  # read by the test


if __name__ == "__main__":
    main(*sys.argv[1:])
