"""Markdown as models write it."""

import pytest

from adapters.tables import aligned, width
from adapters.telegram.markup import read_markdown
from adapters.telegram.runs import html_of, plain_of
from tests.emulators.telegram_rules import read_html


def html(text: str) -> str:
    shown = html_of(read_markdown(text))
    assert read_html(shown) == plain_of(read_markdown(text))
    return shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**重要：**请注意", "<b>重要：</b>请注意"),
        ("涨幅**+3.2%**（24h）", "涨幅<b>+3.2%</b>（24h）"),
        ("这是**“引号”**内", "这是<b>“引号”</b>内"),
        ("**（一）**标题", "<b>（一）</b>标题"),
        ("他说**好。**然后走了", "他说<b>好。</b>然后走了"),
        ("**a** 和 **b**", "<b>a</b> 和 <b>b</b>"),
        ("**价格：**`35`元", "<b>价格：</b><code>35</code>元"),
        ("**用 `x` 吧**", "<b>用 </b><code>x</code><b> 吧</b>"),
    ],
)
def test_chinese_emphasis_is_bold_and_leaves_no_stars(text: str, shown: str) -> None:
    """PT13: CommonMark's flanking rule leaves these literal; people do not."""
    assert html(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "DRY_RUN uses ___x___ *bold and a_url_with_underscores, 5 < 6 & <b",
        "2*3*4=24 and 2 * 3 * 4",
        "长*宽*高",
        "a ** b ** c",
        "**unclosed",
        "Use <think>plan</think> with List<String>",
        "snake_case and __init__",
        "[not a link] (x) and [x](javascript:alert(1))",
        "~ / ~~ ",
        "`",
        "| a | b |",
        "#tag no heading",
        "C:\\temp\\*.txt",
    ],
)
def test_what_is_not_surely_markup_stays_as_it_is(text: str) -> None:
    """T03: nothing of it is lost and nothing of it is refused."""
    assert plain_of(read_markdown(text)) == text
    html(text)


def test_links_keep_their_parentheses_and_quotes() -> None:
    shown = html('[维基](https://zh.wikipedia.org/wiki/c_(d)?x=1&y="2")')

    assert 'href="https://zh.wikipedia.org/wiki/c_(d)?x=1&amp;y=&quot;2&quot;"' in shown


def test_code_keeps_its_language_and_its_stars() -> None:
    shown = html("```python\nprint(**kwargs) # <b>\n```\nafter")

    assert shown == (
        '<pre><code class="language-python">print(**kwargs) # &lt;b&gt;</code></pre>\nafter'
    )


@pytest.mark.parametrize("text", ["```\nx = 1", "**bold and ```js\ncode", "> `tick"])
def test_markup_that_is_never_closed_is_still_valid(text: str) -> None:
    """PT15: what a model has not finished writing yet."""
    html(text)


def test_a_table_lines_up_when_chinese_counts_double() -> None:
    table = aligned([["项目", "金额"], ["午饭", "35"], ["coffee", "18.50"]])

    assert table is not None
    header, rule, *rows = table.split("\n")
    column = header.index("金额")
    assert width(header[:column]) == width(rule.split("  ")[0]) + 2
    assert all(
        width(row[: row.index(cell)]) == width(header[:column])
        for row, cell in zip(rows, ["35", "18.50"], strict=True)
    )


def test_a_markdown_table_is_aligned_and_a_wide_one_becomes_records() -> None:
    assert html("|项目|金额|\n|---|--:|\n|午饭|35|").startswith("<pre>项目  金额\n")

    wide = html(f"|a|b|\n|-|-|\n|{'长' * 40}|x|")
    assert wide.startswith("<b>a: </b>长")
    assert wide.endswith("<b>b: </b>x")


def test_a_heading_is_bold() -> None:
    assert html("## 小结\n正文") == "<b>小结</b>\n正文"
