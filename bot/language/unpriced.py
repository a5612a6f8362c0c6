"""Things that are told beside the sums of a message without one of their own: 午饭35和奶茶."""

from typing import Final

from bot.language.categories import Lexicon
from bot.language.counted import says_how_many
from bot.language.money_words import CLAUSE, SPLIT
from bot.language.paid_back import paid_back
from bot.language.sum_clauses import BESIDE, SumClauses

LONGEST_ITEM: Final = 12


def unpriced(clauses: SumClauses, lexicon: Lexicon) -> tuple[str, ...]:
    """The things told after a sum without one of their own; nothing when one is unknown."""
    found: list[str] = []
    for index in range(len(clauses.sums)):
        start = clauses.clause(index).end
        is_last = index + 1 == len(clauses.sums)
        stop = len(clauses.text) if is_last else clauses.clause(index + 1).start
        at = start
        for match in (*CLAUSE.finditer(clauses.text, start, stop), None):
            end = match.start() if match else stop
            joint = BESIDE.match(clauses.text, at, end)
            name = clauses.bare(joint.end() if joint else at, end)
            if paid_back(clauses.text[at:end]):
                return ()
            if SPLIT.search(name.lower()):
                return ()
            if says_how_many(clauses.text[at:end]):
                name = ""
            if name and not (len(name) <= LONGEST_ITEM and lexicon.knows(name)):
                return ()
            found.extend([name] if name else [])
            at = match.end() if match else stop
    return tuple(found)
