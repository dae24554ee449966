"""Selects the fields of a large mapping that a prompt contains."""

import json
from pathlib import Path

import pytest

from qlc.mapping.build import build_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.index_mapping import load_mapping, read_mapping
from qlc.translator.model.described import catalog_text
from qlc.translator.model.fields import MOST_OUTLINED, RETRIEVED, Fields
from qlc.translator.model.prompt import system_parts
from qlc.translator.model.ranking import Ranking, terms
from tests.reference.model import DATA
from tests.tables import rows, table

QUESTIONS = [
    {**question, "fields": [{one} if isinstance(one, str) else set(one) for one in question["fields"]]}
    for path in sorted(Path(__file__).parent.glob("ecs_questions*.jsonl"))
    for question in map(json.loads, path.read_text("utf-8").splitlines())
]
"""Questions and what each needs: one of some fields."""


@pytest.fixture(scope="module")
def ecs() -> Fields:
    return Fields(build_schema(None, load_mapping(DATA / "ecs" / "mapping.json", "ecs")))


def test_questions_need_fields_that_there_are(ecs: Fields) -> None:
    names = {one.name for one in ecs.offered}
    assert len(names) > 2_500
    assert len(QUESTIONS) >= 100
    assert [need for one in QUESTIONS for need in one["fields"] if not need <= names] == []


def test_a_large_mapping_is_outlined(ecs: Fields) -> None:
    assert ecs.are_many
    assert 500 < len(ecs.outline) <= MOST_OUTLINED
    text = catalog_text(ecs)
    assert "@timestamp" in text
    assert len("".join(system_parts(ecs))) < 60_000


def test_fields_that_questions_need_are_reported(ecs: Fields) -> None:
    """A floor below what the benchmark measures: a fall is a defect."""
    told = wanted = 0
    for one in QUESTIONS:
        needed = ecs.needed(one["text"])
        assert len(needed) <= RETRIEVED
        names = {field.name for field in needed}
        told += sum(bool(names & need) for need in one["fields"])
        wanted += len(one["fields"])
    assert told / wanted > 0.95


@pytest.mark.parametrize(("question", "field"), rows(__file__, "test_values_and_related_words_lead_to_fields"))
def test_values_and_related_words_lead_to_fields(ecs: Fields, question: str, field: str) -> None:
    assert field in {one.name for one in ecs.needed(question)}
    assert field not in {one.name for one in ecs.needed("anything at all", most=RETRIEVED // 4)}


def test_fields_that_no_document_has_come_last(ecs: Fields) -> None:
    asked = "md5 of a file"
    assert "file.hash.md5" in {one.name for one in ecs.needed(asked, most=20)}
    assert "file.hash.md5" not in {one.name for one in ecs.needed(asked, most=20, empty={"file.hash.md5"})}


def test_a_field_that_holds_a_value_of_the_question_is_needed(ecs: Fields) -> None:
    deep = next(one.name for one in ecs.offered if one.name.count(".") == 6)
    assert deep not in {one.name for one in ecs.needed("anything at all")}
    assert deep in {one.name for one in ecs.needed("anything at all", {deep})}


def test_of_fields_that_end_alike_the_one_on_top_comes_first() -> None:
    keyword = {"type": "keyword"}
    inner = {"properties": {"hash": {"properties": {"md5": keyword}}}}
    properties = {f"a{n}": {"properties": {"file": inner}} for n in range(300)} | {"file": inner}
    fields = Fields(build_schema(None, read_mapping({"mappings": {"properties": properties}}, "many")))
    assert fields.needed("md5 of a file", most=1)[0].name == "file.hash.md5"


def test_names_are_words() -> None:
    assert terms("commonAttributes.sizeInBytes HTTPStatus user_agent") == terms(
        "common attributes size in bytes http status user agent"
    )


def test_ranking_prefers_what_is_rare_and_knows_families() -> None:
    ranking = Ranking([{"name": 1.0, "owner": 1.0}, {"name": 1.0}, {"name": 1.0, "rarity": 1.0}])
    assert [number for number, _ in ranking.best(["name", "own"], 1)] == [0]
    assert ranking.best(["unheard"], 5) == []


TWO_KINDS = table(__file__, "TWO_KINDS")


def test_every_entity_tells_what_a_path_is_for_it() -> None:
    keyword = {"type": "keyword"}
    properties = dict.fromkeys(("sort", "uid", "status", "title", "other"), keyword) | {"size": {"type": "integer"}}
    mapping = read_mapping({"mappings": {"properties": properties}}, "letting")
    text = catalog_text(Fields(build_schema(read_catalog(TWO_KINDS), mapping)))
    blocks = {head: body for head, _, body in (one.partition(":\n") for one in text.split("\n\nFields of ")[1:])}
    assert blocks["flats"] == (
        '  state: one of "let" (rented), "vacant" (empty)\n  size: whole number (also: square metres)'
    )
    assert blocks["repairs"] == '  status: one of "done" (finished), "planned" (also: size)\n  title: text'
    # What nobody says anything of is there for all of them.
    assert "  other: text" in blocks["flats, repairs"]
    assert 'flat("ID") is the one with that uid' in text
