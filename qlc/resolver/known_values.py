"""Values that nothing has: a text compared with an open field is looked for, and the user told of near ones.

The search for them goes out beside the statement, so it costs no round trip; a value that was seen is remembered.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable, Sequence

from elasticsearch.dsl import Q

from qlc.compiler import typed
from qlc.compiler.caseless import fold_case
from qlc.compiler.clauses import all_of
from qlc.compiler.context import UsedLiteral
from qlc.compiler.environment import Bindings
from qlc.compiler.request import CannotAnswer, Reading, SearchRequest
from qlc.resolver.rows import read_values

LIFE_SECONDS = 300.0
MAX_KNOWN = 50_000
NEAR = 75
"""The least similarity, in percent, of a value that is worth naming."""


class KnownValues:
    """Which values were seen, per index, catalog version and access. Bounded in time and size; safe under threads."""

    def __init__(self) -> None:
        self._seen: dict[Hashable, float] = {}
        self._lock = threading.Lock()

    def has(self, key: Hashable) -> bool:
        with self._lock:
            until = self._seen.get(key)
        return until is not None and until > time.monotonic()

    def add(self, key: Hashable) -> None:
        with self._lock:
            if len(self._seen) >= MAX_KNOWN:
                self._seen.clear()
            self._seen[key] = time.monotonic() + LIFE_SECONDS

    def clear(self) -> None:
        with self._lock:
            self._seen.clear()


def read_unknown_values(
    literals: Sequence[UsedLiteral], env: Bindings, known: KnownValues, access: Hashable
) -> Reading[list[str]]:
    """Sentences about the values that no document has."""
    notes: list[str] = []
    fresh = {key: used for used in literals if not known.has(key := _key(used, env, access))}
    by_entity: dict[str, dict[Hashable, UsedLiteral]] = {}
    for key, used in fresh.items():
        by_entity.setdefault(used.entity.name, {})[key] = used
    for group in by_entity.values():
        keys, entity = list(group), next(iter(group.values())).entity
        filters = {str(n): _query(group[key], env) for n, key in enumerate(keys)}
        scope = env.scope(entity)
        body = {
            "size": 0,
            "track_total_hits": False,
            "query": (all_of(scope) if scope else Q("match_all")).to_dict(),
            "aggs": {"values": {"filters": {"filters": filters}}},
        }
        response = yield SearchRequest(entity.index, body, "whether the values occur")
        buckets = response["aggregations"]["values"]["buckets"]
        for number, key in enumerate(keys):
            if buckets[str(number)]["doc_count"]:
                known.add(key)
            else:
                notes.append((yield from _told(group[key], env)))
    return notes


def _key(used: UsedLiteral, env: Bindings, access: Hashable) -> Hashable:
    field = used.field
    return (used.entity.index, env.schema.version, access, used.entity.name, field, used.operator,
            fold_case(used.value))


def _query(used: UsedLiteral, env: Bindings) -> object:
    field = used.field
    text = typed.Literal(used.value)
    if used.operator in ("=", "key"):
        query = env.query(typed.Equals(field, (text,), folded=True))
    else:
        query = env.query(typed.Pattern(field, used.operator, text))  # type: ignore[arg-type]
    if field.of_key is not None:
        query = all_of([env.query(typed.has_key(field.of_key)), query])
    path = used.field.mapped.nested_path
    return (Q("nested", path=path, query=query) if path else query).to_dict()


def _told(used: UsedLiteral, env: Bindings) -> Reading[str]:
    if used.operator not in ("=", "key"):
        return _told_of_pattern(used)
    note = f"No {used.entity.name} has the {used.field.name} '{used.value}'."
    if used.operator == "key":
        note = f"No {used.entity.name} has '{used.field.name.rpartition('.')[0]}.{used.value}'."
    elif "*" in used.value or "?" in used.value:
        return f"{note[:-1]}: '*' and '?' are wild behind 'like', and here they are plain characters."
    try:
        values = yield from read_values(used.entity, used.field, env.scope(used.entity), env, env.bounds.names)
    except CannotAnswer:
        return note
    from rapidfuzz import fuzz, process

    texts = {value: value.casefold() for value in values if isinstance(value, str) and value}
    found = process.extract(used.value.casefold(), texts, scorer=fuzz.WRatio, limit=3, score_cutoff=NEAR)
    near = [f"'{name}'" for _, _, name in found]
    return f"{note} Near ones: {', '.join(near)}." if near else note


def _told_of_pattern(used: UsedLiteral) -> str:
    note = f"No {used.entity.name} has a {used.field.name} that {_VERBS[used.operator]} '{used.value}'"
    plain = "'%' is a plain character" if used.operator == "like" else "here they are plain characters"
    return f"{note}: '*' and '?' are wild behind 'like', and {plain}."


_VERBS = {"contains": "contains", "starts with": "starts with", "ends with": "ends with", "like": "is like"}
