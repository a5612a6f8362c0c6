"""Manifests: what an agent is, can do and is asked for; everything else is made from them."""

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from bot.core.patterns import regex


class Pack(StrEnum):
    """Groups of agents that are switched on together (setting `PACKS`)."""

    PERSONAL = "personal"
    WORKPLACE = "workplace"
    TRAVEL = "travel"


class Bilingual(BaseModel):
    """The same words in both languages."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    zh: str = Field(alias="zh-CN")
    en: str

    def in_locale(self, locale: str) -> str:
        """Return the words for ``zh-CN`` or ``en``."""
        return self.zh if locale == "zh-CN" else self.en


_ENDPOINT = regex(r"https://[^/\s]+|http://(?:127\.0\.0\.1|localhost|\[::1\])[:/]")


class CapsuleSpec(BaseModel):
    """A capability capsule: the button that fixes the intent (seed 002, 2.6)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    icon: str
    label: Bilingual
    order: int


class Limits(BaseModel):
    """How far the tool loop of an agent may go in one turn.

    Attributes:
        steps: answers of the model that ask for calls.
        calls: calls in all.
        seconds: from the first question to the last answer.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    steps: int = Field(default=6, ge=1, le=20)
    calls: int = Field(default=12, ge=1, le=60)
    seconds: float = Field(default=60.0, gt=0, le=600)


class Manifest(BaseModel):
    """An agent's registration (seed 002, 3.3).

    Attributes:
        intent: the routing label, unique.
        branch_id: what the permission profile grants.
        examples: utterances of this agent, Chinese and English.
        excludes: utterances that look like it and are not.
        limits: of its tool loop.
        endpoint: address of a remote agent, https (http on this machine only); empty for ours.
        answer_within: seconds that a remote agent may take.
        tool_groups: names of `agents.toolsets` groups, as in seed 000.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    agent_name: str
    agent_id: str
    display_name: Bilingual
    intent: str
    branch_id: str
    pack: Pack
    status: Literal["live", "planned"]
    capabilities: tuple[str, ...]
    input_type: Literal["raw_text", "structured_slots"]
    description: Bilingual
    examples: tuple[str, ...]
    excludes: tuple[str, ...] = ()
    capsule: CapsuleSpec | None = None
    tool_groups: tuple[str, ...] = ()
    limits: Limits = Limits()
    routable: bool = True
    endpoint: str = ""
    answer_within: float = Field(default=10.0, gt=0, le=60)

    @field_validator("endpoint")
    @classmethod
    def _is_safe(cls, value: str) -> str:
        if value and not _ENDPOINT.match(value):
            raise ValueError("an address such as https://host/path; http on this machine only")
        return value
