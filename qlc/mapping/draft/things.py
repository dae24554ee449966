"""Entities without documents, found by ids with names in the documents of others: people above all."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from qlc.grammar.tree import RESERVED
from qlc.language.nouns import plural_of
from qlc.mapping.draft.naming import id_of_what, words_of
from qlc.mapping.draft.sample import Sample

_SHARED = 0.5
"""Share of ids that two fields must have in common to refer to the same entity."""

_NAMED = (2, 4)
"""Fewest and most words of a person's name."""


@dataclass(frozen=True, slots=True)
class Thing:
    """An entity without documents: its names, and the `paths` of its ids."""

    name: str
    plural: str
    paths: tuple[str, ...]


def find_things(labelled: Mapping[str, tuple[str, Sample]], taken: Collection[str]) -> list[Thing]:
    """Return the entities whose ids and names are in fields. `labelled` maps the path of ids to the path of names and
    the documents. Fields that share ids belong to one entity; `taken` are names of other entities."""
    groups: list[tuple[list[str], set[str]]] = []
    for path, (_, sample) in sorted(labelled.items()):
        ids = set(map(str, sample.at(path).values))
        near = next((one for one in groups if len(one[1] & ids) >= _SHARED * min(len(one[1]), len(ids))), None)
        if near is None:
            groups.append(([path], ids))
        else:
            near[0].append(path)
            near[1].update(ids)
    found: list[Thing] = []
    for paths, _ in groups:
        names = [str(value) for path in paths for name, sample in [labelled[path]] for value in sample.at(name).values]
        name = _called(paths, people=_are_people(names))
        while name in {*taken, *RESERVED, *(one.name for one in found)}:
            name += "_2"
        found.append(Thing(name, plural_of(name), tuple(paths)))
    return found


def _called(paths: Collection[str], *, people: bool) -> str:
    stems = {id_of_what(path) or "_".join(words_of(path)) for path in paths}
    if len(stems) == 1 and not people:
        return stems.pop()
    return "person" if people else min(stems, key=len)


def _are_people(names: Collection[str]) -> bool:
    """Whether most names are a few capitalized words, as for people: `Ada Byron`."""
    fewest, most = _NAMED
    whole = [one for one in names if fewest <= len(one.split()) <= most and one.istitle()]
    return 10 * len(whole) > 9 * len(names) and len(set(names)) > 1
