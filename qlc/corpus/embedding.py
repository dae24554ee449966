"""Embeds passages in a separate pass, after they can be searched by words; an interrupted pass continues."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from qlc.mapping.shapes import in_batches

from .embedders import Embedder
from .index import PASSAGE, VECTOR
from .writing import written

_BATCH = 128
_DECIMALS = 7
"""Decimals of a vector's numbers; more would only take space."""
READ = ["title", "section", "head", "text"]
"""Fields of a passage that are read for its vector."""

EmbeddingProgress: TypeAlias = Callable[[int, int], None]
"""Called with the number of passages done, and of all."""


def embedded_text(record: Mapping[str, Any]) -> str:
    """Return the text to embed: the title and the headings of a passage, then its text."""
    heads = [record["title"], *(head for head in record.get("section", ()) if head != record["title"])]
    return "\n".join([" - ".join(heads), *filter(None, [record.get("head")]), record["text"]])


def embed_passages(client: Any, index: str, embedder: Embedder, progress: EmbeddingProgress | None = None) -> int:
    """Store a vector for each passage without one, and return their number."""
    client.indices.refresh(index=index)  # a pass that was cut off has written some
    todo = {"bool": {"filter": [{"term": {"kind": PASSAGE}}], "must_not": [{"exists": {"field": VECTOR}}]}}
    total = client.count(index=index, query=todo)["count"]
    done = 0
    for hits in in_batches(client, index=index, query=todo, size=_BATCH, source=READ):
        vectors = embedder.embed([embedded_text(hit["_source"]) for hit in hits])
        operations: list[dict[str, Any]] = []
        for hit, vector in zip(hits, vectors, strict=True):
            numbers = [round(number, _DECIMALS) for number in vector]
            operations += [{"update": {"_id": hit["_id"]}}, {"doc": {VECTOR: numbers}}]
        written(client, index, operations, may_be_gone=True)
        done += len(hits)
        if progress:
            progress(done, total)
    client.indices.refresh(index=index)
    return done
