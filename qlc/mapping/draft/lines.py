"""Lines of a draft: its beginning, the patterns of ids, the fields that it leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from qlc.base.texts import UNPRINTED
from qlc.mapping.draft.doubles import Double
from qlc.mapping.draft.kinds import Kind, Kinds
from qlc.mapping.draft.naming import pattern_of, scalar
from qlc.mapping.fields import FieldKind, IndexMapping

_CERTAIN = 5
"""Number of ids with the same beginning that make a pattern certain."""
_CERTAIN_OF_ALL = 3
"""The same, if these are the ids of all documents."""

_MOST_LEFT_OUT = 40
"""Most unused paths that are listed by name."""


def head(index: str, found: Sequence[Kinds]) -> list[str]:
    samples = [kind.sample for kinds in found for kind in kinds.kinds]
    read, total = sum(sample.read for sample in samples), sum(sample.total for sample in samples)
    documents = f" and {read:,} of {total:,} documents" if total else ""
    return [
        f"# A first catalog of {index}, drafted from its mapping{documents}.",
        "# You can use it as it is. '# ?' marks a guess, and says from what: correct it where it is wrong. A line that",
        "# begins with it has no effect until you remove the mark. Then add names and words that people use.",
        "version: 1",
        f"index: {scalar(index)}",
    ]


def apart(entities: Iterable[Sequence[str]]) -> list[str]:
    """Join the lines of all entities with an empty line between them."""
    lines = [line for entity in entities for line in ("", *entity)]
    return lines[1:]


def pattern(mapping: IndexMapping, kind: Kind) -> Iterator[str]:
    """Yield the `id_pattern` line: for numbers, or for letters before a number; digits alone in a text can also be a
    name."""
    if kind.identity is None:
        return
    if mapping.fields[kind.identity].kind is FieldKind.WHOLE_NUMBER:
        yield "    id_pattern: '[0-9]+'"
        return
    ids = [str(one) for one in kind.sample.at(kind.identity).values]
    form = pattern_of(ids)
    if form is not None and not UNPRINTED.search(form):
        is_certain = len(ids) >= _CERTAIN or kind.sample.read == kind.sample.total == len(ids) >= _CERTAIN_OF_ALL
        mark = "" if is_certain and not form.startswith("[0") else "# ? "
        quoted = form.replace("'", "''")
        yield f"    {mark}id_pattern: '{quoted}'  # ids of this form are never taken for names"


def left_out(mapping: IndexMapping, kinds: Kinds, doubles: Mapping[str, Double]) -> Iterator[str]:
    """Yield comments on fields of the mapping that the draft leaves out, with the reason."""
    for path, mapped in mapping.fields.items():
        if mapped.conflict:
            types = ", ".join(f"{es_type} in {index}" for index, es_type in mapped.conflict)
            yield f"# left out: {path}, which is {types}"
        elif mapped.kind is FieldKind.UNSUPPORTED:
            yield f"# left out: {path}, mapped as {mapped.es_type}, which cannot be searched"
    for one in doubles.values():
        yield f"# left out, by its full path only: {one.path}, which {one.how}"
    if any(kind.sample.total for kind in kinds.kinds):
        aliases = {path for path, mapped in mapping.fields.items() if path != mapped.path}  # drafted by their own names
        empty = sorted(set(mapping.fields) - kinds.filled - aliases)
        if empty:
            more = f" and {len(empty) - _MOST_LEFT_OUT:,} more" if len(empty) > _MOST_LEFT_OUT else ""
            yield f"# left out, no document has them: {', '.join(empty[:_MOST_LEFT_OUT])}{more}"
