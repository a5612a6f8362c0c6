"""What `doctor` finds out about MCP servers."""

import json
from pathlib import Path

from bot.doctor import examine_services
from bot.settings import Settings
from tests.emulators.mcp_server import command


async def test_doctor_asks_each_server(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    entries = {"good": command(tmp_path / "n", "equal"), "gone": {"command": "/nowhere/at/all"}}
    file.write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")
    found = await examine_services(Settings(_env_file=None, data_dir=tmp_path, mcp_config=file))
    assert [(f.what, f.ok) for f in found] == [("mcp good", True), ("mcp gone", False)]
    assert found[0].says.startswith("13 tools, 8 of them only read; left out: echo: the name")
    assert found[1].says.startswith("FileNotFoundError; see what MCP_CONFIG says of gone")


async def test_doctor_says_what_is_wrong_with_the_file(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {"a__b": {"command": "x"}}}', encoding="utf-8")
    (found,) = await examine_services(Settings(_env_file=None, data_dir=tmp_path, mcp_config=file))
    assert not found.ok
    assert "a__b" in found.says
