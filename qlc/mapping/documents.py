"""Mapping and catalog from `Document` classes of `elasticsearch.dsl`, without a server.

A class gives the mapping and the names. The facts that a draft takes from documents (values of a field, fields that are
filled) are missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import TypeAlias

from elasticsearch.dsl import AsyncDocument, Document

from qlc.base.errors import UsageError
from qlc.language.nouns import plural_of, snake
from qlc.mapping.catalog import Catalog, read_catalog
from qlc.mapping.draft.kinds import Kind, Kinds
from qlc.mapping.draft.naming import free_nouns
from qlc.mapping.draft.references import Referred
from qlc.mapping.draft.sample import Sample
from qlc.mapping.draft.sources import Source
from qlc.mapping.draft.text import draft_of
from qlc.mapping.fields import FieldKind, IndexMapping
from qlc.mapping.index_mapping import read_mapping

AnyDocument: TypeAlias = type[Document] | type[AsyncDocument]


def catalog_of(*documents: AnyDocument) -> Catalog:
    """Draft a catalog for some classes: `catalog_of(Order, Customer)` has the entities `order` and `customer`.

    A field `id` or `order_id` of Order is its id; `customer_id` then refers to customers. Raises UsageError.
    """
    return read_catalog(catalog_text(*documents), "documents")


def catalog_text(*documents: AnyDocument) -> str:
    """Return the YAML text of `catalog_of`."""
    _check(documents)
    sources = [_source(one) for one in documents]
    indices = ",".join(dict.fromkeys(source.mapping.index for source in sources))
    return draft_of(indices, sources, dict(_references(sources)))


def mappings_of(*documents: AnyDocument) -> dict[str, IndexMapping]:
    """The mapping of each index: `Compiler(None, catalog_of(Order), mapping=mappings_of(Order))` checks programs."""
    _check(documents)
    return {_index(one): read_mapping(one._index.to_dict(), _index(one)) for one in documents}


def documents_of(module: str) -> tuple[AnyDocument, ...]:
    """Return the classes with an index that a module defines: `documents_of("shop.models")`. Runs the module.

    Raises UsageError if it cannot be imported or defines none.
    """
    try:
        names = vars(import_module(module))
    except ImportError as problem:
        way = "install it, or set PYTHONPATH to the folder that it is in"
        raise UsageError(f"the module '{module}' cannot be imported ({problem}): {way}") from None
    found = [one for one in names.values() if isinstance(one, type) and issubclass(one, Document | AsyncDocument)]
    own = tuple(one for one in found if one.__module__ == names["__name__"] and one._index._name)
    if not own:
        raise UsageError(f"the module '{module}' has no Document with an index: class Index: name = '...'")
    return own


def _check(documents: Sequence[AnyDocument]) -> None:
    if not documents:
        raise UsageError("pass at least one Document class")
    for one in documents:
        if not (isinstance(one, type) and issubclass(one, Document | AsyncDocument)):
            raise UsageError(f"{one!r} is not a Document class of elasticsearch.dsl")
        if not one._index._name:
            raise UsageError(f"{one.__name__} has no index: write class Index: name = '...' in it")
    indices = [_index(one) for one in documents]
    if twice := next((index for index in indices if indices.count(index) > 1), None):
        raise UsageError(f"two classes have the index '{twice}': draft from the index, which tells them apart")


def _index(document: AnyDocument) -> str:
    return str(document._index._name)


def _source(document: AnyDocument) -> Source:
    mapping = read_mapping(document._index.to_dict(), _index(document))
    name, plural = free_nouns(name := snake(document.__name__), plural_of(name))
    empty = Sample({"match_all": {}}, 0, [])
    return Source(mapping, Kinds(None, (Kind(name, plural, None, empty, _identity(mapping, name)),)))


def _identity(mapping: IndexMapping, name: str) -> str | None:
    """The path of the id: `id`, or for an order `order_id`."""
    fields = (mapping.fields.get(path) for path in ("id", f"{name}_id"))
    return next((one.path for one in fields if one is not None and one.kind in _IDS and one.exact), None)


_IDS = (FieldKind.KEYWORD, FieldKind.WHOLE_NUMBER)


def _references(sources: Sequence[Source]) -> Iterator[tuple[tuple[str, str], Referred]]:
    """Yield the fields named after the id of another class: `customer_id` of orders."""
    kinds: Mapping[str, Kind] = {kind.name: kind for source in sources for kind in source.kinds.kinds}
    for source in sources:
        (holder,) = source.kinds.kinds
        for path, field in source.mapping.fields.items():
            target = kinds.get(path.rpartition(".")[2].removesuffix("_id"))
            if target is None or target is holder or target.identity is None or not path.endswith("_id"):
                continue
            if field.kind in _IDS and field.exact and path != holder.identity:
                yield (holder.name, path), Referred((target,), True, "its name")
