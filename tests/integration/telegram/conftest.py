"""Every outgoing call passes a check that is not ours, besides the emulator's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.telegram.library import _load
from tests.emulators.telegram_stage import TelegramStage, telegram_stage


@pytest.fixture(autouse=True)
def every_call_passes_teremok(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Validate what is sent with the validators of the package teremok."""
    _load()
    from aiogram import Bot
    from aiogram.methods import TelegramMethod
    from teremok.validation import validate_method

    from adapters.telegram import calls

    make_request = calls.Transport.make_request

    async def checked(
        self: calls.Transport, bot: Bot, method: TelegramMethod[object], timeout: int | None = None
    ) -> object:
        validate_method(bot, method)
        return await make_request(self, bot, method, timeout)

    monkeypatch.setattr(calls.Transport, "make_request", checked)
    yield


@pytest.fixture
async def hub(tmp_path: Path):  # type: ignore[no-untyped-def]
    """The hub with onboarding switched off, polling."""
    async with telegram_stage(tmp_path) as opened:
        yield opened
