"""Values to store: complete, with odd text in them, at explicit instants."""

from datetime import UTC, date, datetime, timedelta

from bot.core.actions import Action, Uses
from bot.core.admission import Invitation
from bot.core.effects import Effect
from bot.core.events import Account, Attachment, Chat, ChatKind, HeldMessage
from bot.core.grants import Grant
from bot.core.inbox import RawUpdate, UpdateKind
from bot.core.ledger import Direction, EntryDraft
from bot.core.messages import FieldsBlock, Key, OutboundMessage, TextBlock, Tone
from bot.core.outbox import OutboxClass, OutboxDraft
from bot.core.people import Person
from bot.core.recurrence import Rule
from bot.core.schedules import Delivery, DeliveryStatus, Firing, Schedule, ScheduleDraft
from bot.core.sessions import Pending, Session
from bot.core.turns import Link, TurnOutcome, TurnRecord
from bot.core.words import Verbatim, text

NOW = datetime(2026, 11, 30, 9, 30, 15, 123456, tzinfo=UTC)
ODD = "午饭 ☕️ 𝒜 'quoted' \"双\" \\ \x00 % _ \u202e end"
CHAT = Chat(platform="telegram", bot="b", chat_id="-100", thread_id="7", kind=ChatKind.GROUP)
OTHER_CHAT = Chat(platform="web", bot="web", chat_id="c2")
RACERS = 20


def later(**parts: float) -> datetime:
    return NOW + timedelta(**parts)


def effect(name: str, at: datetime = NOW) -> Effect:
    return Effect(effect_id=f"telegram:b:{name}#0", at=at, arguments={"说": ODD})


def account(user_id: str = "42", **names: str) -> Account:
    return Account(platform="telegram", bot="b", user_id=user_id, **names)


def person(person_id: str = "p_a") -> Person:
    return Person(
        person_id=person_id,
        locale="zh-CN",
        zone="Asia/Shanghai",
        currency="CNY",
        name=ODD,
        created_at=NOW,
    )


def invitation(invitation_id: str = "i", *, code_hash: str = "") -> Invitation:
    return Invitation(
        invitation_id=invitation_id,
        code_hash=code_hash or invitation_id,
        made_by=ODD,
        created_at=NOW,
        expires_at=later(days=7),
    )


def grant(grant_id: str = "g", *, branch_id: str = "IOT", allowed: bool = True) -> Grant:
    return Grant(
        grant_id=grant_id, person_id="p_a", branch_id=branch_id, allowed=allowed, by=ODD, at=NOW
    )


def update(
    key: str = "1", *, lane: str = "lane", kind: UpdateKind = UpdateKind.MESSAGE
) -> RawUpdate:
    return RawUpdate(
        platform="telegram",
        bot="b",
        delivery_key=key,
        kind=kind,
        lane=lane,
        received_at=NOW,
        body={"update_id": 1, "message": {"text": ODD, "half": "\ud83d", "n": [1, 2.5, None]}},
    )


def message(words: str = ODD) -> OutboundMessage:
    return OutboundMessage(
        blocks=(
            TextBlock(text("ledger.added", count=2, what=Verbatim(words))),
            FieldsBlock(((Verbatim("金额"), text("money", amount="0.30")),), title=Verbatim(ODD)),
        ),
        locale="zh-CN",
        keys=((Key(label=text("undo"), token=ODD, tone=Tone.DANGER),),),
        reply_to="55",
    )


def draft(
    outbox_id: str,
    *,
    chat: Chat = CHAT,
    outbox_class: OutboxClass = OutboxClass.INTERACTIVE,
    event_id: str = "",
    entities: tuple[str, ...] = (),
    delivery_id: str | None = None,
) -> OutboxDraft:
    return OutboxDraft(
        outbox_id=outbox_id,
        chat=chat,
        person_id="p_a",
        message=message(),
        event_id=event_id,
        outbox_class=outbox_class,
        entities=entities,
        delivery_id=delivery_id,
    )


def action(
    button: str = "t", *, group: str = "g", uses: Uses = Uses.ONCE, owner_id: str = "p_a"
) -> Action:
    return Action(
        token=button,
        owner_id=owner_id,
        chat_key=CHAT.key,
        agent="ledger_manager",
        name="undo",
        arguments={"entries": ["e_1", {"note": ODD}], "n": 10**15, "share": 0.5},
        subject="ledger:e_1",
        revision=3,
        uses=uses,
        group=group,
        expires_at=later(days=2),
    )


def session(key: str = "s", *, person_id: str = "p_a") -> Session:
    held = HeldMessage(
        text=ODD,
        message_id="9",
        occurred_at=NOW,
        attachments=(Attachment(kind="image", ref="f_1", name="a.png"),),
    )
    pending = Pending(
        agent="ledger_manager",
        name="total",
        question=text("ledger.total_missing", item=Verbatim(ODD)),
        asked_at=NOW,
        state={"drafts": [{"minor": 3500}]},
    )
    return Session(
        key=key,
        person_id=person_id,
        pending=pending,
        parked=(pending, pending),
        capsule="IOT",
        held=held,
        agent="chat_manager",
    )


def record(
    event_id: str,
    *,
    session_key: str = "s",
    person_id: str = "p_a",
    attachments: tuple[str, ...] = (),
) -> TurnRecord:
    return TurnRecord(
        event_id=event_id,
        session_key=session_key,
        person_id=person_id,
        account_key=account().key,
        message_id="9",
        at=NOW,
        text=ODD,
        reply="好的",
        agent="ledger",
        intent="ledger_manager",
        source="fast_path",
        confidence=0.97,
        outcome="completed",
        calls=({"name": "ledger_add", "result": {"minor": 3500}},),
        trace=("gate: passed", "fast_path: 午饭35"),
        attachments=attachments,
        memo="ledger: one entry",
    )


def outcome(
    event_id: str,
    *,
    expected_version: int = 0,
    session_key: str = "s",
    event_ids: tuple[str, ...] = (),
    actions: tuple[Action, ...] = (),
    outbox: tuple[OutboxDraft, ...] = (),
    links: tuple[Link, ...] = (),
    attachments: tuple[str, ...] = (),
    failure: str = "",
    person_id: str = "p_a",
) -> TurnOutcome:
    return TurnOutcome(
        event_ids=event_ids or (event_id,),
        record=record(
            event_id, session_key=session_key, attachments=attachments, person_id=person_id
        ),
        session=session(session_key, person_id=person_id),
        expected_version=expected_version,
        now=NOW,
        actions=actions,
        outbox=outbox,
        links=links,
        failure=failure,
    )


def entry(
    minor: int = 3500,
    *,
    currency: str = "CNY",
    direction: Direction = Direction.EXPENSE,
    item: str = "午饭",
    category: str = "food",
    occurred_on: date = date(2026, 11, 30),
) -> EntryDraft:
    return EntryDraft(
        minor=minor,
        currency=currency,
        direction=direction,
        item=item,
        category=category,
        occurred_on=occurred_on,
        note=ODD,
        source="receipt",
    )


def rule() -> Rule:
    return Rule(
        type="rrule",
        rrule="FREQ=WEEKLY;BYDAY=MO",
        times=("08:00",),
        tz="Asia/Shanghai",
        dtstart_local=datetime(2026, 11, 30, 8, 0),  # noqa: DTZ001  # wall time
        except_dates=(date(2026, 12, 7),),
    )


def reminder(next_fire_at: datetime = NOW, what: str = ODD) -> ScheduleDraft:
    return ScheduleDraft(
        what=what,
        rule=rule(),
        next_fire_at=next_fire_at,
        chat=CHAT,
        mention="42",
        when_late="skip",
    )


def delivery(schedule: Schedule, due_at: datetime, *, late: bool = False) -> Delivery:
    return Delivery(
        delivery_id=f"{schedule.schedule_id}:{schedule.revision}:{due_at.isoformat()}",
        schedule_id=schedule.schedule_id,
        person_id=schedule.person_id,
        due_at=due_at,
        status=DeliveryStatus.PENDING,
        late=late,
    )


def firing(
    schedule: Schedule, *, next_fire_at: datetime | None = None, late: bool = False
) -> Firing:
    due_at = schedule.next_fire_at
    assert due_at is not None
    made = delivery(schedule, due_at, late=late)
    return Firing(
        schedule_id=schedule.schedule_id,
        revision=schedule.revision,
        expected_fire_at=due_at,
        next_fire_at=next_fire_at,
        deliveries=(made,),
        outbox=(
            draft(
                f"out:{made.delivery_id}",
                chat=schedule.chat,
                outbox_class=OutboxClass.BULK,
                delivery_id=made.delivery_id,
                entities=(f"schedule:{schedule.schedule_id}",),
            ),
        ),
        actions=(action(f"done:{made.delivery_id}", group=made.delivery_id),),
    )
