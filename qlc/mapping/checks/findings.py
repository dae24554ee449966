"""Collects findings about a catalog, each with its place in the YAML text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from qlc.base.diagnostics import Diagnostic, Severity
from qlc.base.words.spelling import did_you_mean, nearest, nearest_targets
from qlc.grammar.tree import RESERVED
from qlc.mapping.catalog import Catalog, Location
from qlc.mapping.effective import EntityDefinition, entity_definitions
from qlc.mapping.fields import FieldKind, IndexMapping, MappedField

_NAME = re.compile(r"[^\W\d]\w*|@\w+")


@dataclass(slots=True)
class Findings:
    """The findings about a catalog so far. `mappings`: of its indices, by name."""

    catalog: Catalog
    found: list[Diagnostic] = field(default_factory=list)
    mappings: Mapping[str, IndexMapping] = field(default_factory=dict)
    definitions: Mapping[str, EntityDefinition] = field(init=False)

    def __post_init__(self) -> None:
        self.definitions = entity_definitions(self.catalog)

    def report(
        self, code: str, message: str, location: Location, hint: str = "", close: Iterable[str] = (), *,
        key: bool = False, severity: Severity = "error",
    ) -> None:  # fmt: skip
        """Report a finding; if names are `close` to the wrong one, the hint suggests them."""
        names = tuple(close)
        span = self.catalog.span(location, key=key)
        self.found.append(Diagnostic(code, message, span, did_you_mean(names) or hint, names, severity))

    def sorted(self) -> list[Diagnostic]:
        """Return the findings without duplicates, in the order of the file."""
        return sorted(dict.fromkeys(self.found), key=lambda one: one.span)

    # --- what several checks ask -------------------------------------------------------------------------------------

    def legal_name(self, name: str, what: str, location: Location) -> None:
        """Report a name that would need backticks in queries."""
        if name in RESERVED:
            self.report("catalog-name", f"'{name}' is a word of the query language and cannot be the {what}", location,
                        f"choose another name, or a longer one: {name}_value", key=True)
        elif _NAME.fullmatch(name) is None:
            legal = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_").lower() or "a_name"
            self.report("catalog-name", f"'{name}' cannot be the {what}: use a letter or _, then letters, digits and _",
                        location, f"write {f'n_{legal}' if legal[0].isdecimal() else legal}", key=True)

    def known(self, name: str, names: Iterable[str], what: str, location: Location) -> bool:
        """Report a name that the catalog uses but does not define; return whether it is known."""
        names = list(names)
        if name not in names:
            hint = f"there is: {', '.join(names[:8])}" if names else f"the catalog has no {what} yet"
            self.report("catalog-reference", f"there is no {what} called '{name}'", location, hint,
                        nearest(name, names))
        return name in names

    def path(self, path: str, mapping: IndexMapping, location: Location, prefix: str = "") -> MappedField | None:
        """Return the field at a path in the list `prefix`; report it if there is none."""
        full = prefix + path
        mapped = mapping.at(full)
        if mapped is None:
            self._no_field(path, mapping, location, prefix)
        elif mapped.conflict:
            where = ", ".join(f"{es_type} in {index}" for index, es_type in mapped.conflict)
            self.report("catalog-conflict", f"{full} has different types: {where}", location,
                        "search the indices one by one, or fix the mapping and reindex")
        return mapped

    def _no_field(self, path: str, mapping: IndexMapping, location: Location, prefix: str) -> None:
        full = prefix + path
        if full in mapping.nested or full in mapping.objects:
            inner = [one.removeprefix(full + ".") for one in mapping.fields if one.startswith(full + ".")]
            self.report("catalog-path", f"{full} is an object, not a field: {', '.join(inner[:5])}", location,
                        "name one of its fields, or put it under 'lists' if a document has several of them")
            return
        inside = [one.removeprefix(prefix) for one in mapping.fields if one.startswith(prefix)]
        ends = {one.rsplit(".", 1)[-1]: one for one in inside}
        close = nearest_targets(path, ends | {one: one for one in inside})
        close = close or nearest_targets(path.rsplit(".", 1)[-1], ends)
        where = f"the elements of {prefix[:-1]} have" if prefix else "the index mapping has"
        self.report("catalog-path", f"{where} no field {path}", location, "see the index mapping for its paths", close)

    def kind(self, mapped: MappedField, kinds: Iterable[FieldKind], use: str, location: Location) -> bool:
        """Report a field whose type does not suit its use; return whether it does."""
        wanted = tuple(kinds)
        if mapped.kind not in wanted:
            message = f"{use} needs a {' or '.join(wanted)} field, and {mapped.path} is mapped as {mapped.es_type}"
            self.report("catalog-type", message, location, "choose another path, or remove this key")
        return mapped.kind in wanted

    def exact(self, mapped: MappedField, use: str, location: Location) -> bool:
        """Report a field without exact terms (text without a keyword); return whether it has them."""
        if mapped.exact is None:
            message = f"{use} needs exact values, and {mapped.path} is mapped as {mapped.es_type} alone"
            self.report("catalog-type", message, location,
                        "choose a keyword field, or add a keyword sub-field to the mapping and reindex")
        return mapped.exact is not None
