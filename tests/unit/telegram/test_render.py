"""From messages to parts that the platform takes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.telegram.render import PhotoPart, TextPart, render, toast, words_instead
from adapters.telegram.runs import MAX_TEXT_UNITS, units
from bot.core.messages import (
    Block,
    ChartBlock,
    ChartSeries,
    FieldsBlock,
    ImageBlock,
    OutboundMessage,
    TableBlock,
    TextBlock,
)
from bot.core.words import Verbatim, text
from tests.emulators.telegram_rules import read_html

CHART = ChartBlock(
    chart="bar",
    title=Verbatim("支出"),
    labels=(Verbatim("餐饮"), Verbatim("交通")),
    series=(ChartSeries(Verbatim("金额"), ("35", "20")),),
    unit="CNY",
)
FAMILY = "👨‍👩‍👧‍👦"
AWKWARD = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=8),
    st.sampled_from(
        [
            *"&<>*`[]()#|~_\n 。，👍",
            FAMILY,
            "🇨🇳",
            "e\u0301",
            "**",
            "```",
            "\n\n",
            "](https://a.b/c)",
        ]
    ),
)


def parts(*blocks: Block, mention: str | None = None) -> list[TextPart]:
    message = OutboundMessage(blocks=blocks, locale="zh-CN", mention=mention)
    shown = render(message, mention="Anna <3")
    assert all(isinstance(part, TextPart) for part in shown)
    return [part for part in shown if isinstance(part, TextPart)]


def prose(words: str) -> list[TextPart]:
    return parts(TextBlock(Verbatim(words)))


def check(shown: list[TextPart]) -> str:
    """Return the joined text of valid parts."""
    for part in shown:
        assert units(part.html) <= MAX_TEXT_UNITS
        assert read_html(part.html) == part.plain
        assert part.plain.strip()
        part.html.encode()
    return "".join(part.plain for part in shown)


def squeezed(words: str) -> str:
    return "".join(words.split())


def test_a_long_reply_with_code_and_emoji_arrives_whole() -> None:
    """T01, PT15: the fence is closed and opened again with its language, nothing is cut apart."""
    code = "\n".join(f"line_{n} = '{FAMILY}' & <b>" for n in range(120))
    words = f"{'开头。' * 1000}\n```python\n{code}\n```\n{'结尾' * 1000}"
    shown = prose(words)

    assert len(shown) >= 3
    assert squeezed(check(shown)) == squeezed(words.replace("```python\n", "").replace("```", ""))
    pieces = [part.html for part in shown if "<pre>" in part.html]
    assert len(pieces) >= 2
    assert all('<pre><code class="language-python">' in html for html in pieces)
    assert all(
        part.plain.count("👦") * FAMILY == FAMILY * part.plain.count("👨") for part in shown
    )


def test_text_that_grows_when_rendered_is_cut_after_rendering() -> None:
    """T02."""
    words = "&<>" * 1330
    assert check(prose(words)) == words
    assert len(prose(words)) >= 4


def test_a_word_without_blanks_makes_progress() -> None:
    """T02."""
    assert check(prose("字" * 5000)) == "字" * 5000


def test_emoji_are_counted_in_utf16_units() -> None:
    """PT12: 2049 emoji are 4098 units."""
    shown = prose("😀" * 2049)

    assert len(shown) == 2
    assert check(shown) == "😀" * 2049


def test_sequences_of_one_sign_on_screen_are_never_cut() -> None:
    """PT12: families, flags, skin tones."""
    for sign in (FAMILY, "🇨🇳", "👍🏽", "e\u0301", "🏴\U000e0067\U000e0062\U000e007f"):
        for lead in range(4):
            shown = prose("x" * lead + sign * 3000)
            assert check(shown) == "x" * lead + sign * 3000
            assert all(part.plain.lstrip("x").startswith(sign) for part in shown)


def test_a_link_goes_whole_into_the_next_part() -> None:
    link = "[这里有一个很长的说明](https://example.com/a)"
    shown = prose("字" * 4090 + link)

    assert [part.html.count("<a ") for part in shown] == [0, 1]


def test_a_cut_prefers_paragraphs_to_sentences_and_sentences_to_words() -> None:
    shown = prose("一二三四。" * 500 + "\n\n" + "五六七八。" * 500)
    assert shown[0].plain.endswith("\n\n")

    shown = prose("word and word. " * 400)
    assert shown[0].plain.endswith(("word. ", "word."))


@given(st.lists(AWKWARD, max_size=40), st.integers(1, 900))
@settings(max_examples=150, deadline=None)
def test_any_text_becomes_valid_parts_and_none_of_it_is_lost(
    pieces: list[str], repeated: int
) -> None:
    words = "".join(pieces) * (repeated if len("".join(pieces)) < 20 else 1)
    shown = parts(TextBlock(text("chat.greeting", name=words)))

    joined = check(shown)
    expected = words.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert squeezed(expected.replace("\0", "\ufffd")) in squeezed(joined)


@given(st.lists(AWKWARD, max_size=60), st.integers(1, 60))
@settings(max_examples=150, deadline=None)
def test_any_markdown_becomes_valid_parts(pieces: list[str], repeated: int) -> None:
    words = "".join(pieces) * repeated
    shown = prose(words)
    if shown[0].plain != "—":
        check(shown)


def test_a_message_of_nothing_still_is_one() -> None:
    assert [part.plain for part in prose(" \n ")] == ["—"]


def test_fields_and_tables_read_well() -> None:
    fields = FieldsBlock(
        ((text("ledger.item"), Verbatim("<b>奶茶</b> *3*")),), title=Verbatim("已记")
    )
    (part,) = parts(fields, TableBlock((Verbatim("项目"),), ((Verbatim("午饭"),),)))

    assert "<b>已记</b>" in part.html
    assert "&lt;b&gt;奶茶&lt;/b&gt; *3*" in part.html
    assert "<pre>项目\n----\n午饭</pre>" in part.html
    check([part])


def test_a_chart_is_a_picture_with_its_title_or_else_a_table() -> None:
    message = OutboundMessage(blocks=(TextBlock(Verbatim("看")), CHART), locale="zh-CN")

    words, photo = render(message, drawable={1})
    assert isinstance(words, TextPart)
    assert isinstance(photo, PhotoPart)
    assert (words.plain, photo.plain) == ("看", "支出")
    assert "餐饮  35" in words_instead(photo).plain

    (table,) = render(message)
    assert "餐饮  35" in table.plain


def test_an_image_that_is_gone_is_told_by_its_words() -> None:
    (part,) = parts(ImageBlock("f_1", Verbatim("发票照片")))
    assert part.plain == "发票照片"


def test_in_a_group_the_person_is_named_so_that_they_are_notified() -> None:
    (part,) = parts(TextBlock(Verbatim("喝水")), mention="7")

    assert part.html == '<a href="tg://user?id=7">Anna &lt;3</a>\n喝水'


@pytest.mark.parametrize("length", [10, 200, 500])
def test_a_toast_is_as_short_as_it_must_be(length: int) -> None:
    assert units(toast(Verbatim("好" * length), "zh-CN")) == min(length, 200)
