"""The collector rests while an SDK is imported, however many are at once, and works afterwards."""

import gc
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from adapters.importing import resting_collector

ROOT = Path(__file__).parents[3]
IN_A_PROCESS = """
import gc
from pydantic import SecretStr
from adapters.llm.sdk import connect
from bot.core.providers import Provider

full = []
gc.callbacks.append(lambda phase, info: full.append(phase) if info["generation"] == 2 else None)
connect(Provider(name="p", base_url="http://127.0.0.1:9", model="m", prices={}))
print(len(full), gc.isenabled(), gc.get_freeze_count() > 100_000)
"""


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    """The collector as a process begins with it."""
    gc.enable()
    yield
    gc.enable()


def test_it_rests_inside_and_works_again_outside_even_after_an_error() -> None:
    def broken() -> None:
        with resting_collector():
            assert not gc.isenabled()
            raise ImportError

    with pytest.raises(ImportError):
        broken()
    assert gc.isenabled()


def test_of_several_imports_the_last_one_wakes_it() -> None:
    both_are_in = Barrier(2)
    first_is_out = Barrier(2)

    def short() -> None:
        with resting_collector():
            both_are_in.wait(10)
        first_is_out.wait(10)

    def long() -> bool:
        with resting_collector():
            both_are_in.wait(10)
            first_is_out.wait(10)
            return gc.isenabled()

    with ThreadPoolExecutor(2) as pool:
        done, is_awake = pool.submit(short), pool.submit(long)
        done.result(20)
        assert is_awake.result(20) is False
    assert gc.isenabled()


def test_who_has_it_switched_off_keeps_it_so() -> None:
    gc.disable()
    with resting_collector():
        pass
    assert not gc.isenabled()


def test_loading_the_model_makes_no_full_run_and_leaves_little_for_the_next() -> None:
    """A full run over what the SDK brings along held the loop up for 60 to 120 ms."""
    pytest.importorskip("langchain_openai")
    ended = subprocess.run(
        [sys.executable, "-c", IN_A_PROCESS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ended.stdout.split() == ["0", "True", "True"], ended.stdout
