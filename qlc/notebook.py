"""Outcomes in a notebook: HTML for a cell, and the magic `%%qlc` (`%load_ext qlc`)."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from qlc.diagnostics import render
from qlc.errors import QlcError, UsageError
from qlc.import_path import imports_from_elsewhere
from qlc.outcome import AggregateOut, Answer, Citation, Clarify, Declined, Hits, NotInCorpus, Outcome, Several
from qlc.present import from_note
from qlc.tables import answer_cells, hits_cells, rows_cells

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

MOST_ROWS = 50
"""Most rows of a table in a cell."""


# --- HTML ------------------------------------------------------------------------------------------------------------


def html(found: Outcome) -> str:
    """Return the message, the table, the options of a clarification, sources, errors and notes, and the query in a
    fold."""
    if isinstance(found, Several):
        return "\n<hr>\n".join(map(html, found.outcomes))
    parts = [*_body(found)]
    parts += [f"<p>{escape(note)}</p>" for note in found.notes]
    if suggestions := getattr(found, "suggestions", None):
        parts.append(f"<p>Perhaps:</p>{_list(suggestions)}")
    if found.query and found.kind != "invalid":
        parts.append(f"<details><summary>Query</summary><pre>{escape(found.query)}</pre></details>")
    return f'<div class="qlc-outcome">{"".join(parts)}</div>'


def _body(found: Outcome) -> Iterable[str]:
    if not isinstance(found, Answer) or not found.claims:
        yield f"<p><strong>{escape(found.message)}</strong></p>"
    for note in found.diagnostics:
        yield f"<pre>{escape(render(from_note(note), found.query))}</pre>"
    match found:
        case Hits() if found.hits:
            yield _table(*hits_cells(found))
        case AggregateOut() if found.rows:
            yield _table(*rows_cells(found, MOST_ROWS))
            if len(found.rows) > MOST_ROWS:
                yield f"<p>{MOST_ROWS} of {len(found.rows):,} rows shown.</p>"
        case Answer():
            yield from _answer(found)
        case Clarify():
            yield _list(f"{one.label} ({one.id})" for one in found.options)
            yield f"<p>Ask again with <code>choices={{{escape(repr(found.token))}: ID}}</code>.</p>"
        case Declined() | NotInCorpus() if found.nearest:
            yield f"<p>The nearest passages, which may not answer it:</p>{_list(map(_source, found.nearest))}"


def _answer(found: Answer) -> Iterable[str]:
    sources: dict[tuple[str, int | None, str], Citation] = {}

    def marks(citations: Iterable[Citation]) -> str:
        keys = {(one.file, one.page, one.quote): one for one in citations}
        for key, one in keys.items():
            sources.setdefault(key, one)
        return "".join(f" [{list(sources).index(key) + 1}]" for key in keys)

    if found.rows and not found.computed:
        yield _table(*answer_cells(found, marks))
    else:
        for claim in found.claims:
            yield f"<p><strong>{escape(claim.text)}</strong>{marks(claim.citations)}</p>"
    if sources:
        yield f"<ol>{''.join(f'<li>{escape(_source(one))}</li>' for one in sources.values())}</ol>"


def _source(one: Citation) -> str:
    where = one.file if one.page is None else f"{one.file}, page {one.page}"
    return f"{where}: {one.quote}" if one.quote else where


def _list(texts: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>"


def _table(names: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


# --- the magic -------------------------------------------------------------------------------------------------------


def register(shell: InteractiveShell) -> None:
    """Register `%%qlc [NAME] [-o RESULT]`: the text of the cell is a message of a conversation.

    NAME is a variable of the notebook: an `Asker`, a `Compiler`, a `Corpus` or a `Conversation`; without it, the last
    one, or the only one. The outcome is stored in the variable RESULT. All cells with the same NAME are one
    conversation, with follow-ups, numbers of choices and "show more".
    """
    shell.register_magic_function(_Magic(shell), "cell", "qlc")  # type: ignore[arg-type]  # its types say a method


class _Magic:
    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._last: str | None = None
        self._conversations: dict[str, tuple[Any, Any]] = {}

    def __call__(self, line: str, cell: str) -> Outcome:
        """Ask the text of the cell: `%%qlc [NAME] [-o RESULT]`."""
        from IPython.core.error import UsageError as CellError
        from IPython.display import display

        try:
            name, result = _arguments(line)
            with imports_from_elsewhere():
                reply = self._conversation(name).turn(cell.strip())
        except QlcError as wrong:
            raise CellError(str(wrong)) from None
        for earlier in reply.outcomes[:-1]:
            display(earlier)  # type: ignore[no-untyped-call]
        if result:
            self._shell.user_ns[result] = reply.outcome
        found: Outcome = reply.outcome
        return found

    def _conversation(self, name: str | None) -> Any:
        from qlc import Asker, Compiler, Conversation, Corpus

        there = self._shell.user_ns
        if name is None:
            usable = [one for one, value in there.items()
                      if isinstance(value, (Asker, Compiler, Corpus, Conversation)) and one[:1] != "_"]  # fmt: skip
            name = self._last if self._last in usable else usable[0] if len(usable) == 1 else None
            if name is None:
                found = f"there are {', '.join(usable)}" if usable else "make one: asker = qlc.Asker(qlc.Compiler(...))"
                raise UsageError(f"say what to ask, as in '%%qlc asker': {found}")
        if not isinstance(asked := there.get(name), (Asker, Compiler, Corpus, Conversation)):
            raise UsageError(f"'{name}' is not an Asker, Compiler, Corpus or Conversation of this notebook")
        self._last = name
        known, conversation = self._conversations.get(name, (None, None))
        if known is not asked:
            conversation = asked if isinstance(asked, Conversation) else Conversation(asked)
            self._conversations[name] = asked, conversation
        return conversation


def _arguments(line: str) -> tuple[str | None, str | None]:
    """Parse the arguments of the magic. Raises UsageError."""
    parser = argparse.ArgumentParser(prog="%%qlc", add_help=False, exit_on_error=False)
    parser.add_argument("name", nargs="?")
    parser.add_argument("-o", dest="result", metavar="RESULT")
    try:
        given, others = parser.parse_known_args(shlex.split(line))
    except (argparse.ArgumentError, ValueError) as wrong:
        raise UsageError(f"%%qlc takes [NAME] [-o RESULT]: {wrong}") from None
    if others:
        raise UsageError(f"%%qlc takes [NAME] [-o RESULT], not '{others[0]}'")
    return given.name, given.result
