"""An inference endpoint of an Elasticsearch server as embedder: task `text_embedding`.

https://www.elastic.co/docs/api/doc/elasticsearch/group/endpoint-inference. It requires a server licence (Enterprise in
8.19 and 9.5); search by words does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING

from elastic_transport import TransportError
from elasticsearch import ApiError

from qlc.base.errors import RequestFailed
from qlc.resolver.failures import failure_of

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

PREFIX = "inference:"
"""Prefix of the stored name of the embedder, before the id of the endpoint."""
_BATCH = 16
"""Texts per request: most services accept no more passages in one call."""


class InferenceEndpoint:
    """An Embedder: the endpoint with the id `inference_id` of the server that `client` speaks to.

    Raises RequestFailed, when vectors are made, where the server refuses or cannot be reached, or gives no vectors.
    """

    def __init__(self, client: Elasticsearch, inference_id: str) -> None:
        self._client = client
        self._id = inference_id
        self.name = f"{PREFIX}{inference_id}"

    @cached_property
    def dimensions(self) -> int:
        """Number of components, found by embedding a text."""
        return len(self.embed(["dimensions"])[0])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector of length 1 for each text."""
        vectors: list[list[float]] = []
        for begin in range(0, len(texts), _BATCH):
            some = list(texts[begin : begin + _BATCH])
            try:
                given = self._client.inference.text_embedding(inference_id=self._id, input=some)
            except (ApiError, TransportError) as problem:
                raise failure_of(problem) from problem
            found = [_of_length_one(one["embedding"]) for one in given.get("text_embedding", ())]
            if len(found) != len(some):
                raise RequestFailed("garbled", f"{self.name} returned {len(found)} vectors for {len(some)} texts")
            vectors += found
        return vectors


def _of_length_one(vector: Sequence[float]) -> list[float]:
    length = sqrt(sum(number * number for number in vector)) or 1.0
    return [number / length for number in vector]
