"""Every row of the seeds' routing tables is held by a test that exists."""

from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
DATA = ROOT / "tests" / "data" / "routing"
TRACE = yaml.safe_load((DATA / "seed_trace.yaml").read_text(encoding="utf-8"))
ROWS = [
    (f"{seed}, {row}", held_by) for seed, rows in TRACE.items() for row, held_by in rows.items()
]
CONVERSATIONS = {
    case["name"]
    for case in yaml.safe_load((DATA / "conversations.yaml").read_text(encoding="utf-8"))
}


@pytest.mark.parametrize(("row", "held_by"), ROWS, ids=[row for row, _ in ROWS])
def test_the_row_is_held_by_tests_that_exist(
    row: str, held_by: list[str | dict[str, str]]
) -> None:
    assert held_by, row
    for test in held_by:
        if isinstance(test, dict):
            assert test["conversation"] in CONVERSATIONS
            continue
        path, _, name = test.partition("::")
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), test
