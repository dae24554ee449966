"""Titles of documents: a letterhead that several share is the title of none of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from qlc.mapping.shapes import searched

from .index import DOCUMENT
from .records import passage_ids
from .values.synonyms import KINDS_OF_PAPERS
from .writing import written

Record = dict[str, Any]

_SHARED = 3
"""Documents with the same heading from which on it is not their title. `Employment Contract` stays a title."""
_MOST_SHARED = 1_000
_PAGE = 500


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
    for record in _documents(client, index, letterheads):
        title = own_title(record["titles"], shared)
        if record["title"] != title and record["title"] in record["titles"]:
            for identity in (*passage_ids(record["id"], record["passages"]), record["id"]):
                operations += [{"update": {"_id": identity}}, {"doc": {"title": title}}]
    if operations:
        written(client, index, operations, may_be_gone=True)
        client.indices.refresh(index=index)


def says_its_kind(name: str) -> bool:
    """Whether a name says what a document is: `Employment Contract`, `Minutes of 5 May`."""
    words = re.findall(r"[^\W\d_]+", name.lower())
    return any(form in KINDS_OF_PAPERS for word in words for form in (word, word.removesuffix("s")))


def own_title(titles: Sequence[str], shared: Mapping[str, int]) -> str:
    """Return the first title of a document that is its own, or a kind of document: `Employment Contract`."""
    return next((name for name in titles if name not in shared or says_its_kind(name)), titles[-1])


def _documents(client: Any, index: str, names: Sequence[str]) -> Iterator[Record]:
    after: dict[str, Any] = {}
    query = {"bool": {"filter": [{"term": {"kind": DOCUMENT}}, {"terms": {"titles": list(names)}}]}}
    while found := searched(
        client, index=index, query=query, sort=[{"id": "asc"}], size=_PAGE,
        source=["id", "title", "titles", "passages"], **after,
    )["hits"]["hits"]:  # fmt: skip
        yield from (hit["_source"] for hit in found)
        after = {"search_after": found[-1]["sort"]}
