"""Catalogs and what is found in them, and documents with the catalog that is drafted from them, as pairs of files."""

import json
from pathlib import Path
from typing import Any

import yaml
from syrupy.assertion import SnapshotAssertion

from qlc.base.diagnostics import Diagnostic
from qlc.compiler.catalog_check import check_catalog
from qlc.mapping.catalog import read_catalog
from qlc.mapping.errors import CatalogError
from qlc.mapping.fields import IndexMapping
from qlc.mapping.index_mapping import read_mapping
from tests.mapping.test_check import HEAD, KEYWORD, MAPPING, SHARED, THING
from tests.mapping.test_draft import drafted, nth
from tests.pairs import Case, check_beside, indented, pairs, report

CASES = Path(__file__).parent / "cases"
WHOLE = {
    "field": f"{HEAD}{THING}fields: {{it: %s}}",
    "list": f"{HEAD}{THING}lists: {{it: %s}}",
    "entity": f"{HEAD}entities: {{thing: %s}}{SHARED}",
    "computed": f"{HEAD}entities: {{thing: {{computed: %s}}}}{SHARED}",
    "entities": f"{HEAD}entities: %s",
    "rest": "version: 1\nindex: things\nentities:\n  thing: {}\n%s",
    "whole": "%s",
}
"""The catalog around a case, by the world that it names."""


@pairs(CASES, "catalog")
def test_what_is_wrong_in_a_catalog_is_written_beside_it(path: Path, snapshot: SnapshotAssertion) -> None:
    check_beside(path, report(path, findings), snapshot)


def findings(case: Case) -> str:
    mapping, text = MAPPING, WHOLE.get(case.world, "%s") % case.source
    if case.world == "bill":
        mapping, text = bill(json.loads(case.source))
    try:
        found = check_catalog(read_catalog(text), mapping)
    except CatalogError as error:
        found = list(error.diagnostics)
    return "\n".join(line for one in found for line in told(one, text)) or "nothing is wrong"


def bill(parts: dict[str, str]) -> tuple[IndexMapping, str]:
    mapping = read_mapping({"properties": {"state": KEYWORD, "payer": KEYWORD, "due": {"type": "date"}}}, "things")
    state = parts.get("state", "{path: state, values: {late: [tardy], paid: []}}")
    fields = f"{{state: {state}, payer: {parts.get('payer', 'payer')}, due: due}}"
    return mapping, f"{HEAD}entities: {{bill: {{conditions: {{{parts.get('condition', '')}}}}}}}\nfields: {fields}\n"


def told(one: Diagnostic, text: str) -> list[str]:
    place = text[one.span.start : one.span.end].partition("\n")[0]
    line = text.count("\n", 0, one.span.start) + 1
    return [f"{one.severity} {one.code} in line {line} at {place!r}: {one.message}",
            *([f"hint: {one.hint}"] if one.hint else [])]  # fmt: skip


@pairs(CASES.with_name("drafts"), "yaml")
def test_drafts_are_as_written_beside_their_documents(path: Path, snapshot: SnapshotAssertion) -> None:
    cases: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text("utf-8"))
    drafts = {name: drafted(case["properties"], documents(case)) for name, case in cases.items()}
    check_beside(path, "\n".join(f"# {name}\n{indented(body(text))}" for name, text in drafts.items()), snapshot)


def body(draft: str) -> str:
    """A draft without what each begins with."""
    return draft.partition("index: things\n")[2].strip()


def documents(case: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = case.get("documents", [])
    return found or nth(case.get("times", 0), **case.get("document", {}))
