"""A corpus for asyncio: questions go through an asynchronous client, files are read and vectors made on a thread."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

from qlc.beside import beside
from qlc.clients import connect_async
from qlc.driver import Call, drive_async
from qlc.mapping.catalog import Catalog
from qlc.options import RunOptions
from qlc.outcome import Outcome
from qlc.pipeline import Compiler

from .adding import Progress, Report
from .corpus import Corpus
from .embedders import Embedder
from .embedding import EmbeddingProgress
from .ranker import Reranker
from .searching import PER_DOCUMENT, Ranking, passages_about
from .status import Document, Status
from .work import Limits

if TYPE_CHECKING:
    from elasticsearch import AsyncElasticsearch

    from qlc.translator.model.exchange import ModelRequest

    from .extraction import Extraction


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
        embedder: Embedder | str | None = None,
        reranker: Reranker | None = None,
        shards: int = 1,
        **options: Any,
    ) -> Self:
        """As `Corpus.create`."""
        corpus = await beside(
            Corpus.create, target, schema, url=url, embedder=embedder, reranker=reranker, shards=shards, **options
        )
        return cls(corpus, _asynchronous(target, url, options))

    @classmethod
    async def open(
        cls,
        target: str | Path,
        *,
        url: str | None = None,
        read_only: bool = False,
        embedder: Embedder | str | None = None,
        reranker: Reranker | None = None,
        catalog: str | Path | Catalog | None = None,
        **options: Any,
    ) -> Self:
        """As `Corpus.open`."""
        corpus = await beside(
            Corpus.open, target, url=url, read_only=read_only, embedder=embedder, reranker=reranker, catalog=catalog,
            **options,
        )  # fmt: skip
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
        extract: Literal["model"] | Extraction | None = None,
    ) -> Report:
        """As `Corpus.add`."""
        return await beside(
            self.corpus.add,
            paths,
            prune=prune,
            processes=processes,
            limits=limits,
            progress=progress,
            extract=extract,
        )

    async def model_request(self, path: str | Path, extraction: Extraction | None = None) -> ModelRequest:
        """As `Corpus.model_request`."""
        return await beside(self.corpus.model_request, path, extraction)

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
        work = passages_about(text, by, where, limit, per_document, options)
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


def _asynchronous(target: str | Path, url: str | None, options: dict[str, Any]) -> AsyncElasticsearch:
    """The client that questions go through; one corpus at a time writes to a folder, and this is not it."""
    return connect_async(target, **{**options, "read_only": True}) if url is None else connect_async(url, **options)
