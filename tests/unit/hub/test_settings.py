"""Settings: wrong ones stop the start with one line that says what to do."""

from pathlib import Path

import pytest

from bot.core.errors import ConfigurationError
from bot.core.manifests import Pack
from bot.environment import FILE_NAMES, NAMES, load_settings


@pytest.fixture
def env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in NAMES | FILE_NAMES:
        monkeypatch.delenv(name, raising=False)
    return tmp_path / ".env"


def complaint(env_file: Path) -> str:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(env_file)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_an_unknown_name_in_the_file_is_refused_with_the_nearest_right_one(env_file: Path) -> None:
    env_file.write_text("HTTP_PROT=1\n", encoding="utf-8")

    assert "did you mean HTTP_PORT" in complaint(env_file)


def test_an_unknown_platform_setting_in_the_environment_is_refused(
    env_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FEISHU_APPID", "x")

    assert "FEISHU_APPID" in complaint(env_file)


def test_a_near_miss_in_the_environment_is_warned_about(
    env_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIME_ZONE", "x")

    _, warnings = load_settings(env_file)

    assert warnings == ("TIME_ZONE is not a setting; did you mean TIMEZONE?",)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("HTTP_PORT=99999", "HTTP_PORT"),
        ("TIMEZONE=Mars/Base", "TIMEZONE"),
        ("PACKS=personal,fun", "PACKS"),
        ("LOCALE=fr", "LOCALE"),
        ("SHUTDOWN_GRACE=-1", "SHUTDOWN_GRACE"),
        ("CURRENCY=yuan", "CURRENCY"),
        ("CURRENCY=XXZ", "CURRENCY"),
        ("ADMIN_IDS=123", "ADMIN_IDS"),
        ("ALLOWED_IDS=telegram:1,456", "ALLOWED_IDS"),
        ("OPENAI_PROXY=zzz", "OPENAI_PROXY"),
        ("OPENAI_API_KEY=sk-密钥", "OPENAI_API_KEY"),
        ("HTTP_PORT=zzz", "HTTP_PORT"),
    ],
)
def test_a_wrong_value_names_its_setting(env_file: Path, line: str, named: str) -> None:
    env_file.write_text(line, encoding="utf-8")

    said = complaint(env_file)
    assert said.startswith(f"{named}: ")
    assert "Input should be" not in said
    assert "Value error" not in said
    assert "密钥" not in said


def test_lists_are_written_with_commas(env_file: Path) -> None:
    env_file.write_text("PACKS=personal, travel\nALLOWED_IDS=web:local,telegram:7\n")

    settings, _ = load_settings(env_file)

    assert settings.packs == {Pack.PERSONAL, Pack.TRAVEL}
    assert settings.allowed_ids == {"web:local", "telegram:7"}


def test_a_value_may_come_from_a_file(
    env_file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "zone").write_text("Asia/Tokyo\n", encoding="utf-8")
    monkeypatch.setenv("TIMEZONE_FILE", str(tmp_path / "zone"))

    assert load_settings(env_file)[0].timezone == "Asia/Tokyo"


def test_a_platforms_secret_may_come_from_a_file_that_the_environment_names(
    env_file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "token").write_text("42:secret\n", encoding="utf-8")
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN_FILE", str(tmp_path / "token"))

    settings, _ = load_settings(env_file)

    assert settings.telegram_bot_token.get_secret_value() == "42:secret"


def test_an_empty_value_is_none_at_all(env_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_DIR", "")
    env_file.write_text("HTTP_PORT=\nTIMEZONE=\n", encoding="utf-8")

    settings, _ = load_settings(env_file)

    assert (settings.data_dir, settings.http_port) == (Path("data"), 8080)
    assert settings.timezone == "Asia/Shanghai"


def test_a_file_that_is_not_there_is_named(
    env_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMEZONE_FILE", "/nowhere/zone")

    assert "/nowhere/zone" in complaint(env_file)


def test_a_secret_may_lie_in_a_file_that_the_settings_file_names(env_file: Path) -> None:
    key = env_file.with_name("key.txt")
    key.write_text("sk-lies-in-a-file\n", encoding="utf-8")
    env_file.write_text(f"OPENAI_API_KEY_FILE={key}\n", encoding="utf-8")

    settings, warnings = load_settings(env_file)

    assert settings.openai_api_key.get_secret_value() == "sk-lies-in-a-file"
    assert warnings == ()
