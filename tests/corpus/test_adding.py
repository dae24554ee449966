"""Files are added, replaced and dropped; whatever happened before, the corpus is that of the files."""

import mailbox
import shutil
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from qlc.base.errors import UsageError
from qlc.corpus.corpus import Corpus
from qlc.corpus.limits import Limits
from qlc.corpus.status import FieldCoverage
from tests.corpora import written
from tests.tables import table

from .kills import records, trial

SCHEMA = table(__file__, "SCHEMA")


def contract(notice: int) -> str:
    return f"# Agreement\n\nNotice period: {notice} days\n\nFee: EUR {notice}.50\n\nIt may be ended by notice.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    contracts = {f"contracts/c{number}.md": contract(number) for number in (30, 60, 90)}
    notes = {"notes/a.txt": "Milk is bought on Mondays.", "notes/empty.txt": ""}
    return written(tmp_path / "files", contracts | notes)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    schema = tmp_path / "corpus.yaml"
    schema.write_text(SCHEMA, "utf-8")
    corpus = Corpus.create(tmp_path / "store", schema)
    yield corpus
    corpus.close()


def answer(corpus: Corpus, program: str) -> str:
    return str(corpus.compiler().run(program).message)


@pytest.mark.usefixtures("files_are_read_apart")
def test_files_become_documents_passages_and_values(corpus: Corpus, folder: Path) -> None:
    report = corpus.add(folder, processes=1)
    assert (report.added, report.unchanged, report.same_content) == (4, 0, 0)
    assert [(one.file, one.reason) for one in report.problems] == [("notes/empty.txt", "empty")]
    assert answer(corpus, "count contracts where notice >= 60") == "2 contracts."
    assert answer(corpus, 'count passages where mentions "milk"') == "1 passage."
    assert answer(corpus, 'sum(fee) of contracts where fee_currency = "EUR"') == "Sum of fee: EUR 181.50."


def test_the_status_tells_what_is_known_and_what_cannot_be_read(corpus: Corpus, folder: Path) -> None:
    (folder / "contracts/c60.md").write_text("# Agreement\n\nNotice period: 5 days\n\nNotice period: 6 days\n", "utf-8")
    corpus.add(folder, processes=1)
    status = corpus.status()
    assert (status.documents, status.embedded) == (5, 0)
    assert (status.buckets["notes"].documents, status.buckets["notes"].ready) == (2, 1)
    assert status.buckets["contracts"].fields == {
        "notice": FieldCoverage(2, 1),
        "fee": FieldCoverage(2, 0, 1, ("contracts/c60.md",)),
    }
    assert [(one.files, one.reason) for one in status.problems] == [(("notes/empty.txt",), "empty")]


def test_what_is_there_is_not_read_again(corpus: Corpus, folder: Path) -> None:
    corpus.add(folder, processes=1)
    before = records(corpus)
    report = corpus.add(folder, processes=1)
    assert (report.added, report.unchanged) == (0, 5)
    assert len(report.problems) == 1
    assert records(corpus) == before


def test_copies_are_documents_of_their_own(corpus: Corpus, folder: Path) -> None:
    shutil.copy(folder / "contracts/c30.md", folder / "contracts/copy.md")
    report = corpus.add(folder, processes=1)
    assert (report.added, report.same_content) == (5, 1)
    shutil.copy(folder / "contracts/c30.md", folder / "notes/later.md")
    report = corpus.add(folder, processes=1)
    assert (report.added, report.unchanged, report.same_content) == (1, 6, 1)
    assert answer(corpus, 'count documents where file = "notes/later.md" and bucket = "notes"') == "1 document."
    assert answer(corpus, "count contracts where notice = 30") == "2 contracts."
    (folder / "contracts/c30.md").write_text(contract(45), "utf-8")
    corpus.add(folder, processes=1)
    assert answer(corpus, "count contracts where notice = 30") == "1 contract."
    assert corpus.remove("contracts/copy.md") == 1
    assert answer(corpus, "count contracts where notice = 30") == "0 contracts."
    assert answer(corpus, 'count passages where file = "notes/later.md"') == "1 passage."


def merged(corpus: Corpus, *names: str) -> None:
    """Write the copies of a file as an earlier version did: one document with all names."""
    found = records(corpus)
    first = next(one for one in found.values() if one["files"] == [names[0]] and one["kind"] == "document")
    operations: list[Any] = []
    for key, one in found.items():
        if one["files"][0] in names:
            operations.append({"delete": {"_id": key}})
        if one["document"] == first["id"]:
            id = one["id"].replace(first["id"], first["content"][:32])
            old = {name: value for name, value in one.items() if name != "content"}
            changed = {"id": id, "document": first["content"][:32], "files": list(names), "added": "2026-01-01"}
            operations += [{"index": {"_id": id}}, {**old, **changed}]
    corpus.client.bulk(index=corpus.index, operations=operations, refresh=True)


def test_a_corpus_of_an_earlier_version_is_read_again_file_by_file(
    corpus: Corpus, folder: Path, tmp_path: Path
) -> None:
    shutil.copy(folder / "contracts/c30.md", folder / "notes/copy.md")
    corpus.add(folder, processes=1)
    expected = records(corpus)
    merged(corpus, "contracts/c30.md", "notes/copy.md")
    assert answer(corpus, "count documents") == "5 documents."
    catalog = tmp_path / "own.yaml"
    ruled = corpus.catalog().replace("  document:\n", "  document:\n    access: bucket = 'notes'\n", 1)
    catalog.write_text(ruled, "utf-8")
    with pytest.raises(UsageError, match="1 document of this corpus was added by an earlier version"):
        Corpus(corpus.client, corpus.index, catalog=catalog)
    assert corpus.add(folder, processes=1).replaced == 2
    assert records(corpus) == expected
    seen = Corpus(corpus.client, corpus.index, catalog=catalog)
    assert answer(seen, 'count documents where file = "notes/copy.md"') == "1 document."
    assert answer(seen, 'count documents where file = "contracts/c30.md"') == "0 documents."


@pytest.mark.parametrize("folders", [("a", "b"), ("b", "a"), ("z", "a")])
def test_a_copy_of_another_tenant_changes_nothing(corpus: Corpus, tmp_path: Path, folders: tuple[str, str]) -> None:
    """The first tenant's file keeps its record and its own name, through all changes of the copy."""
    mine, other = (tmp_path / "files" / one / "plan.md" for one in folders)
    for path in (mine, other):
        path.parent.mkdir(parents=True, exist_ok=True)
    mine.write_text(contract(30), "utf-8")
    corpus.add(tmp_path / "files", processes=1)
    before = {key: one for key, one in records(corpus).items() if one["files"] == [f"{folders[0]}/plan.md"]}

    def own() -> dict[str, Any]:
        corpus.add(tmp_path / "files", processes=1, prune=True)
        return {key: one for key, one in records(corpus).items() if f"{folders[0]}/plan.md" in one["files"]}

    shutil.copy(mine, other)
    assert own() == before
    other.rename(other.with_name("moved.md"))
    assert own() == before
    other.with_name("moved.md").write_text(contract(31), "utf-8")
    assert own() == before
    shutil.copy(mine, other.with_name("moved.md"))
    assert own() == before
    other.with_name("moved.md").unlink()
    assert own() == before == records(corpus)


def test_a_changed_file_replaces_its_document(corpus: Corpus, folder: Path) -> None:
    corpus.add(folder, processes=1)
    (folder / "contracts/c30.md").write_text(contract(45), "utf-8")
    report = corpus.add(folder, processes=1)
    assert (report.added, report.replaced, report.unchanged) == (1, 1, 4)
    assert answer(corpus, "count contracts where notice = 30") == "0 contracts."
    assert answer(corpus, "count contracts where notice = 45") == "1 contract."
    assert len({one["document"] for one in records(corpus).values()}) == 5


def test_a_file_that_is_gone_stays_until_it_is_pruned(corpus: Corpus, folder: Path) -> None:
    corpus.add(folder, processes=1)
    (folder / "contracts/c30.md").unlink()
    (folder / "contracts/none").mkdir()
    assert corpus.add(folder, processes=1).removed == 0
    assert answer(corpus, "count contracts") == "3 contracts."
    assert corpus.add(folder, processes=1, prune=True).removed == 1
    assert answer(corpus, "count contracts") == "2 contracts."
    with pytest.raises(UsageError, match="nothing is pruned"):
        corpus.add(folder / "contracts/none", prune=True)
    assert not any(one["document"] not in _documents(corpus) for one in records(corpus).values())


def _documents(corpus: Corpus) -> set[str]:
    return {one["id"] for one in records(corpus).values() if one["kind"] == "document"}


def test_a_passage_says_where_it_stands_and_a_value_where_it_was_read(corpus: Corpus, folder: Path) -> None:
    corpus.add(folder, processes=1)
    for record in records(corpus).values():
        if record["kind"] == "passage" and record["bucket"] == "contracts":
            text = (folder / record["files"][0]).read_text("utf-8")
            assert text[record["begin"] : record["end"]] == record["text"]
        elif record["bucket"] == "contracts":
            (place,) = record["places"]["notice"]
            text = (folder / record["files"][0]).read_text("utf-8")
            assert (
                text[place["begin"] : place["end"]]
                == place["quote"]
                == f"Notice period: {record['values']['notice']:.0f} days"
            )


@pytest.mark.usefixtures("files_are_read_apart")
def test_a_run_that_was_killed_is_made_good_by_the_next_one(tmp_path: Path) -> None:
    assert trial(tmp_path, count=80, kills=3) > 0


def test_what_people_give_wins_and_is_not_read_from_pages(corpus: Corpus, folder: Path) -> None:
    (folder / "metadata.csv").write_text("file,notice,title\ncontracts/c30.md,14 days,The short one\n", "utf-8")
    text = (folder / "contracts/c60.md").read_text("utf-8")
    (folder / "contracts/c60.md").write_text(f"---\nfee: GBP 5\n---\n{text}", "utf-8")
    corpus.add(folder, processes=1)
    assert answer(corpus, "count contracts where notice = 14") == "1 contract."
    assert answer(corpus, 'get contract("The short one").notice') == "14 days."
    assert answer(corpus, 'count contracts where fee = 5 and fee_currency = "GBP"') == "1 contract."
    assert [
        one["places"]["notice"]
        for one in records(corpus).values()
        if one.get("title") == "The short one" and "places" in one
    ] == [[{"by": "given"}]]
    (folder / "metadata.csv").write_text("file,notice\ncontracts/c30.md,21 days\n", "utf-8")
    assert corpus.add(folder, processes=1).added == 1
    assert answer(corpus, "count contracts where notice = 21") == "1 contract."


def test_another_schema_reads_the_files_of_its_buckets_again(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    corpus.add(folder, processes=1)
    other = tmp_path / "other.yaml"
    other.write_text(
        SCHEMA.replace(
            "      fee: money\n", "      fee: money\n      ended: {type: text, patterns: ['may be {value} by']}\n"
        ),
        "utf-8",
    )
    corpus.set_schema(other)
    report = corpus.add(folder, processes=1)
    assert (report.added, report.unchanged) == (3, 2)
    assert answer(corpus, 'count contracts where ended = "ended"') == "3 contracts."


def test_a_file_beyond_a_limit_is_read_again_with_other_limits(corpus: Corpus, tmp_path: Path) -> None:
    files = written(tmp_path / "long", {"notes/b.txt": "Rope. " * 500})
    for limits, added, reasons in (
        (Limits(characters=900), 0, ["too_long"]),
        (Limits(characters=900), 0, ["too_long"]),  # not read again
        (Limits(), 1, []),
        (Limits(characters=900), 0, []),  # it is known
    ):
        report = corpus.add([files], limits=limits, processes=1)
        assert (report.added, [one.reason for one in report.problems]) == (added, reasons)


# --- attachments -----------------------------------------------------------------------------------------------------


def message(subject: str, *attached: tuple[str, bytes] | EmailMessage) -> EmailMessage:
    written = EmailMessage()
    written["Subject"], written["From"], written["To"] = subject, "a@x.example", "b@x.example"
    written.set_content("See the papers.")
    for one in attached:
        if isinstance(one, EmailMessage):
            written.add_attachment(one)
        else:
            written.add_attachment(one[1], maintype="application", subtype="octet-stream", filename=one[0])
    return written


def named(corpus: Corpus) -> dict[str, str]:
    return {one["files"][0]: one["state"] for one in records(corpus).values() if one["kind"] == "document"}


def test_attachments_are_documents_that_live_as_long_as_their_message(corpus: Corpus, folder: Path) -> None:
    files = ("fees.md", b"# Fees\n\nFee: EUR 95"), ("../../fees.md", b"Fee: EUR 96"), ("all.zip", b"PK\x03\x04 cut off")
    place = folder / "contracts/a.eml"
    place.write_bytes(bytes(message("Papers", *files, message("Older", ("deep.txt", b"The berth was nine.")))))
    report = corpus.add(folder, processes=1)
    assert (report.added, report.attached) == (5, 4)
    inside = {name: state for name, state in named(corpus).items() if name.startswith("contracts/a.eml/")}
    assert inside == {
        "contracts/a.eml/fees.md": "ready", "contracts/a.eml/_.._fees.md": "ready", "contracts/a.eml/all.zip": "failed",
        "contracts/a.eml/Older.eml": "ready", "contracts/a.eml/Older.eml/deep.txt": "ready",
    }  # fmt: skip
    assert answer(corpus, "sum(fee) of contracts where file starts with \"contracts/a.eml/\"") == (
        "Sum of fee: EUR 191.00."
    )
    before = records(corpus)
    report = corpus.add(folder, processes=1, prune=True)
    assert (report.added, report.attached, report.removed, len(report.problems)) == (0, 0, 0, 2)
    assert records(corpus) == before
    place.write_bytes(bytes(message("Papers", ("fees.md", b"Fee: EUR 97"))))
    assert corpus.add(folder, processes=1).attached == 1
    assert [name for name in named(corpus) if name.startswith("contracts/a.eml/")] == ["contracts/a.eml/fees.md"]
    place.unlink()
    corpus.add(folder, processes=1, prune=True)
    assert not [name for name in named(corpus) if name.startswith("contracts/a.eml")]


def test_messages_of_a_mailbox_are_documents(corpus: Corpus, folder: Path) -> None:
    box = mailbox.mbox(folder / "notes/2022.mbox")
    for one in (message("Keys", ("receipt.txt", b"Receipt no.: R-7")), message("Boats")):
        box.add(one)
    box.close()
    corpus.add(folder, processes=1)
    assert {name for name in named(corpus) if "mbox" in name} == {
        "notes/2022.mbox", "notes/2022.mbox/1 Keys.eml", "notes/2022.mbox/1 Keys.eml/receipt.txt",
        "notes/2022.mbox/2 Boats.eml",
    }  # fmt: skip
    assert corpus.remove("notes/2022.mbox") == 4


@pytest.mark.parametrize("depth", [40, 400])
def test_messages_within_messages_have_an_end(corpus: Corpus, folder: Path, depth: int) -> None:
    inner = message("0", ("core.txt", b"core"))
    for number in range(1, depth):
        inner = message(str(number), inner)
    (folder / "notes/deep.eml").write_bytes(bytes(inner) if depth < 100 else _nested(depth))
    corpus.add(folder, processes=1)
    assert 1 <= sum("deep.eml" in name for name in named(corpus)) <= 5


def _nested(depth: int) -> bytes:
    """Return a message in messages, which Python's writer would refuse to write."""
    head = b"Subject: n\r\nFrom: a@x.example\r\nTo: b@x.example\r\nContent-Type: message/rfc822\r\n\r\n"
    return head * depth + b"Subject: core\r\n\r\ncore\r\n"
