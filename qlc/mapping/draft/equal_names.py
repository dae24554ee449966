"""Fields that distinguish documents with equal names: the city of two orchestras called "City Philharmonic"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from qlc.mapping.draft.sample import Sample

_MOST = 2
"""Fields that a clarification shows at most beside a name."""


def distinguishing(name: str, candidates: Iterable[str], sample: Sample) -> list[str]:
    """Return at most two of the candidates whose values differ among documents of one name; empty if no two sampled
    documents have the same name. The first of several candidates that do equally well is taken."""
    unsolved = _equally_named(name, sample)
    chosen: list[str] = []
    left = list(candidates)
    while unsolved and left and len(chosen) < _MOST:
        best = max(left, key=lambda path: sum(_differ(path, documents, sample) for documents in unsolved))
        rest = [documents for documents in unsolved if not _differ(best, documents, sample)]
        if len(rest) == len(unsolved):
            break
        chosen.append(best)
        left.remove(best)
        unsolved = rest
    return chosen


def _equally_named(name: str, sample: Sample) -> list[list[str]]:
    """Return the ids of documents by their name, for each name that several have."""
    documents: defaultdict[str, list[str]] = defaultdict(list)
    for place, values in sample.at(name).by_place.items():
        documents[str(values[0]).casefold()].append(str(place[0]))
    return [ids for ids in documents.values() if len(ids) > 1]


def _differ(path: str, documents: Sequence[str], sample: Sample) -> bool:
    """Whether each of the documents has another value at a path."""
    places = sample.at(path).by_place
    values = {str(places[(document,)]) for document in documents if (document,) in places}
    return len(values) == len(documents)
