"""The doctor: it tells a running bot from a broken set-up, and each fault once."""

from pathlib import Path

import pytest
from blockbuster import BlockBuster

from bot.doctor import examine
from bot.settings import Settings
from storage.folder import lock_folder


@pytest.fixture(autouse=True)
def alone(nothing_blocks_the_loop: BlockBuster) -> None:
    """The doctor serves nobody, so it may block."""
    nothing_blocks_the_loop.deactivate()


async def told(folder: Path, **more: object) -> dict[str, tuple[bool, str]]:
    values: dict[str, object] = {"data_dir": folder, "http_port": 0, **more}  # any free port
    settings = Settings(_env_file=None, **values)  # type: ignore[arg-type]
    return {finding.what: (finding.ok, finding.says) for finding in await examine(settings, ())}


async def test_while_the_bot_runs_the_doctor_says_so_and_finds_no_fault(tmp_path: Path) -> None:
    with lock_folder(tmp_path):
        found = await told(tmp_path)

    assert found["bot"][0]
    assert "is running" in found["bot"][1]
    assert all(ok for ok, _ in found.values())
    assert "data folder" not in found
    assert found["store"][0]


async def test_a_fault_of_the_services_file_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text("{", encoding="utf-8")

    found = await told(tmp_path / "data", mcp_config=tmp_path / "mcp.json")

    assert [what for what, (ok, _) in found.items() if not ok] == ["mcp"]


async def test_to_look_at_an_empty_folder_leaves_no_store_there(tmp_path: Path) -> None:
    found = await told(tmp_path / "data")

    assert found["store"] == (True, "none yet; the first start makes it")
    assert not (tmp_path / "data" / "switchboard.db").exists()


async def test_a_branch_that_is_not_there_is_a_fault_of_the_settings(tmp_path: Path) -> None:
    found = await told(tmp_path / "data", branches="feishu=MEETING")

    assert not found["settings"][0]
    assert "PACKS" in found["settings"][1]
