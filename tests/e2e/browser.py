"""Chromium for tests: one throw-away profile, no network of its own, waits on conditions."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE_SECONDS = 15
PHONE = (360, 740)
DESKTOP = (1280, 800)


def programs() -> tuple[str, str] | None:
    """Return the paths of chromium and its driver, or None when one is missing."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


@contextmanager
def chromium(profile: Path, *, locale: str = "zh-CN") -> Iterator[Chrome]:
    """Run Chromium with a fresh profile; skip the test where it is not installed."""
    found = programs()
    if found is None:
        pytest.skip("chromium and chromedriver are not installed")
    options = ChromeOptions()
    options.binary_location = found[0]
    for argument in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        f"--lang={locale}",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"intl.accept_languages": locale})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(found[1]))
    try:
        yield driver
    finally:
        driver.quit()


def resize(driver: Chrome, size: tuple[int, int], *, dark: bool | None = None) -> None:
    """Make the page exactly this large, and the system light or dark."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False},
    )
    if dark is not None:
        feature = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


def wait_for(driver: Chrome, script: str, *arguments: object) -> object:
    """Return the first truthy value of a JavaScript expression."""
    return WebDriverWait(driver, PATIENCE_SECONDS, poll_frequency=0.05).until(
        lambda d: d.execute_script(f"return ({script});", *arguments),
        f"never true in the page: {script}",
    )


def click(driver: Chrome, selector: str) -> None:
    """Click the element as a person would: one that was just drawn anew is looked for again."""

    def pressed(page: WebDriver) -> bool:
        page.find_element(By.CSS_SELECTOR, selector).click()
        return True

    passing = (
        NoSuchElementException,
        StaleElementReferenceException,
        ElementClickInterceptedException,
    )
    WebDriverWait(driver, PATIENCE_SECONDS, ignored_exceptions=passing).until(pressed)


def complaints(driver: Chrome) -> list[str]:
    """Return what the page's console holds against us."""
    log: list[dict[str, str]] = driver.get_log("browser")  # type: ignore[no-untyped-call]
    return [entry["message"] for entry in log if entry["level"] != "INFO"]
