"""Checks a catalog against its mapping, including the texts in it that are written in the query language."""

from __future__ import annotations

from collections.abc import Mapping

from qlc.base.diagnostics import Diagnostic
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import Catalog
from qlc.mapping.checks.confidential import check_confidential, check_sources
from qlc.mapping.checks.entities import index_mappings, structure_findings
from qlc.mapping.checks.findings import Findings
from qlc.mapping.checks.texts import check_conditions, check_sort, check_spellings
from qlc.mapping.fields import IndexMapping

_OF_DOCUMENTS = (check_confidential, check_sort, check_conditions, check_spellings)
_WITHOUT_DOCUMENTS = (check_sources,)
"""Checks of each entity that run once names and paths are right."""


def check_catalog(catalog: Catalog, mappings: Mapping[str, IndexMapping] | IndexMapping) -> list[Diagnostic]:
    """Return all findings about a catalog, in the order of the file; empty if it can be used as it is."""
    found = structure_findings(catalog, mappings)
    if any(one.severity == "error" for one in found):
        return found
    schema = build_schema(catalog, mappings)
    findings = Findings(catalog, found, index_mappings(catalog, mappings))
    for one in findings.definitions.values():
        for check in _WITHOUT_DOCUMENTS if one.virtual else _OF_DOCUMENTS:
            check(findings, one, schema)
    return findings.sorted()
