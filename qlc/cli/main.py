"""The command line. Only what a command needs is imported when it runs, so that `qlc --version` starts at once."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple, NoReturn

from qlc.base.import_path import safe_path
from qlc.base.lazy import named
from qlc.base.texts import escaped
from qlc.base.version import VERSION
from qlc.cli import settings
from qlc.cli.start import start_lean
from qlc.cli.terminal import guard
from qlc.cli.waiting import waiting

EXIT_CODES = """exit codes:
  0  answered, even if the answer is empty
  1  the query has errors, or a check found some
  2  wrong usage of the command
  3  a clarification: a name matches several entities, or words can be read in several ways
  4  not found, cannot be answered exactly, not understood, or not a question
  5  the search server failed or did not answer

$QLC_LOG names a file for technical details.
"""


class _Parser(argparse.ArgumentParser):
    """An argument parser that reports an error as one sentence, without the list of all options."""

    def error(self, message: str) -> NoReturn:
        self.usage_error(self.prog, message)

    def usage_error(self, command: str, message: str) -> NoReturn:
        self.exit(2, f"{command}: {message}\n'{command} --help' lists the options.\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            listed = ", ".join(map(str, action.choices))
            raise argparse.ArgumentError(action, f"there is no '{value}'{_meant(value, action.choices)}: {listed}")

    def read(self, arguments: Sequence[str] | None) -> tuple[str, Any]:
        """Return the function of the command, and its settings. An unknown option is reported with the help of the
        command."""
        given, unknown = self.parse_known_args(arguments)
        if unknown:
            named = [one for one in unknown if one.startswith("-")] or unknown  # others are its values, or the query
            meant = _meant(named[0], [f"--{one}".replace("_", "-") for one in given.kind.options])
            self.usage_error(f"{self.prog} {given.command}", f"unrecognized arguments: {' '.join(named)}{meant}")
        does = COMMANDS[given.command].does.format(getattr(given, "action", ""))
        flags = {name: value for name, value in vars(given).items() if name in given.kind.options}
        return does, given.kind(**settings.from_environment(given.kind, flags, os.environ), **flags)


def _meant(wrong: str, names: Iterable[str]) -> str:
    """Return the name that is likely meant: `askk` -> ` (did you mean 'ask'?)`; empty if none is close."""
    from difflib import get_close_matches

    close = get_close_matches(wrong, names, 1, 0.7)
    return f" (did you mean '{close[0]}'?)" if close else ""


class Command(NamedTuple):
    """A command: its help, the function that runs it (`module:function` of this package, `{}` for the action), its
    settings.

    The settings are one class, or the help and a class for each action.
    """

    help: str
    does: str
    settings: type[settings.Settings] | Mapping[str, tuple[str, type[settings.Settings]]]


def parser() -> _Parser:
    top = _Parser(
        prog="qlc",
        description="Ask an Elasticsearch index questions in plain English, or in a small typed query language.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"qlc {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        made = commands.add_parser(name, help=command.help)
        if isinstance(command.settings, type):
            _add_options(made, command.settings)
            continue
        shown = [*command.settings] if len(command.settings) < 4 else ["add", "search", "status", "..."]
        # Their names say what is missing where none is given.
        actions = made.add_subparsers(dest="action", metavar="|".join(shown), required=True)
        for action, (purpose, kind) in command.settings.items():
            _add_options(actions.add_parser(action, help=purpose), kind)
    return top


def _add_options(command: argparse.ArgumentParser, kind: type[settings.Settings]) -> None:
    """Add an option for each field. None is the default here, so that a missing option keeps the field's own."""
    command.set_defaults(kind=kind)
    groups: dict[str, argparse._ActionsContainer] = {}
    for name, one in kind.options.items():
        how: dict[str, Any] = {"default": argparse.SUPPRESS, **one.how}
        group: argparse._ActionsContainer = command
        constants = how.pop("constants", {})
        if apart := how.pop("apart", name if constants else ""):
            group = groups[apart] = groups.get(apart) or command.add_mutually_exclusive_group()
        for value, purpose in constants.items():
            group.add_argument(f"--{value}", dest=name, action="store_const", const=value, help=purpose,
                               default=argparse.SUPPRESS)  # fmt: skip
        if constants:
            continue
        flags = how.pop("flags", (f"--{name.replace('_', '-')}",))
        if one.default is False:
            how["action"] = "store_true"
        if flags:
            how["dest"] = name
        group.add_argument(*(flags or (name,)), **how)


COMMANDS = {
    "run": Command("run a query, or answer a question in words", "commands:run", settings.Run),
    "ask": Command("answer a question in words, or run a query", "commands:run", settings.Run),
    "chat": Command("ask in a conversation: choices by number, show more, follow-up questions", "chat:chat",
                    settings.Chat),
    "conversation": Command("show or delete stored conversations", "chat:conversation", {
        "show": ("print what was said", settings.ShowConversation),
        "delete": ("delete a conversation", settings.DeleteConversation),
        "list": ("list the ids, newest first", settings.Conversations),
    }),
    "decompose": Command("show how a question over a corpus is read: kinds, constraints, names, topic words",
                         "answers:decompose", settings.Decompose),
    "prompt": Command("show the prompt that a language model would get for a question", "prompt:prompt",
                      settings.Prompt),
    "replay": Command("check whether a stored answer over a corpus is the same today, or what changed", "replay:replay",
                      settings.Replay),
    "teach": Command("keep a question and its query as a form: it answers the same question about other values",
                     "teach:teach", settings.Teach),
    "forms": Command("list, test or drop taught forms", "teach:{}_forms", {
        "list": ("print the forms", settings.Taught),
        "test": ("check that each gives the query that it was taught with", settings.Taught),
        "drop": ("remove a form", settings.DropForm),
    }),
    "explain": Command("show every stage of a query, or how words become one", "explain:explain", settings.Explain),
    "check": Command("check a query without running it", "commands:check", settings.Check),
    "eval": Command("ask the questions in a file and count the right answers", "evaluate:evaluate", settings.Eval),
    "fmt": Command("print a query in canonical form, comments kept", "formatting:fmt", settings.Format),
    "complete": Command("suggest what can come at the end of a query, or at --cursor", "commands:complete",
                        settings.Complete),
    "mcp": Command("serve agents over the Model Context Protocol (extra: mcp)", "agents:serve", settings.Agents),
    "lsp": Command("serve an editor: mistakes with fixes, completion, hover, formatting (extra: lsp)", "lsp:lsp",
                   settings.LanguageServer),
    "index": Command(
        "load tables (CSV, spreadsheets, SQLite, Parquet, JSON) or lines of JSON into an index", "load:load_files",
        settings.Load,
    ),
    "catalog": Command("check or draft a catalog", "catalog:{}", {
        "check": ("check a catalog against the mapping of its index", settings.CheckCatalog),
        "draft": ("draft a catalog from a live index", settings.DraftCatalog),
    }),
    "corpus": Command("a corpus of files: add, status, draft, search and more", "corpus:{}", {
        "create": ("make a corpus", settings.CreateCorpus),
        "add": ("add files, and those below folders; makes the corpus if there is none", settings.AddFiles),
        "prompt": ("print what --extract model would send for a file; nothing is sent", settings.PromptForFile),
        "status": ("what it has, which files have no text and why, how many documents have each field",
                   settings.Status),
        "show": ("a document with its values, and where in it each of them is", settings.ShowFile),
        "draft": ("propose a corpus.yaml for files", settings.DraftCorpus),
        "labels": ("propose which labels of its files are fields that these files lack", settings.ProposeLabels),
        "catalog": ("print the catalog that qlc makes of its corpus.yaml", settings.OfCorpus),
        "embed": ("make the vectors of passages that have none, for searches by meaning", settings.Embed),
        "remove": ("drop files by name, or the whole corpus", settings.RemoveFiles),
        "search": ("search for passages, best first", settings.SearchCorpus),
    }),
    "serve": Command("answer over HTTP: questions, conversations, exports, pages of documents", "serve:serve",
                     settings.Serve),
    "ui": Command("open a page in the browser that asks a folder of files, tables, a corpus or an index", "page:ui",
                  settings.Page),
    "repair": Command("check a folder of the embedded engine and repair it", "repair:repair", settings.Repair),
}


_TALKING = ("agents", "chat", "lsp", "page", "serve")
"""Modules of commands that wait for somebody."""


def _log_to_file() -> None:
    """Log technical details to the file in $QLC_LOG; without it they are not logged. Raises UsageError."""
    from qlc.base.errors import UsageError, reason_of

    path = os.environ.get("QLC_LOG")
    try:
        handler = logging.FileHandler(path, encoding="utf-8") if path else logging.NullHandler()
    except OSError as problem:
        raise UsageError(f"$QLC_LOG names '{path}', which cannot be written: {reason_of(problem)}") from problem
    handler.setFormatter(_Escaping("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.basicConfig(handlers=[handler])


class _Escaping(logging.Formatter):
    """Escapes control characters, as the log file may be read on a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return escaped(super().format(record))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code as documented in `qlc --help`."""
    for name in ("stdin", "stdout", "stderr"):  # Python has none of what the caller closed: `qlc ... >&-`
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))  # noqa: SIM115
    try:
        does, given = parser().read(arguments)
        _log_to_file()
        module, function = does.split(":")
        command: Callable[[Any], int] = named(f"qlc.cli.{module}", function)
        with nullcontext() if module in _TALKING else waiting():
            code = command(given)
            if not sys.stdout.closed:  # `qlc lsp` closes it when the editor ends
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
