"""The conversations of `tests/data/routing/conversations.yaml`, turn by turn, rules alone."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.stage import Shown, Stage, stage

FILE = Path(__file__).parents[1] / "data" / "routing" / "conversations.yaml"
CASES: list[dict[str, Any]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
LEAST = 60
SESSION = "puppet/puppet/dm-anna/|puppet/puppet//anna"


def test_there_are_enough_conversations_and_none_twice() -> None:
    names = [case["name"] for case in CASES]

    assert len(set(names)) == len(names) >= LEAST


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"].replace(" ", "-"))
async def test_the_conversation_goes_as_written(tmp_path: Path, case: dict[str, Any]) -> None:
    packs = frozenset(case.get("packs", ["personal"]))
    shown: list[Shown] = []
    async with stage(tmp_path, packs=packs) as hub:
        for turn in case["turns"]:
            answers = await take(hub, turn, shown)
            shown += answers
            await check(hub, turn, answers)
            hub.clock.turn(seconds=5)


async def take(hub: Stage, turn: dict[str, Any], shown: list[Shown]) -> list[Shown]:
    """Do what the turn says; a press goes to the newest button with these words."""
    if "capsule" in turn:
        return await hub.capsule(turn["capsule"])
    if "press" in turn:
        message, label = next(
            (message, label)
            for message in reversed(shown)
            for label in message.buttons
            if turn["press"] in label
        )
        return await hub.press(message, label)
    return await hub.say(turn["say"])


async def check(hub: Stage, turn: dict[str, Any], answers: list[Shown]) -> None:
    """Hold what was answered and stored against the turn."""
    (record,) = await hub.app.stores.turns.recent(SESSION, limit=1)
    said = "\n".join(answer.text for answer in answers)
    told = f"{turn}: {record.agent} by {record.source}: {said}"
    assert turn.get("agent", record.agent) == record.agent, told
    assert turn.get("source", record.source) == record.source, told
    assert turn.get("says", "") in said, told
    if "parked" in turn:
        assert ("刚才的问题先放着" in said) == turn["parked"], told
    if turn.get("silent"):
        assert answers == [], told
    if "items" in turn:
        assert await hub.items() == turn["items"], told
