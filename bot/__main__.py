"""The command line: ``python -m bot``, also ``switchboard``."""

import argparse
import sys
from collections.abc import Callable, Sequence

from bot.cli import people, serve, store, understand
from bot.cli.voice import complain
from bot.core.errors import ConfigurationError

EXIT_CONFIGURATION = 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; a problem that a person can mend ends with one line and code 2."""
    parser = argparse.ArgumentParser(prog="switchboard", description="A chat assistant.")
    parser.set_defaults(run=serve.run)
    commands = parser.add_subparsers(metavar="COMMAND")
    for group in (serve, understand, store, people):
        group.add_to(commands)
    options = parser.parse_args(arguments)
    try:
        run: Callable[[argparse.Namespace], int] = options.run
        sys.exit(run(options))
    except ConfigurationError as error:
        complain(str(error))
        sys.exit(EXIT_CONFIGURATION)


if __name__ == "__main__":
    main()
