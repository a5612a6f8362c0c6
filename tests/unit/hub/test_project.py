"""The shape of the project: manifests, help pages, names, settings table."""

import importlib
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import agents
from agents.manifests import FOLDERS, load_manifests
from agents.toolsets import GROUPS, node_tool_names
from bot.core.manifests import Manifest
from bot.environment import NAMES

ROOT = Path(__file__).parents[3]
LEAST_EXAMPLES = 25
ROUTABLE = [m for m in load_manifests() if m.routable]


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_every_agent_has_a_help_page_in_both_languages(folder: str, locale: str) -> None:
    page = ROOT / "agents" / folder / f"help.{locale}.md"

    assert len(page.read_text(encoding="utf-8").strip()) > 20


@pytest.mark.parametrize("manifest", ROUTABLE, ids=lambda m: m.intent)
def test_every_agent_has_enough_examples_in_both_languages(manifest: Manifest) -> None:
    chinese = [e for e in manifest.examples if re.search(r"[\u4e00-\u9fff]", e)]

    assert len(manifest.examples) >= LEAST_EXAMPLES
    assert len(set(manifest.examples)) == len(manifest.examples)
    assert len(chinese) >= 10
    assert len(manifest.examples) - len(chinese) >= 8


def test_labels_ids_and_branches_are_unique() -> None:
    manifests = load_manifests()

    for field in ("intent", "agent_id", "branch_id", "agent_name"):
        values = [getattr(m, field) for m in manifests]
        assert len(set(values)) == len(values), field


def test_the_tools_of_each_agent_are_those_of_its_groups() -> None:
    """Seed 000, NODE_TOOL_NAMES, as far as the tools exist; SELF is ours."""
    names = node_tool_names(load_manifests())

    assert names["ledger_manager"] == GROUPS["LEDGER"] | GROUPS["MEMORY"]
    shared = GROUPS["SHARED"] | GROUPS["MCP"]
    assert names["schedule_manager"] == shared | GROUPS["SCHEDULE"] | GROUPS["MEMORY"]
    own = GROUPS["VISION"] | GROUPS["CONVERSATION"] | GROUPS["SELF"]
    assert names["chat_manager"] == shared | own
    assert GROUPS["MEMORY"] < GROUPS["CONVERSATION"]
    assert names["help_center"] == frozenset()


REGISTERED = {  # seed 002, 7.1 and 2.6.5
    "MEETING": (
        "SA_Reservation",
        "SA-01",
        ("resource_booking", "availability_check", "conflict_recommendation"),
        "会议预定",
    ),
    "IOT": (
        "SA_Device_Control",
        "SA-02",
        ("device_control", "environment_control", "implicit_recovery"),
        "设备控制",
    ),
    "DATA": ("Data_Query", "DA-01", ("data_query", "report_recall", "dynamic_chart"), ""),
    "QA": ("QA_Chat", "QA-01", ("casual_chat", "knowledge_qa", "fuzzy_input"), ""),
    "TICKET": ("FA_Ticket", "FA-01", ("ticket_creation", "multimodal_input"), "工单创建"),
}


@pytest.mark.parametrize("intent", REGISTERED)
def test_the_workplace_agents_are_registered_as_the_seed_lists_them(intent: str) -> None:
    (manifest,) = (m for m in ROUTABLE if m.intent == intent)
    capsule = manifest.capsule.label.zh if manifest.capsule else ""

    assert REGISTERED[intent] == (
        manifest.agent_name,
        manifest.agent_id,
        manifest.capabilities,
        capsule,
    )


def test_the_package_called_agents_is_ours() -> None:
    assert str(ROOT / "agents") in str(agents.__file__)


@pytest.mark.parametrize("package", ["bot", "adapters", "agents", "storage"])
def test_init_files_hold_a_docstring_and_nothing_else(package: str) -> None:
    for path in (ROOT / package).rglob("__init__.py"):
        module = importlib.import_module(".".join(path.relative_to(ROOT).parent.parts))
        source = path.read_text(encoding="utf-8").strip()
        assert module.__doc__, path
        assert source.startswith('"""'), path
        assert source.endswith('"""'), path


def test_the_readme_lists_exactly_the_settings_that_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    part = readme.split("## Configure it")[1].split("## ")[0]

    listed = set(re.findall(r"^\| `([A-Z_]+)` \|", part, re.MULTILINE))

    assert listed == set(NAMES)


def _own_files() -> Iterator[Path]:
    """Every text file of the project."""
    folders = ("bot", "adapters", "agents", "storage", "tests", "benchmarks", ".ci")
    kinds = {".py", ".md", ".toml", ".yaml", ".txt", ".json", ".jsonl", ".sql", ".js", ".css", ""}
    for path in (*ROOT.glob("*"), *(p for folder in folders for p in (ROOT / folder).rglob("*"))):
        if path.is_file() and path.suffix in kinds and "__pycache__" not in path.parts:
            yield path


def test_no_tracked_file_names_a_registry_or_a_machine_path() -> None:
    registries = (
        r"pypi\.org/sim" r"ple|files\.python" r"hosted|registry\.npm" r"js|deb\.debian" r"\.org"
    )
    wrong = re.compile(rf"{registries}|/ro{'ot/'}|/wo{'rk/'}|/ho{'me/'}(?!switchboard)")
    for path in _own_files():
        assert not wrong.search(path.read_text(encoding="utf-8")), path


def test_every_version_is_locked_with_its_hashes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    wanted = [*project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        wanted.extend(extra)

    for requirement in wanted:
        name = re.split(r"[<>=;\[ ]", requirement)[0].lower().replace("_", "-")
        entry = re.search(rf"^{re.escape(name)}==\S+.*\\\n\s+--hash=sha256:", locked, re.MULTILINE)
        assert entry, requirement


CASES = ROOT.parent / "shared" / "cases" / "route" / "router.jsonl"
OWN_PHRASES = ROOT / "tests" / "data" / "routing" / "phrases.jsonl"


def _grams(text: str) -> set[str]:
    return {text[i : i + 3] for i in range(max(1, len(text) - 2))}


@pytest.mark.parametrize("path", [OWN_PHRASES, CASES], ids=["own", "shared"])
def test_no_example_is_a_near_copy_of_a_case(path: Path) -> None:
    if not path.exists():
        pytest.skip("the shared cases are not beside the project")
    texts = [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]
    cases = [(text, _grams(text)) for text in texts]

    near = [
        (example, text)
        for manifest in ROUTABLE
        for example in manifest.examples
        for text, grams in cases
        if len(_grams(example) & grams) >= 0.8 * len(_grams(example) | grams)
    ]

    assert near == []
