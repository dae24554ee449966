"""`qlc.Corpus` and `qlc.AsyncCorpus`: corpora that answer questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack, cast

from qlc.beside import beside
from qlc.corpus.asynchronous import AsyncCorpus as AsyncFiles
from qlc.corpus.corpus import Corpus as Files
from qlc.corpus.rights import Stopped
from qlc.options import RunOptions
from qlc.outcome import Outcome
from qlc.translator.model.budget import Budget

from .answering import ask, decompose, explain, searches_of
from .decomposition import Decomposition
from .model import Reader
from .replaying import Replay, replay
from .tools.results import Result, ToolProblem
from .tools.running import call
from .trace import AnswerTrace


class AskOptions(RunOptions, total=False):
    """Those of a run, and: `reader`, a language model for what the rules do not answer exactly; `budget`, what all of
    it may cost (default: that of the reader)."""

    reader: Reader | None
    budget: Budget | None


def _given(options: AskOptions) -> tuple[Mapping[str, Any], Reader | None, Budget | None]:
    run = {name: one for name, one in options.items() if name not in ("reader", "budget")}
    return run, options.get("reader"), options.get("budget")


class Corpus(Files):
    """An index of documents and passages with its schema, which answers questions; `open` and `create` return one.
    Thread-safe. One corpus at a time may write to a folder; any number may be open `read_only`."""

    def ask(self, question: str, **options: Unpack[AskOptions]) -> Outcome:
        """Answer a question from the documents, each sentence with file, page and quote; `stats.spent` of the outcome
        is what it cost.

        An answer is computed from typed values, or quoted word for word. If the documents do not say it for certain,
        the outcome is `not_in_corpus`, `clarify` or `declined`.
        """
        return ask(question, self, *_given(options))

    def decompose(self, question: str, **options: Unpack[AskOptions]) -> Decomposition:
        """What a question asks for: intent, buckets, constraints, names, topic words; by a `reader`, by its model."""
        return decompose(question, self, *_given(options))

    def explain(self, question: str, **options: Unpack[AskOptions]) -> AnswerTrace:
        """Answer a question, and return what each stage did: routes, searches, what was left out, what was checked."""
        return explain(question, self, *_given(options))

    def replay(self, outcome: Outcome, **options: Unpack[AskOptions]) -> Replay:
        """Whether a stored answer is the same today, or what changed: the data, the program, the text of a language
        model. A `reader` asks its model again; without one, what it wrote is checked against its sources."""
        return replay(outcome, self, *_given(options))

    def call_tool(self, name: str, arguments: Mapping[str, Any] | str = "{}", **options: Unpack[RunOptions]) -> Result:
        """Run one of the tools of `qlc.answers.tools.TOOLS`. `arguments` are its own, or their JSON.

        What is wrong with them, or with the search, is a ToolProblem. Raises UsageError for options of a run that
        cannot be used.
        """
        try:
            return call(name, arguments, searches_of(self, options))
        except Stopped as stopped:
            reason = getattr(stopped.outcome, "reason", "failed")
            return ToolProblem(code=reason, message=stopped.outcome.message, hint="Try again later.")


class AsyncCorpus(AsyncFiles):
    """As `Corpus`, for asyncio. Needs the `async` extra. `progress` is called on another thread."""

    made_as = Corpus

    @property
    def _answers(self) -> Corpus:
        return cast("Corpus", self.corpus)

    async def ask(self, question: str, **options: Unpack[AskOptions]) -> Outcome:
        """As `Corpus.ask`."""
        return await beside(Corpus.ask, self._answers, question, **options)

    async def decompose(self, question: str, **options: Unpack[AskOptions]) -> Decomposition:
        """As `Corpus.decompose`."""
        return await beside(Corpus.decompose, self._answers, question, **options)

    async def explain(self, question: str, **options: Unpack[AskOptions]) -> AnswerTrace:
        """As `Corpus.explain`."""
        return await beside(Corpus.explain, self._answers, question, **options)

    async def replay(self, outcome: Outcome, **options: Unpack[AskOptions]) -> Replay:
        """As `Corpus.replay`."""
        return await beside(Corpus.replay, self._answers, outcome, **options)

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any] | str = "{}", **options: Unpack[RunOptions]
    ) -> Result:
        """As `Corpus.call_tool`."""
        return await beside(Corpus.call_tool, self._answers, name, arguments, **options)
