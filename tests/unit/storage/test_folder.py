"""The data folder is checked, and held by one process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.core.errors import ConfigurationError
from storage.folder import LOCK_NAME, lock_folder, prepare_folder

HOLD = """
import sys, pathlib
from storage.folder import lock_folder
with lock_folder(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_missing_folder_is_made(tmp_path: Path) -> None:
    with lock_folder(tmp_path / "a" / "b"):
        assert (tmp_path / "a" / "b").is_dir()


def test_a_second_holder_is_refused_in_one_line_that_says_what_to_do(tmp_path: Path) -> None:
    with lock_folder(tmp_path):
        with pytest.raises(ConfigurationError) as refusal, lock_folder(tmp_path):
            pass
        assert f"process {os.getpid()}" in str(refusal.value)
        assert "stop that one or name another folder" in str(refusal.value)
        assert "\n" not in str(refusal.value)


def test_the_folder_is_free_again_afterwards(tmp_path: Path) -> None:
    for _ in range(2):
        with lock_folder(tmp_path):
            assert (tmp_path / LOCK_NAME).read_text() == f"{os.getpid()}\n"


def test_a_killed_process_lets_go(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"held\n"
        with pytest.raises(ConfigurationError, match=str(child.pid)), lock_folder(tmp_path):
            pass
        child.kill()
        child.wait()
    with lock_folder(tmp_path):
        pass


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "data"
    place.write_text("")

    with pytest.raises(ConfigurationError, match="is a file"), lock_folder(place):
        pass
    with pytest.raises(ConfigurationError, match="cannot be made"):
        prepare_folder(place / "inner")


def test_a_folder_that_cannot_be_written_to_is_refused() -> None:
    with (
        pytest.raises(ConfigurationError, match="cannot be written to"),
        lock_folder(Path("/proc/self")),
    ):
        pass
