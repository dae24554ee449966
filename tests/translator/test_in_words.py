"""Programs said in words, and what tells two of them apart."""

from __future__ import annotations

import pytest

from qlc import catalogs
from qlc.grammar import SyntaxProblem, parse
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import load_catalog
from qlc.mapping.index_mapping import load_mapping
from qlc.mapping.schema import Schema
from qlc.translator.in_words import distinguished, program_in_words
from tests.reference.case import CASES


@pytest.fixture(scope="module")
def schema() -> Schema:
    mapping = load_mapping(catalogs.mapping_path("drive"), "entities-v4")
    return build_schema(load_catalog(catalogs.path("drive")), mapping)


SAID = {
    'find documents where type = "W2" and size > 5 MB': "documents where type is 'W2' and size is more than 5 MB",
    "find docs where created = last year": "documents where created is in last year",
    "find documents where created = today": "documents where created is today",
    "find documents where created != 2024-03-05": "documents where created is not on 2024-03-05",
    "find documents where created < 2024-03": "documents where created is before 2024-03",
    "find documents where not signed and (starred or type in [\"W2\", \"NDA\"])":
        "documents where not signed and (starred or type is 'W2' or 'NDA')",
    'find documents where folder under "Clients" sort size desc limit 5':
        "documents where folder is below 'Clients', sorted by size (largest first), only the first 5",
    'find folders where id = document("Dock Permit.pdf").folder':
        "folders where id is the folder of the document 'Dock Permit.pdf'",
    'find documents where shares[who = "Ann" and role = "editor"]':
        "documents where one of the shares with who is 'Ann' and role is 'editor'",
    "find documents where tags missing": "documents where tags is missing",
    "count documents": "the number of documents",
    "count, avg(size) of documents where signed by type, month(created)":
        "the number and the average size of documents by type and month of created where signed",
    'get document("Dock Permit.pdf").folder.owner': "the owner of the folder of the document 'Dock Permit.pdf'",
    'find documents where folder in (find folders where name = "Drafts")':
        "documents where folder is (folders where name is 'Drafts')",
    "find documents where": "find documents where",
}  # fmt: skip


@pytest.mark.parametrize("program", SAID)
def test_a_program_in_words(schema: Schema, program: str) -> None:
    assert program_in_words(program, schema) == SAID[program]


def test_readings_are_distinguished_by_what_differs(schema: Schema) -> None:
    shared = 'find documents where type = "W2"'
    assert distinguished([f'{shared} and folder = "Legal"', f'{shared} and category = "Legal"'], schema) == (
        "folder is 'Legal'", "category is 'Legal'")  # fmt: skip
    assert distinguished([f"{shared} sort size", f"{shared} sort created"], schema) == (
        "sorted by size", "sorted by created")  # fmt: skip
    assert distinguished([shared, shared.replace("find", "count")], schema) == ("documents", "the number of documents")
    assert distinguished([shared, f"{shared} and signed"], schema) == (
        "documents where type is 'W2'", "documents where type is 'W2' and signed")  # fmt: skip


def test_what_is_said_alike_stays_apart(schema: Schema) -> None:
    alike = ['find documents where type = "W2"', 'find documents where type in ["W2"]']
    assert len(set(distinguished(alike, schema))) == 2
    assert distinguished(["find documents where", *alike], schema) == ("find documents where", *alike)


def test_every_program_can_be_said(schema: Schema) -> None:
    for case in CASES:
        try:
            parse(case.program)
        except SyntaxProblem:
            continue
        assert program_in_words(case.program, schema) != case.program, case.id
