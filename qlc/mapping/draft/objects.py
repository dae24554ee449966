"""Objects that only some documents have: a `complaint` is there, or is not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from qlc.grammar.tree import RESERVED
from qlc.language.nouns import plural_of, singular_of, snake
from qlc.mapping.draft.sample import Sample

_FEWEST = 5
"""So many sampled documents have to have an object."""

_MOST = 0.9
"""Where more of them have it, nobody asks which do."""

_WORD = 4
"""Letters of the shortest word; `loc` is short for one."""

_GENERAL = frozenset(
    [
        "detail", "data", "info", "information", "meta", "metadata", "attribute", "property", "prop", "extra", "custom",
        "additional", "other", "misc", "context", "summary", "stat", "statistic", "status", "state", "setting",
        "param", "flag", "system", "audit", "time", "date", "size", "total", "amount", "geo", "value", "field",
    ]
)  # fmt: skip
"""What an object is called that is no thing of its own."""


def objects_of_some(paths: Collection[str], sample: Sample, taken: Collection[str]) -> Mapping[str, str]:
    """What the objects of some documents are called, each with the path of a field that every one of them has. None
    that is called as something else is (`taken`)."""
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
