"""Commands said in words."""

import pytest

from bot.language.spoken_commands import SpokenCommand, parse_spoken_command


@pytest.mark.parametrize(
    ("words", "argument"),
    [
        ("设置", ""),
        ("打开设置", ""),
        ("settings", ""),
        ("把我的货币改成美元", "美元"),
        ("请帮我把时区设为纽约吧", "纽约"),
        ("切换成英文", "英文"),
        ("switch to English", "English"),
        ("change my time zone to Europe/Berlin", "Europe/Berlin"),
    ],
)
def test_a_wish_for_other_settings_is_the_command(words: str, argument: str) -> None:
    assert parse_spoken_command(words) == SpokenCommand("settings", argument)


@pytest.mark.parametrize(
    "words",
    [
        "设置一个明天8点的提醒",
        "把打车改成美元",
        "把货币改成美元，算了",
        "把货币改成美元吧还是算了",
        "把货币改成美元还是欧元",
        "把货币改成美元和欧元",
        "把语言改成英文？",
        "change my currency to euros or pounds?",
        "把第一笔的货币改成美元",
        "把这句话换成英文",
        "翻译成英文",
        "时区是什么",
        "set a reminder to change my currency tomorrow",
        "",
    ],
)
def test_what_is_about_other_things_is_none(words: str) -> None:
    assert parse_spoken_command(words) is None
