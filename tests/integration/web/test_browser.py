"""The page in a real browser, with an echo behind it."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from adapters.web.parse import chat_of
from bot.core.events import (
    ButtonPressed,
    CapsuleToggled,
    CommandReceived,
    MessageRecalled,
    MessageReceived,
)
from bot.core.inbox import RawUpdate, Receipt
from bot.core.messages import (
    ChartBlock,
    ChartSeries,
    FieldsBlock,
    Key,
    TableBlock,
    TextBlock,
    Tone,
)
from bot.core.outbox import Purpose
from bot.core.ports import Growing
from bot.core.words import Verbatim
from tests.e2e.browser import DESKTOP, PHONE, chromium, click, complaints, resize, wait_for
from tests.integration.web.fakes import World

T = TypeVar("T")
UNDO = "undo"
CONTRAST = """(() => {
  const parse = (text) => {
    const n = text.match(/[\\d.]+/g).map(Number);
    const scale = text.startsWith('color(') ? 1 : 255;
    return { rgb: n.slice(0, 3).map((v) => v / scale), alpha: n[3] ?? 1 };
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.alpha === 1) return colour.rgb;
    }
    return [1, 1, 1];
  };
  const weak = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !element.checkVisibility() || element.matches(':disabled')) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color).rgb), light(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) weak.push(`${element.className || element.tagName} ${ratio.toFixed(2)}`);
  }
  return weak;
})()"""
SMALL = """[...document.querySelectorAll('button:not(.quiet), .hint, summary')]
  .filter((e) => e.checkVisibility()).map((e) => [e.className, e.getBoundingClientRect()])
  .filter(([, box]) => box.height < 40 || box.width < 40).map(([name]) => name)"""
OUTSIDE = """[...document.querySelectorAll('body *')]
  .filter((e) => e.checkVisibility() && !e.closest('.table, .capsules, .previews'))
  .filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5
    || e.getBoundingClientRect().left < -0.5).map((e) => e.className || e.tagName)"""
CAPSULE_LOOK = """(() => {
  const style = getComputedStyle(document.querySelector(arguments[0]));
  return [style.borderTopColor, style.color, style.backgroundColor];
})()"""


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with chromium(tmp_path_factory.mktemp("chrome") / "profile") as driver:
        yield driver


@pytest.fixture
async def world() -> AsyncIterator[World]:
    """A bot that echoes, with an Undo button, and does what presses and capsules ask."""
    world = World()
    world.inbox.receipts["button"] = Receipt(status="accepted", text=Verbatim("已撤销"))
    async with asyncio.TaskGroup() as tasks:

        async def answer(raw: RawUpdate) -> None:
            tasks.create_task(react(world, raw))

        world.inbox.answer = answer
        async with world.served():
            yield world


async def react(world: World, raw: RawUpdate) -> None:
    event = world.adapter.parse(raw)
    match event:
        case CommandReceived():
            await world.say(TextBlock(Verbatim("你好，我是 Switchboard。")), event_id=raw.event_id)
        case MessageReceived(text=words, edited=edited):
            await world.adapter.show_typing(event.chat)
            said = f"改成：{words}" if edited else f"收到：{words}"
            undo = Key(label=Verbatim("撤销"), token=UNDO, tone=Tone.DANGER)
            await world.say(TextBlock(Verbatim(said)), keys=((undo,),), event_id=raw.event_id)
        case ButtonPressed(message_id=message_id):
            await world.say(TextBlock(Verbatim("已撤销。")), replaces=message_id)
        case CapsuleToggled(intent=intent):
            chosen = world.views.selected.get("local")
            world.views.selected["local"] = None if chosen == intent else intent
            await world.adapter.refresh(event.chat, event.account)
        case MessageRecalled():
            raise AssertionError("nothing is taken back on the web")


class Visit:
    """A browser at the page; its methods block, so they run beside the server's loop."""

    def __init__(self, chrome: Chrome, world: World) -> None:
        self.chrome = chrome
        self.world = world
        self._loop = asyncio.get_running_loop()

    def open(self, *, size: tuple[int, int] = DESKTOP, dark: bool = False) -> None:
        complaints(self.chrome)  # of the test before
        resize(self.chrome, size, dark=dark)
        self.chrome.get(f"{self.world.origin}/")
        self.wait("document.querySelectorAll('.item.bot').length > 0")

    def wait(self, script: str) -> object:
        return wait_for(self.chrome, script)

    def run(self, script: str, *arguments: object) -> object:
        return self.chrome.execute_script(f"return ({script});", *arguments)

    def type(self, *keys: str) -> None:
        self.chrome.find_element(By.ID, "input").send_keys(*keys)

    def say(self, words: str) -> None:
        self.type(words, Keys.ENTER)

    def sees(self, words: str) -> None:
        wait_for(self.chrome, "document.body.innerText.includes(arguments[0])", words)

    def click(self, selector: str) -> None:
        click(self.chrome, selector)

    def turn_wheel_up(self) -> None:
        origin = ScrollOrigin.from_element(self.chrome.find_element(By.ID, "scroller"))
        ActionChains(self.chrome).scroll_from_origin(origin, 0, -100_000).perform()

    def texts(self, selector: str) -> object:
        return self.run(
            "[...document.querySelectorAll(arguments[0])].map((e) => e.innerText.trim())", selector
        )

    def server(self, work: Coroutine[object, object, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


@pytest.fixture
async def visit(chrome: Chrome, world: World) -> AsyncIterator[Visit]:
    yield Visit(chrome, world)
    await asyncio.to_thread(chrome.get, "about:blank")


async def test_a_newcomer_is_greeted_and_a_message_gets_its_answer(visit: Visit) -> None:
    def scenario() -> None:
        visit.open()
        assert visit.texts(".item.own") == []
        visit.click(".hint")
        visit.type(" 元", Keys.ENTER)
        visit.sees("收到：午饭 35 元")
        assert visit.texts(".item.own .prose") == ["午饭 35 元"]
        assert visit.run("document.getElementById('hints').hidden")
        assert complaints(visit.chrome) == []

    await asyncio.to_thread(scenario)


async def test_a_growing_answer_is_one_bubble_that_the_answer_replaces(visit: Visit) -> None:
    def scenario() -> None:
        visit.open()
        event = "web:web:local:growing"

        def grow(words: str) -> None:
            growing = Growing(event_id=event, chat=chat_of("local"), text=words, locale="zh-CN")
            visit.server(visit.world.adapter.preview(growing))

        grow("从前")
        visit.sees("从前")
        grow("从前有座**山**")
        visit.sees("从前有座山")
        assert visit.texts(".item.growing") == ["从前有座山"]
        assert visit.run("document.getElementById('list').lastElementChild.className").endswith(  # type: ignore[attr-defined]
            "growing"
        )

        visit.server(visit.world.say(TextBlock(Verbatim("从前有座山。")), event_id=event))
        visit.sees("从前有座山。")
        grow("太晚了")
        visit.say("早")
        visit.sees("收到：早")
        assert visit.texts(".item.growing") == []
        assert visit.texts(".item .prose")[1:] == ["从前有座山。", "早", "收到：早"]  # type: ignore[index]
        assert complaints(visit.chrome) == []

    await asyncio.to_thread(scenario)


async def test_a_reload_keeps_the_chat_and_the_draft(visit: Visit) -> None:
    def scenario() -> None:
        visit.open()
        visit.say("早")
        visit.sees("收到：早")
        visit.type("还没写完")
        visit.chrome.refresh()
        visit.sees("收到：早")
        assert visit.texts(".item .prose") == ["你好，我是 Switchboard。", "早", "收到：早"]
        assert visit.run("document.getElementById('input').value") == "还没写完"

    await asyncio.to_thread(scenario)


async def test_what_is_said_while_the_server_is_away_arrives_once_when_it_is_back(
    chrome: Chrome,
) -> None:
    world = World()
    visit = Visit(chrome, world)
    async with world.served():
        await world.say(TextBlock(Verbatim("你好")))
        await asyncio.to_thread(visit.open)

    def away() -> None:
        visit.wait("document.getElementById('link').dataset.state === 'offline'")
        visit.say("在吗")
        visit.wait("document.querySelector('.item.waiting')")

    await asyncio.to_thread(away)
    async with world.served():
        await asyncio.to_thread(visit.wait, "document.querySelector('.item.own:not(.waiting)')")

    assert [raw.delivery_key.split(":")[0] for raw in world.inbox.accepted] == ["local"]
    assert visit.texts(".item.own .prose") == ["在吗"]
    await asyncio.to_thread(chrome.get, "about:blank")


async def test_what_could_not_be_stored_survives_a_reload_and_is_sent_once(visit: Visit) -> None:
    def scenario() -> None:
        visit.open()
        visit.world.inbox.is_down = True
        visit.say("别丢")
        visit.wait("document.querySelector('.toast.bad')")
        visit.chrome.refresh()
        visit.wait("document.querySelector('.item.waiting')")
        visit.world.inbox.is_down = False
        visit.sees("收到：别丢")
        assert visit.texts(".item.own .prose") == ["别丢"]

    await asyncio.to_thread(scenario)


async def test_a_refused_message_says_why_and_goes_back_to_the_input(visit: Visit) -> None:
    def scenario() -> None:
        visit.open()
        visit.world.inbox.receipts["message"] = Receipt(
            status="refused", text=Verbatim("排队已满，请稍后再发。")
        )
        visit.say("太多了")
        visit.sees("排队已满，请稍后再发。")
        visit.click(".item.failed .quiet")
        assert visit.run("document.getElementById('input').value") == "太多了"
        assert visit.texts(".item.own") == []

    await asyncio.to_thread(scenario)


async def test_enter_sends_shift_enter_breaks_the_line_and_composing_does_neither(
    visit: Visit,
) -> None:
    def scenario() -> None:
        visit.open()
        visit.type("一", Keys.SHIFT + Keys.ENTER, Keys.NULL, "二")
        visit.run(
            "document.getElementById('input').dispatchEvent(new KeyboardEvent('keydown',"
            " { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }))"
        )
        assert visit.run("document.getElementById('input').value") == "一\n二"
        visit.type(Keys.ENTER)
        visit.sees("收到：一\n二")

    await asyncio.to_thread(scenario)


async def test_a_pressed_button_shows_its_toast_and_the_message_is_repainted(visit: Visit) -> None:
    def scenario() -> None:
        visit.open()
        visit.say("午饭 35")
        visit.click(".key.danger")
        visit.sees("已撤销。")
        visit.wait("document.querySelector('.toast')?.textContent === '已撤销'")
        visit.wait("!document.querySelector('.key')")
        assert visit.texts(".item.bot .prose") == ["你好，我是 Switchboard。", "已撤销。"]

    await asyncio.to_thread(scenario)


async def test_capsules_have_three_looks_and_at_most_one_is_selected(visit: Visit) -> None:
    def scenario() -> None:
        visit.open()
        transparent = "rgba(0, 0, 0, 0)"
        plain = visit.run(CAPSULE_LOOK, "[data-intent=IOT]")
        visit.click("[data-intent=MEETING]")
        visit.wait("document.querySelector('[data-intent=MEETING][aria-pressed=true]')")
        visit.click("[data-intent=IOT]")
        visit.wait("document.querySelector('[data-intent=IOT][aria-pressed=true]')")
        assert len(visit.chrome.find_elements(By.CSS_SELECTOR, "[aria-pressed=true]")) == 1
        assert visit.texts(".item.own") == []
        visit.chrome.execute_cdp_cmd(
            "Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 5, "y": 5}
        )
        visit.wait("document.getAnimations().every((a) => a.playState !== 'running')")
        brand = visit.run("getComputedStyle(document.body).getPropertyValue('--brand')")
        selected = visit.run(CAPSULE_LOOK, "[data-intent=IOT]")
        assert isinstance(plain, list)
        assert isinstance(selected, list)
        assert brand == "#4753d0"
        assert plain[2] == transparent
        assert selected[2] not in {transparent, "rgb(255, 255, 255)"}
        assert selected[:2] == ["rgb(71, 83, 208)", "rgb(71, 83, 208)"]
        visit.click("[data-intent=IOT]")
        visit.wait("!document.querySelector('[aria-pressed=true]')")

    await asyncio.to_thread(scenario)
    assert visit.world.views.selected == {"local": None}


async def test_an_own_message_is_edited_in_place(visit: Visit) -> None:
    def scenario() -> None:
        visit.open()
        visit.say("午饭 35")
        visit.sees("收到：午饭 35")
        visit.run("document.querySelector('.editable .edit').click()")
        visit.type("0", Keys.ENTER)
        visit.sees("改成：午饭 350")
        assert visit.texts(".item.own .prose") == ["午饭 350"]
        visit.sees("已修改")

    await asyncio.to_thread(scenario)


async def test_a_picture_is_previewed_sent_and_shown(visit: Visit, tmp_path: Path) -> None:
    picture, program = tmp_path / "收据.gif", tmp_path / "bad.exe"
    picture.write_bytes(b"GIF89a\x01\x00\x01\x00\x00\x00\x00;")
    program.write_bytes(b"MZ\x00\x00")

    def scenario() -> None:
        visit.open()
        visit.chrome.find_element(By.ID, "picker").send_keys(f"{picture}\n{program}")
        visit.wait("document.querySelector('.toast.bad')")
        visit.wait("document.querySelector('.preview') && !document.querySelector('.progress')")
        visit.say("报销")
        visit.sees("收到：报销")
        assert visit.run("document.getElementById('previews').hidden")

    await asyncio.to_thread(scenario)
    event = visit.world.parsed()[-1]
    assert isinstance(event, MessageReceived)
    assert [attachment.name for attachment in event.attachments] == ["收据.gif"]


async def test_markup_in_messages_is_text(visit: Visit) -> None:
    attack = "<img src=x onerror=alert(1)><b>**粗** javascript:alert(1) https://a.example/?q=<x>"

    def scenario() -> None:
        visit.open()
        visit.say(attack)
        visit.sees("收到：")
        assert visit.run("document.querySelectorAll('.bubble img, .bubble b').length") == 0
        assert (
            visit.run("[...document.querySelectorAll('.bubble a')].map((a) => a.href)")
            == ["https://a.example/?q="] * 2
        )
        assert visit.texts(".item.own .prose") == [attack]

    await asyncio.to_thread(scenario)


async def test_the_why_sheet_lists_the_trace(visit: Visit) -> None:
    def scenario() -> None:
        visit.open()
        visit.world.views.traces["local", "web:web:local:~start"] = (Verbatim("来源：命令"),)
        visit.run("document.querySelector('.why').click()")
        visit.wait("document.querySelector('#sheet[open] li')")
        assert visit.texts("#sheet li") == ["来源：命令"]
        visit.click("#sheet .icon-button")
        visit.wait("!document.querySelector('#sheet[open]')")

    await asyncio.to_thread(scenario)


async def test_a_reader_of_old_messages_is_not_pulled_down_but_told(visit: Visit) -> None:
    def scenario() -> None:
        visit.open(size=PHONE)
        for nth in range(20):
            visit.server(visit.world.say(TextBlock(Verbatim(f"第 {nth} 条\n" * 3))))
        visit.sees("第 19 条")
        at_bottom = (
            "(() => { const s = document.getElementById('scroller');"
            " return s.scrollHeight - s.scrollTop - s.clientHeight < 2; })()"
        )
        visit.wait(at_bottom)
        visit.turn_wheel_up()
        visit.wait("!document.getElementById('pill').hidden")
        visit.wait("document.getElementById('scroller').scrollTop === 0")
        visit.server(visit.world.say(TextBlock(Verbatim("新的"))))
        visit.wait("document.getElementById('pill').innerText.includes('1 条新消息')")
        assert visit.run("document.getElementById('scroller').scrollTop") == 0
        visit.click("#pill")
        visit.wait(at_bottom)
        visit.wait("document.getElementById('pill').hidden")

    await asyncio.to_thread(scenario)


async def test_a_reminder_arrives_by_itself_and_is_marked(visit: Visit) -> None:
    def scenario() -> None:
        visit.open()
        visit.server(visit.world.say(TextBlock(Verbatim("开会")), purpose=Purpose.REMINDER))
        visit.wait("document.querySelector('.item.reminds.arrived')")

    await asyncio.to_thread(scenario)


async def test_a_slash_lists_the_commands_and_enter_takes_one(visit: Visit) -> None:
    def scenario() -> None:
        visit.open()
        visit.type("/")
        visit.wait("!document.getElementById('menu').hidden")
        visit.type(Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER)
        visit.wait("[...document.querySelectorAll('.item.own')].length === 1")
        assert visit.texts(".item.own .prose") == ["/help"]

    await asyncio.to_thread(scenario)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [PHONE, DESKTOP])
@pytest.mark.parametrize("locale", ["zh-CN", "en"])
async def test_everything_fits_reads_well_and_can_be_touched(
    visit: Visit, *, size: tuple[int, int], dark: bool, locale: str
) -> None:
    world = visit.world
    world.views.locale = locale
    world.views.selected["local"] = "IOT"
    long = Verbatim("长" * 90 + "w" * 90)
    await world.say(
        TextBlock(long),
        FieldsBlock(((Verbatim("说明"), long), (long, Verbatim("值"))), title=long),
        TableBlock((long, long), ((long, Verbatim("1")),)),
        ChartBlock("bar", long, (long, long), (ChartSeries(long, ("1", "2")),)),
        keys=(
            tuple(
                Key(label=Verbatim(f"按钮 {tone}"), token=tone.value, tone=tone) for tone in Tone
            ),
            (Key(label=long, token="long"),),  # noqa: S106
        ),
        event_id="web:web:local:1",
    )
    await world.say(TextBlock(Verbatim("到点了")), purpose=Purpose.REMINDER)

    def scenario() -> None:
        visit.open(size=size, dark=dark)
        visit.say("x" * 200)
        visit.wait("document.querySelector('.item.own:not(.waiting)')")
        visit.wait("document.documentElement.scrollWidth <= innerWidth")
        visit.wait("document.getAnimations().every((a) => a.playState !== 'running')")
        assert visit.run("document.documentElement.dataset.theme") == ("dark" if dark else "light")
        assert visit.run(OUTSIDE) == []
        assert visit.run(SMALL) == []
        assert visit.run(CONTRAST) == []
        assert complaints(visit.chrome) == []

    await asyncio.to_thread(scenario)
