"""A model's promise counts only when something stored backs it (T31)."""

import pytest

from agents.claims import Deed, check_claims, deeds_in


@pytest.mark.parametrize(
    ("sentence", "deed"),
    [
        ("好的，到时提醒你。", Deed.REMINDER),
        ("没问题，我明天早上8点会提醒你开会。", Deed.REMINDER),
        ("已经帮你设好了8点的提醒。", Deed.REMINDER),
        ("提醒已设置好。", Deed.REMINDER),
        ("闹钟定好了", Deed.REMINDER),
        ("Sure, I'll remind you at 8.", Deed.REMINDER),
        ("Done! Your reminder is set for 8 am.", Deed.REMINDER),
        ("I've set a reminder for tomorrow.", Deed.REMINDER),
        ("好的，我记住了！", Deed.MEMORY),
        ("我会一直记得你不吃香菜。", Deed.MEMORY),
        ("Got it, I'll remember that.", Deed.MEMORY),
        ("I've noted that you are vegetarian.", Deed.MEMORY),
        ("已帮你记账35元。", Deed.LEDGER),
        ("I've recorded the expense.", Deed.LEDGER),
        ("好，以后叫你老王。", Deed.NAME),
        ("Okay, I'll call you Sam.", Deed.NAME),
        ("没问题，明早八点我会叫你起床。", Deed.REMINDER),
        ("到时候你会收到一条提醒。", Deed.REMINDER),
        ("You'll get a reminder at 8.", Deed.REMINDER),
        ("That is noted down and will ping you at 8.", Deed.REMINDER),
        ("我已经记在心里了。", Deed.MEMORY),
        ("以后都会记得你爱喝茶。", Deed.MEMORY),
        ("Saved to memory: tea.", Deed.MEMORY),
        ("已将你的时区改为东京。", Deed.SETTING),
        ("已为您把货币切换为美元。", Deed.SETTING),
        ("I've changed your timezone to Tokyo.", Deed.SETTING),
        ("已经帮你删除了所有提醒。", Deed.REMOVAL),
        ("那笔账已经删掉了。", Deed.REMOVAL),
        ("Done, I've deleted all your reminders.", Deed.REMOVAL),
        ("I have removed that entry.", Deed.REMOVAL),
    ],
)
def test_a_promise_or_claim_is_seen(sentence: str, deed: Deed) -> None:
    assert deeds_in(sentence) == {deed}


@pytest.mark.parametrize(
    "sentence",
    [
        "要我到时提醒你吗？",
        "需要的话，可以到时提醒你。",
        "抱歉，我没法提醒你。",
        "我还没有设提醒。",
        "如果你说“明早8点提醒我”，我会提醒你。",
        "I can remind you if you tell me when.",
        "I haven't set a reminder.",
        "Would you like me to remind you?",
        "你可以在手机上设一个提醒。",
        "这件事让我想起你提醒过我。",
        "记账的方法有很多种。",
        "记住这三点很重要。",
        "Remember to drink water.",
        "He will call you tomorrow.",
        "It will remind you of Paris.",
        "The shop will call and you will be happy.",
        "要我删掉这条提醒吗？",
        "提醒可以在列表里删掉。",
        "你可以在设置里改时区。",
        "你还没有删掉那笔账。",
        "You can change your currency with /settings.",
        "会计把旧账清理得很干净。",
    ],
)
def test_an_offer_a_denial_and_advice_are_no_promise(sentence: str) -> None:
    assert deeds_in(sentence) == set()


def test_only_the_sentences_without_backing_go() -> None:
    text = "明天确实有会。好的，到时提醒你！路上小心。"
    checked = check_claims(text, query="明天8点有会", backed=frozenset())
    assert checked.text == "明天确实有会。路上小心。"
    assert checked.unbacked == {Deed.REMINDER}


def test_what_is_backed_stays_word_for_word() -> None:
    text = "好的，\n到时提醒你！  3.5 元。"
    checked = check_claims(text, query="x", backed=frozenset({Deed.REMINDER}))
    assert checked.text == text
    assert not checked.unbacked


@pytest.mark.parametrize(
    "query", ["帮我写一封信给客户，说我们会提醒他", "translate: 我会提醒你", "写首关于记忆的诗"]
)
def test_a_text_that_was_asked_for_is_left_alone(query: str) -> None:
    checked = check_claims("我会提醒您。我会记住你。", query=query, backed=frozenset())
    assert checked.text == "我会提醒您。我会记住你。"
