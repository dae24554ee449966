"""`qlc.Corpus` and `qlc.AsyncCorpus`: corpora that answer questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from qlc.beside import beside
from qlc.corpus.asynchronous import AsyncCorpus as AsyncFiles
from qlc.corpus.corpus import Corpus as Files
from qlc.options import RunOptions
from qlc.outcome import Outcome
from qlc.translator.model.budget import Budget

from .answering import ask, decompose, explain, searches_of
from .decomposition import Decomposition
from .model import Reader
from .replaying import Replay, replay
from .searching import Stopped
from .tools.results import Result, ToolProblem
from .tools.running import call
from .trace import AnswerTrace


class Corpus(Files):
    """An index of documents and passages with its schema, that answers questions; `open` and `create` make one. Safe
    under threads. One corpus at a time may write to a folder; any number may be open `read_only`."""

    def ask(
        self, question: str, *, reader: Reader | None = None, budget: Budget | None = None,
        **options: Unpack[RunOptions],
    ) -> Outcome:  # fmt: skip
        """Answer a question from the documents, each sentence with file, page and quote. `options` are those of a run;
        a `reader` is a language model for what the rules do not answer exactly. `budget` is what all of it may cost
        (default: that of the reader); `stats.spent` of the outcome is what it did.

        An answer is computed from typed values, or quoted word for word; what the documents do not surely tell is
        `not_in_corpus`, `clarify` or `declined`.
        """
        return ask(question, self, options, reader, budget)

    def decompose(
        self, question: str, *, reader: Reader | None = None, budget: Budget | None = None,
        **options: Unpack[RunOptions],
    ) -> Decomposition:  # fmt: skip
        """What a question asks for: intent, buckets, constraints, names, topic words; by a `reader`, by its model."""
        return decompose(question, self, options, reader, budget)

    def explain(
        self, question: str, *, reader: Reader | None = None, budget: Budget | None = None,
        **options: Unpack[RunOptions],
    ) -> AnswerTrace:  # fmt: skip
        """Answer a question, and tell what each stage did: routes, searches, what was left out, what was checked."""
        return explain(question, self, options, reader, budget)

    def replay(
        self, outcome: Outcome, *, reader: Reader | None = None, budget: Budget | None = None,
        **options: Unpack[RunOptions],
    ) -> Replay:  # fmt: skip
        """Whether an answer that was kept is the same today, or what changed: the data, the program, the text of a
        language model. A `reader` asks its model again; without one what it wrote is held to its sources."""
        return replay(outcome, self, options, reader, budget)

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

    async def ask(
        self, question: str, *, reader: Reader | None = None, budget: Budget | None = None,
        **options: Unpack[RunOptions],
    ) -> Outcome:  # fmt: skip
        """As `Corpus.ask`."""
        return await beside(ask, question, self.corpus, options, reader, budget)

    async def decompose(
        self, question: str, *, reader: Reader | None = None, budget: Budget | None = None,
        **options: Unpack[RunOptions],
    ) -> Decomposition:  # fmt: skip
        """As `Corpus.decompose`."""
        return await beside(decompose, question, self.corpus, options, reader, budget)

    async def explain(
        self, question: str, *, reader: Reader | None = None, budget: Budget | None = None,
        **options: Unpack[RunOptions],
    ) -> AnswerTrace:  # fmt: skip
        """As `Corpus.explain`."""
        return await beside(explain, question, self.corpus, options, reader, budget)

    async def replay(
        self, outcome: Outcome, *, reader: Reader | None = None, budget: Budget | None = None,
        **options: Unpack[RunOptions],
    ) -> Replay:  # fmt: skip
        """As `Corpus.replay`."""
        return await beside(replay, outcome, self.corpus, options, reader, budget)

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any] | str = "{}", **options: Unpack[RunOptions]
    ) -> Result:
        """As `Corpus.call_tool`."""
        return await beside(Corpus.call_tool, self.corpus, name, arguments, **options)  # type: ignore[arg-type]
