"""Prints which store keeps which promise: ``python -m tests.contract [pytest's options]``."""

import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.contract.openers import OPENERS

HERE = Path(__file__).parent
KEPT, BROKEN, SKIPPED, NOT_CHECKED = "yes", "NO", "skipped", "-"


class Outcomes:
    """Collects how each promise ended on each store."""

    def __init__(self) -> None:
        self.table: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the worst phase of a test; several cases of one promise count as one."""
        path, _, name = report.nodeid.partition("::")
        name, _, case = name.partition("[")
        port = Path(path).stem.removeprefix("test_")
        promise = name.removeprefix("test_").replace("_", " ")
        store = next((kind for kind in OPENERS if kind in case.rstrip("]").split("-")), "")
        outcome = {"passed": KEPT, "failed": BROKEN, "skipped": SKIPPED}[report.outcome]
        order = (KEPT, SKIPPED, BROKEN)
        before = self.table[port, promise].get(store, KEPT)
        self.table[port, promise][store] = max(before, outcome, key=order.index)

    def lines(self) -> list[str]:
        """Return the table in Markdown, with the sums per port at its end."""
        stores = list(OPENERS)
        lines = [f"| port | promise | {' | '.join(stores)} |", "|---" * (len(stores) + 2) + "|"]
        for (port, promise), outcomes in self.table.items():
            cells = (outcomes.get(store, NOT_CHECKED) for store in stores)
            lines.append(f"| {port} | {promise} | {' | '.join(cells)} |")
        lines += ["", f"| port | {' | '.join(stores)} |", "|---" * (len(stores) + 1) + "|"]
        for wanted in dict.fromkeys(port for port, _ in self.table):
            rows = [outcomes for (port, _), outcomes in self.table.items() if port == wanted]
            sums = (self._sum(rows, store) for store in stores)
            lines.append(f"| {wanted} | {' | '.join(sums)} |")
        return lines

    @staticmethod
    def _sum(rows: list[dict[str, str]], store: str) -> str:
        checked = [outcomes[store] for outcomes in rows if store in outcomes]
        return f"{checked.count(KEPT)} of {len(checked)}" if checked else NOT_CHECKED


def main() -> int:
    """Run the suite and print the table; the exit code is pytest's."""
    outcomes = Outcomes()
    code = pytest.main([str(HERE), "-q", "--no-header", *sys.argv[1:]], plugins=[outcomes])
    sys.stdout.write("\n".join(outcomes.lines()) + "\n")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
