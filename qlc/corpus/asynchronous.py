"""A corpus for asyncio: questions go through an asynchronous client, files are read and vectors made on a thread."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from qlc.beside import beside
from qlc.clients import connect_async
from qlc.mapping.catalog import read_catalog
from qlc.options import RunOptions
from qlc.outcome import Outcome
from qlc.pipeline import Compiler

from .adding import Progress, Report
from .corpus import Corpus, Ranking, search_program, where_program
from .embedders import Embedder
from .embedding import EmbeddingProgress
from .status import Document, Status
from .work import Limits

if TYPE_CHECKING:
    from elasticsearch import AsyncElasticsearch


class AsyncCorpus:
    """As `Corpus`, for asyncio. Needs the `async` extra. `progress` is called on another thread."""

    def __init__(self, corpus: Corpus, client: AsyncElasticsearch) -> None:
        self.corpus = corpus
        self.client = client

    @classmethod
    async def create(
        cls,
        target: str | Path,
        schema: str | Path | None = None,
        *,
        url: str | None = None,
        embedder: Embedder | None = None,
        shards: int = 1,
        **options: Any,
    ) -> AsyncCorpus:
        """As `Corpus.create`."""
        corpus = await beside(Corpus.create, target, schema, url=url, embedder=embedder, shards=shards, **options)
        return cls(corpus, _asynchronous(target, url, options))

    @classmethod
    async def open(
        cls,
        target: str | Path,
        *,
        url: str | None = None,
        read_only: bool = False,
        embedder: Embedder | None = None,
        **options: Any,
    ) -> AsyncCorpus:
        """As `Corpus.open`."""
        corpus = await beside(Corpus.open, target, url=url, read_only=read_only, embedder=embedder, **options)
        return cls(corpus, _asynchronous(target, url, options))

    @staticmethod
    async def exists(target: str | Path, *, url: str | None = None, **options: Any) -> bool:
        """As `Corpus.exists`."""
        return await beside(Corpus.exists, target, url=url, **options)

    async def add(
        self,
        paths: str | Path | Iterable[str | Path],
        *,
        prune: bool = False,
        processes: int | None = None,
        limits: Limits | None = None,
        progress: Progress | None = None,
    ) -> Report:
        """As `Corpus.add`."""
        return await beside(self.corpus.add, paths, prune=prune, processes=processes, limits=limits, progress=progress)

    async def remove(self, *patterns: str) -> int:
        """As `Corpus.remove`."""
        return await beside(self.corpus.remove, *patterns)

    async def delete(self) -> None:
        """As `Corpus.delete`."""
        await beside(self.corpus.delete)

    async def set_schema(self, schema: str | Path) -> None:
        """As `Corpus.set_schema`."""
        await beside(self.corpus.set_schema, schema)

    async def embed(self, progress: EmbeddingProgress | None = None) -> int:
        """As `Corpus.embed`."""
        return await beside(self.corpus.embed, progress)

    async def status(self) -> Status:
        """As `Corpus.status`."""
        return await beside(self.corpus.status)

    async def document(self, file: str) -> Document | None:
        """As `Corpus.document`."""
        return await beside(self.corpus.document, file)

    async def catalog(self) -> str:
        """As `Corpus.catalog`."""
        return await beside(self.corpus.catalog)

    async def compiler(self, **options: Any) -> Compiler:
        """A compiler over this corpus, for `run_async`; `options` are those of qlc.Compiler."""
        catalog = read_catalog(await self.catalog(), "the catalog of the corpus")
        return Compiler(self.client, catalog, **self.corpus._with_embedder(options))

    async def search(
        self,
        text: str,
        *,
        by: Ranking | None = None,
        where: str = "",
        limit: int = 10,
        **options: Unpack[RunOptions],
    ) -> Outcome:
        """As `Corpus.search`."""
        compiler = await self.compiler()
        if where.strip() and (found := await compiler.run_async(where_program(where), **options)).kind != "count":
            return found
        options.setdefault("size", limit)
        return await compiler.run_async(search_program(text, by, where, limit), **options)

    async def close(self) -> None:
        await self.client.close()
        await beside(self.corpus.close)

    async def __aenter__(self) -> AsyncCorpus:
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self.close()


def _asynchronous(target: str | Path, url: str | None, options: dict[str, Any]) -> AsyncElasticsearch:
    """The client that questions go through; one corpus at a time writes to a folder, and this is not it."""
    return connect_async(target, **{**options, "read_only": True}) if url is None else connect_async(url, **options)
