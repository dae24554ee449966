"""Findings about a catalog as they are collected: each with its place in the YAML text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from qlc.diagnostics import Diagnostic, Severity
from qlc.mapping.catalog import Catalog, Location
from qlc.mapping.fields import FieldKind, IndexMapping, MappedField
from qlc.mapping.nearest import did_you_mean, nearest, nearest_targets

RESERVED = frozenset({"and", "or", "not", "true", "false", "null"}) | frozenset(
    {"now", "today", "yesterday", "tomorrow", "this", "last", "next"}
)
"""Words that cannot begin a name of the language without back-quotes."""

_NAME = re.compile(r"[^\W\d]\w*|@\w+")


@dataclass(slots=True)
class Findings:
    """What is wrong with a catalog so far."""

    catalog: Catalog
    found: list[Diagnostic] = field(default_factory=list)

    def report(
        self,
        code: str,
        message: str,
        location: Location,
        hint: str = "",
        close: Iterable[str] = (),
        *,
        key: bool = False,
        severity: Severity = "error",
    ) -> None:
        """One finding; where names are close to the wrong one, the hint asks for them."""
        names = tuple(close)
        span = self.catalog.span(location, key=key)
        self.found.append(Diagnostic(code, message, span, did_you_mean(names) or hint, names, severity))

    def sorted(self) -> list[Diagnostic]:
        """In the order of the file, each once."""
        return sorted(dict.fromkeys(self.found), key=lambda one: one.span)

    def legal_name(self, name: str, what: str, location: Location) -> None:
        """Names are written in queries as they are, so they must not need back-quotes."""
        if name in RESERVED:
            hint = f"choose another name, or a longer one: {name}_value"
            self.report(
                "catalog-name", f"'{name}' is a word of the query language, no {what}", location, hint, key=True
            )
        elif _NAME.fullmatch(name) is None:
            legal = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_").lower() or "a_name"
            hint = f"write {f'n_{legal}' if legal[0].isdecimal() else legal}"
            message = f"'{name}' is no {what}: a letter or _, then letters, digits and _"
            self.report("catalog-name", message, location, hint, key=True)

    def known(self, name: str, names: Iterable[str], what: str, location: Location) -> bool:
        """Whether a name that the catalog uses is one that it has."""
        names = list(names)
        if name in names:
            return True
        self.report(
            "catalog-reference",
            f"there is no {what} called '{name}'",
            location,
            f"there is: {', '.join(names[:8])}" if names else f"the catalog has no {what} yet",
            nearest(name, names),
        )
        return False

    def path(self, path: str, mapping: IndexMapping, location: Location, prefix: str = "") -> MappedField | None:
        """The field at a path, `prefix` being the list that it is an element's of; reported where there is none."""
        full = prefix + path
        mapped = mapping.at(full)
        if mapped is None:
            self._no_field(path, mapping, location, prefix)
            return None
        if mapped.conflict:
            where = ", ".join(f"{es_type} in {index}" for index, es_type in mapped.conflict)
            hint = "search the indices one by one, or mend the mapping and reindex"
            self.report("catalog-conflict", f"{full} is not of one type: {where}", location, hint)
        return mapped

    def _no_field(self, path: str, mapping: IndexMapping, location: Location, prefix: str) -> None:
        full = prefix + path
        if full in mapping.nested or full in mapping.objects:
            inner = [one.removeprefix(full + ".") for one in mapping.fields if one.startswith(full + ".")]
            hint = "name one of its fields, or put it under 'lists' if a document has several of them"
            message = f"{full} holds fields, it is none itself: {', '.join(inner[:5])}"
            self.report("catalog-path", message, location, hint)
            return
        inside = [one.removeprefix(prefix) for one in mapping.fields if one.startswith(prefix)]
        ends = {one.rsplit(".", 1)[-1]: one for one in inside}
        close = nearest_targets(path, ends | {one: one for one in inside})
        close = close or nearest_targets(path.rsplit(".", 1)[-1], ends)
        where = f"the elements of {prefix[:-1]} have" if prefix else "the index mapping has"
        self.report("catalog-path", f"{where} no field {path}", location, "see the index mapping for its paths", close)

    def kind(self, mapped: MappedField, wanted: Iterable[FieldKind], use: str, location: Location) -> bool:
        """Whether a field is of a type that its use needs."""
        kinds = tuple(wanted)
        if mapped.kind in kinds:
            return True
        names = " or ".join(kinds)
        self.report(
            "catalog-type",
            f"{use} needs a {names} field, and {mapped.path} is mapped as {mapped.es_type}",
            location,
            "choose another path, or remove this key",
        )
        return False

    def exact(self, mapped: MappedField, use: str, location: Location) -> bool:
        """Whether a field has exact terms: text without a keyword has none."""
        if mapped.exact is not None:
            return True
        self.report(
            "catalog-type",
            f"{use} needs exact values, and {mapped.path} is mapped as {mapped.es_type} alone",
            location,
            "choose a keyword field, or add a keyword sub-field to the mapping and reindex",
        )
        return False
