"""Passages are searched with where they stand: what their document is called, and what their page begins with."""

from pathlib import Path
from typing import Any

import pytest
import yaml

import qlc.corpus.corpus
from qlc.corpus.corpus import Corpus
from qlc.corpus.index import CONTEXT, NAMES, PAGE_HEAD
from qlc.corpus.pages import Block, Page, Span
from qlc.corpus.passages import passages
from qlc.corpus.records import names_of
from qlc.corpus.searching import with_years
from tests.corpora import made, written

PAGE = "Balance sheets of Kestrel\n\n{}\n\nDeferred charges were lower."
FILLING = "The pumps ran on water all day. " * 40
BOILERS = {
    "2021/north.md": f"# Boilers of the north mill\n\n{FILLING}\n\nThe valves leak.\n",
    "2022/south.md": f"# Boilers of the south mill\n\n{FILLING}\n\nThe valves leak.\n",
}


def page(*texts: tuple[str, str]) -> Page:
    """A page of blocks: kind and text of each."""
    text, blocks = "", []
    for kind, said in texts:
        begin = len(text) + 2 if text else 0
        text = f"{text}\n\n{said}" if text else said
        blocks.append(Block(kind, Span(begin, begin + len(said))))  # type: ignore[arg-type]
    return Page(1, text, tuple(blocks))


def test_a_passage_below_the_head_of_its_page_has_it() -> None:
    one = page(("margin", "Annual report"), ("paragraph", "Cash flows of Kestrel"), ("paragraph", FILLING),
               ("paragraph", "Charges were lower."))  # fmt: skip
    first, *others = passages([one])
    assert first.page_head == ""
    assert others
    assert others[-1].page_head.startswith("Cash flows of Kestrel\nThe pumps ran")
    assert all(len(each.page_head) <= 250 for each in others)


def test_the_head_of_a_page_ends_where_the_passage_begins() -> None:
    first, second = passages([page(("heading", "Rent"), ("paragraph", "It is low."), ("heading", "Fee"),
                                   ("paragraph", "It is high."))])  # fmt: skip
    assert (first.page_head, second.page_head) == ("", "Rent\nIt is low.")


def test_each_passage_of_several_pages_is_found_by_the_head_of_its_page(tmp_path: Path) -> None:
    pages = f"Ponds\n\n{FILLING}\n\nA pond froze.\fKestrel\n\n{FILLING}\n\nCharges were lower."
    with made(tmp_path, {"report.txt": pages}) as corpus:
        found = corpus.compiler().run('find passages where page_head mentions "Kestrel" sort ordinal show page, text')
        assert {hit.values["page"] for hit in found.hits} == {2}
        assert found.hits[0].values["text"].startswith("Kestrel")
        assert "Charges were lower." in found.hits[-1].values["text"]
        assert found.total > 1


def test_names_are_titles_folders_and_files() -> None:
    assert names_of(["FORM 10-K"], ["filings/3M_2018Q2.pdf"]) == ["FORM 10-K", "filings 3M 2018Q2", "3 M 2018 Q 2"]
    assert names_of(["Rent"], ["rent.md"]) == ["Rent", "rent"]


@pytest.mark.parametrize(
    ("text", "searched"),
    [
        ("capex in FY2022", "capex in FY2022 2022"),
        ("2023Q2 and FY2023", "2023Q2 and FY2023 2023"),
        ("capex in 2022", "capex in 2022"),
        ("the BC547B at 20231", "the BC547B at 20231"),
    ],
)
def test_a_year_beside_letters_is_searched(text: str, searched: str) -> None:
    assert with_years(text) == searched


@pytest.mark.parametrize("asked", ["leaking valves in the south", "leaking valves, FY2022"])
def test_a_passage_is_found_by_its_heading_or_folder(tmp_path: Path, asked: str) -> None:
    with made(tmp_path, BOILERS) as corpus:
        best = corpus.search(asked, by="words", limit=1).hits[0]
        assert (best.values["file"], "leak" in best.values["text"]) == (["2022/south.md"], True)


def test_a_corpus_of_an_earlier_version_is_searched_and_gets_the_context_with_the_next_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    definition = qlc.corpus.corpus.index_definition

    def earlier(*given: Any) -> dict[str, Any]:
        made_by = definition(*given)
        properties = made_by["mappings"]["properties"]
        for name in (CONTEXT, NAMES, PAGE_HEAD):
            del properties[name]
        for one in properties.values():
            one.pop("copy_to", None)
        return made_by

    with monkeypatch.context() as before:
        before.setattr(qlc.corpus.corpus, "index_definition", earlier)
        with Corpus.create(tmp_path / "corpus") as corpus:
            assert "context_text" not in corpus.catalog()
            assert corpus.search("valves", by="words").hits == []
    with Corpus.open(tmp_path / "corpus") as corpus:
        corpus.add(written(tmp_path / "files", BOILERS), processes=1)
        assert "context_text" in corpus.catalog()
        assert corpus.search("valves in the south", by="words", limit=1).hits[0].values["file"] == ["2022/south.md"]


@pytest.mark.parametrize(
    ("passage", "asked"),
    [
        ({"access": 'not section = "Salaries"'}, "Brockhurst"),
        ({"fields": {"file": {"sensitive": True}}}, "payroll"),
    ],
)
def test_a_hidden_text_finds_no_passage_beside_it(tmp_path: Path, passage: dict[str, Any], asked: str) -> None:
    """The page begins with a section that the caller may not see, or the file has a secret name."""
    text = "# Staff\n\n## Salaries\n\nBrockhurst earns most.\n\n## Holidays\n\nThere are thirty days.\n"
    with made(tmp_path, {"payroll/staff.md": text}) as corpus:
        catalog = yaml.safe_load(corpus.catalog())
        part = catalog["entities"]["passage"]
        part |= {key: value for key, value in passage.items() if key != "fields"}
        for name, keys in passage.get("fields", {}).items():
            part["fields"][name] |= keys
        (tmp_path / "catalog.yaml").write_text(yaml.safe_dump(catalog, sort_keys=False), "utf-8")
        limited = Corpus(corpus.client, corpus.index, catalog=tmp_path / "catalog.yaml")
        program = 'find passages where about "{}" by words show text'
        found = [one.compiler().run(program.format(asked)).ids for one in (corpus, limited)]
        assert (len(found[0]) > 0, found[1]) == (True, [])
        assert limited.compiler().run(program.format("holidays")).total == 1
