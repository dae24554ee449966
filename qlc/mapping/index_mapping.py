"""Reads an Elasticsearch mapping, from a file or a live index, to the fields that the language can use."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qlc.base.errors import RequestFailed, reason_of
from qlc.mapping.errors import MappingError
from qlc.mapping.fields import NUMERIC, FieldKind, IndexMapping, MappedField
from qlc.mapping.merge import merge_mappings
from qlc.mapping.shapes import mapping_answer

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

Json = Mapping[str, Any]

_TYPES: Mapping[FieldKind, str] = {
    FieldKind.KEYWORD: "keyword constant_keyword wildcard flattened version",
    FieldKind.TEXT: "text match_only_text search_as_you_type annotated_text",
    FieldKind.WHOLE_NUMBER: "byte short integer long unsigned_long token_count",
    FieldKind.NUMBER: "half_float float double scaled_float",
    FieldKind.DATE: "date date_nanos",
    FieldKind.BOOLEAN: "boolean",
    FieldKind.GEO_POINT: "geo_point",
    FieldKind.GEO_SHAPE: "geo_shape",
    FieldKind.NUMBER_RANGE: "integer_range long_range float_range double_range",
    FieldKind.DATE_RANGE: "date_range",
    FieldKind.IP_RANGE: "ip_range",
    FieldKind.IP: "ip",
    FieldKind.VECTOR: "dense_vector",
}
KINDS: Mapping[str, FieldKind] = {es_type: kind for kind, types in _TYPES.items() for es_type in types.split()}
"""The language's kind of each Elasticsearch type; all other types are UNSUPPORTED."""

_EXACT_KINDS = frozenset({FieldKind.KEYWORD, *NUMERIC, FieldKind.DATE, FieldKind.BOOLEAN, FieldKind.IP})
_OF_DATES = (FieldKind.DATE, FieldKind.DATE_RANGE)
LONGEST = 50_000_000
"""Most characters of a mapping file."""
MAX_DEPTH = 100
"""Most levels of objects. Elasticsearch allows 20 by default."""
LOADING = "qlc_loading"
"""In the `_meta` of a mapping: whether a load has begun and not ended."""
COUNTS, ROWS = "counts", "rows"
"""In the `meta` of a field: it counts the rows of a loaded table."""
READ_FROM = "read_from"
"""In the `meta` of a field: from which text its number was read when a table was loaded, in a sentence."""
_OBJECT_TYPES = frozenset({"object", "nested", "passthrough"})
_BUILT_IN_NORMALIZERS: Mapping[str, tuple[str, ...]] = {"lowercase": ("lowercase",)}


def load_mapping(path: str | Path, index: str = "") -> IndexMapping:
    """Load the mapping in a JSON file: an index body, a bare mapping, or a response of `GET /INDEX`. Raises
    MappingError."""
    return read_mapping(_json_file(path), index)


def load_mappings(path: str | Path, indices: Sequence[str]) -> dict[str, IndexMapping]:
    """Load the mappings of several indices (or patterns) from a JSON file. For one index the file is as for
    `load_mapping`; for several it maps each name to its body, as `GET /A,B` does. Raises MappingError."""
    body = _json_file(path)
    if len(indices) == 1:
        return {indices[0]: read_mapping(body, indices[0])}
    bodies = _bodies(body, "")
    found = {index: {name: one for name, one in bodies.items() if fnmatchcase(name, index)} for index in indices}
    lacking = [index for index, matching in found.items() if not matching]
    if lacking:
        raise MappingError(
            f"the catalog speaks of the indices {', '.join(indices)}, "
            f"and {path} has no mapping of {' or '.join(lacking)}: "
            f'a file for several is {{"{indices[0]}": {{"mappings": ...}}, ...}}, as GET /{",".join(indices)} answers'
        )
    return {index: _joined(matching, index) for index, matching in found.items()}


_GIVE = "give what GET /INDEX answers"


def _json_file(path: str | Path) -> Any:
    file = Path(path)
    try:
        text = file.read_text("utf-8")
        if len(text) > LONGEST:
            raise MappingError(f"{file} is longer than {LONGEST:,} characters, which no mapping is")
        return json.loads(text)
    except OSError as error:
        raise MappingError(f"{file} cannot be read: {reason_of(error)}") from None
    except UnicodeDecodeError:
        raise MappingError(f"{file} is not UTF-8 text; {_GIVE}") from None
    except ValueError as error:
        raise MappingError(f"{file} is not JSON: {error}; {_GIVE}") from None
    except RecursionError:
        raise MappingError(f"{file} is nested too deeply to be a mapping") from None


def read_mapping(body: Json, index: str = "") -> IndexMapping:
    """Read the mapping in an index body (`mappings`, `settings`), with or without the index's name around it.

    `index` is the name that searches will use, by default the name in the body. Raises MappingError.
    """
    return _joined(_bodies(body, index), index)


def _bodies(body: Json, index: str) -> dict[str, Json]:
    """Return index bodies by name; a body without a name is stored under `index`."""
    if not isinstance(body, Mapping):
        raise MappingError(f"a mapping is a JSON object with 'mappings' in it; {_GIVE}")
    if "template" in body and isinstance(body["template"], Mapping):
        body = body["template"]
    if "mappings" in body:
        return {index: body}
    if "properties" in body or not body:
        return {index: {"mappings": body}}
    bodies = {name: one for name, one in body.items() if isinstance(one, Mapping) and "mappings" in one}
    if len(bodies) != len(body):
        raise MappingError("no 'mappings' found: an index body has 'mappings', and 'properties' in it")
    return bodies


def fetch_mapping(client: Elasticsearch, index: str) -> IndexMapping:
    """Fetch the mapping of a live index, an alias, a pattern or a comma-separated list of them.

    Raises MappingError if nothing has that name, and what the client raises if it cannot be asked.
    """
    mappings = mapping_answer(client.indices.get_mapping, index)
    settings = mapping_answer(client.indices.get_settings, index)
    return mapping_from_responses(index, mappings, settings)


def mapping_from_responses(index: str, mappings: Json, settings: Json) -> IndexMapping:
    """Return the mapping of a name from the responses of `GET /NAME/_mapping` and `GET /NAME/_settings`."""
    if not mappings:
        raise MappingError(f"there is no index, alias or pattern '{index}' that matches an index")
    bodies = {}
    for name, body in _object(mappings, "the answer").items():
        found = _object(_object(settings, "the answer").get(name, {}), f"the settings of {name}")
        bodies[name] = {
            "mappings": _object(body, f"the mapping of {name}").get("mappings", {}),
            "settings": found.get("settings", {}),
        }
    closed = sorted(name for name in settings.keys() - mappings.keys() if _is_closed(settings[name]))
    joined = _joined(bodies, index)
    return replace(joined, closed=tuple(closed), fingerprint=",".join((joined.fingerprint, *closed)))


def _is_closed(body: object) -> bool:
    """Whether settings are those of a closed index; one without a mapping may also be newer than the mappings read."""
    settings = body.get("settings") if isinstance(body, Mapping) else None
    flat = dict(_flat_settings("", settings)) if isinstance(settings, Mapping) else {}
    return flat.get("index.verified_before_close") in (True, "true")


def _object(value: object, what: str) -> Json:
    """Check that a value is a JSON object. Raises MappingError."""
    if not isinstance(value, Mapping):
        raise MappingError(f"{what} is a JSON object, and not {_shown(value)}")
    return value


def _text(value: object, what: str) -> str:
    """Check that a value is a text. Raises MappingError."""
    if not isinstance(value, str):
        raise MappingError(f"{what} is a text, and not {_shown(value)}")
    return value


def _texts(value: object, what: str) -> tuple[str, ...]:
    """Return a text or a list of them as a tuple. Raises MappingError."""
    return tuple(_text(one, what) for one in value) if isinstance(value, list) else (_text(value, what),)


def _shown(value: object) -> str:
    found = json.dumps(value, default=str) if not isinstance(value, Mapping | list) or not value else "..."
    return found if len(found) <= 40 else f"{found[:40]}..."


def _joined(bodies: Mapping[str, Json], index: str) -> IndexMapping:
    """Merge the mappings of all indices, by name, so that the result does not depend on the server's order."""
    name = index or ",".join(sorted(bodies))
    return merge_mappings(name, [_read_index(one, bodies[one]) for one in sorted(bodies)])


def _read_index(index: str, body: Json) -> IndexMapping:
    mappings = _object(body["mappings"], "'mappings' of an index body")
    meta = mappings.get("_meta")
    if isinstance(meta, Mapping) and meta.get(LOADING) is True:
        sentence = f"The table '{index}' is not loaded whole: its load goes on or was stopped. Then load it again."
        raise RequestFailed("partial", f"the load of '{index}' has not ended", retryable=True, sentence=sentence)
    settings = _object(body.get("settings") or {}, "'settings' of an index body")
    reader = _MappingReader()
    reader.read_object("", mappings, ())
    reader.read_runtime("", mappings.get("runtime") or {})
    reader.resolve_aliases()
    if (ignoring := _by_settings(settings)):
        for known in (reader.fields, reader.sub_fields):
            known.update({path: replace(one, may_ignore=True) for path, one in known.items()
                          if ignoring & {one.es_type, one.kind.value if one.exact != one.path else ""}})
    copied = {target for targets in reader.copies.values() for target in targets}
    reader.fields |= {path: replace(reader.fields[path], is_copy=True) for path in copied & reader.fields.keys()}
    content = json.dumps([mappings, settings], sort_keys=True, default=str)
    return IndexMapping(
        index=index,
        fields=reader.fields,
        nested=frozenset(reader.nested),
        objects=frozenset(reader.objects),
        included=frozenset(reader.included),
        flattened=frozenset(reader.flattened),
        indices=(index,) if index else (),
        normalizers=_normalizers(settings),
        sub_fields=reader.sub_fields,
        copies=reader.copies,
        scripts=reader.scripts,
        references=_references(mappings),
        fingerprint=blake2b(content.encode(), digest_size=8).hexdigest(),
    )


def _references(mappings: Json) -> dict[str, str]:
    """Return the foreign keys that a load of tables has put into `_meta`; whatever else is there is not read."""
    meta = mappings.get("_meta")
    found = meta.get("qlc_references") if isinstance(meta, Mapping) else None
    pairs = found.items() if isinstance(found, Mapping) else ()
    return {path: target for path, target in pairs if isinstance(target, str)}


@dataclass(slots=True)
class _MappingReader:
    """Walks the properties of one index. Nested paths are outermost first."""

    fields: dict[str, MappedField] = field(default_factory=dict)
    sub_fields: dict[str, MappedField] = field(default_factory=dict)
    nested: list[str] = field(default_factory=list)
    included: list[str] = field(default_factory=list)
    objects: list[str] = field(default_factory=list)
    flattened: list[str] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)
    copies: dict[str, tuple[str, ...]] = field(default_factory=dict)
    scripts: dict[str, str | None] = field(default_factory=dict)
    depth: int = 0

    def read_object(self, prefix: str, definition: Json, nested: tuple[str, ...]) -> None:
        properties = definition.get("properties") or {}
        for name, one in _object(properties, f"'properties' of {prefix.rstrip('.') or 'the mapping'}").items():
            path = prefix + name
            if not isinstance(one, Mapping):
                raise MappingError(f"the field {path} has no type: it is mapped as {_shown(one)}")
            given = one.get("type")
            es_type = "object" if given is None else _text(given, f"'type' of {path}")
            if es_type in _OBJECT_TYPES:
                self._read_inner(path, es_type, one, nested)
            elif es_type == "alias":
                self.aliases[path] = _text(one.get("path", ""), f"'path' of {path}")
            else:
                self._read_leaf(path, es_type, one, nested)

    def _read_inner(self, path: str, es_type: str, definition: Json, nested: tuple[str, ...]) -> None:
        if not _is_on(definition, "enabled"):
            # Kept in the stored document only: nothing below it can be searched.
            self.fields[path] = MappedField(path, es_type, FieldKind.UNSUPPORTED, nested=nested, indexed=False,
                                            doc_values=False)
            return
        if es_type == "nested":
            nested = (*nested, path)
            self.nested.append(path)
            if any(definition.get(name) in (True, "true") for name in ("include_in_parent", "include_in_root")):
                self.included.append(path)
        else:
            self.objects.append(path)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise MappingError(f"the mapping is nested more than {MAX_DEPTH} levels deep")
        self.read_object(path + ".", definition, nested)
        self.depth -= 1

    def _read_leaf(self, path: str, es_type: str, definition: Json, nested: tuple[str, ...]) -> None:
        main = _single(path, es_type, definition, nested)
        if es_type == "flattened":
            self.flattened.append(path)
        subs = _object(definition.get("fields") or {}, f"'fields' of {path}")
        if subs:
            parts: list[MappedField] = []
            for name, sub in subs.items():
                if not isinstance(sub, Mapping):
                    raise MappingError(f"the sub-field {path}.{name} has no type: it is mapped as {_shown(sub)}")
                parts.append(_single(f"{path}.{name}", str(sub.get("type", "object")), sub, nested))
            self.sub_fields.update((part.path, part) for part in parts)
            main = _with_sub_fields(main, parts, subs)
        targets = definition.get("copy_to")
        if targets:
            self.copies[path] = _texts(targets, f"'copy_to' of {path}")
        self.fields[path] = main

    def read_runtime(self, prefix: str, runtime: Json) -> None:
        """Read runtime fields, which hide mapped fields of the same name."""
        for name, one in _object(runtime, f"'runtime' of {prefix.rstrip('.') or 'the mapping'}").items():
            path = prefix + name
            definition = _object(one, f"the runtime field {path}")
            script = definition.get("script")
            if script is not None:
                source = script.get("source") if isinstance(script, Mapping) else script
                self.scripts[path] = source if isinstance(source, str) else None
            if definition.get("type") == "composite" and not prefix:  # the fields of one are no composites themselves
                self.objects.append(path)
                self.read_runtime(path + ".", definition.get("fields") or {})
            else:
                self.fields[path] = _single(path, str(definition.get("type")), definition, ())

    def resolve_aliases(self) -> None:
        for path, target in self.aliases.items():
            found = self.fields.get(target) or self.sub_fields.get(target)
            if found is None:
                raise MappingError(f"the alias {path} stands for '{target}', which is not a field of the mapping")
            self.fields[path] = found


def _is_on(definition: Json, switch: str) -> bool:
    """Whether a switch of the mapping is on. It is unless it says false; live indices sometimes respond with
    strings."""
    return definition.get(switch, True) not in (False, "false")


def _single(path: str, es_type: str, definition: Json, nested: tuple[str, ...]) -> MappedField:
    """Return a field without its multi-fields."""
    kind = KINDS.get(es_type, FieldKind.UNSUPPORTED)
    indexed = _is_on(definition, "index")
    if es_type == "binary":  # has no index, and by default no doc values
        indexed = any(definition.get(name) in (True, "true") for name in ("doc_values", "store"))
    normalizer, date_format = definition.get("normalizer"), definition.get("format")
    return MappedField(
        path=path,
        es_type=es_type,
        kind=kind,
        exact=path if kind in _EXACT_KINDS else None,
        analysed=path if kind is FieldKind.TEXT and indexed else None,
        nested=nested,
        normalizer=_text(normalizer, f"'normalizer' of {path}") if normalizer is not None else None,
        ignore_above=_whole_number(definition.get("ignore_above"), path),
        date_format=_text(date_format, f"'format' of {path}") if date_format and kind in _OF_DATES else None,
        indexed=indexed,
        doc_values=kind in _EXACT_KINDS and _is_on(definition, "doc_values"),
        scaling_factor=_positive(definition.get("scaling_factor")) if es_type == "scaled_float" else None,
        may_ignore=_may_ignore(es_type, definition),
        label=_of_meta(definition, "label"),
        unit=_of_meta(definition, "unit"),
        counts_rows=_of_meta(definition, COUNTS) == ROWS,
        read_from=_of_meta(definition, READ_FROM),
        note=_of_meta(definition, "note", LONGEST_NOTE),
    )


def range_element(mapped: MappedField) -> MappedField:
    """Return the field of single values that a field of ranges would be: `date_range` -> `date`."""
    es_type = mapped.es_type.removesuffix("_range")
    return replace(mapped, es_type=es_type, kind=KINDS[es_type])


LONGEST_META = 100
"""Most characters of a label or a unit; Elasticsearch takes 50, the engine any number."""
LONGEST_NOTE = 500


def _of_meta(definition: Json, name: str, longest: int = LONGEST_META) -> str:
    """Return an entry of a field's `meta`, which Elasticsearch keeps for readers of the mapping."""
    meta = definition.get("meta")
    found = meta.get(name) if isinstance(meta, Mapping) else None
    return " ".join(found.split())[:longest] if isinstance(found, str) else ""


_LONG_TEXTS = ("keyword", "wildcard")
_MALFORMED = frozenset(KINDS) - {*_TYPES[FieldKind.KEYWORD].split(), *_TYPES[FieldKind.TEXT].split(), "dense_vector"}


def _may_ignore(es_type: str, definition: Json) -> bool:
    """Whether documents list the field in `_ignored`; for a flattened field they never do."""
    if es_type in _LONG_TEXTS:
        return definition.get("ignore_above") is not None
    return es_type in _MALFORMED and definition.get("ignore_malformed") in (True, "true")


def _by_settings(settings: Json) -> frozenset[str]:
    """Return the types whose values the index settings allow to be left out, unless a field says otherwise."""
    flat = {key.removeprefix("index."): value for key, value in _flat_settings("", settings)}
    found = set(_LONG_TEXTS) if flat.get("mapping.ignore_above") is not None else set()
    return frozenset(found | (_MALFORMED if flat.get("mapping.ignore_malformed") in (True, "true") else set()))


def _positive(value: object) -> float | None:
    """Return a number above zero; live indices can respond with a text."""
    try:
        number = float(value) if isinstance(value, int | float | str) else 0.0
    except (ValueError, OverflowError):
        return None
    return number if 0 < number < math.inf else None


def _whole_number(value: object, path: str) -> int | None:
    try:
        return int(value) if isinstance(value, int | str) else None
    except ValueError:
        raise MappingError(f"'ignore_above' of {path} is a whole number, and not {_shown(value)}") from None


def _with_sub_fields(main: MappedField, subs: list[MappedField], definitions: Json) -> MappedField:
    """Add the sub-fields for exact terms or full text that the field itself lacks."""
    if main.kind is FieldKind.TEXT:
        exact = min((sub for sub in subs if sub.kind is FieldKind.KEYWORD), key=_less_fit_for_terms, default=None)
        if exact is not None:
            own = {name: getattr(exact, name) for name in _OF_EXACT}
            main = replace(main, kind=FieldKind.KEYWORD, exact=exact.path, **own)
    elif main.kind is FieldKind.KEYWORD:
        texts = [sub for sub in subs if sub.analysed]
        # Words as people write them are in a sub-field with the plain analyser, not in one of word beginnings.
        texts.sort(key=lambda sub: (sub.es_type == "search_as_you_type",
                                    "analyzer" in definitions[sub.path.rsplit(".", 1)[1]]))
        if texts:
            main = replace(main, analysed=texts[0].path)
    return main


_OF_EXACT = ("normalizer", "ignore_above", "indexed", "doc_values", "may_ignore")


def _less_fit_for_terms(sub: MappedField) -> tuple[bool, bool, bool, float]:
    """Sort key of keyword sub-fields, best first: searchable, sortable, not normalized, longest values."""
    longest = float("inf") if sub.ignore_above is None else sub.ignore_above
    return (not sub.indexed, not sub.doc_values, sub.normalizer is not None, -longest)


def _normalizers(settings: Json) -> dict[str, tuple[str, ...]]:
    """Return the token filters of each normalizer, from settings as a tree, with or without `index`, or with dots."""
    flat = dict(_flat_settings("", settings))
    found: dict[str, tuple[str, ...]] = dict(_BUILT_IN_NORMALIZERS)
    for key, value in flat.items():
        parts = key.removeprefix("index.").split(".")
        if parts[:2] == ["analysis", "normalizer"] and parts[-1] == "filter":
            found[".".join(parts[2:-1])] = _texts(value, f"'{key}' of the settings")
        elif parts[:2] == ["analysis", "normalizer"] and parts[-1] == "type":
            found.setdefault(".".join(parts[2:-1]), (value,) if value == "lowercase" else ())
    return found


def _flat_settings(prefix: str, settings: Json, depth: int = 0) -> Iterator[tuple[str, Any]]:
    if depth > MAX_DEPTH:
        raise MappingError(f"the settings are nested more than {MAX_DEPTH} levels deep")
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat_settings(f"{prefix}{name}.", value, depth + 1)
        else:
            yield prefix + name, value
