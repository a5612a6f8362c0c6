"""Commands that are called without what they need, and where they write."""

from pathlib import Path

import pytest

from bot.__main__ import main
from tests.emulators.telegram import BotApi, typed


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each command starts in an empty folder."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return home


def called(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_explain_without_a_text_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert called("explain") != 0
    said = capsys.readouterr().err

    assert "--file" in said


def test_the_gallery_is_written_to_the_folder_that_is_named(
    tmp_path: Path, elsewhere: Path
) -> None:
    assert called("gallery", str(tmp_path / "pages")) == 0

    assert len(list((tmp_path / "pages").glob("gallery-*.html"))) == 2
    assert list(elsewhere.iterdir()) == []


def test_without_a_folder_the_gallery_leaves_the_place_clean_and_says_where_it_is(
    elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert called("gallery") == 0

    assert list(elsewhere.iterdir()) == []
    for line in capsys.readouterr().out.splitlines():
        assert Path(line.split()[0]).is_file()


@pytest.mark.parametrize("words", ["!1", "!0", "!99"])
def test_a_press_at_the_emulators_console_without_a_button_is_no_crash(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(BotApi("42:test"), words)

    assert "no such button" in capsys.readouterr().out
