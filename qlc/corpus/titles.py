"""Titles of documents: a letterhead that several share is the title of none of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qlc.mapping.shapes import in_batches, searched

from .index import DOCUMENT
from .records import passage_ids
from .values.synonyms import says_its_kind
from .writing import written

Record = dict[str, Any]

_SHARED = 3
"""Documents with the same heading from which on it is not their title. `Employment Contract` stays a title."""
_MOST_SHARED = 1_000
_BATCH = 500


def tell_apart(client: Any, index: str) -> None:
    """Rename documents whose title others share: to their next heading that is their own, else to their file name.

    `UNITED STATES` on the first page of each report, the name of a firm on each of its letters.
    """
    counted = searched(
        client, index=index, size=0, query={"term": {"kind": DOCUMENT}},
        aggs={"names": {"terms": {"field": "titles", "size": _MOST_SHARED, "min_doc_count": _SHARED}}},
    )  # fmt: skip
    shared = {one["key"]: one["doc_count"] for one in counted["aggregations"]["names"]["buckets"]}
    letterheads = [name for name in shared if not says_its_kind(name)]
    if not letterheads:
        return
    operations: list[Record] = []
    query = {"bool": {"filter": [{"term": {"kind": DOCUMENT}}, {"terms": {"titles": letterheads}}]}}
    read = ["id", "title", "titles", "passages"]
    for record in (hit["_source"] for hits in in_batches(client, index=index, query=query, size=_BATCH, source=read)
                   for hit in hits):  # fmt: skip
        title = own_title(record["titles"], shared)
        if record["title"] != title and record["title"] in record["titles"]:
            for identity in (*passage_ids(record["id"], record["passages"]), record["id"]):
                operations += [{"update": {"_id": identity}}, {"doc": {"title": title}}]
    if operations:
        written(client, index, operations, may_be_gone=True)
        client.indices.refresh(index=index)


def own_title(titles: Sequence[str], shared: Mapping[str, int]) -> str:
    """Return the first title of a document that is its own, or a kind of document: `Employment Contract`."""
    return next((name for name in titles if name not in shared or says_its_kind(name)), titles[-1])
