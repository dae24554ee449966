"""The command line. Only what a command needs is imported when it runs, so that `qlc --version` starts at once."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence

from qlc.base.import_path import safe_path
from qlc.base.texts import escaped
from qlc.cli.parser import parser
from qlc.cli.start import start_lean
from qlc.cli.terminal import guard


def run(command: str, given: argparse.Namespace) -> int:
    """Run a command, whose modules are imported now: `qlc --help` does not pay for them."""
    match command:
        case "run" | "ask":
            from qlc.cli.commands import run

            return run(given)
        case "chat":
            from qlc.cli.chat import chat

            return chat(given)
        case "conversation":
            from qlc.cli.chat import conversation

            return conversation(given)
        case "decompose":
            from qlc.cli.answers import decompose

            return decompose(given)
        case "prompt":
            from qlc.cli.prompt import prompt

            return prompt(given)
        case "replay":
            from qlc.cli.replay import replay

            return replay(given)
        case "teach":
            from qlc.cli.teach import teach

            return teach(given)
        case "forms":
            from qlc.cli.teach import forms

            return forms(given)
        case "explain":
            from qlc.cli.explain import explain

            return explain(given)
        case "check":
            from qlc.cli.commands import check

            return check(given)
        case "eval":
            from qlc.cli.evaluate import evaluate

            return evaluate(given)
        case "fmt":
            from qlc.cli.formatting import fmt

            return fmt(given)
        case "complete":
            from qlc.cli.commands import complete

            return complete(given)
        case "mcp":
            from qlc.cli.agents import serve

            return serve(given)
        case "index":
            from qlc.cli.load import load_file

            return load_file(given)
        case "catalog":
            from qlc.cli.catalog import catalog

            return catalog(given)
        case "corpus":
            from qlc.cli.corpus import corpus

            return corpus(given)
        case "serve":
            from qlc.cli.serve import serve

            return serve(given)
        case "ui":
            from qlc.cli.page import ui

            return ui(given)
        case "repair":
            from qlc.cli.repair import repair

            return repair(given)
        case _:
            raise AssertionError(command)


def _log_to_file() -> None:
    """Technical detail goes to the file that $QLC_LOG names, and nowhere without it. Raises UsageError."""
    from qlc.base.errors import UsageError

    path = os.environ.get("QLC_LOG")
    try:
        handler = logging.FileHandler(path, encoding="utf-8") if path else logging.NullHandler()
    except OSError as problem:
        raise UsageError(f"$QLC_LOG names '{path}', which cannot be written: {problem.strerror}") from problem
    handler.setFormatter(_Escaping("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.basicConfig(handlers=[handler])


class _Escaping(logging.Formatter):
    """What is in the file may be looked at on a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return escaped(super().format(record))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code as documented in `qlc --help`."""
    for name in ("stdin", "stdout", "stderr"):  # Python has none of what the caller closed: `qlc ... >&-`
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))  # noqa: SIM115
    try:
        options = parser().read(arguments)
        _log_to_file()
        code = run(options.command, options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader of a pipe went away (`qlc ... | head`): what it wanted, it has.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as problem:
        from qlc.cli.exits import message_of

        found = message_of(problem)
        if found is None:
            raise
        message, code = found
        print(f"qlc: {message}", file=sys.stderr)
        return code


def entry() -> None:
    sys.path[:] = safe_path()  # even where $PYTHONPATH names the current folder: it may be one of papers
    start_lean()
    guard()
    sys.exit(main())


if __name__ == "__main__":
    entry()
