"""`qlc chat`: a conversation on the terminal. `qlc conversation`: those that were kept."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qlc.base.errors import QlcError, UsageError, reason_of
from qlc.cli import render
from qlc.cli.asking import budget_of, open_asker, translators
from qlc.cli.settings import Chat, Conversations, DeleteConversation, ShowConversation, Stored
from qlc.cli.target import open_corpus, options_of, state_folder
from qlc.outcome.amounts import several

if TYPE_CHECKING:
    from qlc.answers.corpora import Corpus
    from qlc.conversation import Conversation, Reply, SQLiteStore
    from qlc.conversation.stores.protocol import Saved
    from qlc.translator.entry import Asker

PROMPT = "> "
LEAVING = frozenset({"exit", "quit", "bye", ":q"})
SAVING = re.compile(r":save\s+(\S.*)", re.IGNORECASE)
"""`:save FILE.csv`, `:save FILE.xlsx`: the last answer."""
COMMANDS = ("':save FILE.csv' writes the last answer (or .xlsx, .parquet, .ndjson), 'help' lists what you can ask, "
            "'quit' ends.")  # fmt: skip
EXPORTING = frozenset({"export", "save", "download"})
"""Words that ask for a file: a command writes it."""
MOST_LINES = 1_000
"""Lines of the terminal's history that are kept."""


def chat(options: Chat) -> int:
    """Answer line after line until the input ends. Return 0 even if lines were not understood, as this is a
    conversation."""
    with _asked(options) as (asked, given):
        return _chat(asked, given, options)


@contextmanager
def _asked(options: Chat) -> Iterator[tuple[Asker | Corpus, dict[str, Any]]]:
    """Open the corpus or the index that answers messages, or both if the catalog has both, with their arguments."""
    if not options.corpus:
        yield open_asker(options), {}
        return
    from qlc.cli.answers import reader_of
    from qlc.translator.entry import Asker

    with open_corpus(options) as corpus:
        given: dict[str, Any] = {"reader": reader_of(options), "budget": budget_of(options)}
        if corpus.has_other_indices:
            yield Asker(corpus.compiler(), translators(options)), {**given, "corpus": corpus}
        else:
            yield corpus, given


def _chat(asked: Asker | Corpus, given: dict[str, Any], options: Chat) -> int:
    from qlc.conversation import Conversation

    store = _store(options) if options.id else None
    kept: dict[str, Any] = {"store": store, "id": options.id} if options.id else {}
    talk = Conversation(asked, size=options.size, **kept, **given, **options_of(options))
    if options.id:
        reply = talk.resume()
        if reply is not None:
            print(f"qlc: continuing after message {reply.number}: {reply.text}", file=sys.stderr)
            _print(reply, options)
    with _line_editing():
        if sys.stdin.isatty():
            print(f"Ask in words, or in the query language. {COMMANDS}\n")
        for line in _lines():
            saved = SAVING.fullmatch(line)
            if saved is not None:
                _save(talk, saved[1])
            elif line.startswith(":"):
                print(f"{COMMANDS}\n", flush=True)
            else:
                _answer(talk, line, options)
    if store is not None:
        store.close()
    return 0


def _save(talk: Conversation, name: str) -> None:
    """Write the last answer to a file, with all its pages."""
    path = Path(name).expanduser()
    try:
        from qlc.outcome.files import save

        rows = save(path, lambda format, safe: talk.export(format, for_spreadsheets=safe))
        print(f"Saved {several(rows, 'row')} in '{path}'.\n", flush=True)
    except OSError as problem:
        print(f"qlc: '{path}' cannot be written: {reason_of(problem)}", file=sys.stderr)
    except QlcError as problem:
        print(f"qlc: {problem}", file=sys.stderr)


def _answer(talk: Conversation, line: str, options: Chat) -> None:
    from qlc.conversation import ConversationBusy
    from qlc.translator.rules.questions.deeds import SAVE
    from qlc.translator.rules.translator import REFUSALS

    try:
        reply = talk.turn(line)
    except ConversationBusy as problem:
        print(f"qlc: {problem}", file=sys.stderr)
        return
    _print(reply, options)
    saves = reply.outcome.message == REFUSALS[SAVE] or EXPORTING & set(line.casefold().split())
    if not options.json and reply.outcome.kind == "refuse" and saves:
        print(f"{COMMANDS}\n", flush=True)


def _print(reply: Reply, options: Chat) -> None:
    if options.json:
        from qlc.service.schemas import Turn

        print(json.dumps(Turn.of(reply).model_dump(mode="json"), ensure_ascii=False), flush=True)
        return
    print(render.reply(reply, render.Style.asked(options)), end="\n\n", flush=True)


# --- the terminal ----------------------------------------------------------------------------------------------------


def _lines() -> Iterator[str]:
    """Yield the messages, typed or read from a pipe."""
    typed = sys.stdin.isatty()
    while True:
        try:
            line = input(PROMPT) if typed else sys.stdin.readline()
        except EOFError:
            print()
            return
        if (not typed and not line) or line.strip().casefold() in LEAVING:
            return
        if line.strip():
            yield line.strip()


@contextmanager
def _line_editing() -> Iterator[None]:
    """Enable editing keys and the lines of earlier sessions; without readline, plain lines."""
    if not sys.stdin.isatty():
        yield
        return
    try:
        import readline
    except ImportError:
        yield
        return
    lines = state_folder() / "chat-history"
    readline.set_history_length(MOST_LINES)
    with suppress(OSError):
        readline.read_history_file(lines)
    try:
        yield
    finally:
        with suppress(OSError):
            lines.parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(lines)


# --- what is kept ----------------------------------------------------------------------------------------------------


def _store(options: Stored, *, made: bool = True) -> SQLiteStore:
    """Open the file of conversations. Raises UsageError if it must exist and does not."""
    from qlc.conversation import SQLiteStore

    path = Path(options.store or os.environ.get("QLC_CONVERSATIONS") or state_folder() / "conversations.sqlite")
    if not made and not path.is_file():
        raise UsageError(f"no conversations are stored in '{path}'; 'qlc chat --id ID' stores one")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    return SQLiteStore(path)


def conversation(options: Conversations) -> int:
    with closing(_store(options, made=False)) as store:
        return _shown(store, options)


def kept_history(options: Stored, id: str) -> dict[str, Any]:
    """Return the history of a stored conversation. Raises UsageError if there is none."""
    from qlc.conversation import read_kept

    with closing(_store(options, made=False)) as store:
        return read_kept(_saved(store, id), id)


def _saved(store: SQLiteStore, id: str) -> Saved:
    saved = store.read(id)
    if saved is None:
        raise UsageError(f"there is no conversation '{id}'; 'qlc conversation list' shows all")
    return saved


def _shown(store: SQLiteStore, options: Conversations) -> int:
    from qlc.conversation import read_kept

    if not isinstance(options, ShowConversation):
        ids = list(store.ids())
        print(json.dumps(ids, ensure_ascii=False) if options.json else "\n".join(ids))
        return 0
    saved = _saved(store, options.id)
    if isinstance(options, DeleteConversation):
        store.delete(options.id)
        return 0
    history = read_kept(saved, options.id)
    if options.json:
        print(json.dumps(history, indent=2, ensure_ascii=False))
        return 0
    print(_as_text(history, render.Style.of(sys.stdout)))
    return 0


def _as_text(history: dict[str, Any], style: render.Style) -> str:
    """Return every message with its query and its answer."""
    lines = []
    for turn in history.get("turns", ()):
        lines.append(style.paint(f"{turn['number']}  {turn['text']}", render.BOLD))
        for part in turn.get("parts", ()):
            if part.get("program"):
                lines.append(style.paint(f"   {part['program']}", render.DIM))
            if part.get("outcome", {}).get("message"):
                lines.append(f"   {part['outcome']['message']}")
        options = (turn.get("pending") or {}).get("options", ())
        lines += [f"     {number}. {option['label']}" for number, option in enumerate(options, 1)]
    return "\n".join(lines)
