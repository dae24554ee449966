"""Finds the kinds of documents in one index: the field that distinguishes them, and a sample of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeGuard

from qlc.language.nouns import index_words
from qlc.mapping.draft import naming
from qlc.mapping.draft.sample import Profile, Sample, is_unique, profiles, sample_documents
from qlc.mapping.fields import FieldKind, IndexMapping

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

_MOST_CANDIDATES = 5
"""Most fields that are tried as the field of kinds; each takes a search over the index."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of documents: its names and its sample. `value` is its value in the field of kinds, None for the only kind
    of an index; `identity` is the path of its id, None if only `_id` identifies documents. `also` are the names that
    its index alone would give it: `employee`, `employees` for an `employee_record`."""

    name: str
    plural: str
    value: str | None
    sample: Sample
    identity: str | None
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kinds:
    """All kinds of documents in an index. `kind_field` is the path that distinguishes them; None for a single kind."""

    kind_field: str | None
    kinds: tuple[Kind, ...]

    @property
    def filled(self) -> frozenset[str]:
        return frozenset().union(*(kind.sample.filled for kind in self.kinds))

    @property
    def object_lists(self) -> set[str]:
        return set().union(*(kind.sample.object_lists for kind in self.kinds))


def find_kinds(client: Elasticsearch, mapping: IndexMapping, names: tuple[str, str] | None = None) -> Kinds:
    """Sample the documents of a mapping by kind. Raises what the client raises.

    `names` are the singular and plural of documents of a single kind; None: derived from the index.
    """
    whole = sample_documents(client, mapping)
    # The types of `permits` are all permits: what tells them is a field like others.
    of_one_kind = names is None and naming.says_what_is_in_it(mapping.index)
    kind_field = None if of_one_kind else _kind_field(client, mapping, whole)
    if kind_field is None:
        identity = _identity(client, mapping, whole)
        is_table = any(one.label for one in mapping.fields.values())
        nouns = _nouns_from_fields(whole, identity)
        alone = naming.entity_names(mapping.index, nouns, is_table=is_table)
        called = names or alone
        also = alone if alone[0] != called[0] and not alone[0].endswith(f"_{called[0]}") else ()
        return Kinds(None, (Kind(*called, None, whole, identity, also),))
    exact = str(mapping.fields[kind_field].exact)
    kinds = []
    for value, called in naming.kind_names(whole.terms[kind_field]).items():
        sample = sample_documents(client, mapping, {"term": {exact: value}})
        for path, values in sample.terms.items():
            if set(whole.terms.get(path, ())) == set(values):
                sample.terms[path] = whole.terms[path]  # in the order of all documents
        kinds.append(Kind(*called, value, sample, _identity(client, mapping, sample)))
    return Kinds(kind_field, tuple(kinds))


def _nouns_from_fields(sample: Sample, identity: str | None) -> list[str]:
    """Return nouns for the documents from their fields, the surest first: the only value of a type field, the noun in
    the id (`order_id`), `person` for a first and a last name."""
    kinds = (
        values[0]
        for path, values in sample.terms.items()
        if len(values) == 1 and naming.KIND_WORDS & set(naming.words_of(path)[-1:]) and naming.is_word(values[0])
    )
    own = {"_".join(naming.words_of(path)) for path in sample.seen if "." not in path}
    person = ["person"] if {"first_name", "last_name"} <= own else []
    identified = [naming.id_of_what(identity) or naming.noun_of_an_id(identity)] if is_own(identity, sample) else []
    return [*kinds, *filter(None, identified), *person]


def is_own(identity: str | None, sample: Sample) -> TypeGuard[str]:
    """Whether an id belongs to the documents, not to something they refer to: it is also their `_id`, or their first
    field."""
    if identity is None:
        return False
    ids = [str(value) for value in sample.at(identity).values]
    return ids == sample.ids or next(iter(sample.seen), None) == identity


def _kind_field(client: Elasticsearch, mapping: IndexMapping, whole: Sample) -> str | None:
    """Return the keyword with one value in every document whose values go with different fields.

    Its values become the names of kinds, so they must be words, not classes such as A and B. A field that is called a
    kind needs only most of its values to differ in fields. For others each pair of values must have fields that the
    other lacks: closed documents have fields that open ones lack, and are not another kind.
    """
    likely = [
        path
        for path, values in whole.terms.items()
        if len(values) > 1 and whole.at(path).per_document == 1 and whole.at(path).filled == whole.read
        if not mapping.fields[path].nested and all(map(naming.is_word, values)) and not _belongs_to_shared(path, whole)
    ]
    likely.sort(key=lambda path: not naming.KIND_WORDS & set(naming.words_of(path)))
    for path in likely[:_MOST_CANDIDATES]:
        others = sorted(whole.filled - {path})
        found = profiles(client, mapping, mapping.fields[path], others)
        if sum(profile.count for profile in found.values()) == whole.total and _are_kinds(
            found, named=bool(naming.KIND_WORDS & set(naming.words_of(path)))
        ):
            return path
    return None


def _belongs_to_shared(path: str, whole: Sample) -> bool:
    """Whether a type belongs to something that several documents share: `device_type` beside `device_id`."""
    folder, stem = path.rpartition(".")[0], naming.words_of(path)[:-1]
    beside = (one for one in whole.seen if one.rpartition(".")[0] == folder and naming.words_of(one)[:-1] == stem)
    ids = [whole.at(one).values for one in beside if naming.words_of(one)[-1] in naming.ID_WORDS and (stem or folder)]
    return any(len(set(map(str, values))) < len(values) for values in ids)


def _are_kinds(found: Mapping[str, Profile], *, named: bool) -> bool:
    pairs = list(combinations(found.values(), 2))
    if named:
        return 2 * sum(_has_more(one, other) or _has_more(other, one) for one, other in pairs) > len(pairs)
    return all(_has_more(one, other) and _has_more(other, one) for one, other in pairs)


def _has_more(one: Profile, other: Profile) -> bool:
    """Whether each document of one kind has a field that no document of the other has."""
    return any(count == one.count and not other.fields[path] for path, count in one.fields.items())


def _identity(client: Elasticsearch, mapping: IndexMapping, sample: Sample) -> str | None:
    """Return the path of the document's own id, else a field named like an id with unique values.

    Keywords come before numbers, and the id that is called after the index before others: `orchestra_id` before
    `conductor_id` if the index is `orchestra`.
    """
    likely = []
    own_words = {*index_words(mapping.index), *naming.entity_names(mapping.index)}
    for path, seen in sample.seen.items():
        mapped = mapping.fields[path]
        in_list = mapped.nested or any(path.startswith(around + ".") for around in sample.object_lists)
        in_every_document = seen.per_document == 1 and seen.filled == sample.read > 1
        called_id = bool(naming.ID_WORDS & set(naming.words_of(path)))
        values = [str(value) for value in seen.values]
        is_key = bool(mapped.label) and values == sample.ids  # of a table that was loaded by it
        number = mapped.kind is FieldKind.WHOLE_NUMBER and (called_id or is_key)
        exact = (mapped.kind is FieldKind.KEYWORD or number) and mapped.exact and not mapped.conflict
        exact = exact and not mapped.is_added
        if not exact or in_list or not in_every_document:
            continue
        if len(set(values)) == len(values):
            other = naming.id_of_what(path) not in {"", *own_words}
            likely.append((values != sample.ids, number, path.count("."), other, path, called_id))
    for not_own, _, _, _, path, called_id in sorted(likely):
        if (called_id or not not_own) and is_unique(client, mapping.index, mapping.fields[path], sample.query):
            return path
    return None
