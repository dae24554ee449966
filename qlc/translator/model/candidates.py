"""Where the things lie that a question names, so that its other words can tell which of several is meant."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Generator, Sequence
from typing import Any

from qlc.grammar.printer import print_string
from qlc.mapping.schema import Entity, Schema
from qlc.outcome import Hits
from qlc.translator.model.matching import Match
from qlc.translator.protocol import Need, Try
from qlc.translator.rules.words.tokens import fold

MOST_NAMES, MOST_PATHS = 4, 8
"""Names of one kind of thing whose paths are read, and how many paths."""


def with_paths(matches: Sequence[Match], schema: Schema) -> Generator[Need, Any, tuple[Match, ...]]:
    """The matches, names of several things with the paths of these: one search for each kind of thing."""
    named: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for one in matches:
        if one.entity and _has_paths(schema.entities[one.entity]):
            named[one.entity][one.text] = None
    paths: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    cut: set[str] = set()
    for name, texts in named.items():
        entity = schema.entities[name]
        assert entity.path is not None
        field, path = entity.names[0].name, entity.path.name
        listed = ", ".join(print_string(text) for text in list(texts)[:MOST_NAMES])
        outcome = yield Try(f"find {entity.plural} where {field} in [{listed}] limit {MOST_PATHS} show {field}, {path}")
        if not isinstance(outcome, Hits):
            continue
        for hit in outcome.hits:
            paths[name, fold(str(hit.values.get(field)))].append(str(hit.values.get(path)))
        if len(outcome.hits) == MOST_PATHS:
            cut.add(name)
    return tuple(
        dataclasses.replace(one, paths=tuple(found), more=one.entity in cut)
        if len(found := paths.get((one.entity, fold(one.text)), [])) > 1
        else one
        for one in matches
    )


def _has_paths(entity: Entity) -> bool:
    return entity.path is not None and not entity.path.sensitive and bool(entity.names) and not entity.virtual
