"""Installing an extra: the line that is shown works in the checkout, and fetches nobody's else."""

import re
import tomllib
from pathlib import Path

import pytest

from bot.core.extras import IN_SETUP, install

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = sorted(PROJECT["optional-dependencies"])


def test_what_make_setup_installs_is_known() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    found = re.search(r"^RUN_EXTRAS := (.+)$", makefile, re.MULTILINE)

    assert found
    assert frozenset(found[1].split(",")) == IN_SETUP


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_is_installed_from_the_checkout_with_its_versions_held(extra: str) -> None:
    line = install(extra)

    assert line == "make setup" or ("-c constraints.txt" in line and f"'.[{extra}]'" in line)


def test_nothing_tells_anybody_to_install_a_strangers_package() -> None:
    """A package called `switchboard` on PyPI is not ours."""
    sources = [
        *(
            f
            for folder in ("bot", "adapters", "agents", "storage")
            for f in (ROOT / folder).rglob("*")
        ),
        ROOT / "README.md",
    ]
    texts = [f for f in sources if f.suffix in {".py", ".md", ".toml", ".yaml"} and f.is_file()]

    assert len(texts) > 100
    assert not [f for f in texts if "switchboard[" in f.read_text(encoding="utf-8")]


@pytest.mark.parametrize("extra", [e for e in EXTRAS if e != "dev"])
def test_the_readme_names_every_extra(extra: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    part = readme.partition("**Extras.**")[2].partition("\n\n")[0]

    assert f"`{extra}`" in part
