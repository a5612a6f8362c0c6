"""Uploads and downloads."""

import io

import pytest
from aiohttp import ClientSession, FormData

from bot.core.events import MessageReceived
from bot.core.files import MAX_FILE_BYTES
from bot.locales.catalogue import catalogue
from tests.integration.web.conftest import Page
from tests.integration.web.fakes import World

PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 32
ZH = catalogue("zh-CN")


async def upload(
    world: World,
    session: ClientSession,
    data: bytes,
    *,
    name: str = "a.png",
    headers: dict[str, str] | None = None,
) -> tuple[int, dict[str, str]]:
    form = FormData(quote_fields=False)  # as browsers do
    form.add_field("file", io.BytesIO(data), filename=name, content_type="image/png")
    answer = await session.post(
        f"{world.origin}/upload", data=form, headers={"Origin": world.origin, **(headers or {})}
    )
    return answer.status, await answer.json()


async def test_a_picture_goes_up_with_a_message_and_comes_back(
    world: World, session: ClientSession, page: Page
) -> None:
    status, facts = await upload(world, session, PNG, name="收据.png")
    await page.say(type="message", id="message-1", text="", files=[facts["ref"]])
    await page.hear("ack")

    found = world.parsed()[-1]
    answer = await session.get(f"{world.origin}/files/{facts['ref']}")
    assert status == 200
    assert isinstance(found, MessageReceived)
    assert [(a.kind, a.name, a.mime) for a in found.attachments] == [
        ("image", "收据.png", "image/png")
    ]
    assert await answer.read() == PNG
    assert answer.headers["Content-Disposition"].startswith("inline")


async def test_an_edited_message_keeps_its_files(
    world: World, session: ClientSession, page: Page
) -> None:
    _, facts = await upload(world, session, PNG)
    await page.say(type="message", id="message-1", text="收据", files=[facts["ref"]])
    await page.say(type="edit", id="edit-0001", item="message-1", text="报销")
    for _ in range(2):
        await page.hear("ack")

    found = world.parsed()[-1]
    assert isinstance(found, MessageReceived)
    assert (found.text, len(found.attachments)) == ("报销", 1)


async def test_a_file_of_another_person_can_be_neither_read_nor_sent(
    world: World, session: ClientSession, page: Page
) -> None:
    await world.tokens.invite("anna", "sesame")
    _, facts = await upload(world, session, PNG, headers={"Authorization": "Bearer sesame"})

    answer = await session.get(f"{world.origin}/files/{facts['ref']}")
    await page.say(type="message", id="message-1", text="look", files=[facts["ref"]])

    assert answer.status == 404
    assert (await page.hear("error"))["text"] == ZH["web.error_file_gone"]
    assert len(world.inbox.accepted) == 1


@pytest.mark.parametrize(
    ("data", "status", "key"),
    [
        (b"", 400, "web.error_file_empty"),
        (b"MZ\x90\x00\x03", 415, "web.error_file_type"),
        (b"PK\x03\x04\x00", 415, "web.error_file_type"),
    ],
)
async def test_what_is_not_taken_is_refused_in_words(
    world: World, session: ClientSession, data: bytes, status: int, key: str
) -> None:
    assert await upload(world, session, data) == (status, {"text": ZH[key]})
    assert world.files.files == {}


async def test_twenty_megabytes_pass_and_one_byte_more_does_not(
    world: World, session: ClientSession
) -> None:
    largest = PNG + b"\x01" * (MAX_FILE_BYTES - len(PNG))

    passed, _ = await upload(world, session, largest)
    refused, told = await upload(world, session, largest + b"\x01")

    assert (passed, refused) == (200, 413)
    assert told == {"text": ZH["web.error_file_large"].format(limit=20)}


async def test_a_body_that_claims_too_much_is_refused_before_it_is_read(
    world: World, session: ClientSession
) -> None:
    status, _ = await upload(world, session, PNG + b"\x01" * (MAX_FILE_BYTES + 100_000))

    assert status == 413
    assert world.files.files == {}


@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data", "text/plain"])
async def test_an_upload_that_is_no_form_is_refused(
    world: World, session: ClientSession, kind: str
) -> None:
    answer = await session.post(
        f"{world.origin}/upload",
        data=b"{}",
        headers={"Origin": world.origin, "Content-Type": kind},
    )

    assert (answer.status, await answer.json()) == (400, {"text": ZH["web.error_malformed"]})


async def test_a_page_in_disguise_is_downloaded_as_text_and_cannot_run(
    world: World, session: ClientSession
) -> None:
    _, facts = await upload(world, session, b"<script>alert(1)</script>", name="x.html")

    answer = await session.get(f"{world.origin}/files/{facts['ref']}")

    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["Content-Security-Policy"].endswith("sandbox")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_too_many_files_are_refused(world: World, page: Page) -> None:
    names = [f"f_{nth}" for nth in range(9)]

    await page.say(type="message", id="message-1", text="look", files=names)

    assert (await page.hear("error"))["text"] == ZH["web.error_too_many_files"]
    assert len(world.inbox.accepted) == 1
