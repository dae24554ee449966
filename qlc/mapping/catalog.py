"""Reads a catalog: YAML text to a validated file, or all errors at once, each with its line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from qlc.base.diagnostics import Diagnostic, Span
from qlc.base.words.spelling import did_you_mean, nearest
from qlc.mapping.catalog_model import (
    BoundsPart,
    CatalogFile,
    ComputedPart,
    ConditionPart,
    EntityPart,
    ExamplePart,
    FieldPart,
    ListPart,
    Part,
    Shared,
    SourcePart,
)
from qlc.mapping.errors import CatalogError
from qlc.mapping.yaml_source import Key, YamlSource, yaml_text

MOST_FINDINGS = 100
"""Wrong values that are reported at once."""
LONGEST_REPORTED = 60
"""Most characters of a wrong value or key in a report."""

Location = tuple[Key, ...]
"""The path to a part of the catalog: `("fields", "size", "unit")`."""


@dataclass(frozen=True)
class Catalog:
    """A catalog with valid syntax and keys. `check_catalog` compares it with an index mapping."""

    file: CatalogFile
    source: YamlSource
    name: str = "catalog"

    @property
    def text(self) -> str:
        return self.source.text

    @cached_property
    def fingerprint(self) -> str:
        return blake2b(self.text.encode("utf-8", "replace"), digest_size=8).hexdigest()

    def span(self, location: Sequence[Key], *, key: bool = False) -> Span:
        """Return the span of a part of the catalog in its text."""
        return self.source.span(location, key=key)


def load_catalog(path: str | Path) -> Catalog:
    """The catalog in a YAML file. Raises CatalogError with every finding."""
    file = Path(path)
    return read_catalog(yaml_text(file, "catalog-file"), file.name)


def read_catalog(text: str, name: str = "catalog") -> Catalog:
    """Read the catalog in a YAML text; `name` is its name in messages. Raises CatalogError with every finding."""
    source = YamlSource(text)
    findings = list(source.diagnostics)
    file = None
    if source.data is not None or not findings:
        try:
            file = CatalogFile.model_validate(source.data)
        except ValidationError as error:
            # A key that occurs twice has been reported; what its other half lacks would only confuse.
            findings += [_finding(one, source) for one in islice(error.errors(include_url=False), MOST_FINDINGS)]
    if file is not None and not findings:
        from qlc.mapping.catalog_texts import unreadable_texts

        findings = [Diagnostic(code, message, source.span(place), hint)
                    for code, message, hint, place in unreadable_texts(file)]  # fmt: skip
    if file is None or findings:
        raise CatalogError(sorted(findings, key=lambda one: one.span), source.text, name)
    return Catalog(file, source, name)


_INNER: Mapping[str, tuple[type[Part], str]] = {
    "entities": (EntityPart, "entity"), "fields": (FieldPart, "field"), "lists": (ListPart, "list"),
    "sources": (SourcePart, "source"), "examples": (ExamplePart, "example"), "conditions": (ConditionPart, "condition"),
    "computed": (ComputedPart, "computed"),
    "defaults": (Shared, ""), "bounds": (BoundsPart, ""),
}  # fmt: skip
"""The parts inside each key, and the name of one of several; empty for a single part."""


def _part_at(location: Location) -> tuple[type[Part], str]:
    """Return the kind of part at a location, and its name in messages: `the field 'size'`."""
    part: type[Part] = CatalogFile
    name = "the catalog"
    steps = iter(location)
    for step in steps:
        inner, called = _INNER.get(str(step), (None, "")) if str(step) in part.model_fields else (None, "")
        one = next(steps, None) if called else step
        if inner is None or one is None:
            break
        part, name = inner, f"the {called} '{one}'" if called else f"'{step}'"
    return part, name


_WRONG_VALUES = {
    **dict.fromkeys(("string_type", "string_sub_type"), "a text"),
    **dict.fromkeys(("bool_parsing", "bool_type"), "true or false"),
    **dict.fromkeys(("int_parsing", "int_type", "int_from_float"), "a whole number"),
    "int_parsing_size": "a whole number, and is too long",
    "dict_type": "a mapping: names, each with ':' and what it stands for, on lines of their own",
    "model_type": "a mapping: keys, each with ':' and its value, on lines of their own",
    **dict.fromkeys(("tuple_type", "list_type"), "a list: [one, two]"),
    "string_too_short": "a text that is not empty",
}


def _finding(error: ErrorDetails, source: YamlSource) -> Diagnostic:
    """Convert an error of pydantic to a diagnostic in the catalog's terms."""
    location: Location = tuple(step for step in error["loc"] if step != "[key]")
    context: Mapping[str, Any] = error.get("ctx") or {}
    kind = error["type"]
    key = next((step for step in reversed(location) if isinstance(step, str)), "the catalog")
    part, place = _part_at(location[:-1])
    if kind == "extra_forbidden":
        known, key = part.written_keys(), key[:LONGEST_REPORTED]
        close = tuple(nearest(key, known))
        hint = did_you_mean(close) or f"the keys are: {', '.join(known)}"
        message = f"there is no key '{key}' for {place}"
        return Diagnostic("catalog-key", message, source.span(location, key=True), hint, close)
    if kind == "missing":
        hint = part.model_fields[key].description or ""
        return Diagnostic("catalog-missing", f"{place} has no '{key}'", source.span(location[:-1], key=True), hint)
    if kind == "catalog_together":
        part, place = _part_at(location)
        span = source.span((*location, context["key"]), key=True)
        return Diagnostic("catalog-together", f"{place}: {error['msg']}", span, "add the other key or remove this one")
    span = source.span(location)
    described = part.model_fields[key].description or "" if key in part.model_fields else ""
    if kind == "literal_error":
        allowed = str(context["expected"]).replace("'", "").replace(" or ", ", ").split(", ")
        given = str(error["input"])[:LONGEST_REPORTED]
        close = tuple(nearest(given, allowed))
        message = f"'{key}' of {place} cannot be '{given}'; it is one of: {', '.join(allowed)}"
        return Diagnostic("catalog-value", message, span, did_you_mean(close) or described, close)
    if kind == "greater_than":
        return Diagnostic("catalog-value", f"'{key}' of {place} must be more than {context['gt']}", span, described)
    if kind == "too_short":
        return Diagnostic("catalog-value", f"'{key}' of {place} is empty", span, described)
    if error["input"] is None and location:
        hint = "write its value after ':'; for a field its path is enough"
        return Diagnostic("catalog-value", f"'{key}' of {place} is empty", source.span(location, key=True), hint)
    wanted = _WRONG_VALUES.get(kind, error["msg"])
    subject = "the catalog" if not location else f"'{key}' of {place}"
    return Diagnostic("catalog-value", f"{subject} must be {wanted}", span, described)
