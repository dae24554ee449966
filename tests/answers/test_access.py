"""A catalog with access rules for a corpus: what a caller may not see is not there."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

import qlc
from qlc.base.errors import UsageError
from qlc.outcome import OUTCOME
from tests import tables
from tests.corpora import made

from .conftest import ROOT

ACME: dict[str, Any] = {"context": {"parties": ["ACME Corp"]}}
ALL: dict[str, Any] = {"context": {"parties": ["ACME Corp", "Borden Facility Services", "Corvid Systems"]}}
HIDDEN = ("Borden", "Corvid", "Cleaning Agreement", "Hosting Agreement", "borden_cleaning", "corvid_hosting")


def changed(corpus: qlc.Corpus, folder: Path, **entities: dict[str, Any]) -> Path:
    """The catalog of a corpus with other keys of its entities, as a person would write them."""
    catalog = yaml.safe_load(corpus.catalog())
    for name, keys in entities.items():
        for key, value in keys.items():
            if key == "access":
                catalog["entities"][name][key] = value
            else:  # a field, and what it has more
                catalog["entities"][name]["fields"][key] |= value
    path = folder / "catalog.yaml"
    path.write_text(yaml.safe_dump(catalog, sort_keys=False), "utf-8")
    return path


@pytest.fixture(scope="module")
def of_parties(library: qlc.Corpus, tmp_path_factory: pytest.TempPathFactory) -> qlc.Corpus:
    """A corpus where contracts are visible to their party alone, and liability caps to no caller."""
    secret = {name: {"sensitive": True} for name in ("liability_cap", "liability_cap_currency")}
    catalog = changed(
        library, tmp_path_factory.mktemp("catalog"),
        contract={"access": "party in $parties", **secret}, document=secret, passage=secret,
    )  # fmt: skip
    return qlc.Corpus(library.client, library.index, catalog=catalog)


@pytest.mark.parametrize("question", tables.rows(__file__, "test_nothing_of_documents_that_the_caller_may_not_see"))
def test_nothing_of_documents_that_the_caller_may_not_see(of_parties: qlc.Corpus, question: str) -> None:
    """Neither answers, nor notes, hints, near names and sentences, nor the searches have it; the question's words may
    stand there."""
    outcome = of_parties.ask(question, **ACME)
    shown = outcome.model_dump_json(exclude={"stats"})
    asked = question.casefold()
    assert [one for one in HIDDEN if one.casefold() in shown.casefold() and one.casefold() not in asked] == []
    trace = of_parties.explain(question, **ACME)
    files = {cited.file for cited in trace.checked}
    assert not any("borden" in one or "corvid" in one for one in files)


def test_it_is_there_for_who_may_see_it(of_parties: qlc.Corpus) -> None:
    question = "What is the notice period in the Borden cleaning agreement?"
    assert "90 days" in of_parties.ask(question, **ALL).message
    assert of_parties.ask(question, **ACME).kind in ("declined", "passages", "not_in_corpus")


def test_counts_and_groups_are_of_what_is_seen(of_parties: qlc.Corpus) -> None:
    compiler = of_parties.compiler()
    assert compiler.run("count contracts", **ACME).value == 2
    assert compiler.run("count contracts", **ALL).value == 4
    assert compiler.run('count passages where bucket = "contracts"', **ACME).value < (
        compiler.run('count passages where bucket = "contracts"', **ALL).value
    )
    assert compiler.run('count passages where document.party = "Corvid Systems"', **ACME).value == 0
    rows = compiler.run("count documents by bucket", **ACME).rows
    assert next(row.value for row in rows if row.key == "contracts") == 2


def test_passages_are_hidden_with_their_document(of_parties: qlc.Corpus) -> None:
    found = of_parties.search("termination of the agreement", by="words", limit=20, **ACME)
    files = {file for hit in found.hits for file in hit.values["file"]}
    assert "contracts/acme_services.pdf" in files
    assert not any("borden" in one or "corvid" in one for one in files)


def test_labelled_values_are_hidden_too(of_parties: qlc.Corpus) -> None:
    given = {"label": "Supplier", "top_k": 20}
    shown = of_parties.call_tool("annotations_search", given, **ACME).model_dump_json()
    assert "ACME Corp" in shown
    assert "Borden" not in shown


def test_a_sensitive_field_is_no_field(of_parties: qlc.Corpus) -> None:
    listed = of_parties.ask("List all contracts", **ALL)
    assert "liability_cap" not in listed.model_dump_json()
    metadata = of_parties.call_tool("get_document_metadata", {"documents": ["contracts/acme_supply.md"]}, **ACME)
    assert "liability_cap" not in metadata.model_dump_json()
    assert of_parties.compiler().run("find contracts where liability_cap > 1 limit 3", **ALL).kind == "invalid"
    decomposed = of_parties.decompose("contracts with a liability cap over 1,000", **ALL)
    assert "liability_cap" not in decomposed.model_dump_json()


@pytest.mark.parametrize("rule", ["bucket in $buckets", "size > 0 and bucket in $buckets"])
def test_a_bucket_of_which_nothing_is_seen_is_not_there(library: qlc.Corpus, tmp_path: Path, rule: str) -> None:
    """By a rule on fields that passages have as well, and by one on a field that only documents have."""
    corpus = qlc.Corpus(library.client, library.index, catalog=changed(library, tmp_path, document={"access": rule}))
    context: dict[str, Any] = {"context": {"buckets": ["invoices"]}}
    decomposed = corpus.decompose("contracts from 2023", **context)
    assert "contracts" not in decomposed.primary_buckets
    outcome = corpus.ask("List all contracts", **context)
    assert outcome.kind != "hits"
    assert "documents where bucket" not in outcome.model_dump_json()
    assert corpus.compiler().run("count passages", **context).value == 3
    assert corpus.compiler().run("count documents", **context).value == 3
    both = {"context": {"buckets": ["invoices", "contracts"]}}
    assert corpus.ask("List all contracts", **both).total == 7


def test_folders_are_no_buckets_for_who_sees_none_of_their_files(tmp_path: Path) -> None:
    """Without a corpus.yaml folders are buckets, and their names can reveal secrets."""
    folders = ("open", "takeover_of_kestrel")
    with made(tmp_path, {f"{one}/note.md": f"# Note\n\nThe plan of {one} is ready.\n" for one in folders}) as corpus:
        catalog = changed(corpus, tmp_path, document={"access": "bucket in $buckets"})
        limited = qlc.Corpus(corpus.client, corpus.index, catalog=catalog)
        context: dict[str, Any] = {"context": {"buckets": ["open"]}}
        for question in ("Which plans are ready?", "documents about takeovers", "What is the takeover?", "kestrel"):
            shown = limited.explain(question, **context).model_dump_json()
            assert "takeover_of" not in shown
            assert "Kestrel" not in shown
        reachable = limited.reachable({"context": {"buckets": ["open"]}})
        assert isinstance(reachable, tuple)
        assert [*reachable[0].file.buckets] == ["open"]


def test_without_what_a_rule_needs_nothing_is_searched(of_parties: qlc.Corpus) -> None:
    for outcome in (of_parties.ask("How many invoices are there?"), of_parties.search("filters")):
        assert (outcome.kind, getattr(outcome, "reason", "")) == ("failed", "context-missing")
    trace = of_parties.explain("How many invoices are there?")
    assert OUTCOME.validate_python(trace.outcome.model_dump()).kind == "failed"
    with pytest.raises(UsageError, match="parties"):
        of_parties.decompose("How many invoices are there?")
    talk = qlc.Conversation(of_parties)
    assert talk.turn("How many invoices are there?").outcome.kind == "failed"


def test_a_conversation_has_the_rights_of_its_caller(of_parties: qlc.Corpus) -> None:
    talk = qlc.Conversation(of_parties, **ACME)
    assert talk.turn("List all contracts").outcome.total == 2
    told = json.dumps([one.model_dump(mode="json") for one in talk.turn("what about Borden?").outcomes])
    assert "Facility" not in told
    lines = "".join(qlc.Conversation(of_parties, history=talk.history, **ACME).export("csv")) if talk.history else ""
    assert "borden" not in lines


def test_a_catalog_of_something_else_is_refused(library: qlc.Corpus, tmp_path: Path) -> None:
    catalog = yaml.safe_load(library.catalog())
    other, without = tmp_path / "other.yaml", tmp_path / "without.yaml"
    other.write_text(yaml.safe_dump({**catalog, "index": "books"}), "utf-8")
    del catalog["entities"]["passage"]
    without.write_text(yaml.safe_dump(catalog), "utf-8")
    for path in (other, without):
        with pytest.raises(UsageError, match="qlc corpus catalog"):
            qlc.Corpus(library.client, library.index, catalog=path)


def test_words_that_a_catalog_adds_are_read(library: qlc.Corpus, tmp_path: Path) -> None:
    catalog = changed(library, tmp_path, contract={"notice": {"words": ["getaway span"]}})
    corpus = qlc.Corpus(library.client, library.index, catalog=catalog)
    assert "90 days" in corpus.ask("What is the getaway span of the Borden agreement?").message


class Letters:
    """An embedder that counts letters."""

    name = "letters"
    dimensions = 26

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[1.0 + one.lower().count(chr(97 + at)) for at in range(26)] for one in texts]


def test_a_catalog_from_before_there_were_vectors_ranks_by_meaning(tmp_path: Path) -> None:
    with qlc.Corpus.create(tmp_path / "library", ROOT / "examples/library.yaml", embedder=Letters()) as corpus:
        corpus.add(ROOT / "examples/library", processes=1)
        catalog = changed(corpus, tmp_path, contract={"access": "party in $parties"})
        corpus.embed()
        limited = qlc.Corpus(corpus.client, corpus.index, embedder=Letters(), catalog=catalog)
        everything = qlc.Corpus(corpus.client, corpus.index, embedder=Letters())
        asked: dict[str, Any] = {"by": "meaning", "limit": 40, "per_document": 40}
        every_file, seen = (
            {file for hit in one.search("cleaning windows", **asked, **options).hits for file in hit.values["file"]}  # type: ignore[union-attr]
            for one, options in ((everything, {}), (limited, ACME))
        )
    assert every_file - seen == {
        "contracts/borden_cleaning.docx", "contracts/corvid_hosting.html", "contracts/dunmore_lease.txt",
    }  # fmt: skip
