"""A wrong manifest of the operator stops the start with one line: file, field, what is wrong."""

from pathlib import Path

import pytest

from agents.manifests import joined, load_manifests, load_remote
from bot.core.errors import ConfigurationError

EXAMPLES = Path(__file__).parents[2] / "data" / "remote"


def test_the_example_of_the_readme_is_in_order_beside_our_own_agents() -> None:
    (dice,) = load_remote(EXAMPLES)

    assert dice in joined(load_manifests(), (dice,))


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("agent_name: Dice\n", "agent_id: is missing"),
        ("- a\n- b\n", "the file: "),
        ("agent_name: [\n", "line 2: not YAML: "),
    ],
)
def test_a_wrong_manifest_is_told_in_one_plain_line(
    tmp_path: Path, source: str, part: str
) -> None:
    (tmp_path / "dice.yaml").write_text(source, encoding="utf-8")

    with pytest.raises(ConfigurationError) as caught:
        load_remote(tmp_path)

    said = str(caught.value)
    assert said.startswith(f"{tmp_path / 'dice.yaml'}: ")
    assert part in said
    assert "\n" not in said
    assert "pydantic" not in said
    assert "Input should be" not in said
