"""Who is let in, and what they may use then."""

from pathlib import Path

import pytest

from bot.access import invite
from bot.core.errors import ConfigurationError
from bot.core.events import Account, Chat
from tests.stage import Stage, stage

CLOSED = frozenset({"puppet:boss"})


async def code_of(hub: Stage) -> str:
    return await invite(hub.app.stores.invitations, made_by="test", clock=hub.clock)


async def test_a_code_lets_its_first_taker_in_for_good(tmp_path: Path) -> None:
    async with stage(tmp_path, allowed_ids=CLOSED) as hub:
        code = await code_of(hub)
        (refused,) = await hub.say("午饭35")
        assert "puppet:anna" in refused.text

        (greeting,) = await hub.say(f"/start {code}")
        assert "puppet:anna" not in greeting.text
        await hub.say("午饭35")
        assert await hub.items() == ["午饭 35.00"]

        (late,) = await hub.say(f"/start {code}", who="bob")
        assert "邀请码无效" in late.text
        (still,) = await hub.say("午饭35", who="bob")
        assert "puppet:bob" in still.text


async def test_a_code_of_eight_days_ago_is_void(tmp_path: Path) -> None:
    async with stage(tmp_path, allowed_ids=CLOSED) as hub:
        code = await code_of(hub)
        hub.clock.turn(days=8)

        (late,) = await hub.say(f"/start {code}")

        assert "邀请码无效" in late.text


async def test_who_is_expelled_is_out_with_their_buttons_too(tmp_path: Path) -> None:
    async with stage(tmp_path, allowed_ids=CLOSED) as hub:
        await hub.say(f"/start {await code_of(hub)}")
        (booked,) = await hub.say("午饭35")
        account = Account(platform="puppet", bot=hub.puppet.bot, user_id="anna")
        await hub.app.stores.invitations.expel(account.key)

        (refused,) = await hub.press(booked, "撤销")
        assert "puppet:anna" in refused.text
        assert await hub.items() == ["午饭 35.00"]


async def test_without_a_list_a_start_payload_is_no_code(hub: Stage) -> None:
    (greeting,) = await hub.say("/start from-a-poster")

    assert "邀请码" not in greeting.text


async def test_an_administrator_grants_and_takes_and_sees_what_holds(tmp_path: Path) -> None:
    async with stage(tmp_path, admin_ids=frozenset({"puppet:boss"})) as hub:
        (booked,) = await hub.say("午饭35")
        (shown,) = await hub.say("/grant puppet:anna -ledger", who="boss")
        assert "-ledger" in shown.text

        (refused,) = await hub.say("打车20")
        assert "没有使用此功能的权限" in refused.text
        (pressed,) = await hub.press(booked, "撤销")
        assert "没有使用此功能的权限" in pressed.text
        assert await hub.items() == ["午饭 35.00"]
        assert "记账" not in "".join(message.text for message in await hub.say("/help"))

        await hub.say("/grant puppet:anna ledger_manager", who="boss")
        await hub.say("打车20")
        assert await hub.items() == ["午饭 35.00", "打车 20.00"]
        person = await hub.person()
        history = await hub.app.stores.grants.of_person(person.person_id)
        assert [(g.branch_id, g.allowed) for g in history] == [("ledger", False), ("ledger", True)]
        assert {g.by for g in history} == {f"puppet/{hub.puppet.bot}//boss"}


async def test_only_administrators_have_the_grant_command(hub: Stage) -> None:
    await hub.say("午饭35")

    (refused,) = await hub.say("/grant puppet:anna -ledger")

    assert "没有 /grant 这个命令" in refused.text


async def test_a_grant_for_nobody_or_of_nothing_says_what_is_wrong(tmp_path: Path) -> None:
    async with stage(tmp_path, admin_ids=frozenset({"puppet:boss"})) as hub:
        (nobody,) = await hub.say("/grant puppet:zoe ledger", who="boss")
        assert "puppet:zoe" in nobody.text
        (bare,) = await hub.say("/grant", who="boss")
        assert "/grant telegram:123" in bare.text

        await hub.say("午饭35")
        (unknown,) = await hub.say("/grant puppet:anna ledger LEDGRE", who="boss")
        assert "LEDGRE" in unknown.text
        assert await hub.app.stores.grants.of_person((await hub.person()).person_id) == ()


async def test_defaults_come_from_the_platform_and_grants_add_to_them(tmp_path: Path) -> None:
    branches = {"puppet": frozenset({"chat", "MEETING"})}
    packs = frozenset({"personal", "workplace"})
    admins = frozenset({"puppet:anna"})
    async with stage(tmp_path, branches=branches, packs=packs, admin_ids=admins) as hub:
        (refused,) = await hub.say("午饭35")
        assert "没有使用此功能的权限" in refused.text
        assert await capsules(hub) == {"MEETING"}

        await hub.say("/grant puppet:anna IOT")
        assert await capsules(hub) == {"MEETING", "IOT"}


async def test_a_capsule_whose_branch_is_taken_away_holds_no_longer(tmp_path: Path) -> None:
    packs = frozenset({"personal", "workplace"})
    admins = frozenset({"puppet:boss"})
    async with stage(tmp_path, packs=packs, admin_ids=admins) as hub:
        await hub.capsule("MEETING")
        await hub.say("/grant puppet:anna -MEETING", who="boss")

        await hub.say("午饭35")

        assert await hub.items() == ["午饭 35.00"]
        assert "MEETING" not in await capsules(hub)


async def test_a_default_that_names_no_branch_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="MEETIN"):
        async with stage(tmp_path, branches={"puppet": frozenset({"MEETIN"})}):
            pass


async def capsules(hub: Stage) -> set[str]:
    account = Account(platform="puppet", bot=hub.puppet.bot, user_id="anna")
    chat = Chat(platform="puppet", bot=hub.puppet.bot, chat_id="dm-anna")
    return {capsule.intent for capsule in (await hub.app.views.chat(chat, account)).capsules}
