"""A person with a browser and the real bot: from the first greeting to a reload."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.e2e.browser import DESKTOP, PHONE, chromium, complaints, resize, wait_for
from tests.e2e.process import Bot, bot

pytestmark = pytest.mark.e2e

NEWEST = "[...document.querySelectorAll('.item.bot')].at(-1)"
FITS = "document.documentElement.scrollWidth <= innerWidth"
OUTSIDE = """[...document.querySelectorAll('body *')]
  .filter((e) => e.checkVisibility() && !e.closest('.table, .capsules, .previews'))
  .filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5
    || e.getBoundingClientRect().left < -0.5).map((e) => e.className || e.tagName)"""
STILL = "document.getAnimations().every((a) => a.playState !== 'running')"
AT_BOTTOM = """(() => { const s = document.getElementById('scroller');
  return s.scrollHeight - s.scrollTop - s.clientHeight < 2; })()"""


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with chromium(tmp_path_factory.mktemp("chrome") / "profile") as driver:
        yield driver


class Visit:
    """What a person does with the page; everything waits for what must come."""

    def __init__(self, chrome: Chrome, running: Bot, album: Path) -> None:
        self.chrome = chrome
        self._bot = running
        self._album = album

    def open(self, size: tuple[int, int], *, dark: bool) -> None:
        complaints(self.chrome)  # of the test before
        resize(self.chrome, size, dark=dark)
        self.chrome.get(f"{self._bot.origin}/")
        self.wait("document.querySelector('.item.bot')")

    def wait(self, script: str, *arguments: object) -> object:
        return wait_for(self.chrome, script, *arguments)

    def run(self, script: str, *arguments: object) -> object:
        return self.chrome.execute_script(f"return ({script});", *arguments)

    def say(self, words: str, answer: str) -> None:
        """Say something and wait until the newest answer holds these words."""
        self.chrome.find_element(By.ID, "input").send_keys(words, Keys.ENTER)
        self.sees(answer)

    def sees(self, words: str) -> None:
        self.wait(f"{NEWEST}.innerText.includes(arguments[0])", words)

    def press(self, label: str, answer: str) -> None:
        """Press the newest button with this label."""
        button = (
            "[...document.querySelectorAll('.item.bot button')]"
            ".filter((b) => b.innerText.trim() === arguments[0]).at(-1)"
        )
        self.wait(button, label)
        self.run(f"{button}.click()", label)
        self.sees(answer)

    def edit_last(self, words: str, answer: str) -> None:
        self.run("[...document.querySelectorAll('.editable .edit')].at(-1).click()")
        entry = self.chrome.find_element(By.ID, "input")
        entry.send_keys(Keys.CONTROL, "a")
        entry.send_keys(words, Keys.ENTER)
        self.sees(answer)

    def messages(self) -> object:
        return self.run("[...document.querySelectorAll('.item')].map((e) => e.innerText.trim())")

    def looks_right(self, name: str) -> None:
        """Nothing sticks out, nothing moves, nothing complains; and take a picture."""
        self.wait(FITS)
        self.wait(STILL)
        self.wait(AT_BOTTOM)  # nobody scrolled away
        assert self.run(OUTSIDE) == []
        assert complaints(self.chrome) == []
        self.chrome.save_screenshot(str(self._album / f"{name}.png"))


def first_visit(visit: Visit, name: str) -> None:
    """Get to know each other, and do one of everything."""
    visit.sees("中文")
    visit.looks_right(f"{name}-1-greeting")
    visit.press("中文", "2/3")
    visit.press("Asia/Shanghai", "3/3")
    visit.say("小林", "小林")
    visit.looks_right(f"{name}-2-known")

    visit.say("午饭35", "¥35.00")
    visit.edit_last("午饭53", "¥53.00")
    visit.say("打车22.5", "¥22.50")
    visit.say("不是，是25", "¥25.00")
    visit.say("这个月花了多少", "¥78.00")
    visit.say("这个月各类花了多少", "¥53.00")
    visit.wait("[...document.images].some((i) => i.checkVisibility() && i.naturalWidth > 100)")
    visit.looks_right(f"{name}-3-ledger")

    visit.say("2秒后提醒我喝水", "喝水")
    visit.wait("document.querySelector('.item.reminds.arrived')")
    visit.sees("⏰ 喝水")
    visit.press("完成", "✓ 喝水")
    visit.looks_right(f"{name}-4-reminder")

    capsule = "[data-intent=schedule_manager]"
    visit.run(f"document.querySelector('{capsule}').click()")
    visit.wait(f"document.querySelector('{capsule}[aria-pressed=true]')")
    visit.say("午饭35", "")
    visit.say("/why", "能力胶囊")
    visit.looks_right(f"{name}-5-capsule")


def come_back(visit: Visit, name: str) -> None:
    """Reload: everything is as it was."""
    before = visit.messages()
    visit.chrome.refresh()
    visit.wait("document.querySelectorAll('.item').length >= arguments[0]", len(as_list(before)))
    assert visit.messages() == before
    visit.wait("document.querySelector('[data-intent=schedule_manager][aria-pressed=true]')")
    visit.wait(AT_BOTTOM)
    visit.looks_right(f"{name}-6-reloaded")


def as_list(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_a_first_visit_goes_well_from_the_greeting_to_the_reload(
    chrome: Chrome, tmp_path: Path, *, size: tuple[int, int], dark: bool
) -> None:
    name = f"{size[0]}-{'dark' if dark else 'light'}"
    async with bot(tmp_path, ONBOARDING="on") as running:
        visit = Visit(chrome, running, tmp_path)

        def scenario() -> None:
            visit.open(size, dark=dark)
            assert visit.run("document.documentElement.dataset.theme") == (
                "dark" if dark else "light"
            )
            first_visit(visit, name)
            come_back(visit, name)

        await run(scenario, chrome)


async def test_a_page_comes_back_by_itself_after_a_kill_and_shows_the_late_reminder(
    chrome: Chrome, tmp_path: Path
) -> None:
    port = 0
    async with bot(tmp_path, LATE_AFTER=0.001) as first:
        port = int(first.origin.rpartition(":")[2])
        visit = Visit(chrome, first, tmp_path)

        def before() -> None:
            visit.open(PHONE, dark=False)
            visit.say("午饭35", "¥35.00")
            visit.say("2秒后提醒我喝水", "喝水")

        await run(before, chrome, leave=False)
        await first.kill()
        await asyncio.to_thread(
            visit.wait, "document.getElementById('link').dataset.state === 'offline'"
        )
        async with bot(tmp_path, HTTP_PORT=port, LATE_AFTER=0.001):

            def after() -> None:
                visit.wait("document.getElementById('link').dataset.state === 'online'")
                visit.sees("迟到的提醒")
                visit.say("打车20", "¥20.00")
                assert len(as_list(visit.messages())) == len(
                    {*map(str, as_list(visit.messages()))}
                )

            await run(after, chrome)


async def run(scenario: Callable[[], None], chrome: Chrome, *, leave: bool = True) -> None:
    """Run what blocks beside the loop; leave the page so that it stops calling."""
    try:
        await asyncio.to_thread(scenario)
    finally:
        if leave:
            await asyncio.to_thread(chrome.get, "about:blank")
