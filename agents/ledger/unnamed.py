"""Corrections that name no entry: 不对，是42; 记错了，应该是42; make it 42."""

from agents.orders import parse_order
from bot.language.answers import Answer, classify_answer
from bot.language.last_thing import names_last, parse_last_thing


def answer_in(words: str) -> Answer:
    """Return what words mean as an answer; what corrects without a name is a correction.

    Words that say which entry they are about, be it only the last one, are none.
    """
    answer = classify_answer(words)
    if answer.kind != "none" or names_last(words):
        return answer
    last = parse_last_thing(words)
    if last is not None:
        rest = last.rest if last.kind == "wrong" and not (last.noun or last.belongs) else ""
        return Answer("correct", rest) if rest else answer
    order = parse_order("ledger", words)
    if order is None or order.kind != "change" or order.target:
        return answer
    return Answer("correct", order.rest)
