"""Whether a catalog fits the mapping it speaks of: every finding at once, each with its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qlc.diagnostics import Diagnostic
from qlc.mapping.catalog import Catalog
from qlc.mapping.fields import IndexMapping


def index_mappings(catalog: Catalog, mappings: Mapping[str, IndexMapping] | IndexMapping) -> Mapping[str, IndexMapping]:
    """The mapping of each index that the catalog names: the only one there is, or the one of that name."""
    names = {part.index or catalog.file.index for part in catalog.file.entities.values()}
    if isinstance(mappings, IndexMapping):
        return dict.fromkeys(names, mappings) if len(names) == 1 else {mappings.index: mappings}
    return mappings


def structure_findings(catalog: Catalog, mappings: Mapping[str, IndexMapping] | IndexMapping) -> Iterator[Diagnostic]:
    return iter(())
