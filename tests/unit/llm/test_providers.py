"""How models are configured: a clear format, and mistakes that are said without the key."""

from decimal import Decimal
from pathlib import Path

import pytest

from bot.core.errors import ConfigurationError
from bot.core.providers import read_fallbacks, read_keys, read_prices
from bot.environment import load_settings


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("API_KEY", "BASE_URL", "MODEL", "VISION_MODEL", "PROXY"):
        monkeypatch.delenv(f"OPENAI_{name}", raising=False)


def test_fallbacks_are_read_in_order() -> None:
    first, second = read_fallbacks(
        "deepseek=https://api.deepseek.com/v1/|deepseek-chat, local=http://127.0.0.1:1/v1|q|qv"
    )
    assert (first.name, first.base_url, first.model, first.vision_model) == (
        "deepseek",
        "https://api.deepseek.com/v1",
        "deepseek-chat",
        "",
    )
    assert (second.name, second.vision_model) == ("local", "qv")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("deepseek", "write name=address"),
        ("a=https://x.example/v1", "write name=address"),
        ("a=ftp://x.example|m", "not an address"),
        ("a=https://me:secret@x.example|m", "no key in the address"),
        ("a=https://x.example|m,a=https://y.example|m", "comes twice"),
        ("openai=https://x.example|m", "comes twice"),
    ],
)
def test_a_wrong_fallback_is_explained(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says) as caught:
        read_fallbacks(text)
    assert "secret" not in str(caught.value)


def test_a_wrong_key_list_is_explained_without_the_key() -> None:
    with pytest.raises(ValueError, match="item 2") as caught:
        read_keys("a=k1\nsk-verysecret")
    assert "secret" not in str(caught.value)


def test_prices_count_tokens() -> None:
    prices = read_prices("gpt-4o-mini=0.15/0.60")
    assert prices["gpt-4o-mini"].of(1_000_000, 500_000) == Decimal("0.45")
    with pytest.raises(ValueError, match="write model=input/output"):
        read_prices("gpt-4o-mini=cheap")


def test_keys_come_from_a_file_and_reach_their_provider(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keys = tmp_path / "keys"
    keys.write_text("deepseek=sk-fallback\n")
    monkeypatch.setenv("OPENAI_MODEL", "gpt-4o-mini")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-first")
    monkeypatch.setenv("LLM_FALLBACKS", "deepseek=https://api.deepseek.com/v1|deepseek-chat")
    monkeypatch.setenv("LLM_KEYS_FILE", str(keys))
    settings, _ = load_settings(tmp_path / "none")
    assert [p.key.get_secret_value() for p in settings.providers] == ["sk-first", "sk-fallback"]
    assert "sk-" not in repr(settings)


def test_no_model_is_asked_until_one_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-program")
    settings, _ = load_settings(tmp_path / "none")
    assert settings.providers == ()


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("LLM_FALLBACKS", "a=https://x.example|m", "OPENAI_MODEL is not set"),
        ("OPENAI_BASE_URL", "api.openai.com", "OPENAI_BASE_URL: .*not an address"),
        ("LLM_PRICES", "m=1", "LLM_PRICES: .*write model="),
        ("LLM_KEYS", "other=sk-secret", "LLM_KEYS names other"),
    ],
)
def test_a_wrong_setting_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str, says: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError, match=says) as caught:
        load_settings(tmp_path / "none")
    assert "secret" not in str(caught.value)
