"""Merges the mappings of several indices of one name, and lists their conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from qlc.mapping.fields import IndexMapping, MappedField

_SAME_TO_A_SEARCH = {"constant_keyword": "keyword", "wildcard": "keyword", "match_only_text": "text", "byte": "long",
                     "short": "long", "integer": "long", "half_float": "float"}  # fmt: skip
"""Types that a search over several indices treats alike, so that a mix of them is not a conflict."""


DEFAULT_DATE_FORMAT = "strict_date_optional_time||epoch_millis"


def merge_mappings(index: str, mappings: Sequence[IndexMapping]) -> IndexMapping:
    """Merge mappings under the name `index`. Fields of a single index are kept; the first index decides details."""
    if len(mappings) == 1:
        only = mappings[0]
        return replace(only, index=index, indices=only.indices or (index,))
    fields: dict[str, MappedField] = {}
    for path in dict.fromkeys(path for mapping in mappings for path in mapping.fields):
        found = [(m.index, m.fields[path]) for m in mappings if path in m.fields]
        fields[path] = replace(_merged_field(found), in_part=len(found) < len(mappings))
    for mapping in mappings:
        for path in mapping.objects | mapping.nested:
            if path in fields:
                # An object in one index and a value in another: no search can mean both.
                kind = "nested" if path in mapping.nested else "object"
                types = ((m.index, _type_name(m.fields[path])) for m in mappings if path in m.fields)
                fields[path] = replace(fields[path], conflict=(*types, (mapping.index, kind)))
    return IndexMapping(
        index=index,
        fields=fields,
        nested=frozenset().union(*(m.nested for m in mappings)),
        objects=frozenset().union(*(m.objects for m in mappings)),
        included=frozenset(path for m in mappings for path in m.included
                           if all(path in one.included for one in mappings if path in one.nested)),
        flattened=frozenset().union(*(m.flattened for m in mappings)),
        indices=tuple(m.index for m in mappings),
        normalizers={name: filters for m in mappings for name, filters in m.normalizers.items()},
        sub_fields={path: sub for m in reversed(mappings) for path, sub in m.sub_fields.items()},
        copies=_all_copies(mappings),
        scripts=_all_scripts(mappings),
        closed=tuple(dict.fromkeys(one for m in mappings for one in m.closed)),
        references={path: target for m in mappings for path, target in m.references.items()},
        fingerprint=blake2b("".join(m.fingerprint for m in mappings).encode(), digest_size=8).hexdigest(),
    )


def _all_copies(mappings: Sequence[IndexMapping]) -> dict[str, tuple[str, ...]]:
    """Return the targets of `copy_to` in any of the indices."""
    sources = dict.fromkeys(path for mapping in mappings for path in mapping.copies)
    targets = {path: dict.fromkeys(one for m in mappings for one in m.copies.get(path, ())) for path in sources}
    return {path: tuple(ones) for path, ones in targets.items()}


def _all_scripts(mappings: Sequence[IndexMapping]) -> dict[str, str | None]:
    """Return the scripts of a runtime field in all indices, joined; None if one of them cannot be shown."""
    found: dict[str, str | None] = {}
    for mapping in mappings:
        for path, script in mapping.scripts.items():
            before = found.get(path, "")
            found[path] = None if script is None or before is None else f"{before}\n{script}"
    return found


def _merged_field(found: Sequence[tuple[str, MappedField]]) -> MappedField:
    first = found[0][1]
    if all(_as_searched(one) == _as_searched(first) for _, one in found[1:]):
        limits = [one.ignore_above for _, one in found if one.ignore_above is not None]
        formats = dict.fromkeys(one.date_format or DEFAULT_DATE_FORMAT for _, one in found)
        date_format = first.date_format if len(formats) == 1 else "||".join(formats)
        factors = {one.scaling_factor for _, one in found}
        factor = first.scaling_factor if len(factors) == 1 else None
        return replace(first, ignore_above=min(limits, default=None), date_format=date_format, scaling_factor=factor,
                       may_ignore=any(one.may_ignore for _, one in found))
    return replace(first, conflict=tuple((index, _type_name(one)) for index, one in found))


def _type_name(field: MappedField) -> str:
    """Return the type for a message; two texts can differ only in their keyword."""
    has_keyword = field.es_type == "text" and field.exact is not None
    return f"text with {field.exact}" if has_keyword else field.es_type


def _as_searched(field: MappedField) -> tuple[object, ...]:
    return (_SAME_TO_A_SEARCH.get(field.es_type, field.es_type), field.path, field.exact, field.analysed, field.nested,
            field.normalizer, field.indexed, field.doc_values)
