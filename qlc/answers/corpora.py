"""`qlc.Corpus` and `qlc.AsyncCorpus`: corpora that answer questions."""

from __future__ import annotations

from typing import Unpack

from qlc.beside import beside
from qlc.corpus.asynchronous import AsyncCorpus as AsyncFiles
from qlc.corpus.corpus import Corpus as Files
from qlc.options import RunOptions
from qlc.outcome import Outcome

from .answering import ask, decompose
from .decomposition import Decomposition


class Corpus(Files):
    """An index of documents and passages with its schema, that answers questions; `open` and `create` make one. Safe
    under threads. One corpus at a time may write to a folder; any number may be open `read_only`."""

    def ask(self, question: str, **options: Unpack[RunOptions]) -> Outcome:
        """Answer a question from the documents, each sentence with file, page and quote. `options` are those of a run.

        An answer is computed from typed values, or quoted word for word; what the documents do not surely tell is
        `not_in_corpus`, `clarify` or `declined`.
        """
        return ask(question, self, options)

    def decompose(self, question: str, **options: Unpack[RunOptions]) -> Decomposition:
        """What a question asks for: intent, buckets, constraints, names, topic words."""
        return decompose(question, self, options)


class AsyncCorpus(AsyncFiles):
    """As `Corpus`, for asyncio. Needs the `async` extra. `progress` is called on another thread."""

    async def ask(self, question: str, **options: Unpack[RunOptions]) -> Outcome:
        """As `Corpus.ask`."""
        return await beside(ask, question, self.corpus, options)

    async def decompose(self, question: str, **options: Unpack[RunOptions]) -> Decomposition:
        """As `Corpus.decompose`."""
        return await beside(decompose, question, self.corpus, options)
