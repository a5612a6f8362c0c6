"""Every outgoing call passes a check that is not ours, besides the emulator's own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.telegram.library import _load

_load()  # before anything imports aiogram whole

from aiogram import Bot  # noqa: E402
from aiogram.methods import TelegramMethod  # noqa: E402
from teremok.validation import validate_method  # noqa: E402

from adapters.telegram import calls  # noqa: E402
from tests.emulators.telegram_stage import TelegramStage, telegram_stage  # noqa: E402


@pytest.fixture(autouse=True)
def every_call_passes_teremok(monkeypatch: pytest.MonkeyPatch) -> None:
    """Validate what is sent with the validators of the package teremok."""
    make_request = calls.Transport.make_request

    async def checked(
        self: calls.Transport, bot: Bot, method: TelegramMethod[object], **limit: int
    ) -> object:
        validate_method(bot, method)
        return await make_request(self, bot, method, **limit)

    monkeypatch.setattr(calls.Transport, "make_request", checked)


@pytest.fixture
async def hub(tmp_path: Path) -> AsyncIterator[TelegramStage]:
    """The hub with onboarding switched off, polling."""
    async with telegram_stage(tmp_path) as opened:
        yield opened
