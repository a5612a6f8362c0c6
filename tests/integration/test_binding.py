"""One person, two platforms: /bind, the press that merges, its undoing, /unbind."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.clock import ManualClock
from bot.core.binding import Holdings
from bot.core.events import Account
from bot.core.grants import Grant
from bot.core.memory import MemoryType
from bot.core.turns import TurnOutcome
from tests.contract.samples import effect
from tests.integration.test_replay import FailingTurns
from tests.stage import TUESDAY, Puppet, Shown, Stage, stage

HOMES = ("提醒发到 puppet · anna", "提醒发到 other · lin")
ANYWHERE = "提醒在哪设就在哪响"
THIS, THAT = "以 puppet · anna 为准", "以 other · lin 为准"


@dataclass(frozen=True, slots=True)
class Two:
    """Anna on one platform and Lin on another, who are the same human."""

    anna: Stage
    lin: Stage

    async def code(self) -> str:
        """Ask for a code as Lin."""
        (shown,) = await self.lin.say("/bind", who="lin")
        found = re.search(r"[A-Z2-9]{4}-[A-Z2-9]{4}", shown.text)
        assert found
        return found.group()

    async def card(self) -> Shown:
        """Type Lin's code as Anna and return the question."""
        (card,) = await self.anna.say(f"/bind {await self.code()}")
        return card

    async def bound(self, label: str = THIS) -> Shown:
        """Bind the two and return the answer to the press."""
        (answer,) = await self.anna.press(await self.card(), label)
        return answer

    async def ids(self) -> tuple[str, str]:
        """Return whose Anna's and Lin's accounts are."""
        return (await self.anna.person()).person_id, (await self.lin.person("lin")).person_id


@asynccontextmanager
async def two(folder: Path) -> AsyncIterator[Two]:
    """Open a hub with two platforms; both people have a ledger, a reminder and a note."""
    other = Puppet("other", "other")
    async with stage(folder, others=[other], clock=ManualClock(TUESDAY)) as hub:
        both = Two(hub, hub.on(other))
        await hub.say("午饭35")
        await hub.say("今天下午3点提醒我浇花")
        await both.lin.say("打车18", who="lin")
        await both.lin.say("奶茶15", who="lin")
        await both.lin.say("今天下午4点提醒我买菜", who="lin")
        for who, words in zip(await both.ids(), ("likes tea", "has a cat"), strict=True):
            await hub.app.stores.memory.save(who, "", MemoryType.FACT, words, effect=effect(words))
        yield both


async def notes(both: Two, person_id: str) -> list[str]:
    kept = await both.anna.app.stores.memory.list(person_id, "")
    return sorted(note.text for note in kept)


async def holdings(both: Two, person_id: str) -> Holdings:
    return await both.anna.app.stores.bindings.holdings(person_id)


def arrivals(shown: Sequence[Shown]) -> dict[str, str]:
    """Return in which chat each reminder arrived."""
    return {
        what: message.row.draft.chat.chat_id
        for message in shown
        for what in ("浇花", "买菜", "开会")
        if what in message.text
    }


@pytest.mark.parametrize(("label", "survivor"), [(THIS, 0), (THAT, 1)])
async def test_two_accounts_become_one_person_with_everything_of_both(
    tmp_path: Path, label: str, survivor: int
) -> None:
    async with two(tmp_path) as both:
        before = await both.ids()
        card = await both.card()
        assert "puppet · anna：1 笔账、1 个提醒、1 条备注" in card.text
        assert "other · lin：2 笔账、1 个提醒、1 条备注" in card.text
        assert list(card.buttons) == [THIS, THAT, "取消"]

        (answer,) = await both.anna.press(card, label)

        assert answer.message_id == card.message_id
        assert "现在是同一个人" in answer.text
        assert list(answer.buttons) == ["撤销", *HOMES, ANYWHERE]
        assert await both.ids() == (before[survivor], before[survivor])
        assert await notes(both, before[survivor]) == ["has a cat", "likes tea"]
        for side, who in ((both.anna, "anna"), (both.lin, "lin")):
            items = await side.items(who)
            assert sorted(items) == ["午饭 35.00", "奶茶 15.00", "打车 18.00"]
            (shown,) = await side.say("/reminders", who=who)
            assert "浇花" in shown.text
            assert "买菜" in shown.text


async def test_what_is_written_after_the_binding_is_seen_from_both_sides(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        await both.bound()

        await both.lin.say("晚饭46", who="lin")

        (shown,) = await both.anna.say("/entries")
        assert "晚饭" in shown.text


async def test_a_reminder_fires_in_the_chat_where_it_was_set(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        await both.bound()
        before = len(both.lin.puppet.sent)

        (watering,) = await both.anna.later(hours=5, minutes=1)
        assert "浇花" in watering.text
        assert len(both.lin.puppet.sent) == before

        (shopping,) = await both.lin.later(hours=1)
        assert "买菜" in shopping.text
        await both.lin.press(shopping, "完成", who="lin")
        survivor, _ = await both.ids()
        done = await both.anna.app.stores.schedules.deliveries(survivor)
        assert sorted(delivery.acknowledged for delivery in done) == [False, True]


async def test_reminders_arrive_where_the_person_chose_and_those_of_groups_stay(
    tmp_path: Path,
) -> None:
    async with two(tmp_path) as both:
        await both.lin.say("今天下午5点提醒我开会", who="lin", chat="team", group=True)
        answer = await both.bound()

        (chosen,) = await both.anna.press(answer, HOMES[1])
        assert "other · lin" in chosen.text

        shown = await both.lin.later(hours=8)
        assert arrivals(shown) == {"浇花": "dm-lin", "买菜": "dm-lin", "开会": "team"}
        (watering,) = (message for message in shown if "浇花" in message.text)
        await both.lin.press(watering, "完成", who="lin")
        survivor, _ = await both.ids()
        done = await both.anna.app.stores.schedules.deliveries(survivor)
        assert [delivery.acknowledged for delivery in done] == [False, False, True]


async def test_a_choice_is_taken_back_and_the_undo_is_still_there(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        answer = await both.bound()
        await both.anna.press(answer, HOMES[1])
        (shown,) = await both.lin.say("/bind", who="lin")

        await both.lin.press(shown, ANYWHERE, who="lin")

        (watering,) = await both.anna.later(hours=5, minutes=1)
        assert watering.row.draft.chat.chat_id == "dm-anna"
        (undone,) = await both.anna.press(answer, "撤销")
        assert "已撤销" in undone.text


async def test_after_an_undo_reminders_are_back_where_they_were(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        answer = await both.bound()
        await both.anna.press(answer, HOMES[0])
        await both.anna.press(answer, "撤销")

        (shopping,) = await both.lin.later(hours=6, minutes=1)

        assert arrivals([shopping]) == {"买菜": "dm-lin"}


async def test_after_unbinding_reminders_arrive_at_an_account_that_is_left(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        await both.bound()
        (question,) = await both.lin.say("/unbind", who="lin")
        await both.lin.press(question, "退出", who="lin")

        shown = await both.anna.later(hours=6, minutes=1)

        assert arrivals(shown) == {"浇花": "dm-anna", "买菜": "dm-anna"}


async def test_a_button_made_before_the_binding_still_works(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        (entry,) = await both.lin.say("水果9", who="lin")
        await both.bound()

        await both.lin.press(entry, "撤销", who="lin")

        assert "水果 9.00" not in await both.lin.items("lin")


@pytest.mark.parametrize("label", [THIS, THAT])
async def test_undoing_within_24_hours_gives_everything_back(tmp_path: Path, label: str) -> None:
    async with two(tmp_path) as both:
        before = await both.ids()
        had = [await holdings(both, who) for who in before]
        answer = await both.bound(label)
        both.anna.clock.turn(hours=1)

        (undone,) = await both.anna.press(answer, "撤销")

        assert "已撤销" in undone.text
        assert await both.ids() == before
        assert [await holdings(both, who) for who in before] == had
        assert await both.anna.items() == ["午饭 35.00"]
        assert await both.lin.items("lin") == ["打车 18.00", "奶茶 15.00"]
        await both.lin.say("晚饭46", who="lin")
        assert await both.anna.items() == ["午饭 35.00"]


async def test_undoing_after_24_hours_is_refused_with_words(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        answer = await both.bound()
        bound = await both.ids()
        both.anna.clock.turn(hours=24)

        (refused,) = await both.anna.press(answer, "撤销")

        assert "超过 24 小时" in refused.text
        assert await both.ids() == bound


async def test_unbinding_takes_this_account_out_and_leaves_the_data(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        await both.bound()
        survivor, _ = await both.ids()
        (question,) = await both.lin.say("/unbind", who="lin")
        assert "puppet · anna" in question.text

        (left,) = await both.lin.press(question, "退出", who="lin")

        assert left.message_id == question.message_id
        anna, lin = await both.ids()
        assert anna == survivor != lin
        assert await both.lin.items("lin") == []
        assert len(await both.anna.items()) == 3
        (alone,) = await both.anna.say("/unbind")
        assert "没有和别的账号绑定" in alone.text
        await both.lin.say("晚饭46", who="lin")
        assert await both.lin.items("lin") == ["晚饭 46.00"]


async def test_unbound_accounts_can_be_bound_again(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        await both.bound()
        (question,) = await both.lin.say("/unbind", who="lin")
        await both.lin.press(question, "退出", who="lin")

        await both.bound(THAT)

        anna, lin = await both.ids()
        assert anna == lin
        assert len(await both.anna.items()) == 3


async def test_an_undo_after_unbinding_is_refused_with_words(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        answer = await both.bound()
        (question,) = await both.lin.say("/unbind", who="lin")
        await both.lin.press(question, "退出", who="lin")

        (refused,) = await both.anna.press(answer, "撤销")

        assert "别的绑定变动" in refused.text


async def test_a_wrong_a_used_an_own_and_an_old_code_are_told_apart(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        (wrong,) = await both.anna.say("/bind ABCD-2345")
        assert "无效" in wrong.text

        code = await both.code()
        (own,) = await both.lin.say(f"/bind {code}", who="lin")
        assert "自己的绑定码" in own.text
        await both.anna.say(f"/bind {code.lower()}")
        (used,) = await both.anna.say(f"/bind {code}", who="eve")
        assert "已经用过" in used.text

        code = await both.code()
        both.anna.clock.turn(minutes=10)
        (old,) = await both.anna.say(f"/bind {code}")
        assert "过期" in old.text


async def test_a_card_is_nobody_elses_and_grows_old(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        before = await both.ids()
        card = await both.card()
        await both.anna.press(card, THIS, who="eve", chat="dm-anna")
        assert await both.ids() == before

        both.anna.clock.turn(minutes=11)
        await both.anna.press(card, THIS)
        assert await both.ids() == before


async def test_cancelling_changes_nothing(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        before = await both.ids()

        (answer,) = await both.anna.press(await both.card(), "取消")

        assert "什么都没改" in answer.text
        assert await both.ids() == before


async def test_bound_accounts_are_named_instead_of_bound_again(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        await both.bound()

        (shown,) = await both.anna.say(f"/bind {await both.code()}")

        assert "同一个人" in shown.text
        assert "other · lin" in shown.text
        assert not shown.buttons


async def test_a_second_card_of_the_same_two_changes_nothing_more(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        first, second = await both.card(), await both.card()
        await both.anna.press(first, THIS)
        bound = await both.ids()

        (answer,) = await both.anna.press(second, THAT)

        assert "什么都没做" in answer.text
        assert await both.ids() == bound
        assert len(await both.anna.items()) == 3


async def test_groups_are_sent_to_the_private_chat(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        (shown,) = await both.anna.say("/bind", chat="group", group=True)

        assert "私聊" in shown.text
        assert not re.search(r"[A-Z2-9]{4}-[A-Z2-9]{4}", shown.text)


async def test_a_restriction_comes_along_with_the_account(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        _, lin = await both.ids()
        taken = Grant(
            grant_id="g",
            person_id=lin,
            branch_id="ledger",
            allowed=False,
            by="command line",
            at=TUESDAY,
        )
        await both.anna.app.stores.grants.add([taken])

        await both.bound()

        (refused,) = await both.anna.say("午饭36")
        assert "没有" in refused.text or "权限" in refused.text
        assert "午饭 36.00" not in await both.anna.items()


async def test_no_log_no_record_and_no_export_holds_a_code(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with two(tmp_path) as both:
        code = await both.code()
        await both.anna.say(f"/bind {code}")
        said = [
            f"{record.text} {record.reply} {record.calls}"
            for who in await both.ids()
            for record in await both.anna.app.stores.turns.of_person(who)
        ]

    captured = capfd.readouterr()
    for letters in (code, code.replace("-", "")):
        assert letters not in captured.err + captured.out
        assert not any(letters in words for words in said)
    assert any(words.startswith("/bind …") for words in said)


PRESSES = {
    "the merge, this one stays": THIS,
    "the merge, that one stays": THAT,
    "the undo": "撤销",
    "the leaving": "退出",
    "the choice of a chat": HOMES[1],
}


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("name", PRESSES)
async def test_a_press_that_is_run_again_does_the_same_once(
    tmp_path: Path, name: str, times: int
) -> None:
    once = await pressed(tmp_path / "once", PRESSES[name], again=0)

    assert await pressed(tmp_path / "again", PRESSES[name], again=times) == once


async def pressed(folder: Path, label: str, *, again: int) -> list[object]:
    """Press a button, its first commits being lost; return what is said and what is left."""
    async with two(folder) as both:
        shown = await both.card()
        if label in ("撤销", "退出", HOMES[1]):
            (shown,) = await both.anna.press(shown, THAT)
        if label == "退出":
            (shown,) = await both.anna.say("/unbind")
        failing = FailingTurns(both.anna.app.stores.turns, again)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(both.anna.app.stores.turns, "commit", failing.commit)
            (answer,) = await both.anna.press(shown, label)
        assert failing.failures == 0
        who = await both.ids()
        left = [await holdings(both, person_id) for person_id in who]
        return [answer.text, list(answer.buttons), answer.message_id, who[0] == who[1], *left]


async def test_a_turn_under_way_during_the_merge_is_run_again_for_the_survivor(
    tmp_path: Path,
) -> None:
    async with two(tmp_path) as both:
        before = await both.ids()
        stores = both.anna.app.stores
        commit = stores.turns.commit
        merged: list[str] = []

        async def merging_first(outcome: TurnOutcome) -> None:
            if not merged:
                merged.append("m")
                await stores.bindings.merge(before[0], before[1], merge_id="m", at=TUESDAY)
            await commit(outcome)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(stores.turns, "commit", merging_first)
            (answer,) = await both.lin.say("晚饭46", who="lin")

        assert (await both.lin.items("lin")).count("晚饭 46.00") == 1
        await both.lin.press(answer, "撤销", who="lin")
        assert "晚饭 46.00" not in await both.lin.items("lin")
        records = await stores.turns.of_person(before[0])
        assert "晚饭46" in [record.text for record in records]


async def test_both_sides_have_their_accounts_told(tmp_path: Path) -> None:
    async with two(tmp_path) as both:
        await both.bound()
        survivor, _ = await both.ids()

        accounts = await both.anna.app.stores.people.accounts(survivor)

        assert accounts == (
            Account(platform="puppet", bot="puppet", user_id="anna"),
            Account(platform="other", bot="other", user_id="lin"),
        )
