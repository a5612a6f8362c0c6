"""Sums of entries in words, tables and charts."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from bot.core.ledger import Direction, Total, from_minor
from bot.core.messages import Block, ChartBlock, ChartSeries, TableBlock
from bot.core.words import Text, Verbatim, Words, text
from bot.language.categories import category_name
from bot.locales.catalogue import money

CHART_SLICES = 8


def total_words(totals: Sequence[Total]) -> tuple[Words, ...]:
    """Return sums by currency and direction, never added across currencies.

    Refunds are taken off the expenses of their currency, and said.
    """
    parts: list[Words] = []
    for currency in dict.fromkeys(total.currency for total in totals):
        sums = {t.direction: t for t in totals if t.currency == currency}
        spent, refunded = sums.get(Direction.EXPENSE), sums.get(Direction.REFUND)
        if spent or refunded:
            gross = from_minor(spent.minor if spent else 0, currency)
            back = from_minor(refunded.minor if refunded else 0, currency)
            key = "ledger.spent_net" if back else "ledger.spent"
            parts.append(
                text(
                    key,
                    net=money(gross - back, currency),
                    gross=money(gross, currency),
                    back=money(back, currency),
                    n=(spent.count if spent else 0) + (refunded.count if refunded else 0),
                )
            )
        parts.extend(
            text(
                f"ledger.sum_{direction}",
                amount=money(from_minor(total.minor, currency), currency),
                n=total.count,
            )
            for direction, total in sums.items()
            if direction not in {Direction.EXPENSE, Direction.REFUND}
        )
    return tuple(parts)


def net_of(totals: Sequence[Total], currency: str, direction: Direction) -> Decimal:
    """Return the sum of a currency: of expenses without what came back."""
    signs = {direction: 1, Direction.REFUND: -1 if direction is Direction.EXPENSE else 0}
    return sum(
        (
            from_minor(t.minor, currency) * signs.get(t.direction, 0)
            for t in totals
            if t.currency == currency
        ),
        from_minor(0, currency),
    )


def balance_words(totals: Sequence[Total]) -> tuple[Words, ...]:
    """Return income less expenses, for each currency that has either."""
    return tuple(
        text(
            "ledger.balance",
            amount=signed_money(
                net_of(totals, currency, Direction.INCOME)
                - net_of(totals, currency, Direction.EXPENSE),
                currency,
            ),
        )
        for currency in dict.fromkeys(total.currency for total in totals)
    )


def difference_words(
    titles: tuple[Text, Text],
    totals: tuple[Sequence[Total], Sequence[Total]],
    direction: Direction,
    currency: str,
) -> tuple[Words, ...]:
    """Return both sums and the difference, by currency; the person's own where there are none."""
    lines: list[Words] = []
    for code in _used(totals, currency):
        later, earlier = (net_of(side, code, direction) for side in totals)
        lines.extend(
            text(f"ledger.compared_{direction}", title=title, amount=money(amount, code))
            for title, amount in zip(titles, (later, earlier), strict=True)
        )
        gap = later - earlier
        key = "more" if gap > 0 else "less" if gap < 0 else "same"
        lines.append(text(f"ledger.compared_{key}", amount=money(abs(gap), code)))
    return tuple(lines)


def sum_words(
    titles: Sequence[Text], totals: Sequence[Sequence[Total]], direction: Direction, currency: str
) -> tuple[Words, ...]:
    """Return the sum of each, by currency; the person's own where there are none."""
    return tuple(
        text(
            f"ledger.compared_{direction}",
            title=title,
            amount=money(net_of(side, code, direction), code),
        )
        for title, side in zip(titles, totals, strict=True)
        for code in _used([side], currency)
    )


def together_words(
    totals: Sequence[Sequence[Total]], direction: Direction, currency: str
) -> tuple[Words, ...]:
    """Return what all of them make, by currency."""
    return tuple(
        text(
            "ledger.together",
            amount=money(
                sum((net_of(side, code, direction) for side in totals), from_minor(0, code)), code
            ),
        )
        for code in _used(totals, currency)
    )


def _used(totals: Sequence[Sequence[Total]], currency: str) -> tuple[str, ...]:
    """Return the currencies that are there, or the person's own."""
    return tuple(dict.fromkeys(t.currency for side in totals for t in side)) or (currency,)


def signed_money(amount: Decimal, currency: str) -> str:
    """Return an amount with its sign in front of the currency's."""
    return f"{'-' if amount < 0 else ''}{money(abs(amount), currency)}"


def of_direction(totals: Sequence[Total], direction: Direction) -> tuple[Total, ...]:
    """Return the totals of one way of the money; refunds belong to the expenses."""
    back = Direction.REFUND if direction is Direction.EXPENSE else direction
    return tuple(total for total in totals if total.direction in {direction, back})


def period_blocks(
    labels: Sequence[Words],
    totals: Sequence[Sequence[Total]],
    direction: Direction,
    currency: str,
) -> tuple[Block, ...]:
    """Return the sums of stretches of days: a table, and a chart of each currency with several."""
    used = _used([of_direction(each, direction) for each in totals], currency)
    sums = {code: [net_of(each, code, direction) for each in totals] for code in used}
    table = TableBlock(
        header=(text("ledger.head_day"), text("ledger.head_amount")),
        rows=tuple(
            (
                label,
                Verbatim(" · ".join(signed_money(s[n], code) for code, s in sums.items() if s[n]))
                if any(s[n] for s in sums.values())
                else Verbatim(money(from_minor(0, used[0]), used[0])),
            )
            for n, label in enumerate(labels)
        ),
    )
    charts = tuple(
        ChartBlock(
            chart="bar",
            title=text(f"ledger.by_period_{direction}"),
            labels=tuple(labels),
            series=(ChartSeries(name=Verbatim(code), values=tuple(str(v) for v in values)),),
            unit=code,
        )
        for code, values in sums.items()
        if sum(1 for value in values if value) > 1
    )
    return (table, *charts)


def summed(totals: Sequence[Total]) -> tuple[Total, ...]:
    """Return totals by category as totals by currency and direction."""
    sums: dict[tuple[str, Direction], Total] = {}
    for total in totals:
        known = sums.get((total.currency, total.direction))
        more = replace(total, category="")
        if known is not None:
            more = replace(more, minor=known.minor + total.minor, count=known.count + total.count)
        sums[total.currency, total.direction] = more
    return tuple(sums.values())


def category_blocks(totals: Sequence[Total], locale: str) -> tuple[Block, ...]:
    """Return spending by category: a table, and a chart per currency with several slices."""
    blocks: list[Block] = []
    for currency in dict.fromkeys(total.currency for total in totals):
        net: dict[str, Decimal] = {}
        for total in totals:
            sign = {Direction.EXPENSE: 1, Direction.REFUND: -1}.get(total.direction, 0)
            if total.currency == currency and sign:
                value = from_minor(total.minor, currency) * sign
                net[total.category] = net.get(total.category, Decimal(0)) + value
        ordered = sorted(net.items(), key=lambda item: -item[1])
        if not ordered:
            continue
        blocks.append(
            TableBlock(
                header=(text("ledger.head_category"), text("ledger.head_amount")),
                rows=tuple(
                    (Verbatim(category_name(name, locale)), Verbatim(money(value, currency)))
                    for name, value in ordered
                ),
            )
        )
        slices = [(name, value) for name, value in ordered if value > 0][:CHART_SLICES]
        if len(slices) > 1:
            blocks.append(
                ChartBlock(
                    chart="pie",
                    title=text("ledger.shares"),
                    labels=tuple(Verbatim(category_name(name, locale)) for name, _ in slices),
                    series=(
                        ChartSeries(
                            name=Verbatim(currency),
                            values=tuple(str(value) for _, value in slices),
                        ),
                    ),
                    unit=currency,
                )
            )
    return tuple(blocks)
