import json
from pathlib import Path

import pytest

from bot.core.errors import ConfigurationError
from bot.core.service_file import read_services
from bot.environment import load_services
from bot.settings import Settings

SECRETS = {"KEY": "hunter2", "PATH_KEY": "swordfish"}


def read(**entries: object) -> list[object]:
    return list(read_services(json.dumps({"mcpServers": entries}), SECRETS.get))


def test_programs_and_addresses_are_read_and_references_filled() -> None:
    program, address = read_services(
        json.dumps(
            {
                "mcpServers": {
                    "weather": {"command": "uvx", "args": ["w"], "env": {"A": "${KEY}", "B": "b"}},
                    "maps": {
                        "url": "https://x.example/mcp?k=${KEY}",
                        "headers": {"H": "B ${KEY}"},
                    },
                    "off": {"command": "x", "disabled": True},
                }
            }
        ),
        SECRETS.get,
    )
    assert (program.name, program.command, program.args) == ("weather", "uvx", ("w",))
    assert {k: v.get_secret_value() for k, v in program.env.items()} == {"A": "hunter2", "B": "b"}
    assert address.url.get_secret_value() == "https://x.example/mcp?k=hunter2"
    assert address.headers["H"].get_secret_value() == "B hunter2"
    assert "hunter2" not in repr((program, address))


def assert_is_plain(says: str, *, names: str) -> None:
    """Hold what every fault is told like: one line, in our words, without a value of the file."""
    assert names in says
    assert "\n" not in says
    for word in ("Input", "should be", "validation", "pydantic", "type=", "hunter2", "_Entry"):
        assert word not in says


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({}, "either a command or a url"),
        ({"command": "x", "url": "http://y"}, "either a command or a url"),
        ({"command": "x", "args": ["${KEY}"]}, "put secrets into env"),
        ({"command": "x", "env": {"A": "${MISSING}"}}, "wants MISSING, which is not set"),
        ({"url": "ftp://x"}, "must be an address"),
        ({"url": "https://anna:${KEY}@x.example/"}, "must be an address"),
        ({"command": 7}, "command must be one text"),
        ({"command": "x", "args": "-m"}, "args must be a list of texts"),
        ({"command": "x", "args": [7]}, "args must be a list of texts"),
        ({"command": "x", "env": {"A": 7}}, "env must be names with texts"),
        ({"command": "x", "env": ["A"]}, "env must be names with texts"),
        ({"url": ["https://x"]}, "url must be one text"),
        ({"command": "x", "disabled": "perhaps"}, "disabled must be true or false"),
        ({"command": "x", "description": {}}, "description must be a text"),
        ({"url": "https://x", "type": "sse"}, "type"),
        ({"command": "x", "headers": {"A": "b\r\nC: d"}}, "headers"),
        ({"command": "x", "colour": "red"}, "colour"),
        ("x", "must be an entry"),
        (None, "must be an entry"),
    ],
)
def test_a_wrong_entry_is_named_without_its_secrets(entry: object, says: str) -> None:
    with pytest.raises(ValueError, match=says) as error:
        read(s=entry)
    assert_is_plain(str(error.value), names='server "s": ')


@pytest.mark.parametrize("name", ["a__b", "_a", "a_", "", "a b", "中", "x" * 40])
def test_a_name_that_could_be_taken_for_another_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="this name will not do"):
        read(**{name: {"command": "x"}})


def test_secrets_come_from_the_environment_or_from_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret").write_text("swordfish\n", encoding="utf-8")
    monkeypatch.setenv("A_KEY", "hunter2")
    monkeypatch.setenv("B_KEY_FILE", str(tmp_path / "secret"))
    file = tmp_path / "mcp.json"
    env = {"A": "${A_KEY}", "B": "${B_KEY}"}
    file.write_text(json.dumps({"mcpServers": {"s": {"command": "x", "env": env}}}))
    (service,) = load_services(Settings(_env_file=None, mcp_config=file))
    assert {k: v.get_secret_value() for k, v in service.env.items()} == {
        "A": "hunter2",
        "B": "swordfish",
    }
    assert load_services(Settings(_env_file=None)) == ()


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (None, "cannot be read (No such file or directory); correct the path"),
        (b"\xff\xfe", "not UTF-8"),
        (b"", "not JSON at line 1, column 1"),
        (b'{"mcpServers": {\n  "s": {"command": "x",}\n}}', "not JSON at line 2, column"),
        (b"[]", "must hold servers by name"),
        (b"{}", '"mcpServers" is missing; write {"mcpServers"'),
        (b'{"mcpServers": []}', "must hold servers by name"),
        (
            json.dumps({"mcpServers": {f"s{n}": {"command": "x"} for n in range(21)}}).encode(),
            "more than 20 servers",
        ),
        (b'{"mcpServers": {"s": {"comand": "x"}}}', 'server "s": comand is no field'),
    ],
)
def test_a_file_that_is_not_in_order_stops_the_start_with_one_plain_line(
    tmp_path: Path, source: bytes | None, says: str
) -> None:
    file = tmp_path / "mcp.json"
    if source is not None:
        file.write_bytes(source)
    with pytest.raises(ConfigurationError) as error:
        load_services(Settings(_env_file=None, mcp_config=file))
    assert_is_plain(str(error.value), names=f"MCP_CONFIG: {file}: ")
    assert says in str(error.value)
