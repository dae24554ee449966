"""A corpus for asyncio: questions use an asynchronous client, reading files and embedding run in a thread."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, Self, TypeVar, Unpack

from qlc import telemetry
from qlc.base.beside import beside
from qlc.base.driving import Call, drive_async
from qlc.base.options import RunOptions
from qlc.outcome import Outcome
from qlc.pipeline.compiler import Compiler
from qlc.store.clients import connect_async

from .corpus import Corpus
from .searching import PER_DOCUMENT, Ranking, passages_about
from .unread import unread_program

if TYPE_CHECKING:
    from elasticsearch import AsyncElasticsearch

P = ParamSpec("P")
T = TypeVar("T")


def as_that(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[AsyncCorpus, P], Awaitable[T]]:
    """Wrap a method of `Corpus`, or of a class of it, to run in a thread."""

    @wraps(method)
    async def made(self: AsyncCorpus, /, *given: P.args, **named: P.kwargs) -> T:
        return await beside(method, self.corpus, *given, **named)

    return made


class AsyncCorpus:
    """As `Corpus`, for asyncio. Needs the `async` extra. `progress` is called on another thread."""

    made_as: ClassVar[type[Corpus]] = Corpus

    def __init__(self, corpus: Corpus, client: AsyncElasticsearch) -> None:
        self.corpus = corpus
        self.client = client

    @classmethod
    async def create(
        cls, target: str | Path, schema: str | Path | None = None, *, url: str | None = None, **options: Any
    ) -> Self:
        """As `Corpus.create`."""
        corpus = await beside(cls.made_as.create, target, schema, url=url, **options)
        return cls(corpus, _asynchronous(target, url, options))

    @classmethod
    async def open(cls, target: str | Path, *, url: str | None = None, **options: Any) -> Self:
        """As `Corpus.open`."""
        corpus = await beside(cls.made_as.open, target, url=url, **options)
        return cls(corpus, _asynchronous(target, url, options))

    @staticmethod
    async def exists(target: str | Path, *, url: str | None = None, **options: Any) -> bool:
        """As `Corpus.exists`."""
        return await beside(Corpus.exists, target, url=url, **options)

    add = as_that(Corpus.add)
    model_request = as_that(Corpus.model_request)
    remove = as_that(Corpus.remove)
    delete = as_that(Corpus.delete)
    set_schema = as_that(Corpus.set_schema)
    embed = as_that(Corpus.embed)
    status = as_that(Corpus.status)
    document = as_that(Corpus.document)
    catalog = as_that(Corpus.catalog)

    async def compiler(self, **options: Any) -> Compiler:
        """A compiler over this corpus, for `run_async`; `options` are those of qlc.Compiler."""
        catalog = await beside(lambda: self.corpus._read_catalog(self.corpus.schema_with_buckets()))
        return Compiler(self.client, catalog, **await beside(self.corpus._with_embedder, options))

    async def search(
        self,
        text: str,
        *,
        by: Ranking | None = None,
        where: str = "",
        limit: int = 10,
        per_document: int = PER_DOCUMENT,
        **options: Unpack[RunOptions],
    ) -> Outcome:
        """As `Corpus.search`."""
        compiler = await self.compiler()
        unread = unread_program(self.corpus.schema)
        work = passages_about(text, by, where, limit, per_document, options, unread)
        with telemetry.retrieval(self.corpus.index):
            return await drive_async(
                work,
                lambda asked: Call(
                    lambda: compiler.run(asked[0], **asked[1]), lambda: compiler.run_async(asked[0], **asked[1])
                ),
            )

    async def close(self) -> None:
        await self.client.close()
        await beside(self.corpus.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self.close()


_OF_CORPORA = frozenset({"embedder", "reranker", "shards", "catalog", "clock", "read_only"})
"""Options that a client does not accept."""


def _asynchronous(target: str | Path, url: str | None, options: dict[str, Any]) -> AsyncElasticsearch:
    """Return the client for questions; it does not open the folder for writing, which only one corpus can."""
    options = {name: one for name, one in options.items() if name not in _OF_CORPORA}
    return connect_async(target, **{**options, "read_only": True}) if url is None else connect_async(url, **options)
