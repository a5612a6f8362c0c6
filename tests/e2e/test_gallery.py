"""The gallery in a real browser: nothing clipped on a phone, everything readable."""

import os
from pathlib import Path

import pytest

from bot.gallery.page import page
from bot.gallery.samples import samples
from tests.e2e.browser import PHONE, chromium, resize

KEPT = Path(__file__).parents[1] / "data" / "gallery"

CLIPPED = """
return [...document.querySelectorAll('body, body *')].filter(e => {
  const style = getComputedStyle(e);
  if (style.display === 'inline' || style.overflowX === 'auto') return false;
  if (e.closest('pre, .scroll')) return false;
  return e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > innerWidth + 1;
}).map(e => e.outerHTML.slice(0, 120))
"""

PALE = """
const channel = c => { c /= 255; return c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; };
const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
const colour = text => text.match(/[\\d.]+/g).map(Number);
const behind = e => {
  for (; e; e = e.parentElement) {
    const found = colour(getComputedStyle(e).backgroundColor);
    if (found.length < 4 || found[3] > 0) return found;
  }
  return [255, 255, 255];
};
const pale = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const e = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || e.closest('style, script')) continue;
  const both = [light(colour(getComputedStyle(e).color)), light(behind(e))];
  const [a, b] = both.sort((x, y) => y - x);
  const contrast = (a + .05) / (b + .05);
  if (contrast < 4.5) pale.push([contrast.toFixed(2), e.outerHTML.slice(0, 100)]);
}
return pale;
"""


@pytest.mark.e2e
@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_the_gallery_is_whole_and_readable_on_a_phone_in_light_and_dark(
    tmp_path: Path, locale: str
) -> None:
    """No clipping at 360 px, contrast of 4.5 and more; with `KEEP_GALLERY` pictures are kept."""
    file = tmp_path / "gallery.html"
    file.write_text(page(locale), encoding="utf-8")
    with chromium(tmp_path / "profile", locale=locale) as driver:
        for dark in (False, True):
            resize(driver, PHONE, dark=dark)
            driver.get(file.as_uri())
            assert driver.execute_script(CLIPPED) == []
            assert driver.execute_script(PALE) == []
            columns = driver.execute_script("return document.querySelectorAll('.column').length")
            assert columns == 3 * len(samples(locale))
            if "KEEP_GALLERY" in os.environ:  # noqa: TID251  # for who makes them anew
                resize(driver, (1200, 2150), dark=dark)
                name = f"{locale}-{'dark' if dark else 'light'}.png"
                KEPT.mkdir(exist_ok=True)
                driver.save_screenshot(str(KEPT / name))
