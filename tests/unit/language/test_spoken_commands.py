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
        ("我的货币是欧元", "欧元"),
        ("我的时区是东京", "东京"),
        ("my currency is euro", "euro"),
        ("幫我把貨幣改成港幣", "港幣"),
        ("我的货币是什么", ""),
        ("我的货币是美元吗？", ""),
        ("what is my time zone?", ""),
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
        "我的货币是欧元还是美元",
        "我的货币不是欧元",
        "我的语言老师是英国人",
        "my currency is not euro",
        "时区是什么",
        "set a reminder to change my currency tomorrow",
        "",
    ],
)
def test_what_is_about_other_things_is_none(words: str) -> None:
    assert parse_spoken_command(words) is None
