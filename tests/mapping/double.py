"""An index in memory for the mapping package, and one that is counted."""

from collections.abc import Iterable, Mapping
from typing import Any

from elasticsearch import Elasticsearch, helpers

from qlc.store.clients import connect

Document = Mapping[str, Any]


def index_of(index: str, body: Mapping[str, Any], documents: Iterable[tuple[str | None, Document]]) -> Elasticsearch:
    """A client of the embedded engine with one index; the documents have their _id before them."""
    client = connect(":memory:")
    client.indices.create(index=index, **body)
    keyed = (({} if key is None else {"_id": key}, one) for key, one in documents)
    helpers.bulk(client, ({"_index": index, **key, "_source": one} for key, one in keyed), refresh=True)
    return client


class Counted:
    """A client that counts its searches."""

    def __init__(self, client: Elasticsearch) -> None:
        self._client = client
        self.searches = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def search(self, **body: Any) -> Any:
        self.searches += 1
        return self._client.search(**body)
