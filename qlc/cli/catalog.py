"""`qlc catalog check` and `qlc catalog draft`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from qlc.base.diagnostics import Diagnostic
from qlc.base.errors import UsageError
from qlc.cli import render
from qlc.cli.settings import CheckCatalog, DraftCatalog
from qlc.cli.target import catalog_path, only_index, open_client
from qlc.cli.waiting import doing
from qlc.outcome.amounts import several

_SECONDS = 300.0
"""How long a model may take for its proposals."""

_MOST_SHOWN = 4
"""So many of the values of a field that no document has are reported."""


def check(options: CheckCatalog) -> int:
    """Print every finding of a catalog with its line; return 1 if one of them is an error."""
    from qlc.compiler.catalog_check import check_catalog
    from qlc.mapping.catalog import load_catalog
    from qlc.mapping.errors import CatalogError
    from qlc.mapping.index_mapping import fetch_mapping, load_mappings
    from qlc.mapping.live_check import live_findings
    from qlc.pipeline.shared import index_names

    path = catalog_path(options.file)
    assert path is not None
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    unused: Mapping[str, tuple[str, ...]] = {}
    try:
        catalog = load_catalog(path)
        names = index_names(catalog)
        if options.mapping:
            findings = tuple(check_catalog(catalog, load_mappings(options.mapping, names)))
        else:
            client = open_client(options)
            mappings = {name: fetch_mapping(client, name) for name in names}
            findings = tuple(check_catalog(catalog, mappings))
            if not any(one.severity == "error" for one in findings):
                live = live_findings(client, catalog, mappings)
                findings = tuple(sorted((*findings, *live.warnings), key=lambda one: one.span))
                unused = live.unused
    except CatalogError as problem:
        findings = problem.diagnostics
    ended = _report(findings, text, path, as_json=options.json)
    for field, values in {} if options.json else unused.items():
        some = ", ".join(values[:_MOST_SHOWN]) + (" and others" if len(values) > _MOST_SHOWN else "")
        print(f"{field}: no document has {some}. Keep those that may still come.")
    return ended


def _report(findings: tuple[Diagnostic, ...], text: str, path: Path, *, as_json: bool) -> int:
    from qlc.pipeline.present import note

    if as_json:
        print(json.dumps([note(d).model_dump(mode="json") for d in findings], indent=2, ensure_ascii=False))
    else:
        for found in findings:
            print(render.diagnostic(found, text, render.Style.of(sys.stdout)))
        errors = sum(found.severity == "error" for found in findings)
        counted = f"{several(errors, 'error')}, {several(len(findings) - errors, 'warning')}"
        print(f"{path.name}: {counted}" if findings else f"{path.name}: fine")
    return 1 if any(found.severity == "error" for found in findings) else 0


def draft(options: DraftCatalog) -> int:
    from qlc.mapping.draft import draft_catalog

    if options.documents:
        from qlc.mapping.documents import catalog_text, documents_of

        if options.index or options.model:
            raise UsageError("'--documents' takes the catalog from classes: leave out the index and '--model'")
        print(catalog_text(*documents_of(options.documents)), end="")
        return 0
    client = open_client(options)
    way = "name one after 'draft', several, or '*' for an entity for each"
    index = ",".join(options.index) or only_index(client, way)
    with doing(f"reading fields and values of {index}") as tell:
        text = draft_catalog(client, index, tell=tell)
    if options.model:
        from qlc.cli.asking import model_of
        from qlc.translator.model.proposals import with_proposals

        model = model_of(options)
        assert model is not None, "a model that is named is one, or an error"
        with doing("waiting for the proposals of the model"):
            text = with_proposals(client, text, model, time.monotonic() + _SECONDS)
    print(text, end="")
    return 0
