"""Optional parts of the installation, and the one line that installs one.

Never ``pip install switchboard``: that name belongs to somebody else's package.
"""

IN_SETUP = frozenset({"charts", "feishu", "local", "telegram", "mongo", "llm", "mcp", "web"})
"""What `make setup` installs: `RUN_EXTRAS` of the Makefile (a test compares them)."""


def install(extra: str) -> str:
    """Return the command, to be typed in the checkout, that installs an extra.

    Both ways take the versions and hashes of constraints.txt.
    """
    if extra in IN_SETUP:
        return "make setup"
    return f".venv/bin/uv pip install -c constraints.txt -e '.[{extra}]'"
