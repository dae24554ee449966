"""Programs said in words, and what tells two of them apart."""

import pytest

from qlc import catalogs
from qlc.grammar import SyntaxProblem, parse
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import load_catalog
from qlc.mapping.index_mapping import load_mapping
from qlc.mapping.schema import Schema
from qlc.translator.in_words import distinguished, program_in_words
from tests.reference.case import CASES
from tests.tables import table


@pytest.fixture(scope="module")
def schema() -> Schema:
    mapping = load_mapping(catalogs.mapping_path("drive"), "entities-v4")
    return build_schema(load_catalog(catalogs.path("drive")), mapping)


SAID = table(__file__, "SAID")


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
