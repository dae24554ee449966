"""Fields that distinguish documents with equal names: the city of two orchestras called "City Philharmonic"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from qlc.mapping.draft.sample import Sample

_MOST = 2
"""Fields that a clarification shows at most beside a name."""


def distinguishing(name: str, candidates: Sequence[str], sample: Sample) -> list[str]:
    """Return at most two of the candidates that leave the fewest documents of one name alike, the better one first:
    eleven people called Ann Lee -> `born`, `city`. Empty if no two sampled documents have the same name. The first of
    several candidates that do equally well is taken."""
    alike = _equally_named(name, sample)
    chosen: list[str] = []
    while len(chosen) < _MOST:
        split = {path: [part for one in alike for part in _split(path, one, sample)] for path in candidates}
        best = min(split, key=lambda path: sum(map(len, split[path])) - len(split[path]), default=None)
        if best is None or split[best] == alike:
            break
        chosen.append(best)
        alike = split[best]
    return chosen


def _equally_named(name: str, sample: Sample) -> list[list[str]]:
    """Return the ids of documents by their name, for each name that several have."""
    documents: defaultdict[str, list[str]] = defaultdict(list)
    for place, values in sample.at(name).by_place.items():
        documents[str(values[0]).casefold()].append(str(place[0]))
    return [ids for ids in documents.values() if len(ids) > 1]


def _split(path: str, documents: Sequence[str], sample: Sample) -> list[list[str]]:
    """Return the documents with one value at a path together, for each value that several have."""
    places = sample.at(path).by_place
    by_value: defaultdict[str, list[str]] = defaultdict(list)
    for document in documents:
        by_value[str(places.get((document,)))].append(document)
    return [ids for ids in by_value.values() if len(ids) > 1]
