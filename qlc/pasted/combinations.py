"""Combinations of values as they are pasted: a `composite`, of which one page is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from qlc.pasted import values
from qlc.pasted.aggregation import DEFAULT_BUCKETS, MAX_BUCKETS, Aggregation
from qlc.pasted.clauses import Reading
from qlc.pasted.json_tree import Array, Member, Node, Object, plain
from qlc.pasted.values import Check

Read = Callable[[str, Member, Object, Reading], Aggregation | None]

MAX_SOURCES = 8
_OF_A_SOURCE: dict[str, Check] = {
    "order": values.one_of("asc", "desc"), "missing_bucket": values.boolean,
    "missing_order": values.one_of("first", "last", "default"),
}  # fmt: skip


def read_composite(
    name: str, kind: Member, body: Object, reading: Reading, readers: Mapping[str, Read]
) -> Aggregation | None:
    """Combinations of values, a page of them: as many as a `terms` may show."""
    findings = reading.findings
    allowed: dict[str, Check] = {
        "size": values.whole(1, 1_000_000), "sources": lambda findings, one: one, "after": _after,
    }  # fmt: skip
    params = values.read_params(findings, kind.key, body.members, allowed)
    listed = body.get("sources")
    given = listed.value.items if listed is not None and isinstance(listed.value, Array) else ()
    if not 0 < len(given) <= MAX_SOURCES:
        findings.reject("syntax", f"'composite' needs 'sources': a list of up to {MAX_SOURCES}", body.span,
                        'write {"sources": [{"NAME": {"terms": {"field": "..."}}}]}', what="composite")
        return None
    sources = [_source(one, reading, readers) for one in given]
    params.pop("sources", None)
    size = params.setdefault("size", DEFAULT_BUCKETS)
    if size > MAX_BUCKETS:
        params["size"] = MAX_BUCKETS
        findings.tell(f"'{name}' shows at most {MAX_BUCKETS:,} of the {size:,} buckets that it asks for.")
    found = tuple(one for one in sources if one is not None)
    if len(found) < len(sources):
        return None
    return Aggregation(name, "composite", kind.key_span, params=params, sources=found)


def _after(findings: Any, one: Member) -> Any:
    given = plain(one.value)
    scalar = str | int | float | bool | None
    if isinstance(given, dict) and len(given) <= MAX_SOURCES and all(isinstance(v, scalar) for v in given.values()):
        return given
    findings.reject("wrong_type", "'after' takes the last combination that was shown", one.value.span,
                    'write {"NAME": "VALUE"}', what="after")
    return None


def _source(node: Node, reading: Reading, readers: Mapping[str, Read]) -> Aggregation | None:
    """One of the values that are combined: `{"year": {"date_histogram": {...}}}`."""
    member = node.members[0] if isinstance(node, Object) and len(node.members) == 1 else None
    kinds = member.value.members if member is not None and isinstance(member.value, Object) else ()
    if member is None or len(kinds) != 1 or not isinstance(kinds[0].value, Object):
        reading.findings.reject("syntax", "a source is a name with one aggregation", node.span,
                                'write {"NAME": {"terms": {"field": "..."}}}', what="composite")
        return None
    kind, body = kinds[0], kinds[0].value
    if kind.key not in ("terms", "date_histogram", "histogram"):
        reading.findings.reject("not_allowed", f"'{kind.key}' cannot be a source of a 'composite' here", kind.key_span,
                                "use terms, date_histogram or histogram", what=kind.key)
        return None
    own = values.read_params(reading.findings, kind.key, [m for m in body.members if m.key in _OF_A_SOURCE],
                             _OF_A_SOURCE)
    rest = Object(tuple(m for m in body.members if m.key not in _OF_A_SOURCE), body.span)
    made = readers[kind.key](member.key, kind, rest, reading)
    if made is None:
        return None
    params = {key: value for key, value in made.params.items() if key != "size"}
    return replace(made, params={**params, **own})
