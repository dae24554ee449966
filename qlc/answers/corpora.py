"""`qlc.Corpus` and `qlc.AsyncCorpus`: corpora that answer questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from qlc.base.options import RunOptions
from qlc.corpus.asynchronous import AsyncCorpus as AsyncFiles
from qlc.corpus.asynchronous import as_that
from qlc.corpus.corpus import Corpus as Files
from qlc.corpus.rights import Stopped
from qlc.models.budgets import Budget
from qlc.outcome import Outcome

from .answering import ask, decompose, explain, searches_of
from .decomposition import Decomposition
from .model import Reader
from .replaying import Replay, replay
from .tools.results import Result, ToolProblem
from .tools.running import call
from .trace import AnswerTrace


class AskOptions(RunOptions, total=False):
    """Options of a run, and two more: `reader`, a language model for questions that the rules do not answer exactly;
    `budget`, the limit of the whole answer (default: the reader's)."""

    reader: Reader | None
    budget: Budget | None


def _given(options: AskOptions) -> tuple[Mapping[str, Any], Reader | None, Budget | None]:
    run = {name: one for name, one in options.items() if name not in ("reader", "budget")}
    return run, options.get("reader"), options.get("budget")


class Corpus(Files):
    """An index of a folder of files, which answers questions about them. `create` and `open` return one. Thread-safe.

        corpus = qlc.Corpus.create("corpus", "corpus.yaml")
        corpus.add("files")

    Only one object at a time can write to a folder; any number can be open `read_only`.
    """

    def ask(self, question: str, **options: Unpack[AskOptions]) -> Outcome:
        """Answer a question from the documents. Each sentence has its file, page and quote.

            outcome = corpus.ask("What is the notice period in the Borden cleaning agreement?")

        The answer is made from typed values. If they do not surely tell it, the outcome is `passages` (search results),
        `not_in_corpus`, `clarify` or `declined`. `stats.spent` has the cost. `options` are those of
        `Compiler.run`, and `reader` (a language model) and `budget` (limits of the cost).
        """
        return ask(question, self, *_given(options))

    def decompose(self, question: str, **options: Unpack[AskOptions]) -> Decomposition:
        """Analyse a question: intent, buckets, constraints, names, topic words. With a `reader`, its model does it."""
        return decompose(question, self, *_given(options))

    def explain(self, question: str, **options: Unpack[AskOptions]) -> AnswerTrace:
        """Answer a question, and return a trace of each stage: routes, searches, omissions, checks of citations."""
        return explain(question, self, *_given(options))

    def replay(self, outcome: Outcome, **options: Unpack[AskOptions]) -> Replay:
        """Compare a stored answer with the answer of today: changes of the data, the program, the text of a model.

        With a `reader`, its model is called again; without one, the text is checked against its sources.
        """
        return replay(outcome, self, *_given(options))

    def call_tool(self, name: str, arguments: Mapping[str, Any] | str = "{}", **options: Unpack[RunOptions]) -> Result:
        """Run one of the tools of `qlc.answers.tools.TOOLS`. `arguments` are a dictionary, or its JSON.

        Wrong arguments, or a failed search, return a ToolProblem. Raises UsageError for invalid options of a run.
        """
        try:
            return call(name, arguments, searches_of(self, options))
        except Stopped as stopped:
            reason = getattr(stopped.outcome, "reason", "failed")
            return ToolProblem(code=reason, message=stopped.outcome.message, hint="Try again later.")


class AsyncCorpus(AsyncFiles):
    """As `Corpus`, for asyncio. Needs the extra `async`. `progress` is called in another thread."""

    made_as = Corpus

    ask = as_that(Corpus.ask)
    decompose = as_that(Corpus.decompose)
    explain = as_that(Corpus.explain)
    replay = as_that(Corpus.replay)
    call_tool = as_that(Corpus.call_tool)
