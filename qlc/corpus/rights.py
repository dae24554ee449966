"""Access rules and sensitive fields from a catalog that a person derived from the corpus's own.

Passages are documents of the index with a rule of their own. It is derived from those of documents and buckets: who may
see a document may see its passages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from qlc.base.errors import UsageError
from qlc.grammar import SyntaxProblem, parse, tree
from qlc.grammar.printer import print_path, print_string
from qlc.grammar.tree import walked
from qlc.mapping.catalog import Catalog
from qlc.mapping.catalog_model import EntityPart
from qlc.mapping.catalog_model import FieldPart as FieldOfCatalog
from qlc.outcome import Hits, Outcome
from qlc.outcome.amounts import several

from .index import ANNOTATIONS, BODY, CONTENT, CONTEXT, DOCUMENT, NAMES, PAGE_HEAD, PASSAGE, VECTOR, placed_fields
from .schema import CorpusSchema, FieldPart
from .status import Document

_SIMPLE = (tree.And, tree.Or, tree.Not, tree.Comparison, tree.Between, tree.Presence, tree.Bare)
"""Conditions that mean the same for a passage, if it has copies of their fields."""
_COPIED = ("values.", "bucket", "title", "files")
"""Paths that passages copy from their document."""


def given_catalog(catalog: Catalog, index: str, *, has_vectors: bool) -> Catalog:
    """Return the catalog for a corpus, with the rule for passages, and with vectors. Raises UsageError for a catalog of
    another index, or without documents or passages."""
    given = catalog
    if given.file.index != index:
        raise UsageError(f"the catalog '{given.name}' is for the index '{given.file.index}', and this corpus is in "
                         f"'{index}': start from the one that 'qlc corpus catalog' prints")  # fmt: skip
    for name in (DOCUMENT, PASSAGE):
        if name not in given.file.entities:
            raise UsageError(f"the catalog '{given.name}' has no entity '{name}', which a corpus needs: begin with "
                             "the one that 'qlc corpus catalog' prints")  # fmt: skip
    passage = given.file.entities[PASSAGE]
    changed: dict[str, Any] = {}
    parts = list(dict.fromkeys(_of_passages(given)))
    own = passage.access or given.file.defaults.access
    if parts and parts != [own]:
        changed["access"] = " and ".join(f"({one})" for one in [*filter(None, [own]), *parts])
    entities = {**given.file.entities, PASSAGE: _with_secret_context(passage)}
    if hides_passages(given):
        entities = {name: _without_texts(one, given) for name, one in entities.items()}
    passage = entities[PASSAGE]
    if has_vectors and passage.vector is None:  # it was made before there were any
        changed |= {"vector": VECTOR, "fields": {**passage.fields, VECTOR: FieldOfCatalog(path=VECTOR)}}
    entities[PASSAGE] = passage.model_copy(update=changed)
    return replace(given, file=given.file.model_copy(update={"entities": entities}))


def _with_secret_context(passage: EntityPart) -> EntityPart:
    """Return passages whose fields for searches only are sensitive if a field is that these repeat."""
    if not any(one.sensitive and one.path in _REPEATED for one in passage.fields.values()):
        return passage
    secret = {
        name: one.model_copy(update={"sensitive": True})
        for name, one in passage.fields.items() if one.path in (CONTEXT, PAGE_HEAD, NAMES)
    }  # fmt: skip
    mentioned = passage.text and tuple(name for name in passage.text if name not in secret)
    return passage.model_copy(update={"fields": {**passage.fields, **secret}, "text": mentioned})


_REPEATED = ("title", "files", "section", "head", "text", "unhyphenated")


def hides_passages(catalog: Catalog) -> bool:
    """Whether passages have a rule of their own, so that a caller may see a document but not all its passages."""
    passage = catalog.file.entities.get(PASSAGE)
    return passage is not None and passage.access is not None and passage.access not in _of_passages(catalog)


def _without_texts(entity: EntityPart, catalog: Catalog) -> EntityPart:
    """Return an entity whose texts and labelled values that repeat other passages are sensitive."""
    fields, lists = {**catalog.file.fields, **entity.fields}, {**catalog.file.lists, **entity.lists}
    secret = {"sensitive": True}
    paths = (BODY, CONTEXT, PAGE_HEAD)
    texts = {name: one.model_copy(update=secret) for name, one in fields.items() if one.path in paths}
    labelled = {name: one.model_copy(update=secret) for name, one in lists.items() if one.path == ANNOTATIONS}
    mentioned = entity.text and tuple(name for name in entity.text if name not in texts)
    kept = {"fields": {**entity.fields, **texts}, "lists": {**entity.lists, **labelled}, "text": mentioned}
    return entity.model_copy(update=kept)


MOST_QUOTING = 2_000


def quoting_program(ids: Iterable[str]) -> str:
    """Return the program for the passages of documents; `with_seen_places` uses at most MOST_QUOTING of them."""
    return f"find passages where document.id in [{', '.join(map(print_string, ids))}] show text"


def with_seen_places(documents: Iterable[Document], found: Outcome) -> list[Document]:
    """Return documents with the places of values whose quotes are in a passage that the caller sees."""
    texts: dict[str, list[str]] = {}
    for hit in found.hits if isinstance(found, Hits) else ():
        texts.setdefault(hit.id.rpartition("-")[0], []).append(_plain(str(hit.values.get("text", ""))))
    return [
        replace(one, places=tuple(
            place for place in one.places
            if not place.page or any(_plain(place.quote) in text for text in texts.get(one.id, ()))
        ))
        for one in documents
    ]  # fmt: skip


def _plain(text: str) -> str:
    return " ".join(text.split())


def _of_passages(catalog: Catalog) -> Iterator[str]:
    """Yield conditions by which passages of hidden documents are hidden."""
    for name, entity in catalog.file.entities.items():
        rule = entity.access or catalog.file.defaults.access
        is_other = entity.index not in (None, catalog.file.index)
        if rule is None or name == PASSAGE or is_other or DOCUMENT not in entity.where.get("kind", (DOCUMENT,)):
            continue
        own = rule if _is_copied(rule, entity, catalog) else f"document in (find {entity.plural or f'{name}s'})"
        buckets = ", ".join(print_string(one) for one in entity.where.get("bucket", ()))
        yield f"not bucket in [{buckets}] or ({own})" if buckets else own


def _is_copied(rule: str, entity: EntityPart, catalog: Catalog) -> bool:
    """Whether a rule uses only fields that passages have under the same name and path."""
    try:
        statement = parse(f"find x where {rule}").statement
    except SyntaxProblem:  # the compiler reports it, and searches nothing
        return True
    assert isinstance(statement, tree.Find)
    assert statement.where is not None
    passage = catalog.file.entities[PASSAGE]
    of_it, of_passages = ({**catalog.file.fields, **one.fields} for one in (entity, passage))
    for node in walked(statement.where):
        if isinstance(node, tree.Path):
            own, copy = (fields.get(print_path(node)) for fields in (of_it, of_passages))
            if own is None or copy is None or own.path != copy.path or not (own.path or "").startswith(_COPIED):
                return False
        elif isinstance(node, tree.Condition) and not isinstance(node, _SIMPLE):
            return False
    return True


def as_catalog_has_it(schema: CorpusSchema, catalog: Catalog) -> CorpusSchema:
    """Return a schema with the buckets of a catalog: their fields, which of them are sensitive, and other words."""
    entities = {one.plural or f"{name}s": one for name, one in catalog.file.entities.items()}
    paths = {(one.bucket, one.name): one.path for one in placed_fields(schema)}
    buckets = {}
    for name, bucket in schema.file.buckets.items():
        if (entity := entities.get(name)) is not None:
            fields = {
                field: _seen(part, paths[name, field], {**catalog.file.fields, **entity.fields}, entity, field)
                for field, part in bucket.fields.items()
            }
            buckets[name] = bucket.model_copy(update={"fields": fields, "words": _joined(bucket.words, entity.words)})
    return schema.limited(buckets)


def _seen(part: FieldPart, path: str, fields: Mapping[str, Any], entity: EntityPart, name: str) -> FieldPart:
    """Return a field as in a catalog. A field that the catalog lacks, or has at another path, is hidden from
    everybody."""
    if part.type == "rows":
        rows = entity.lists.get(name)
        hidden = rows is None or rows.sensitive
        cells = {
            column: _seen(cell, column, rows.fields if rows is not None else {}, entity, column)
            for column, cell in part.fields.items()
        }
        return part.model_copy(update={"fields": cells, "sensitive": part.sensitive or hidden})
    one = fields.get(name)
    is_there = one is not None and one.path in (path, f"{path}.amount", name)
    if one is None or not is_there:
        return part.model_copy(update={"sensitive": True})
    return part.model_copy(
        update={"sensitive": part.sensitive or one.sensitive, "words": _joined(part.words, one.words, part.labels)}
    )


def _joined(words: tuple[str, ...], more: tuple[str, ...], others: tuple[str, ...] = ()) -> tuple[str, ...]:
    return (*words, *(one for one in more if one not in words and one not in others))


class Stopped(Exception):
    """Raised for a search whose outcome ends the whole task: a failure, a denied access."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.message)
        self.outcome = outcome


def has_rules(catalog: Catalog) -> bool:
    return bool(catalog.file.defaults.access or any(one.access for one in catalog.file.entities.values()))


def check_identities(client: Any, index: str) -> None:
    """Raise UsageError for a corpus of an earlier version: there one document had the names of all files with its
    content, so a rule on a folder would show or hide the files of all these folders."""
    query = {"bool": {"filter": [{"term": {"kind": DOCUMENT}}], "must_not": [{"exists": {"field": CONTENT}}]}}
    if count := client.count(index=index, query=query)["count"]:
        raise UsageError(
            f"{several(count, 'document')} of this corpus {'was' if count == 1 else 'were'} added by an earlier "
            "version of qlc, where files of the same content were one document. Access rules need one for each file: "
            "add the files again (qlc corpus add CORPUS FOLDER --prune)"
        )
