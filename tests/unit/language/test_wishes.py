"""Where one wish of a message ends and the next begins."""

import pytest

from bot.language.wishes import split_wishes


@pytest.mark.parametrize(
    ("words", "wishes"),
    [
        (
            "打车20，然后提醒我8点吃药，还有这周花了多少",
            ("打车20", "提醒我8点吃药", "这周花了多少"),
        ),
        ("提醒我8点吃药，再看看这周花了多少", ("提醒我8点吃药", "看看这周花了多少")),
        (
            "remind me at 8 to run and show my spending",
            ("remind me at 8 to run", "show my spending"),
        ),
    ],
)
def test_independent_wishes_are_told_apart(words: str, wishes: tuple[str, ...]) -> None:
    assert split_wishes(words) == wishes


@pytest.mark.parametrize("words", ["先查余额再提醒我", "如果下雨，再提醒我带伞", "提醒我买菜"])
def test_what_hangs_together_stays_whole(words: str) -> None:
    assert split_wishes(words) == (words,)


@pytest.mark.parametrize("sign", ["，", " ", "\n", "；"])
def test_a_run_of_signs_costs_no_more_than_its_length(sign: str) -> None:
    """Steps of the pattern grow with the length; a quadratic one would not come back soon."""
    assert split_wishes(sign * 200_000 + "午饭") != ()
