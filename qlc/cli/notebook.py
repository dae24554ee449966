"""The magics `%qlc` and `%%qlc` of a notebook: `%load_ext qlc`."""

from __future__ import annotations

import argparse
import re
import shlex
from typing import TYPE_CHECKING, Any

from qlc.answers.corpora import Corpus
from qlc.base.errors import QlcError, UsageError
from qlc.base.import_path import imports_from_elsewhere
from qlc.conversation.conversation import Conversation
from qlc.outcome import Outcome
from qlc.pipeline.compiler import Compiler
from qlc.translator.entry import Asker

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def register(shell: InteractiveShell) -> None:
    """Register `%%qlc [NAME] [-o RESULT]`, whose cell is a message of a conversation, and `%qlc MESSAGE`.

    NAME is a variable of the notebook: an `Asker`, a `Compiler`, a `Corpus` or a `Conversation`; without it, the last
    one, or the only one. The outcome is stored in the variable RESULT. All cells with the same NAME are one
    conversation, with follow-ups, numbers of choices and "show more". `result = %qlc how many orders?` stores, too.
    """
    shell.register_magic_function(_Magic(shell), "line_cell", "qlc")  # type: ignore[arg-type]  # they say a method
    shell.input_transformers_cleanup.append(with_question_marks)


_QUESTION = re.compile(r"(?P<before>\s*(?:[\w.\[\]'\"]+\s*=\s*)?)%qlc[ \t]+(?P<message>.*\?)\s*")


def with_question_marks(lines: list[str]) -> list[str]:
    """Call the magic of lines that end with a question mark, which IPython reads as a request for help:
    `%qlc how many?` -> `get_ipython().run_line_magic('qlc', 'how many?')`."""
    found = ((line, _QUESTION.fullmatch(line)) for line in lines)
    return [line if one is None else f"{one['before']}get_ipython().run_line_magic('qlc', {one['message']!r})\n"
            for line, one in found]  # fmt: skip


class _Magic:
    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._last: str | None = None
        self._conversations: dict[str, tuple[Any, Any]] = {}

    def __call__(self, line: str, cell: str | None = None) -> Outcome:
        """Ask the text of the cell: `%%qlc [NAME] [-o RESULT]`; or that of the line: `%qlc MESSAGE`."""
        from IPython.core.error import UsageError as CellError
        from IPython.display import display

        try:
            name, result = (None, None) if cell is None else _arguments(line)
            with imports_from_elsewhere():
                reply = self._conversation(name).turn((line if cell is None else cell).strip())
        except QlcError as wrong:
            raise CellError(str(wrong)) from None
        for earlier in reply.outcomes[:-1]:
            display(earlier)  # type: ignore[no-untyped-call]
        if result:
            self._shell.user_ns[result] = reply.outcome
        found: Outcome = reply.outcome
        return found

    def _conversation(self, name: str | None) -> Any:
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
