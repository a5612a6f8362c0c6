"""A turn that is run again gives the same rows and the same answer: the journal decides."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from bot.clock import ManualClock
from bot.core.errors import ConflictError
from bot.core.turns import TurnOutcome, Turns
from tests.chosen_store import as_sqlite
from tests.stage import TUESDAY, Puppet, Shown, Stage, stage

Step = tuple[str, str]
Rows = dict[str, list[tuple[object, ...]]]

TABLES = {
    "entries": "*",
    "learned_categories": "*",
    "schedules": "*",
    "deliveries": "*",
    "people": "*",
    "effects": "effect_id, name, person_id, arguments, result, at",
    "journal": "*",
    "links": "chat_key, message_id, entity, event_id",
    "turns": "event_id, document ->> '$.d.reply', document ->> '$.d.outcome'",
    "outbox": "outbox_id, status, document ->> '$.d.entities'",
}
SIX = "早餐8元，地铁4元，咖啡18元，午饭30元，奶茶15元，晚饭46元"
LET_ME_IN = "全部跳过"
SETUP: tuple[Step, ...] = (("say", "/start"), ("press", "中文"), ("press", "Asia/Shanghai"))

TURNS: dict[str, tuple[Step, ...]] = {
    "ledger_insert": (("say", "午饭35"),),
    "ledger_insert of several": (("say", "早上地铁5元,中午AA 40,晚上水果35"),),
    "ledger_insert from a review": (("say", SIX), ("press", "确认记入 6 笔")),
    "ledger_insert after a question": (("say", "记一笔午饭"), ("say", "35")),
    "ledger_update by an edit": (("say", "午饭35"), ("edit", "午饭53")),
    "ledger_update in words": (("say", "午饭35"), ("say", "不是，是25")),
    "ledger_update in words, later": (
        ("say", "午饭35"),
        ("say", "我有哪些提醒"),
        ("say", "不是，是25"),
    ),
    "ledger_update in words, with nothing open": (
        ("say", "午饭35"),
        ("say", "/cancel"),
        ("say", "不是，是25"),
    ),
    "ledger_update in words, under the capsule": (
        ("say", "午饭35"),
        ("capsule", "ledger_manager"),
        ("say", "/cancel"),
        ("say", "不是，是25"),
    ),
    "ledger_update by name": (("say", "午饭35"), ("say", "把午饭改成25")),
    "ledger_update of a category": (("say", "午饭35"), ("press", "改"), ("press", "交通")),
    "ledger_delete and insert by an edit": (("say", "午饭35"), ("edit", "午饭35，打车20")),
    "ledger_delete by Undo": (("say", "午饭35"), ("press", "撤销")),
    "ledger_delete in words": (("say", "午饭35"), ("say", "删除午饭")),
    "ledger_update that restores": (("say", "午饭35"), ("press", "撤销"), ("press", "撤销")),
    "schedule_insert": (("say", "10分钟后提醒我喝水"),),
    "schedule_insert recurring": (("say", "每周一、三、五早上8点提醒我跑步"),),
    "schedule_update": (("say", "明早8点提醒我开会"), ("say", "把开会的提醒改到明早9点")),
    "schedule_update by an edit": (("say", "明早8点提醒我开会"), ("edit", "明早9点提醒我开会")),
    "schedule_delete": (("say", "明早8点提醒我开会"), ("say", "取消开会的提醒")),
    "schedule_delete by a press": (("say", "明早8点提醒我开会"), ("press", "删除")),
    "schedule restored": (
        ("say", "明早8点提醒我开会"),
        ("press", "删除"),
        ("press", "撤销"),
    ),
    "schedule done": (("say", "10分钟后提醒我喝水"), ("wait", "10"), ("press", "完成")),
    "schedule snoozed": (
        ("say", "10分钟后提醒我喝水"),
        ("wait", "10"),
        ("press", "10 分钟后再说"),
    ),
    "schedule skipped": (
        ("say", "每天早上8点提醒我吃药"),
        ("wait", "1320"),
        ("press", "跳过下次"),
    ),
    "profile_advance by a press": (*SETUP[:1], ("press", "中文")),
    "profile_advance of the zone": SETUP,
    "profile_advance to the end": (*SETUP, ("say", "小林")),
    "profile_advance and the wish that waited": (
        ("say", "午饭35"),
        *SETUP[1:],
        ("say", "小林"),
    ),
    "profile_advance by skipping": (("say", "午饭35"), ("press", LET_ME_IN)),
    "profile_update": (*SETUP, ("say", "小林"), ("say", "/settings"), ("press", "English")),
}


@pytest.mark.parametrize("name", TURNS)
@pytest.mark.parametrize("times", [1, 3])
async def test_a_turn_that_is_run_again_leaves_the_same_rows_and_says_the_same(
    tmp_path: Path, name: str, times: int
) -> None:
    once = await run(tmp_path / "once", TURNS[name], again=0)

    again = await run(tmp_path / "again", TURNS[name], again=times)

    assert again == once


async def run(folder: Path, steps: Sequence[Step], *, again: int) -> tuple[list[object], Rows]:
    """Take the steps, the last one so many times over; return what was said and all rows."""
    newcomer = not {("press", "中文"), ("press", LET_ME_IN)}.isdisjoint(steps)
    shown: list[Shown] = []
    answers: list[Shown] = []
    async with stage(
        folder, clock=ManualClock(TUESDAY), puppet=Puppet(), onboarding="on" if newcomer else "off"
    ) as hub:
        for number, step in enumerate(steps, 1):
            failing = FailingTurns(hub.app.stores.turns, again if number == len(steps) else 0)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(hub.app.stores.turns, "commit", failing.commit)
                answers = await take(hub, step, shown)
            assert failing.failures == 0, "the last step has no turn"
            shown = [*shown, *answers]
            hub.clock.turn(seconds=5)
    said = [(answer.text, list(answer.buttons)) for answer in answers]
    return [*said], rows(await as_sqlite(folder))


async def take(hub: Stage, step: Step, shown: Sequence[Shown]) -> list[Shown]:
    """Do one thing; a press goes to the newest message with that button."""
    match step:
        case "say", words:
            return await hub.say(words)
        case "edit", words:
            return await hub.say(words, message="u0", edited=True)
        case "press", label:
            message = next(s for s in reversed(shown) if label in s.buttons)
            return await hub.press(message, label)
        case "capsule", intent:
            return await hub.capsule(intent)
        case "wait", minutes:
            return await hub.later(minutes=int(minutes))
        case _:
            raise AssertionError(step)


class FailingTurns:
    """Loses the first commits, as a crash between the effects and the commit would."""

    def __init__(self, turns: Turns, failures: int) -> None:
        self._commit = turns.commit
        self.failures = failures

    async def commit(self, outcome: TurnOutcome) -> None:
        if self.failures:
            self.failures -= 1
            raise ConflictError("lost on purpose")
        await self._commit(outcome)


def rows(path: Path) -> Rows:
    """Return all rows that a re-run could have changed."""
    with closing(sqlite3.connect(path)) as connection:
        return {
            table: sorted(connection.execute(f"SELECT {columns} FROM {table}"), key=str)  # noqa: S608
            for table, columns in TABLES.items()
        }
