"""A JSON document to the values of its fields, by the mapping: objects, nested elements, multi-fields, copy_to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from qlc_engine.analysis import AnalysisRegistry
from qlc_engine.dynamic_mapping import dynamic_field, dynamic_object, is_dynamic_vector
from qlc_engine.errors import EngineError, MalformedValueError, illegal_argument
from qlc_engine.mapping import IGNORED, Field, Mapping, ObjectField
from qlc_engine.reading import reading
from qlc_engine.segment_builder import ParsedDocument
from qlc_engine.value_parsers import (
    AddValue,
    short_keyword,
    text_of,
    value_parser,
    vector_of,
)

_METADATA = frozenset(
    {"_id", "_index", "_source", "_seq_no", "_version", "_routing", "_field_names", "_ignored", "_nested_path", "_tier"}
)


_OBJECTS = ("object", "nested")
#: types with values that are lists or objects themselves
_NO_SCALARS = ("dense_vector", "geo_point", "geo_shape", "flattened")
_OBJECT_VALUES = ("geo_point", "geo_shape")
_SCALARS = frozenset({str, int, float, bool})


def _of_document(reason: str) -> EngineError:
    return EngineError("document_parsing_exception", f"[1:1] {reason}")


@dataclass(slots=True)
class _Scope:
    """The document or nested element that is being filled."""

    out: ParsedDocument
    nested_path: str | None
    outer: _Scope | None


@dataclass(slots=True)
class _ObjectNode:
    """An object of the mapping with its members by name; `spec` is None at the root."""

    spec: ObjectField | None
    path: str
    dynamic: str
    members: dict[str, _ObjectNode | _Leaf] = field(default_factory=dict)
    #: what comes before the names of its members, and whether a nested one is indexed in documents around it too
    prefix: str = field(init=False)
    included: bool = field(init=False)

    def __post_init__(self) -> None:
        self.prefix = f"{self.path}."
        self.included = self.spec is not None and (self.spec.include_in_parent or self.spec.include_in_root)


@dataclass(slots=True)
class _Leaf:
    field: Field
    path: str
    add: Callable[[Any, _Scope], None]
    #: set where scalars go to the columns of the field and null to none: the common case, called without detours
    simple: AddValue | None = None
    #: texts up to this length are terms of the field as they are, and go nowhere else
    short_keyword: int = -1


@dataclass(slots=True)
class Parsing:
    """The result of parsing: the values, and definitions of fields that the mapping lacks."""

    document: ParsedDocument
    new_properties: dict[str, Any] = field(default_factory=dict)


class DocumentParser:
    """Compiled from one mapping; safe to share between threads."""

    def __init__(self, mapping: Mapping, analysis: AnalysisRegistry) -> None:
        self._mapping = mapping
        self._analysis = analysis
        self._root = _ObjectNode(None, "", mapping.dynamic)
        nodes: dict[str, _ObjectNode] = {"": self._root}
        for path, spec in sorted(mapping.objects.items()):
            parent = nodes[path.rpartition(".")[0]]
            node = nodes[path] = _ObjectNode(spec, path, spec.dynamic or parent.dynamic)
            parent.members[path.rpartition(".")[2]] = node
        for path, leaf in mapping.fields.items():
            if leaf.parent_field is None:
                parent_path, _, name = path.rpartition(".")
                simple = self._simple(leaf)
                short = short_keyword(leaf) if simple is not None and not leaf.multi_fields else -1
                nodes[parent_path].members[name] = _Leaf(leaf, path, self._leaf_adder(leaf), simple, short)

    def _simple(self, leaf: Field) -> AddValue | None:
        every = [leaf, *(self._mapping.fields[path] for path in leaf.multi_fields)]
        if leaf.copy_to or any(
            each.ignore_malformed or each.null_value is not None or each.type in _NO_SCALARS for each in every
        ):
            return None
        parsers = [value_parser(each, self._analysis) for each in every]
        if len(parsers) == 1:
            return parsers[0]

        def add_each(value: Any, out: ParsedDocument) -> None:
            for parser in parsers:
                parser(value, out)

        return add_each

    @reading("the document", _of_document)
    def parse(self, doc_id: str, source: dict[str, Any]) -> Parsing:
        """Raises the `document_parsing_exception` of the first value that does not fit."""
        out = ParsedDocument()
        run = _Run(self._mapping, doc_id)
        run.object(self._root, source, _Scope(out, None, None), "")
        for _, child in out.children:
            _lift_ignored(child, out)
        return Parsing(out, run.new_properties)

    def _leaf_adder(self, leaf: Field) -> Callable[[Any, _Scope], None]:
        if leaf.type == "dense_vector":

            def add_vector(value: Any, scope: _Scope) -> None:
                if value is None:
                    return
                scope.out.vectors.append((leaf.path, vector_of(leaf, value)))

            return add_vector
        filled = self._mapping.fields
        parsers = [self._lenient(leaf), *(self._lenient(filled[path]) for path in leaf.multi_fields)]
        targets: list[tuple[str | None, AddValue]] = []
        for path in leaf.copy_to:
            target = self._mapping.field(path)
            if target is None:
                # it is mapped by the first document that has a value for it
                continue
            targets.append((target.nested_path, self._lenient(target)))
            targets.extend((target.nested_path, self._lenient(filled[sub])) for sub in target.multi_fields)
        if len(parsers) == 1 and not targets:
            only = parsers[0]

            def add_one(value: Any, scope: _Scope) -> None:
                only(value, scope.out)

            return add_one

        def add_all(value: Any, scope: _Scope) -> None:
            for parser in parsers:
                parser(value, scope.out)
            for nested_path, parser in targets:
                holder: _Scope | None = scope
                while holder is not None and holder.nested_path != nested_path:
                    holder = holder.outer
                if holder is not None:
                    parser(value, holder.out)

        return add_all

    def _lenient(self, leaf: Field) -> AddValue:
        """The parser of one field with its `null_value`; with `ignore_malformed` it notes what it leaves out."""
        parser = value_parser(leaf, self._analysis)
        null_value = leaf.null_value

        def add(value: Any, out: ParsedDocument) -> None:
            if value is None:
                if null_value is None:
                    return
                value = null_value
            try:
                parser(value, out)
            except MalformedValueError:
                # an object is never left out, but where a point could be one
                if not leaf.ignore_malformed or (isinstance(value, dict) and leaf.type not in _OBJECT_VALUES):
                    raise
                out.keywords += ("_ignored", leaf.path)

        return add


class _Run:
    """The walk through one document."""

    def __init__(self, mapping: Mapping, doc_id: str) -> None:
        self._mapping = mapping
        self._doc_id = doc_id
        self.new_properties: dict[str, Any] = {}

    def object(self, node: _ObjectNode, source: dict[str, Any], scope: _Scope, prefix: str) -> None:
        members, out = node.members, scope.out
        keywords = out.keywords
        for name, value in source.items():
            member = members.get(name)
            if type(member) is _Leaf:
                short = member.short_keyword
                if type(value) is str and len(value) <= short:
                    keywords.append(member.path)
                    keywords.append(value)
                    continue
                simple = member.simple
                if simple is None:
                    self._leaf_values(member, value, scope)
                    continue
                for one in value if type(value) is list else (value,):
                    if type(one) is str and len(one) <= short:
                        keywords.append(member.path)
                        keywords.append(one)
                    elif type(one) in _SCALARS:
                        try:
                            simple(one, out)
                        except MalformedValueError as error:
                            raise self._malformed(member, one, error) from None
                    elif one is not None:
                        self._leaf_values(member, one, scope)
            elif member is not None:
                self._member_object(member, value, scope)  # type: ignore[arg-type]
            elif "." in name:
                self._dotted(node, name, value, scope, prefix)
            else:
                self._unmapped(node, name, value, scope, prefix)

    def _dotted(self, node: _ObjectNode, name: str, value: Any, scope: _Scope, prefix: str) -> None:
        head, _, rest = name.partition(".")
        if head and not rest.strip("."):
            # dots at the end are nothing
            self.object(node, {head: value}, scope, prefix)
            return
        if not head:
            reason = f"field name cannot contain only whitespace or be empty: ['{prefix}{name}']"
            raise self._error(f"failed to parse: {reason}", illegal_argument(reason))
        self.object(node, {head: {rest: value}}, scope, prefix)

    def _member_object(self, node: _ObjectNode, value: Any, scope: _Scope) -> None:
        spec = node.spec
        if spec is None or not spec.enabled or value is None:
            return
        if isinstance(value, list):
            for element in value:
                self._member_object(node, element, scope)
            return
        if not isinstance(value, dict):
            name = node.path.rpartition(".")[2]
            raise self._error(
                f"object mapping for [{node.path}] tried to parse field [{name}] as object, but found a concrete value"
            )
        if not spec.nested:
            self.object(node, value, scope, node.prefix)
            return
        child = ParsedDocument()
        scope.out.children.append((spec.path, child))
        self.object(node, value, _Scope(child, spec.path, scope), node.prefix)
        if not node.included:
            return
        for wanted, include in ((scope, spec.include_in_parent), (_outermost(scope), spec.include_in_root)):
            if include and not (wanted is scope and include is spec.include_in_root and spec.include_in_parent):
                self.object(node, value, wanted, node.prefix)

    def _leaf_values(self, leaf: _Leaf, value: Any, scope: _Scope) -> None:
        kind = leaf.field.type
        if isinstance(value, list) and kind != "dense_vector":
            if kind == "geo_point" and value and isinstance(value[0], int | float):
                self._leaf(leaf, value, scope)
                return
            for element in value:
                self._leaf_values(leaf, element, scope)
            return
        self._leaf(leaf, value, scope)

    def _leaf(self, leaf: _Leaf, value: Any, scope: _Scope) -> None:
        for path in leaf.field.copy_to:
            if value is not None and self._mapping.field(path) is None:
                self._define(path, dynamic_field(self._mapping, path, value))
        try:
            leaf.add(value, scope)
        except MalformedValueError as error:
            raise self._malformed(leaf, value, error) from None

    def _malformed(self, leaf: _Leaf, value: Any, error: MalformedValueError) -> EngineError:
        about = leaf.field
        return self._error(
            f"failed to parse field [{about.path}] of type [{about.type}] in document with id '{self._doc_id}'. "
            f"Preview of field's value: '{_preview(value)}'",
            error.cause,
        )

    def _unmapped(self, node: _ObjectNode, name: str, value: Any, scope: _Scope, prefix: str) -> None:
        path = prefix + name
        if not prefix and name in _METADATA:
            raise self._error(
                f"Field [{name}] is a metadata field and cannot be added inside a document. Use the index API request "
                "parameters."
            )
        if not name.strip():
            reason = f"field name cannot be an empty string: ['{path}']"
            raise self._error(f"failed to parse: {reason}", illegal_argument(reason))
        if path in self._mapping.aliases:
            raise self._error(
                f"Cannot write to a field alias [{path}].", illegal_argument(f"Cannot write to a field alias [{path}].")
            )
        if node.dynamic == "false":
            return
        if node.dynamic == "strict":
            within = node.path or "_doc"
            reason = f"[1:1] mapping set to strict, dynamic introduction of [{name}] within [{within}] is not allowed"
            raise EngineError("strict_dynamic_mapping_exception", reason)
        self._introduce(node, name, value, path)

    def _introduce(self, node: _ObjectNode, name: str, value: Any, path: str) -> None:
        """Notes the definition that a new field gets; the document is parsed anew once the mapping has it."""
        if isinstance(value, list):
            if is_dynamic_vector(value):
                self._define(path, dynamic_field(self._mapping, path, value))
                return
            for element in value:
                self._introduce(node, name, element, path)
            return
        if value is None:
            return
        if not isinstance(value, dict):
            self._define(path, dynamic_field(self._mapping, path, value))
            return
        spec = dynamic_object(self._mapping, path)
        if spec.get("type", "object") not in ("object", "nested") or spec.get("enabled") is False:
            self._define(path, spec)
            return
        self._define(path, spec)
        inner = _ObjectNode(None, path, str(spec.get("dynamic", node.dynamic)))
        self.object(inner, value, _Scope(ParsedDocument(), None, None), path + ".")

    def _define(self, path: str, spec: dict[str, Any]) -> None:
        """Puts the definition at its place in the tree of new properties.

        Raises EngineError if an earlier value of the document made the field one of another type.
        """
        *objects, name = path.split(".")
        properties = self.new_properties
        for depth, part in enumerate(objects, 1):
            holder = properties.setdefault(part, {})
            if self._mapping.is_nested(".".join(objects[:depth])):
                holder.setdefault("type", "nested")
            properties = holder.setdefault("properties", {})
        known = properties.get(name)
        if known is None:
            properties[name] = dict(spec)
        elif "type" not in known and "type" in spec and spec["type"] != "object":
            known["type"] = spec["type"]
        elif "type" in known and spec.get("type", known["type"]) != known["type"]:
            if known["type"] in _OBJECTS:
                raise illegal_argument(f"can't merge a non object mapping [{path}] with an object mapping")
            new = "ObjectMapper" if spec["type"] in _OBJECTS else spec["type"]
            raise illegal_argument(f"mapper [{path}] cannot be changed from type [{known['type']}] to [{new}]")

    def _error(self, reason: str, cause: EngineError | None = None) -> EngineError:
        return EngineError("document_parsing_exception", f"[1:1] {reason}", caused_by=cause)


def _preview(value: Any) -> str:
    """A value as Java prints it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}={_preview(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_preview, value)) + "]"
    return "null" if value is None else text_of(value)


def _lift_ignored(element: ParsedDocument, document: ParsedDocument) -> None:
    """Move `_ignored` from an element of a nested list to the document: only documents have it."""
    for _, inner in element.children:
        _lift_ignored(inner, document)
    given = element.keywords
    if IGNORED.path not in given:
        return
    element.keywords = []
    for path, text in zip(given[::2], given[1::2], strict=True):
        (document if path == IGNORED.path else element).keywords += (path, text)


def _outermost(scope: _Scope) -> _Scope:
    while scope.outer is not None:
        scope = scope.outer
    return scope
