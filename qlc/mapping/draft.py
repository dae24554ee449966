"""A first catalog for a live index: its mapping with better names, and guesses from its documents to mend by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qlc.mapping.fields import FieldKind, IndexMapping, MappedField
from qlc.mapping.findings import RESERVED
from qlc.mapping.index_mapping import fetch_mapping
from qlc.mapping.sample import FieldSample, IndexSample, count_known, is_unique, sample_index

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

_UNIT_WORDS = {
    "bytes": "bytes",
    "seconds": "seconds",
    "secs": "seconds",
    "minutes": "minutes",
    "mins": "minutes",
    "min": "minutes",
    "hours": "hours",
    "kilometers": "km",
    "kilometres": "km",
    "km": "km",
    "miles": "miles",
    "percent": "percent",
    "percentage": "percent",
    "pct": "percent",
}
"""Last words of a field's name that say which unit its numbers are in."""

_NUMBERS = (FieldKind.WHOLE_NUMBER, FieldKind.NUMBER)
_PRIVATE_WORDS = frozenset({"email", "mail", "phone", "password", "passwd", "ssn", "iban", "birth"})
_NAME_WORDS = ("name", "title", "label", "subject")
_ID_WORDS = frozenset({"id", "uuid", "guid", "key", "number", "num", "no", "nr", "code"})
_MIDNIGHT = re.compile(r"\d{4}-\d\d-\d\d(T00:00(:00(\.0+)?)?(Z|[+-]00:?00)?)?")
_ENOUGH = 20
"""Fewer values than this are no ground for a guess."""

_PLAIN = re.compile(r"[A-Za-z][\w./ -]*(?<! )")
_YAML_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


def draft_catalog(client: Elasticsearch, index: str) -> str:
    """The YAML text of a first catalog for an index, alias or pattern; it loads and checks as it is.

    What the mapping and the documents make certain is written down, what they make likely stands in comments that
    begin with `# ?`. Raises MappingError where there is no such index, and what the client raises.
    """
    mapping = fetch_mapping(client, index)
    return _Draft(client, mapping, sample_index(client, mapping)).text()


def short_names(paths: Iterable[str], own: str | None = None) -> dict[str, str]:
    """A short name for each path: its end in snake case, with as much of what is before it as tells paths apart.

    An `id` is that of the document itself only where its path is `own`: others are called after what they identify.
    """
    paths = list(paths)
    words = {path: [_snake(part) for part in path.split(".")] for path in paths}
    lengths = {path: 2 if own and path != own and words[path][-1] == "id" else 1 for path in paths}
    while True:
        names = {path: "_".join(words[path][-lengths[path] :]) for path in paths}
        takers: dict[str, list[str]] = {}
        for path, name in names.items():
            takers.setdefault(name.replace("_", ""), []).append(path)
        unclear = {path for same in takers.values() if len(same) > 1 for path in same}
        unclear |= {path for path, name in names.items() if name in RESERVED}
        longer = [path for path in unclear if lengths[path] < len(words[path])]
        if not longer:
            return _numbered(names)
        for path in longer:
            lengths[path] += 1


def _numbered(names: Mapping[str, str]) -> dict[str, str]:
    """Names that only a number can tell apart, and names of one reserved word, get one."""
    taken: set[str] = set()
    result = {}
    for path, name in names.items():
        number, one = 1, name
        while one.replace("_", "") in taken or one in RESERVED:
            number += 1
            one = f"{name}_{number}"
        taken.add(one.replace("_", ""))
        result[path] = one
    return result


def _snake(part: str) -> str:
    """`sizeInBytes` is `size_in_bytes`, `@timestamp` is `timestamp`, `2fa` is `n2fa`."""
    spaced = re.sub(r"([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3_\2\4", part)
    name = re.sub(r"[^a-z0-9]+", "_", spaced.lower()).strip("_")
    return name if name[:1].isalpha() else f"n{name}"


def scalar(text: str) -> str:
    """A text as YAML: plain where it reads the same, in double quotes elsewhere."""
    if _PLAIN.fullmatch(text) and text.lower() not in _YAML_WORDS:
        return text
    return json.dumps(text, ensure_ascii=False)


def _listed(values: Iterable[str]) -> str:
    return f"[{', '.join(map(scalar, values))}]"


@dataclass(frozen=True, slots=True)
class _Draft:
    client: Elasticsearch
    mapping: IndexMapping
    sample: IndexSample

    def text(self) -> str:
        drafted = dict(self._drafted())
        lists = self._lists()
        inside = {path: around for path in drafted for around in [self._list_around(path, lists)] if around}
        fields = {path: one for path, one in drafted.items() if path not in inside}
        identity = self._identity(fields)
        names = short_names([*fields, *lists], identity)
        lines = [*self._head(), "", "entities:", *self._entity(names, fields, identity), "", "fields:"]
        labels = names_beside(fields)
        for path, mapped in fields.items():
            lines += self._field(names[path], path, mapped, "", labels, identity)
        if lists:
            lines += ["", "lists:"]
        for around in lists:
            elements = {path: one for path, one in drafted.items() if inside.get(path) == around}
            lines += self._list(names[around], around, elements, identity)
        return "\n".join([*lines, *self._left_out(), ""])

    def _drafted(self) -> Iterator[tuple[str, MappedField]]:
        """The fields that can be asked about and that some document fills. Aliases say nothing new."""
        for path, mapped in self.mapping.fields.items():
            usable = mapped.kind is not FieldKind.UNSUPPORTED and not mapped.conflict
            if usable and path == mapped.path and (path not in self.sample.empty or not self.sample.total):
                yield path, mapped

    def _lists(self) -> list[str]:
        return sorted(self.mapping.nested | self.sample.object_lists)

    @staticmethod
    def _list_around(path: str, lists: list[str]) -> str | None:
        around = [one for one in lists if path.startswith(one + ".")]
        return max(around, key=len, default=None)

    def _head(self) -> list[str]:
        read, total = f"{self.sample.read:,}", f"{self.sample.total:,}"
        return [
            f"# A first catalog of {self.mapping.index}, drafted from its mapping and {read} of its {total} documents.",
            "# Mend it: names that people would use, other words for them, descriptions. Lines with '# ?' are guesses:",
            "# remove the mark where a guess is right, and the line where it is wrong.",
            "version: 1",
            f"index: {scalar(self.mapping.index)}",
        ]

    def _entity(
        self, names: Mapping[str, str], fields: Mapping[str, MappedField], identity: str | None
    ) -> Iterator[str]:
        singular, plural = entity_names(self.mapping.index)
        yield f"  {singular}:  # ? what one document is called"
        yield f"    plural: {plural}"
        yield "    words: []  # what else users call it, in singular and plural"
        yield "    # ? where: {some.path: VALUE}  # where only some documents are meant; write an entity for each kind"
        if identity is not None:
            yield f"    id: {names[identity]}"
        named = [names[path] for path, mapped in fields.items() if mapped.exact and names[path] in _NAME_WORDS]
        if named:
            yield f"    names: {_listed(named)}"
        analysed = [(path, mapped) for path, mapped in fields.items() if mapped.analysed]
        texts = [names[path] for path, mapped in analysed if names[path] in named or self._has_prose(path, mapped)]
        if texts:
            yield f"    text: {_listed(texts)}"
        shown = [names[path] for path, mapped in fields.items() if mapped.exact]
        if shown:
            yield f"    # ? show: {_listed(shown[:6])}"
        dates = [names[path] for path, mapped in fields.items() if mapped.kind is FieldKind.DATE and mapped.doc_values]
        if dates:
            yield f"    sort: {dates[0]} desc"

    def _has_prose(self, path: str, mapped: MappedField) -> bool:
        """Whether a field holds texts, not codes: it has no keyword, or most of its values are several words."""
        values = [str(value) for value in self.sample.seen.get(path, FieldSample()).values]
        return mapped.kind is FieldKind.TEXT or 2 * sum(" " in value for value in values) > len(values)

    def _identity(self, fields: Mapping[str, MappedField]) -> str | None:
        """The field that is the document's own id, or else a keyword called an id that no two documents share."""
        likely = []
        for path, mapped in fields.items():
            seen = self.sample.seen.get(path)
            if mapped.kind is not FieldKind.KEYWORD or seen is None or not self._in_every_document(seen):
                continue
            values = [str(value) for value in seen.values]
            if len(set(values)) == len(values):
                likely.append((values != self.sample.ids, path.count("."), path, mapped))
        for not_own, _, path, mapped in sorted(likely, key=lambda one: one[:3]):
            called_id = _ID_WORDS & set(_snake(path.rsplit(".", 1)[-1]).split("_"))
            if (called_id or not not_own) and is_unique(self.client, self.mapping.index, mapped):
                return path
        return None

    def _in_every_document(self, seen: FieldSample) -> bool:
        return seen.per_document == 1 and seen.filled == self.sample.read > 1

    def _field(
        self,
        name: str,
        path: str,
        mapped: MappedField,
        within: str,
        labels: Mapping[str, str],
        identity: str | None,
    ) -> list[str]:
        """The lines of one field, whose path begins at the list `within`; `labels` are the names beside ids."""
        seen = self.sample.seen.get(path, FieldSample())
        words = _snake(path.rsplit(".", 1)[-1]).split("_")
        facts, guesses = [], []
        if mapped.kind in _NUMBERS and words[-1] in _UNIT_WORDS:
            facts.append(f"unit: {_UNIT_WORDS[words[-1]]}")
        if seen.per_document > 1 and not within:
            facts.append("list: true")
        if mapped.kind is FieldKind.DATE and len(seen.values) >= _ENOUGH and all(map(_is_midnight, seen.values)):
            guesses.append("whole_days: true  # no value has a time of day")
        reference = self._reference(path, mapped, within, labels, identity)
        private = bool(_PRIVATE_WORDS & set(words))
        values = self.sample.terms.get(path, ())
        many_each = seen.filled >= _ENOUGH * len(values) // 4
        if len(values) > 1 and many_each and not (reference or private or path in labels.values()):
            guesses.append(f"values: {_listed(values)}  # all there are now; put other spellings behind each")
        if private:
            guesses.append("sensitive: true")
        guesses += reference
        indent = "      " if within else "  "
        own_path = scalar(path.removeprefix(within + ".") if within else path)
        if not facts and not guesses:
            return [f"{indent}{name}: {own_path}"]
        return [
            f"{indent}{name}:",
            f"{indent}  path: {own_path}",
            *(f"{indent}  {fact}" for fact in facts),
            *(f"{indent}  # ? {guess}" for guess in guesses),
        ]

    def _reference(
        self,
        path: str,
        mapped: MappedField,
        within: str,
        labels: Mapping[str, str],
        identity: str | None,
    ) -> list[str]:
        """Values that are ids of other documents, or an id with a name beside it."""
        if mapped.kind is not FieldKind.KEYWORD or path == identity:
            return []
        values = sorted({str(value) for value in self.sample.seen.get(path, FieldSample()).values})
        if identity is not None and len(values) >= _ENOUGH // 4:
            known = count_known(self.client, self.mapping.index, self.mapping.fields[identity], values[:100])
            if known >= 0.9 * len(values[:100]):
                return [f"refers_to: {entity_names(self.mapping.index)[0]}  # its values are ids of other documents"]
        name_at = labels.get(path)
        if name_at is not None and len(values) > 1:
            own = scalar(name_at.removeprefix(within + "."))
            return [f"refers_to: person  # or whatever it is: an entity with virtual: true; then name_at: {own}"]
        return []

    def _list(self, name: str, around: str, elements: Mapping[str, MappedField], identity: str | None) -> Iterator[str]:
        yield f"  {name}:"
        yield f"    path: {scalar(around)}"
        if around not in self.mapping.nested:
            yield "    # not nested in the mapping: two conditions cannot be tied to one element"
        if not elements:
            return
        yield "    fields:"
        prefix = around + "."
        inner = short_names(path.removeprefix(prefix) for path in elements)
        labels = names_beside(elements)
        for path, mapped in elements.items():
            yield from self._field(inner[path.removeprefix(prefix)], path, mapped, around, labels, identity)

    def _left_out(self) -> Iterator[str]:
        """What is in the mapping and not in the draft, with the reason."""
        for path, mapped in self.mapping.fields.items():
            if mapped.conflict:
                types = ", ".join(f"{es_type} in {index}" for index, es_type in mapped.conflict)
                yield f"# left out: {path}, which is {types}"
            elif mapped.kind is FieldKind.UNSUPPORTED:
                yield f"# left out: {path}, mapped as {mapped.es_type}, which cannot be asked about"
        empty = sorted(self.sample.empty) if self.sample.total else []
        if empty:
            yield f"# left out, no document has them: {', '.join(empty)}"


def names_beside(paths: Iterable[str]) -> dict[str, str]:
    """The path of the name that belongs to each id: `ownerName` to `ownerAccountId`, `author_name` to `author_id`."""
    names: dict[tuple[str, str], str] = {}
    ids: dict[str, list[str]] = {}
    for path in paths:
        folder, _, end = path.rpartition(".")
        *stem, kind = _snake(end).split("_")
        if kind == "name" and stem:
            names[folder, "_".join(stem)] = path
        elif kind == "id" and stem:
            ids[path] = stem
    found = {}
    for path, stem in ids.items():
        folder = path.rpartition(".")[0]
        beginnings = ("_".join(stem[:length]) for length in range(len(stem), 0, -1))
        name = next((names[folder, one] for one in beginnings if (folder, one) in names), None)
        if name is not None:
            found[path] = name
    return found


def _is_midnight(value: object) -> bool:
    return _MIDNIGHT.fullmatch(str(value)) is not None


def entity_names(index: str) -> tuple[str, str]:
    """What one document of an index may be called, and several: `flights` are flights; else they are entries."""
    plural = _snake(re.split(r"[*,]", index)[0])
    if re.fullmatch(r"[a-z_]{2,}ies", plural):
        return plural[:-3] + "y", plural
    if re.fullmatch(r"[a-z_]{2,}[^s]s", plural):
        return plural[:-1], plural
    return "entry", "entries"
