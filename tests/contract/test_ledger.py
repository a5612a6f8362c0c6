"""Promises of `bot.core.ledger.Ledger`."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.core.effects import Effect
from bot.core.errors import ConflictError, NotFoundError
from bot.core.ids import new_id
from bot.core.ledger import (
    MAX_MINOR,
    Direction,
    Entry,
    EntryChange,
    EntryDraft,
    EntryFilter,
    to_minor,
)
from bot.core.stores import Stores
from tests.contract.openers import Runner
from tests.contract.samples import NOW, RACERS, effect, entry, later

ALL = EntryFilter()


async def add(
    stores: Stores, *drafts: EntryDraft, by: str = "p_a", name: str = "add"
) -> tuple[Entry, ...]:
    return await stores.ledger.append(by, drafts, effect=effect(name))


async def found(stores: Stores, wanted: EntryFilter = ALL, by: str = "p_a") -> list[str]:
    entries = await stores.ledger.find(by, wanted, limit=100)
    return [item.item for item in entries]


async def test_appended_entries_come_back_in_the_order_of_their_drafts(stores: Stores) -> None:
    drafts = [entry(n + 1, item=f"item {n}") for n in range(5)]
    entries = await add(stores, *drafts)

    assert [(item.minor, item.item) for item in entries] == [(d.minor, d.item) for d in drafts]
    assert len({item.entry_id for item in entries}) == 5
    for item in entries:
        assert (item.author_id, item.created_at, item.revision) == ("p_a", NOW, 1)
        assert (item.note, item.source, item.voided) == (drafts[0].note, "receipt", False)
        assert await stores.ledger.get("p_a", item.entry_id) == item


async def test_an_item_is_found_in_any_spelling(stores: Stores) -> None:
    await add(stores, *[entry(item=item) for item in ("午飯", "午饭", "臺灣 Café", "打车")])

    for spelling in ("午饭", "午飯"):
        assert set(await found(stores, EntryFilter(item=spelling))) == {"午飯", "午饭"}
        (total,) = await stores.ledger.totals("p_a", EntryFilter(item=spelling))
        assert total.count == 2
    for spelling in ("台湾", "CAFÉ"):
        assert await found(stores, EntryFilter(item=spelling)) == ["臺灣 Café"]


async def test_an_item_may_have_to_hold_several_parts_in_any_order(stores: Stores) -> None:
    await add(
        stores, *[entry(item=item) for item in ("孩子学费", "給孩子交的學費", "学费", "孩子")]
    )

    wanted = EntryFilter(item="学费", also=("孩子",))
    assert set(await found(stores, wanted)) == {"孩子学费", "給孩子交的學費"}
    (total,) = await stores.ledger.totals("p_a", wanted)
    assert total.count == 2
    assert await found(stores, EntryFilter(item="学费", also=("孩子", "猫"))) == []


async def test_entries_are_found_by_their_amount(stores: Stores) -> None:
    drafts = [entry(20, item="b"), entry(30, item="c"), entry(10, item="a")]
    await add(stores, *drafts, entry(99, item="usd", currency="USD"))
    yuan = EntryFilter(currency="CNY")

    largest = await stores.ledger.by_amount("p_a", yuan, limit=2)
    assert [item.item for item in largest] == ["c", "b"]
    (smallest,) = await stores.ledger.by_amount("p_a", yuan, limit=1, smallest=True)
    assert smallest.item == "a"
    assert await stores.ledger.by_amount("p_b", yuan, limit=2) == ()
    assert await found(stores, EntryFilter(currency="USD")) == ["usd"]


async def test_no_drafts_are_no_entries(stores: Stores) -> None:
    assert await add(stores) == ()


async def test_all_drafts_are_written_or_none(stores: Stores) -> None:
    with pytest.raises(Exception, match=r".+"):
        await add(stores, entry(1), entry(0))

    assert await found(stores) == []
    assert len(await add(stores, entry(1))) == 1


async def test_a_repeated_append_returns_the_first_result_and_writes_nothing(
    stores: Stores,
) -> None:
    first = await add(stores, entry(1))
    await stores.ledger.void("p_a", [first[0].entry_id], effect=effect("void"))

    assert await add(stores, entry(2), entry(3)) == first
    assert await found(stores) == []


async def test_racing_repeats_of_one_effect_write_once(stores: Stores) -> None:
    results = await asyncio.gather(*(add(stores, entry(n + 1)) for n in range(RACERS)))

    assert len(set(results)) == 1
    assert len(await found(stores)) == 1


async def test_an_effect_id_belongs_to_one_method_and_one_person(stores: Stores) -> None:
    await add(stores, entry(1))

    with pytest.raises(ConflictError):
        await stores.ledger.void("p_a", [], effect=effect("add"))
    with pytest.raises(ConflictError):
        await add(stores, entry(1), by="p_b")


async def test_cents_add_up_exactly_per_currency(stores: Stores) -> None:
    amounts = [("0.1", "CNY"), ("0.2", "CNY"), ("0.1", "USD"), ("3", "JPY"), ("0.125", "KWD")]
    await add(
        stores,
        *(entry(to_minor(Decimal(amount), code), currency=code) for amount, code in amounts),
    )

    totals = {total.currency: total.minor for total in await stores.ledger.totals("p_a", ALL)}
    assert totals == {"CNY": 30, "USD": 10, "JPY": 3, "KWD": 125}


async def test_totals_are_by_currency_and_direction_largest_first(stores: Stores) -> None:
    await add(
        stores,
        entry(100, category="food"),
        entry(50, category="food"),
        entry(300, category="rent"),
        entry(70, currency="USD"),
        entry(900, direction=Direction.INCOME, category="pay"),
    )

    totals = await stores.ledger.totals("p_a", ALL)
    assert [(t.currency, t.direction, t.category, t.minor, t.count) for t in totals] == [
        ("CNY", Direction.INCOME, "", 900, 1),
        ("CNY", Direction.EXPENSE, "", 450, 3),
        ("USD", Direction.EXPENSE, "", 70, 1),
    ]
    by_category = await stores.ledger.totals(
        "p_a", EntryFilter(direction=Direction.EXPENSE), by_category=True
    )
    assert [(t.currency, t.category, t.minor, t.count) for t in by_category] == [
        ("CNY", "rent", 300, 1),
        ("CNY", "food", 150, 2),
        ("USD", "food", 70, 1),
    ]


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    rows=st.lists(
        st.tuples(
            st.integers(1, MAX_MINOR),
            st.sampled_from(["CNY", "USD", "JPY"]),
            st.sampled_from(list(Direction)),
            st.integers(0, 40),
        ),
        max_size=40,
    ),
    since=st.integers(0, 40),
)
def test_totals_of_any_entries_are_their_exact_sums(
    run_with_stores: Runner,
    rows: list[tuple[int, str, Direction, int]],
    since: int,
) -> None:
    async def check(stores: Stores) -> None:
        by = new_id("p")
        drafts = [
            entry(minor, currency=currency, direction=direction, occurred_on=_day(day))
            for minor, currency, direction, day in rows
        ]
        await add(stores, *drafts, by=by, name=by)
        expected: Counter[tuple[str, Direction]] = Counter()
        for minor, currency, direction, day in rows:
            if day >= since:
                expected[currency, direction] += minor
        totals = await stores.ledger.totals(by, EntryFilter(since=_day(since)))
        assert {(t.currency, t.direction): t.minor for t in totals} == dict(expected)
        assert [t.minor for t in totals] == sorted((t.minor for t in totals), reverse=True)

    run_with_stores(check)


def _day(number: int) -> date:
    return date(2026, 12, 15) + timedelta(days=number)


async def test_entries_are_found_by_date_since_inclusive_until_exclusive(stores: Stores) -> None:
    days = [date(2026, 10, 31), date(2026, 11, 1), date(2026, 11, 30), date(2026, 12, 1)]
    await add(stores, *(entry(item=day.isoformat(), occurred_on=day) for day in days))

    november = EntryFilter(since=date(2026, 11, 1), until=date(2026, 12, 1))
    assert await found(stores, november) == ["2026-11-30", "2026-11-01"]
    assert [t.count for t in await stores.ledger.totals("p_a", november)] == [2]
    assert len(await found(stores, EntryFilter(since=date(2026, 11, 1)))) == 3
    assert len(await found(stores, EntryFilter(until=date(2026, 11, 1)))) == 1


async def test_entries_are_found_by_direction_category_and_part_of_the_item(
    stores: Stores,
) -> None:
    await add(
        stores,
        entry(item="Starbucks 拿铁", category="drinks"),
        entry(item="100%果汁", category="drinks"),
        entry(item="工资", category="pay", direction=Direction.INCOME),
    )

    assert await found(stores, EntryFilter(direction=Direction.INCOME)) == ["工资"]
    assert len(await found(stores, EntryFilter(category="drinks"))) == 2
    assert await found(stores, EntryFilter(item="starBUCKS")) == ["Starbucks 拿铁"]
    assert await found(stores, EntryFilter(item="拿铁")) == ["Starbucks 拿铁"]
    assert await found(stores, EntryFilter(item="%")) == ["100%果汁"]
    assert await found(stores, EntryFilter(item="_")) == []
    assert await found(stores, EntryFilter(item="果汁", category="pay")) == []


async def test_entries_come_by_latest_day_or_by_last_writing_and_limited(stores: Stores) -> None:
    for minute, (item, day) in enumerate([("c", 3), ("a", 1), ("d", 3), ("b", 2)]):
        await stores.ledger.append(
            "p_a",
            [entry(item=item, occurred_on=date(2026, 11, day))],
            effect=effect(item, later(minutes=minute)),
        )

    newest = await stores.ledger.find("p_a", ALL, limit=3)
    written = await stores.ledger.latest("p_a", ALL, limit=3)
    assert [item.item for item in newest] == ["d", "c", "b"]
    assert [item.item for item in written] == ["b", "d", "a"]


async def test_a_changed_entry_rises_in_revision_and_keeps_the_rest(stores: Stores) -> None:
    (made,) = await add(stores, entry(3500, item="午饭"))
    change = EntryChange(minor=3800, item="Dinner", occurred_on=date(2026, 11, 29), note="")

    changed = await stores.ledger.update(
        "p_a", made.entry_id, revision=1, change=change, effect=effect("e2")
    )

    assert changed == replace(
        made, minor=3800, item="Dinner", occurred_on=date(2026, 11, 29), note="", revision=2
    )
    assert await stores.ledger.get("p_a", made.entry_id) == changed
    assert await found(stores, EntryFilter(item="dinner")) == ["Dinner"]
    assert [t.minor for t in await stores.ledger.totals("p_a", ALL)] == [3800]


async def test_a_change_of_an_older_revision_is_a_conflict(stores: Stores) -> None:
    (made,) = await add(stores, entry(1))

    async def change(name: str) -> Entry:
        return await stores.ledger.update(
            "p_a", made.entry_id, revision=1, change=EntryChange(note=name), effect=effect(name)
        )

    results = await asyncio.gather(
        *(change(f"e{n}") for n in range(RACERS)), return_exceptions=True
    )
    assert sum(isinstance(result, Entry) for result in results) == 1
    assert sum(isinstance(result, ConflictError) for result in results) == RACERS - 1


async def test_a_repeated_change_returns_the_first_result_though_the_entry_moved_on(
    stores: Stores,
) -> None:
    (made,) = await add(stores, entry(1))

    async def change(revision: int, minor: int, by: Effect) -> Entry:
        return await stores.ledger.update(
            "p_a", made.entry_id, revision=revision, change=EntryChange(minor=minor), effect=by
        )

    first = await change(1, 2, effect("e1"))
    latest = await change(2, 3, effect("e2"))

    assert await change(1, 9, effect("e1")) == first
    assert await stores.ledger.get("p_a", made.entry_id) == latest


async def test_a_voided_entry_leaves_lists_and_totals_and_can_come_back(stores: Stores) -> None:
    kept, gone = await add(stores, entry(100, item="kept"), entry(50, item="gone"))

    (voided,) = await stores.ledger.void("p_a", [gone.entry_id], effect=effect("void"))

    assert voided == replace(gone, voided=True, revision=2)
    assert await stores.ledger.get("p_a", gone.entry_id) == voided
    assert await found(stores) == ["kept"]
    assert [t.minor for t in await stores.ledger.totals("p_a", ALL)] == [100]

    (restored,) = await stores.ledger.restore("p_a", [gone.entry_id], effect=effect("back"))

    assert restored == replace(gone, revision=3)
    assert [t.minor for t in await stores.ledger.totals("p_a", ALL)] == [150]
    assert await stores.ledger.get("p_a", kept.entry_id) == kept


async def test_void_and_restore_return_only_what_they_changed(stores: Stores) -> None:
    one, two = await add(stores, entry(1), entry(2))
    await stores.ledger.void("p_a", [one.entry_id], effect=effect("e1"))

    both = [two.entry_id, one.entry_id, two.entry_id]
    voided = await stores.ledger.void("p_a", both, effect=effect("e2"))
    assert [item.entry_id for item in voided] == [two.entry_id]
    restored = await stores.ledger.restore("p_a", both, effect=effect("e3"))
    assert [item.entry_id for item in restored] == [two.entry_id, one.entry_id]
    assert await stores.ledger.restore("p_a", both, effect=effect("e4")) == ()


async def test_a_voided_entry_cannot_be_changed(stores: Stores) -> None:
    (made,) = await add(stores, entry(1))
    await stores.ledger.void("p_a", [made.entry_id], effect=effect("void"))

    with pytest.raises(NotFoundError):
        await stores.ledger.update(
            "p_a", made.entry_id, revision=2, change=EntryChange(minor=2), effect=effect("e")
        )


async def test_a_foreign_id_among_several_leaves_all_as_they_were(stores: Stores) -> None:
    (mine,) = await add(stores, entry(1), by="p_a", name="a")
    (theirs,) = await add(stores, entry(2), by="p_b", name="b")

    with pytest.raises(NotFoundError):
        await stores.ledger.void("p_a", [mine.entry_id, theirs.entry_id], effect=effect("e1"))
    with pytest.raises(NotFoundError):
        await stores.ledger.restore("p_a", [theirs.entry_id], effect=effect("e2"))
    with pytest.raises(NotFoundError):
        await stores.ledger.update(
            "p_a", theirs.entry_id, revision=1, change=EntryChange(minor=3), effect=effect("e3")
        )

    assert await stores.ledger.get("p_a", mine.entry_id) == mine
    assert await stores.ledger.get("p_b", theirs.entry_id) == theirs


async def test_a_person_sees_only_their_own_book(stores: Stores) -> None:
    (mine,) = await add(stores, entry(1, item="mine"), by="p_a", name="a")
    (theirs,) = await add(stores, entry(2, item="theirs"), by="p_b", name="b")

    assert mine.book_id != theirs.book_id
    assert await found(stores, by="p_a") == ["mine"]
    assert await found(stores, by="p_b") == ["theirs"]
    assert await found(stores, by="p_c") == []
    assert await stores.ledger.get("p_a", theirs.entry_id) is None
    assert [t.minor for t in await stores.ledger.totals("p_b", ALL)] == [2]
    assert await stores.ledger.totals("p_c", ALL) == ()


async def test_the_latest_correction_of_a_category_counts_for_its_person_only(
    stores: Stores,
) -> None:
    assert await stores.ledger.learned_categories("p_a") == {}

    await stores.ledger.learn_category("p_a", "拿铁", "food", effect=effect("e1"))
    await stores.ledger.learn_category("p_a", "拿铁", "drinks", effect=effect("e2"))
    await stores.ledger.learn_category("p_a", "拿铁", "food", effect=effect("e1"))
    await stores.ledger.learn_category("p_b", "拿铁", "other", effect=effect("e3"))

    assert await stores.ledger.learned_categories("p_a") == {"拿铁": "drinks"}
