"""Words over an index without a catalog: what its name, its mapping and its documents tell."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.translator.entry import Asker

NOW = "2026-03-15T12:00:00Z"
KEYWORD = {"type": "keyword"}
MAPPING = {"place": KEYWORD, "skills": KEYWORD, "contract": KEYWORD, "posted": {"type": "date"}}
ADS = [
    {"place": "Ulm", "skills": ["sql", "go"], "contract": "permanent", "posted": "2026-03-01"},
    {"place": "Ulm", "skills": ["sql"], "contract": "freelance", "posted": "2026-02-01"},
    {"place": "Graz", "skills": ["go", "excel"], "contract": "permanent", "posted": "2026-02-03"},
    {"place": "Graz", "contract": "permanent", "posted": "2026-03-02"},
]


@pytest.fixture(scope="module")
def bare() -> Iterator[Asker]:
    client = qlc.connect(":memory:")
    client.indices.create(index="job_ads-v2", mappings={"properties": MAPPING})
    for number, one in enumerate(ADS):
        client.index(index="job_ads-v2", id=str(number), document=one, refresh=True)
    yield Asker(qlc.Compiler(client, None, "job_ads-v2", draft=False))
    client.close()


def program(asker: Asker, text: str) -> str | None:
    return asker.ask(text, now=NOW).query


@pytest.mark.parametrize("text", ["how many job ads are there?", "how many ads", "number of entries"])
def test_documents_are_called_by_the_name_of_the_index(bare: Asker, text: str) -> None:
    outcome = bare.ask(text, now=NOW)
    assert (outcome.kind, getattr(outcome, "value", None)) == ("count", 4)


def test_conditions_on_them(bare: Asker) -> None:
    assert program(bare, "permanent ads in Graz") in (
        'find entries where contract = "permanent" and place = "Graz"',
        'find entries where place = "Graz" and contract = "permanent"',
    )
    assert program(bare, "job ads by place") == "count entries by place"


def test_the_name_can_be_used_in_programs(bare: Asker) -> None:
    assert program(bare, 'count ads where place = "Ulm"') == 'count entries where place = "Ulm"'


def test_a_path_may_begin_with_what_the_documents_are_called() -> None:
    client = qlc.connect(":memory:")
    client.indices.create(index="app-logs", mappings={"properties": {"log": {"properties": {"level": KEYWORD}}}})
    client.index(index="app-logs", document={"log": {"level": "error"}}, refresh=True)
    compiler = qlc.Compiler(client, None, "app-logs", draft=False)
    for path in ("log.level", "logs.log.level", "`log.level`"):
        outcome = compiler.run(f'count logs where {path} = "error"')
        assert (outcome.kind, getattr(outcome, "value", None)) == ("count", 1), path
    client.close()


def test_both_values_are_asked_for_where_documents_have_several(bare: Asker) -> None:
    assert program(bare, "ads with skills sql and go") == 'find entries where skills has all ["sql", "go"]'


def test_either_value_is_asked_for_where_no_document_has_several(bare: Asker) -> None:
    assert program(bare, "ads in Ulm and Graz") == 'find entries where place in ["Ulm", "Graz"]'


def test_what_a_catalog_says_to_be_one_stays_one(bare: Asker) -> None:
    catalog = "version: 1\nindex: job_ads-v2\nentities: {ad: {}}\nfields: {skills: {path: skills, list: false}}\n"
    asker = Asker(qlc.Compiler(bare.compiler.client, read_catalog(catalog)))
    assert program(asker, "ads with skills sql and go") == 'find ads where skills in ["sql", "go"]'
