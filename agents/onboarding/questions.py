"""What is asked at each stage of the onboarding, and the card of settings."""

from agents.onboarding.zones import SUGGESTED
from bot.core.actions import ActionDraft, Uses
from bot.core.agents import AgentResult
from bot.core.messages import Block, Button, FieldsBlock, TextBlock, Tone
from bot.core.people import Person
from bot.core.words import Verbatim, text

LANGUAGES = {"zh-CN": "中文", "en": "English"}
CURRENCIES = ("CNY", "USD", "EUR", "HKD", "JPY", "GBP")
STAGE_LANGUAGE, STAGE_ZONE, STAGE_NAME = 0, 1, 2


def ask(person: Person, *, greet: bool, unread: bool) -> AgentResult:
    """Return the question of the person's present stage."""
    stage = person.setup_stage
    blocks: tuple[Block, ...] = ()
    if greet:
        blocks = (TextBlock(text("onboarding.greeting")),)
    if unread:
        blocks = (TextBlock(text(f"onboarding.unread_{stage}")),)
    blocks = (*blocks, TextBlock(text(f"onboarding.ask_{stage}", name=person.name)))
    choices: dict[str, str] = {
        STAGE_LANGUAGE: LANGUAGES,
        STAGE_ZONE: {zone: zone for zone in dict.fromkeys((person.zone, *SUGGESTED))},
        STAGE_NAME: {currency: currency for currency in CURRENCIES},
    }[stage]
    rows = _rows(stage, choices, chosen=_present(person, stage))
    skip = Button(
        label=text("onboarding.skip"), action=ActionDraft(name="skip_all", uses=Uses.ONCE)
    )
    return AgentResult(blocks=blocks, buttons=(*rows, (skip,)))


def settings_card(person: Person, *, unread: bool) -> AgentResult:
    """Return the profile with buttons to change it."""
    blocks: tuple[Block, ...] = (
        profile_block(person),
        TextBlock(text("onboarding.settings_hint")),
    )
    if unread:
        blocks = (TextBlock(text("onboarding.settings_unread")), *blocks)
    rows = (
        *_rows(STAGE_LANGUAGE, LANGUAGES, chosen=person.locale, name="change"),
        *_rows(STAGE_NAME, {c: c for c in CURRENCIES}, chosen=person.currency, name="change"),
    )
    return AgentResult(blocks=blocks, buttons=rows)


def profile_block(person: Person) -> FieldsBlock:
    """Return what is known of a person."""
    return FieldsBlock(
        title=text("onboarding.profile"),
        fields=(
            (text("onboarding.field_name"), Verbatim(person.name or "—")),
            (text("onboarding.field_language"), Verbatim(LANGUAGES[person.locale])),
            (text("onboarding.field_zone"), Verbatim(person.zone)),
            (text("onboarding.field_currency"), Verbatim(person.currency)),
        ),
    )


def _rows(
    stage: int, choices: dict[str, str], *, chosen: str, name: str = "set", per_row: int = 3
) -> tuple[tuple[Button, ...], ...]:
    buttons = [
        Button(
            label=Verbatim(label),
            tone=Tone.PRIMARY if value == chosen else Tone.PLAIN,
            action=ActionDraft(name=name, arguments={"stage": stage, "value": value}),
        )
        for value, label in choices.items()
    ]
    return tuple(tuple(buttons[i : i + per_row]) for i in range(0, len(buttons), per_row))


def _present(person: Person, stage: int) -> str:
    return {
        STAGE_LANGUAGE: person.locale,
        STAGE_ZONE: person.zone,
        STAGE_NAME: person.currency,
    }[stage]
