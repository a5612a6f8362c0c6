"""A store with something of everything in it."""

from dataclasses import replace

from bot.core.binding import BindingCode
from bot.core.conversations import Summary
from bot.core.effects import ToolCall
from bot.core.inbox import InboxStatus
from bot.core.memory import MemoryType
from bot.core.stores import Stores
from bot.core.transcripts import WebAccess
from bot.core.turns import Link
from tests.contract.samples import (
    CHAT,
    NOW,
    ODD,
    OTHER_CHAT,
    account,
    action,
    draft,
    effect,
    entry,
    firing,
    grant,
    invitation,
    later,
    outcome,
    person,
    reminder,
    update,
)


async def fill(stores: Stores, *, turns: int = 30) -> None:
    """Write rows of every table in every state."""
    await stores.people.get_or_create(account(display_name=ODD), defaults=person())
    await stores.people.get_or_create(account("43"), defaults=person("p_b"))
    await stores.web_tokens.add(WebAccess(token_hash=ODD, user_id="ann", created_at=NOW))
    await stores.invitations.put(invitation("i1"))
    await stores.invitations.put(invitation("i2", code_hash=ODD))
    await stores.invitations.redeem("i1", account_key=ODD, now=NOW)
    await stores.summaries.put(
        Summary(
            session_key=ODD, conversation_id="c", person_id="p", text=ODD, covers=1, last_event="e"
        )
    )
    await stores.journal.begin_external(effect("x#0"), ToolCall(name=ODD), person_id="p")
    await stores.grants.add([grant("g1"), grant("g2", allowed=False)])
    await stores.gone_chats.put("telegram/b/1", reason="blocked", now=NOW)
    await stores.group_spaces.put("telegram/b/2", ODD)
    await stores.journal.record("telegram:b:0", 0, [ToolCall(name=ODD, arguments={"a": 1})])
    attached = await stores.files.put("a", b"attached", name=ODD, mime="m", now=NOW)
    await stores.files.put("b", b"attached", name="n", mime="m", now=NOW)
    await stores.files.put("a", bytes(3_000_000), name="large", mime="m", now=NOW)
    for number in range(turns):
        await stores.inbox.accept(update(str(number)))
        event_id = f"telegram:b:{number}"
        if number % 5 == 3:
            await stores.inbox.begin(event_id)
            continue
        await stores.turns.commit(
            outcome(
                event_id,
                session_key=event_id,
                actions=(action(f"t{number}", group=f"g{number}"),),
                outbox=(draft(f"o{number}", chat=OTHER_CHAT if number % 2 else CHAT),),
                links=(Link(chat_key=CHAT.key, message_id="9", entity=ODD, event_id=event_id),),
                attachments=(attached.file_id, str(number)),
                failure="why" if number % 7 == 1 else "",
            )
        )
    await stores.inbox.purge(done_before=later(days=1))
    await stores.inbox.finish("telegram:b:3", status=InboxStatus.DEAD, note=ODD, now=later(days=9))
    await stores.outbox.mark_sending("o1")
    await stores.outbox.mark_part("o2", message_id=ODD)
    await stores.outbox.mark_sent("o4", message_id="m", now=NOW)
    await stores.outbox.mark_failed("o5", error=ODD, now=NOW)
    await stores.actions.claim("t1", person_id="p_a", chat_key=CHAT.key, event_id="e", now=NOW)
    await _fill_owned(stores)
    await _fill_bound(stores)


async def _fill_bound(stores: Stores) -> None:
    """Merge two people, and two others that are parted again."""
    for number, name in enumerate(("p_c", "p_d", "p_e", "p_f")):
        await stores.people.get_or_create(account(f"5{number}"), defaults=person(name))
        await stores.ledger.append(name, [entry(7)], effect=effect(f"{name}e"))
        await stores.memory.save(name, "", MemoryType.FACT, ODD, effect=effect(f"{name}n"))
        await stores.schedules.insert(name, reminder(), effect=effect(f"{name}s"))
    for user_id in ("50", "51"):
        code = BindingCode(
            account=account(user_id), code_hash=f"{ODD}{user_id}", expires_at=later(minutes=9)
        )
        await stores.bindings.offer(code)
    await stores.bindings.take(f"{ODD}50", account_key="x", event_id="e", now=NOW)
    await stores.bindings.merge("p_d", "p_c", merge_id="m1", at=NOW)
    await stores.bindings.merge("p_f", "p_e", merge_id="m2", at=NOW)
    await stores.bindings.undo("m2", at=NOW)


async def _fill_owned(stores: Stores) -> None:
    made = await stores.ledger.append(
        "p_a", [replace(entry(n + 1), item=f"{ODD}{n}") for n in range(20)], effect=effect("add")
    )
    await stores.ledger.append("p_b", [entry(10**13)], effect=effect("b"))
    await stores.ledger.void("p_a", [made[3].entry_id], effect=effect("void"))
    await stores.ledger.learn_category("p_a", ODD, "food", effect=effect("learn"))
    kept = await stores.memory.save("p_a", "", MemoryType.GOAL, ODD, effect=effect("m1"))
    await stores.memory.append("p_a", "", kept.note_id, ODD, effect=effect("m2"))
    gone = await stores.memory.save("p_a", CHAT.key, MemoryType.FACT, "x", effect=effect("m3"))
    await stores.memory.delete("p_a", CHAT.key, gone.note_id, effect=effect("m4"))
    reminders = [
        await stores.schedules.insert("p_a", reminder(), effect=effect(f"s{n}")) for n in range(5)
    ]
    await stores.schedules.fire(
        [firing(reminders[0], next_fire_at=later(days=7)), firing(reminders[1])], now=NOW
    )
    await stores.schedules.cancel("p_a", [reminders[2].schedule_id], effect=effect("c"))
    await stores.transcripts.put("c", "a", author="person", payload={"text": ODD}, at=NOW)
    await stores.transcripts.put("c", "b", author="bot", payload={"n": [1, None]}, at=NOW)
    await stores.transcripts.put("c", "a", author="person", payload={"text": "new"}, at=NOW)
