"""Objects that only some documents have: a `complaint` exists, or is missing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from qlc.grammar.tree import RESERVED
from qlc.language.field_words import word_set
from qlc.language.nouns import plural_of, singular_of, snake
from qlc.mapping.draft.sample import Sample

_FEWEST = 5
"""Number of sampled documents that must have an object."""

_MOST = 0.9
"""Share of documents with an object above which its presence is not worth a condition."""

_WORD = 4
"""Letters of the shortest word; `loc` is an abbreviation."""

_GENERAL = word_set(
    "detail data info information meta metadata attribute property prop extra custom additional other misc context "
    "summary stat statistic status state setting param flag system audit time date size total amount geo value field"
)
"""Names of objects that only group fields."""


def objects_of_some(paths: Collection[str], sample: Sample, taken: Collection[str]) -> Mapping[str, str]:
    """Return names of objects that some documents have, each with the path of a field that is in all of them. Names
    that are `taken` are left out."""
    inside: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        if "." in path:
            inside[path.rpartition(".")[0]].append(path)
    known = {one.replace("_", " ").casefold() for one in taken}
    sampled, found = set(sample.ids), dict[str, str]()
    for around, fields in inside.items():
        last = snake(around.rpartition(".")[2])
        name = singular_of(last) or last
        having = {path: {place[0] for place in sample.at(path).by_place} & sampled for path in fields}
        all_of_them = set().union(*having.values())
        always = next((path for path, documents in having.items() if documents == all_of_them), None)
        some = _FEWEST <= len(all_of_them) <= _MOST * sample.read
        is_noun = len(name) >= _WORD and name.isalpha() and name not in _GENERAL | RESERVED
        if always is not None and some and is_noun and known.isdisjoint((name, last, plural_of(name))):
            found[name] = always
    return found
