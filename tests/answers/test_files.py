"""Questions about the files themselves: how many there are, of which bucket and format, with how many pages."""

from collections import Counter
from pathlib import Path

import pypdfium2
import pytest

import qlc
from qlc.outcome import Answer
from tests.answers.conftest import ROOT
from tests.corpora import made

FOLDER = ROOT / "examples/library"
UNREAD = {"contracts/cut_off.pdf", "contracts/locked.pdf", "notes/empty.txt"}
"""Files that cannot be read at all, so that even their kind is unknown."""
FILES = [one for one in FOLDER.rglob("*") if one.is_file()]
COPIES = len(FILES) - len({one.read_bytes() for one in FILES})


def _name(path: Path) -> str:
    return str(path.relative_to(FOLDER))


def _pages(path: Path) -> int:
    with pypdfium2.PdfDocument(path) as document:
        return len(document)


PAGES = {_name(one): _pages(one) for one in FILES if one.suffix == ".pdf" and _name(one) not in UNREAD}


def _number(library: qlc.Corpus, question: str) -> object:
    found = library.ask(question)
    assert library.compiler().run(found.query).kind in ("count", "value")
    return found.values[0].value


@pytest.mark.parametrize(
    "question", ["How many documents are there?", "count the documents", "What is the number of documents in all?"]
)
def test_all_documents_are_counted(question: str, library: qlc.Corpus) -> None:
    assert _number(library, question) == len(FILES)


def test_files_are_counted_with_their_copies(library: qlc.Corpus) -> None:
    assert COPIES
    assert _number(library, "How many files do we have in total?") == len(FILES)
    contents = Counter(one.read_bytes() for one in FILES)
    notes = library.ask("How many documents are there?").notes
    (told,) = [note for note in notes if note.startswith("Copies of one file")]
    assert all((_name(one) in told) == (contents[one.read_bytes()] > 1) for one in FILES)


AMOUNTS = {"a": 100, "copy of a": 100, "b": 250}
INVOICES = """{version: 1, name: s, language: english, buckets: {invoices: {description: Invoices, singular: invoice,
  files: ['*.txt'], fields: {total: {type: money, labels: [Total]}}}}}"""


def test_copies_are_told_where_documents_are_listed_and_added_up(tmp_path: Path) -> None:
    files = {f"{name}.txt": f"Invoice\nTotal: EUR {amount}.00\n" for name, amount in AMOUNTS.items()}
    with made(tmp_path, files, INVOICES) as corpus:
        for question in "total of all invoices", "invoices over 50", "how many invoices are over 50":
            assert "Copies of one file, each of them counted: a.txt and copy of a.txt." in corpus.ask(question).notes


@pytest.mark.parametrize("asked", ["How many PDFs are there?", "How many PDF files are there?"])
def test_files_of_a_format_are_counted_and_those_that_cannot_be_read_are_said(asked: str, library: qlc.Corpus) -> None:
    assert _number(library, asked) == len(PAGES)
    assert any(f"Of {len(UNREAD)} more documents" in note for note in library.ask(asked).notes)


def test_documents_of_a_bucket_are_counted_by_their_format(library: qlc.Corpus) -> None:
    assert _number(library, "How many contracts are PDFs?") == sum(one.startswith("contracts/") for one in PAGES)
    assert _number(library, "How many documents are not PDFs?") == len(FILES) - len(PAGES) - len(UNREAD)


@pytest.mark.parametrize(
    "question",
    [
        "How many documents are there in each bucket?",
        "number of documents by bucket",
        "Which buckets are there?",
        "What kinds of documents are there in the library?",
    ],
)
def test_documents_are_counted_by_bucket(question: str, library: qlc.Corpus) -> None:
    found = library.ask(question)
    assert isinstance(found, Answer)
    counted = {row.name: row.cells["count"].value for row in found.rows}
    assert counted == {name: one.documents for name, one in library.status().buckets.items()}


@pytest.mark.parametrize("question", ["How many files are there of each format?", "number of files by file type"])
def test_files_are_counted_by_format(question: str, library: qlc.Corpus) -> None:
    found = library.ask(question)
    assert isinstance(found, Answer)
    suffixes = Counter(one.suffix for one in FILES if _name(one) not in UNREAD)
    counted = {row.name: row.cells["count"].value for row in found.rows}
    assert (counted["PDF"], counted["HTML"], counted["Markdown"]) == (
        suffixes[".pdf"], suffixes[".html"], suffixes[".md"],
    )  # fmt: skip


def test_pages_are_counted(library: qlc.Corpus) -> None:
    assert _number(library, "How many pages are there in total?") == sum(PAGES.values())
    sheets = [pages for name, pages in PAGES.items() if name.startswith("datasheets/")]
    assert _number(library, "How many pages do the data sheets have?") == sum(sheets)
    assert "no pages that can be counted" in str(library.ask("How many pages do the data sheets have?").notes)
    name, pages = max(PAGES.items(), key=lambda one: one[1])
    assert _number(library, f"How many pages does {Path(name).name} have?") == pages


@pytest.mark.parametrize(
    "question", ["list all PDFs", "Which files are PDFs?", "Which documents have more than 0 pages?"]
)
def test_files_are_listed_by_what_they_are(question: str, library: qlc.Corpus) -> None:
    found = library.ask(question)
    assert sorted(file for hit in found.hits for file in hit.values["file"]) == sorted(PAGES)


def test_documents_that_mention_something_are_counted(library: qlc.Corpus) -> None:
    found = library.compiler().run('count documents where mentions "Borden"')
    assert found.value
    assert _number(library, "How many documents mention Borden?") == found.value
