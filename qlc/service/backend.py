"""The backend of the service: a compiler with its translators, a corpus, or both, and the store of conversations."""

from __future__ import annotations

import time
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qlc.answers.corpora import AsyncCorpus
from qlc.answers.model import Reader
from qlc.base.beside import beside
from qlc.base.errors import RequestFailed, UsageError
from qlc.base.options import Options
from qlc.conversation import AsyncConversation, ConversationBusy, MemoryStore, OwnedStore, Store
from qlc.conversation.documents import ask_async, documents_of
from qlc.models.budgets import Budget
from qlc.outcome import Outcome
from qlc.pipeline.compiler import Compiler
from qlc.resolver.driver import CIRCUIT_OPEN, is_asynchronous
from qlc.translator.entry import Asker, asker_of
from qlc.translator.protocol import Translator

from .auth import Caller
from .schemas import RunRequest, TurnRequest
from .settings import Settings

if TYPE_CHECKING:
    from .found import Found

LEAST_TIME = 1e-6
"""The deadline of a run whose request waited for all of its time."""
_PROBE = "readyz"
"""Id of the conversation that the check of the store writes. It has no owner, so that no list contains it."""
_PROBE_SIZE = 16_384


@dataclass(eq=False)
class Backend:
    """`asked` is a compiler or an asker over an asynchronous client, or an `AsyncCorpus`; a `corpus` may stand beside
    an asker. `context` holds for every caller, `now` for relative dates in questions. `translators` are for a corpus
    alone. `found` is what `qlc ui` found in its files.

    Raises UsageError for parts that do not fit.
    """

    asked: Asker | Compiler | AsyncCorpus
    settings: Settings
    corpus: AsyncCorpus | None = None
    translators: Sequence[Translator] | None = None
    reader: Reader | None = None
    budget: Budget | None = None
    stored: Store = field(default_factory=MemoryStore)
    context: Mapping[str, Any] = field(default_factory=dict)
    now: datetime | str | None = None
    files: Path | None = None
    found: Found | None = None
    starters: dict[Hashable, Any] = field(default_factory=dict)
    """Questions to begin with, by the rights of callers."""

    def __post_init__(self) -> None:
        self._asker: Asker | None = None
        if isinstance(self.asked, AsyncCorpus):
            if self.corpus is not None:
                raise UsageError("give a corpus alone, or beside a compiler")
            self.corpus = self.asked
        else:
            self._asker, _ = documents_of(self.asked, self.corpus)
            if not is_asynchronous(self._asker.compiler.client):
                raise UsageError("the service needs a compiler over an asynchronous client: qlc.connect_async")
        self.is_corpus_alone = self._asker is None
        Options.of({"context": self.context, "now": self.now})

    async def asker(self) -> Asker:
        """Return the asker for programs, and for words that are not for the corpus.

        For a corpus alone it is made anew whenever the catalog of the corpus has changed.
        """
        if not self.is_corpus_alone:
            assert self._asker is not None
            return self._asker
        assert self.corpus is not None
        compiler = await self.corpus.compiler()
        if self._asker is None or self._asker.compiler.catalog is not compiler.catalog:
            chosen = self.translators
            self._asker = Asker(compiler, chosen) if chosen is not None else asker_of(compiler)
        return self._asker

    def options(self, given: RunRequest | TurnRequest, caller: Caller, ends: float) -> dict[str, Any]:
        """Return the options of a run: those of the request, the access of the caller, and the seconds left before
        `ends`."""
        names = ("choices", "params", "size", "cursor", "timezone", "as_of", "all_columns")
        return {
            **{name: value for name in names if (value := getattr(given, name, None)) is not None},
            **self.access(caller),
            "size": min(given.size, self.settings.max_size),
            "deadline": max(ends - time.monotonic(), LEAST_TIME),
        }

    def access(self, caller: Caller) -> dict[str, Any]:
        """The options that no caller chooses: the context of the access rules, and the time of the application."""
        return {"context": {**self.context, **caller.context}, **({"now": self.now} if self.now else {})}

    def resumed(self, caller: Caller, timezone: str | None) -> dict[str, Any]:
        """Return the options for repeating an answer: its time zone decides which days a date means. Raises
        UsageError."""
        options = {**self.access(caller), **({} if timezone is None else {"timezone": timezone})}
        Options.of(options)
        return options

    async def ask(self, text: str, read_as: Any, options: Mapping[str, Any]) -> Outcome:
        return await ask_async(
            text, await self.asker(), self.corpus, self.reader, self.budget, read_as=read_as, **options
        )

    def store(self, caller: Caller) -> OwnedStore:
        """The conversations of a caller; those of others are not there."""
        return OwnedStore(self.stored, caller.name)

    async def conversation(self, id: str, caller: Caller, options: Mapping[str, Any]) -> AsyncConversation:
        """Open a conversation, on a thread, as the buckets of a corpus are read. `options` are those of each turn."""

        def made() -> AsyncConversation:
            given: dict[str, Any] = {"store": self.store(caller), "id": id, **options}
            if self.corpus is None:
                assert self._asker is not None
                return AsyncConversation(self._asker, **given)
            given |= {"reader": self.reader, "budget": self.budget}
            if self.is_corpus_alone:
                return AsyncConversation(self.corpus, **given)
            assert self._asker is not None
            return AsyncConversation(self._asker, corpus=self.corpus, **given)

        return await beside(made)

    async def ready(self) -> None:
        """Check that requests can be answered. Raises QlcError if the index, the catalog or the store cannot be
        used."""
        asker = await self.asker()
        if asker.compiler.breaker.state == "open":
            raise RequestFailed(CIRCUIT_OPEN, "the server fails")
        await asker.compiler.load()
        await beside(self._check_store)

    def _check_store(self) -> None:
        """Write to the store as a turn does: a disk that is full can still be read."""
        found = self.stored.read(_PROBE)
        with suppress(ConversationBusy):  # another process wrote at the same time, which is as good
            self.stored.write(_PROBE, " " * _PROBE_SIZE, found.revision + 1 if found is not None else 1)
