"""A bare aiogram bot that repeats what it hears: the least that a bot on this library costs."""

import asyncio
import sys

from aiogram import Bot, Dispatcher
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.types import Message


async def echo(message: Message) -> None:
    await message.answer(message.text or "")


async def main(token: str, base: str) -> None:
    session = AiohttpSession(api=TelegramAPIServer.from_base(base))
    dispatcher = Dispatcher()
    dispatcher.message.register(echo)
    await dispatcher.start_polling(Bot(token, session=session), handle_signals=False)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
