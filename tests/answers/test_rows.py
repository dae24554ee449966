"""All rows of an answer as a file, with their citations as columns."""

import csv
from pathlib import Path

import pytest

import qlc
from qlc.answers.rows import export_answer
from qlc.cli.main import main
from qlc.outcome import Clarify
from tests.corpora import made

from .conftest import ROOT

MANY = 1_042


def rows(lines: list[str]) -> list[dict[str, str]]:
    return [*csv.DictReader(lines)]


def test_a_list_has_the_quote_and_page_of_each_value(library: qlc.Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    question = "Which contracts have a notice period under 60 days?"
    assert main(["ask", "--corpus", str(library._folder), question, "--csv"]) == 0
    written = rows(capsys.readouterr().out.splitlines())
    assert {(one["file"], one["notice"], one["notice_unit"], one["notice_page"]) for one in written} == {
        ("contracts/acme_supply.md", "30", "days", "1"), ("contracts/corvid_hosting.html", "14", "days", "1"),
    }  # fmt: skip
    assert {one["notice_quote"] for one in written} == {"Notice period: 30 days", "Notice period: 14 days"}


def test_the_cells_of_a_table_and_the_sentences_of_an_answer(library: qlc.Corpus) -> None:
    table = library.ask("Compare width and voltage of B-120 and B-240")
    assert {one["voltage"] for one in rows([*export_answer(table, "csv", library)])} == {"400", "800"}
    found = library.ask("What does the travel policy say about hotels?")
    quotes = [one["quote"] for one in rows([*export_answer(found, "csv", library)])]
    assert quotes[0].endswith("A hotel costs at most EUR 140 a night; in London GBP 170.")


def test_groups_have_the_files_that_each_number_is_of(library: qlc.Corpus) -> None:
    written = rows([*export_answer(library.ask("contracts by supplier"), "csv", library)])
    acme = next(one for one in written if one["name"] == "ACME Corp")
    assert (acme["count"], acme["count_file"]) == ("2", "contracts/acme_services.pdf; contracts/acme_supply.md")
    assert acme["count_quote"] == "Supplier: ACME Corp; Supplier: ACME Corp"
    assert acme["count_page"] == "1; 1"


def test_amounts_have_their_currency(library: qlc.Corpus) -> None:
    listed = rows([*export_answer(library.ask("List all invoices"), "csv", library)])
    assert {(one["total"], one["total_unit"]) for one in listed} == {("536", "EUR"), ("370", "GBP"), ("360", "EUR")}
    assert all(one["total_quote"] == f"Total due: {one['total_unit']} {one['total']}.00" for one in listed)


def test_every_value_of_a_list_is_written(tmp_path: Path) -> None:
    field = "party: {type: name, list: true, labels: [Party]}"
    schema = f"version: 1\nname: c\nbuckets:\n  deeds:\n    fields:\n      {field}\n"
    with made(tmp_path, {"deeds/a.md": "# Deed\n\nParty: Oak Ltd\n\nParty: Elm Ltd\n"}, schema) as corpus:
        (one,) = rows([*export_answer(corpus.ask("List all deeds"), "csv", corpus)])
    assert one["party"] == "Oak Ltd; Elm Ltd"
    assert one["party_quote"] == "Party: Oak Ltd; Party: Elm Ltd"


def test_a_cell_of_a_spreadsheet_is_no_formula(tmp_path: Path) -> None:
    with made(tmp_path, {"deeds/a.md": "# =HYPERLINK(1)\n\nThe roof is new.\n"}) as corpus:
        found = corpus.ask("List all deeds")
        (plain,) = rows([*export_answer(found, "csv", corpus)])
        (safe,) = rows([*export_answer(found, "csv", corpus, for_spreadsheets=True)])
    assert (plain["name"], safe["name"]) == ("=HYPERLINK(1)", "'=HYPERLINK(1)")


def test_a_list_that_is_too_long_is_counted_exactly_and_written_whole(tmp_path: Path) -> None:
    """The record of one invoice, many times: adding so many files would take the time of a hundred tests."""
    with qlc.Corpus.create(tmp_path / "library", ROOT / "examples/library.yaml") as corpus:
        corpus.add(ROOT / "examples/library/invoices", processes=1)
        kind = {"bool": {"filter": [{"term": {"kind": "document"}}]}}
        hits = corpus.client.search(index=corpus.index, query=kind, size=10)["hits"]["hits"]
        record = hits[0]["_source"]
        names = [f"copy-{number:04d}" for number in range(MANY)]
        copies = [record | {"id": one, "document": one, "bucket": "invoices", "files": [f"{one}.pdf"]} for one in names]
        actions = [part for one in copies for part in ({"index": {"_id": one["id"]}}, one)]
        actions += [{"delete": {"_id": hit["_id"]}} for hit in hits]
        corpus.client.bulk(index=corpus.index, operations=actions, refresh=True)
        found = corpus.ask("List all invoices")
        assert isinstance(found, Clarify)
        assert (found.what, found.total) == ("overload", MANY)
        assert f"{MANY:,} invoices" in found.message
        written = rows([*export_answer(found, "csv", corpus)])
    assert {one["document"] for one in written} == {*names}
    assert len(written) == MANY
