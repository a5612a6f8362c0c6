"""The capsule bar under the writing field."""

from adapters.telegram.capsules import Bars, bar_of
from bot.core.views import CapsuleView, ChatView
from bot.core.words import Text, Verbatim


def view(selected: str = "", *, empty: bool = False) -> ChatView:
    capsules = tuple(
        CapsuleView(intent=intent, icon=icon, label=Verbatim(label), selected=intent == selected)
        for intent, icon, label in (("ledger", "💰", "记账"), ("schedule", "⏰", "提醒"))
    )
    return ChatView(locale="zh-CN", capsules=() if empty else capsules)


def key(words: object) -> str:
    assert isinstance(words, Text)
    return words.key


def test_the_selected_capsule_carries_a_mark() -> None:
    bar = bar_of(view("schedule"))

    assert bar.labels == ("💰 记账", "✓ ⏰ 提醒")
    assert bar.selected == "⏰ 提醒"


def test_a_changed_choice_is_said_once() -> None:
    bars = Bars()
    bars.stands("1", bar_of(view()))

    assert key(bars.want("1", bar_of(view("ledger")))) == "telegram.capsule_on"
    bars.stands("1", bar_of(view("ledger")))
    assert bars.want("1", bar_of(view("ledger"))) is None
    assert key(bars.want("1", bar_of(view()))) == "telegram.capsule_off"


def test_after_a_restart_the_bar_comes_with_the_next_message_and_says_nothing() -> None:
    bars = Bars()

    assert bars.want("1", bar_of(view())) is None
    assert bars.wanted("1") == bar_of(view())
    bars.stands("1", bar_of(view()))
    assert bars.wanted("1") is None


def test_the_bar_is_introduced_when_onboarding_ends() -> None:
    bars = Bars()

    assert bars.want("1", bar_of(view(empty=True))) is None
    assert key(bars.want("1", bar_of(view()))) == "telegram.capsules"


def test_a_press_gets_a_sign_even_when_nothing_is_known_after_a_restart() -> None:
    bars = Bars()
    bars.pressed("1")

    assert key(bars.want("1", bar_of(view()))) == "telegram.capsule_off"
