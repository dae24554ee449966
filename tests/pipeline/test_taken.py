"""What is taken from documents and how it is told: keys of key/value lists, references, fields behind them, questions.

A small store of papers in binders; people are known only beside other documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from elasticsearch import Elasticsearch, helpers

from qlc.mapping.catalog import read_catalog
from qlc.outcome import AggregateOut, Clarify, Count, Hits, Invalid, NotFound, Outcome, ValueOut
from qlc.pipeline.compiler import Compiler
from tests.pipeline.wire import Wire

CATALOG = """
version: 1
index: papers
defaults: {id: id, names: [name], show: [name]}
entities:
  paper: {where: {kind: paper}, tell_apart: [year, author]}
  binder: {where: {kind: binder}, path: place, tell_apart: [year]}
  person: {virtual: true, plural: people}
fields:
  id: id
  name: name
  year: year
  place: place
  binder: {path: binder, refers_to: binder, constants: {desk: DESK}}
  author: {path: author.id, name_at: author.name, refers_to: person}
  also_in: {path: also_in, refers_to: binder, list: true}
lists:
  notes:
    path: notes
    fields:
      by: {path: by_id, name_at: by_name, refers_to: person}
      text: {path: text}
  marks:
    path: marks
    key: key
    value: value
    fields:
      key: {path: key}
      value: {path: value}
  secrets:
    path: secrets
    key: key
    value: value
    fields:
      key: {path: key}
      value: {path: value, sensitive: true}
"""
_KEYWORD = {"type": "keyword"}
_PAIRS = {"type": "nested", "properties": {"key": _KEYWORD, "value": _KEYWORD}}
MAPPING: dict[str, Any] = {
    "properties": {
        **dict.fromkeys(("id", "kind", "name", "place", "binder", "also_in"), _KEYWORD),
        "year": {"type": "integer"},
        "author": {"properties": {"id": _KEYWORD, "name": _KEYWORD}},
        "notes": {"type": "nested", "properties": {"by_id": _KEYWORD, "by_name": _KEYWORD, "text": _KEYWORD}},
        "marks": _PAIRS,
        "secrets": _PAIRS,
    }
}


def paper(id: str, name: str, year: int, binder: str, author: tuple[str, str], **more: Any) -> dict[str, Any]:
    marks = [{"key": key, "value": value} for key, value in more.pop("marks", [])]
    by = {"id": author[0], "name": author[1]}
    return {"id": id, "kind": "paper", "name": name, "year": year, "binder": binder, "author": by, "marks": marks,
            **more}


ADA, BO = ("a", "Ada Byron"), ("b", "Bo Diddley")
DOCUMENTS = [
    {"id": "x", "kind": "binder", "name": "Letters", "place": "top/Letters", "year": 1990, "binder": "DESK"},
    {"id": "y", "kind": "binder", "name": "Letters", "place": "low/Letters", "year": 1991, "binder": "x"},
    {"id": "z", "kind": "binder", "name": "Bills", "place": "low/Bills", "year": 1991, "binder": "y"},
    paper("1", "Plan", 2001, "x", ADA, marks=[("stage", "draft"), ("Owner", "Ada Byron"), ("stage", "FINAL")],
          notes=[{"by_id": "b", "by_name": "Bo Diddley", "text": "x"}, {"by_id": "a", "by_name": "Ada Byron"}],
          also_in=["y", "z", "gone"], secrets=[{"key": "pin", "value": "1234"}]),
    paper("2", "Plan", 2002, "y", BO, marks=[("stage", "final"), ("owner", "draft")], also_in=["DESK"]),
    paper("3", "Sketch", 2003, "y", BO, marks=[("owner", "Ada Byron")]),
    paper("4", "Bill", 2004, "DESK", ADA),
    paper("5", "Ghost", 2005, "gone", ADA),
]  # fmt: skip


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    made = Wire()
    with made.client() as client:
        client.indices.create(index="papers", mappings=MAPPING)
        helpers.bulk(client, ({"_index": "papers", "_id": d["id"], "_source": d} for d in DOCUMENTS), refresh=True)
        yield made


@pytest.fixture
def compiler(wire: Wire) -> Iterator[Compiler]:
    with wire.client() as client:
        yield Compiler(client, read_catalog(CATALOG))


def value(outcome: Outcome) -> Any:
    assert isinstance(outcome, ValueOut | Count), outcome
    return outcome.value


def ids(outcome: Outcome) -> list[str]:
    assert isinstance(outcome, Hits), outcome
    return outcome.ids


def asked(outcome: Outcome) -> Clarify:
    assert isinstance(outcome, Clarify), outcome
    return outcome


# --- one key of a key/value list -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ('get paper("3").marks.owner', "Ada Byron"),
        ('get paper("1").marks.stage', ["draft", "FINAL"]),
        ('get paper("1").marks.OWNER', "Ada Byron"),
        ('get paper("2").marks.owner, marks.stage', {"marks.owner": "draft", "marks.stage": "final"}),
        ('let it = paper("2") get it.marks.stage', "final"),
        ('get (find papers where name = "Sketch").marks.owner', "Ada Byron"),
        ('get (find papers where name = "Sketch" limit 1).marks.owner', "Ada Byron"),
    ],
)
def test_the_value_of_one_key(compiler: Compiler, program: str, expected: Any) -> None:
    assert value(compiler.run(program)) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ('marks.owner = paper("3").marks.owner', ["1", "3"]),
        ('marks.stage in paper("1").marks.stage', ["1"]),
        ('marks.stage in (find papers where year >= 2002).marks.stage', ["2"]),
        ('marks.stage in (find papers where year >= 2002 limit 9).marks.stage', ["2"]),
        ('marks.owner has any paper("1").marks.stage', ["2"]),
    ],
)  # fmt: skip
def test_conditions_with_the_value_of_one_key(compiler: Compiler, condition: str, expected: list[str]) -> None:
    assert sorted(ids(compiler.run(f"find papers where {condition}"))) == expected


def test_columns_are_named_by_the_key(compiler: Compiler) -> None:
    found = compiler.run('find papers where id in ["1", "2"] show marks.stage, marks.owner')
    assert isinstance(found, Hits)
    shown = {hit.id: {name: v for name, v in hit.values.items() if name != "name"} for hit in found.hits}
    assert shown == {
        "1": {"marks.stage": ["draft", "FINAL"], "marks.owner": "Ada Byron"},
        "2": {"marks.stage": "final", "marks.owner": "draft"},
    }


def test_a_key_that_a_document_lacks_is_named(compiler: Compiler) -> None:
    lacking = compiler.run('get paper("3").marks.stage')
    assert isinstance(lacking, NotFound)
    assert lacking.message == "The paper 'Sketch' has no marks.stage."


def test_near_values_are_those_of_the_key(compiler: Compiler) -> None:
    told = compiler.run('find papers where marks.stage = "draff"').notes
    assert told == ["No paper has the marks.stage 'draff'. Similar: 'draft'."]
    told = compiler.run('find papers where marks.owner = "finall"').notes
    assert told == ["No paper has the marks.owner 'finall'."]


@pytest.mark.parametrize("use", ["where secrets.pin = \"1234\"", "limit 1 show secrets.pin"])
def test_a_confidential_value_stays_so_under_its_key(compiler: Compiler, use: str) -> None:
    refused = compiler.run(f"find papers {use}")
    assert isinstance(refused, Invalid)
    assert [found.code for found in refused.diagnostics] == ["not-permitted"]


# --- entities behind references --------------------------------------------------------------------------------------

LETTERS = {"id": "y", "name": "Letters", "path": "low/Letters"}


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ('get paper("1").notes.by', [{"id": "b", "name": "Bo Diddley"}, {"id": "a", "name": "Ada Byron"}]),
        ('get paper("1").author', {"id": "a", "name": "Ada Byron"}),
        ('get paper("3").binder', LETTERS),
        ('get paper("4").binder', "desk"),
        ("get (count papers by binder limit 1).binder", LETTERS),
        ("get (count papers by author limit 1).author", {"id": "a", "name": "Ada Byron"}),
        ("get (count papers by binder limit 1).binder.name", "Letters"),
        ("get (count papers by binder limit 1).binder.binder.place", "top/Letters"),
        ("get (count papers by binder limit 1).count", 2),
    ],
)
def test_references_are_reported_with_their_names(compiler: Compiler, program: str, expected: Any) -> None:
    assert value(compiler.run(program)) == expected


@pytest.mark.parametrize("column", ["year.name", "author.name", "count.name"])
def test_what_has_no_fields_after_rows(compiler: Compiler, column: str) -> None:
    refused = compiler.run(f"get (count papers by year, author limit 1).{column}")
    assert isinstance(refused, Invalid)
    (found,) = refused.diagnostics
    assert found.code == "unknown-field"
    assert "alone" in found.hint


def test_fields_after_references_are_shown(wire: Wire, compiler: Compiler) -> None:
    """One round trip more for each reference on the way, for the whole page."""
    program = "find papers where year > 0 show binder.place, binder.name, binder.binder.name, binder.binder"
    with wire.watched() as calls:
        found = compiler.run(program)
    assert isinstance(found, Hits)
    assert {hit.id: hit.values for hit in found.hits} == {
        "1": {"name": "Plan", "binder.place": "top/Letters", "binder.name": "Letters", "binder.binder": "desk"},
        "2": {"name": "Plan", "binder.place": "low/Letters", "binder.name": "Letters", "binder.binder": {"id": "x"},
              "binder.binder.name": "Letters"},
        "3": {"name": "Sketch", "binder.place": "low/Letters", "binder.name": "Letters", "binder.binder": {"id": "x"},
              "binder.binder.name": "Letters"},
        "4": {"name": "Bill"},
        "5": {"name": "Ghost"},
    }  # fmt: skip
    assert found.stats.round_trips == 3
    assert sum("_search" in call.path or "_msearch" in call.path for call in calls) == 3


def test_the_catalog_shows_fields_after_references(wire: Wire) -> None:
    """As if the question had named them; what leads nowhere or may not be seen is left out."""
    text = CATALOG.replace("paper: {where", "paper: {show: [year, binder.name, binder.place], where")
    text = text.replace("path: place, tell_apart", "tell_apart")
    text = text.replace("  place: place", "  place: {path: place, sensitive: true}")
    with wire.client() as client:
        compiler = Compiler(client, read_catalog(text))
        with wire.watched() as calls:
            found = compiler.run("find papers where year > 0")
    assert isinstance(found, Hits)
    assert found.columns == ["name", "year", "binder.name"]
    assert [hit.values.get("binder.name") for hit in found.hits] == ["Letters", "Letters", "Letters", None, None]
    assert found.stats.round_trips == 2
    assert sum("_search" in call.path or "_msearch" in call.path for call in calls) == 2


def test_a_list_of_references_shows_a_list(compiler: Compiler) -> None:
    found = compiler.run("find papers where also_in exists show also_in.place, author.name")
    assert isinstance(found, Hits)
    assert {hit.id: hit.values for hit in found.hits} == {
        "1": {"name": "Plan", "also_in.place": ["low/Letters", "low/Bills"], "author.name": "Ada Byron"},
        "2": {"name": "Plan", "author.name": "Bo Diddley"},
    }


# --- questions -------------------------------------------------------------------------------------------------------


def test_entities_that_a_sub_query_finds_are_offered_by_name(compiler: Compiler) -> None:
    program = 'find papers where binder = (find binders where name = "Letters")'
    question = asked(compiler.run(program))
    assert question.message.startswith("There are 2 binders in the answer of the sub-query, and one is needed.")
    assert [(one.id, one.label, one.name, one.entity) for one in question.options] == [
        ("y", "Letters (low/Letters, year 1991)", "Letters", "binder"),
        ("x", "Letters (top/Letters, year 1990)", "Letters", "binder"),
    ]
    assert sorted(ids(compiler.run(program, choices={question.token: "y"}))) == ["2", "3"]


def test_references_of_what_was_found_are_offered_by_name(compiler: Compiler) -> None:
    program = "find papers where binder = (find papers where year >= 2001).binder"
    question = asked(compiler.run(program))
    assert "4 different binders as 'binder'" in question.message
    labels = {one.id: one.label for one in question.options}
    assert labels == {
        "x": "Letters (top/Letters, year 1990)",
        "y": "Letters (low/Letters, year 1991)",
        "DESK": "desk",
        "gone": "gone (no binder has this id)",
    }
    assert ids(compiler.run(program, choices={question.token: "DESK"})) == ["4"]


def test_people_are_offered_by_name(compiler: Compiler) -> None:
    program = "count papers where author = (count papers by author).author"
    question = asked(compiler.run(program))
    assert [(one.id, one.label) for one in question.options] == [("a", "Ada Byron"), ("b", "Bo Diddley")]
    assert value(compiler.run(program, choices={question.token: "b"})) == 2


def test_plain_values_are_offered_as_they_are(compiler: Compiler) -> None:
    question = asked(compiler.run("find papers where year = (find papers where year < 2003).year"))
    assert question.message == "There are 2 different values of 'year', and one is needed. Which do you mean?"
    assert [one.label for one in question.options] == ["2001", "2002"]


@pytest.mark.parametrize(
    ("name", "message", "note"),
    [
        ("Letters", "There are 2 binders called 'Letters'. Which do you mean?", ""),
        ("létters", "There are 2 binders called 'létters' but for accents, punctuation or spaces. Which do you mean?",
         "2 are called 'Letters' (the same but for accents, punctuation or spaces)."),
        ("Lettres", "There are 2 binders with a name close to 'Lettres'. Which do you mean?",
         "2 are called 'Letters' (a near spelling)."),
    ],
)  # fmt: skip
def test_a_question_says_what_fits(compiler: Compiler, name: str, message: str, note: str) -> None:
    question = asked(compiler.run(f'find papers where binder = "{name}"'))
    assert question.message == message
    assert question.notes == ([f"No binder is called exactly '{name}'; {note}"] if note else [])
    assert len({option.label for option in question.options}) == 2


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ('find papers where binder = "Plan"', "There is no binder called 'Plan', but there is a paper of that name."),
        ('find papers where binder = "3"', "There is no binder with the id '3', but a paper has it."),
        ('find papers where binder = "Qqqq"', "There is no binder called 'Qqqq'."),
    ],
)
def test_what_is_not_found_is_reported_as_it_was_asked(compiler: Compiler, program: str, message: str) -> None:
    found = compiler.run(program)
    assert isinstance(found, NotFound)
    assert found.message == message


def test_groups_by_one_key_are_as_they_were(compiler: Compiler) -> None:
    rows = compiler.run("count papers by marks.stage")
    assert isinstance(rows, AggregateOut)
    assert {row.key: row.value for row in rows.rows} == {"draft": 1, "FINAL": 1, "final": 1}


@pytest.mark.parametrize(
    ("condition", "note"),
    [
        ('name contains "*an"',
         ("No paper has a name that contains '*an': '*' and '?' are wildcards after 'like', and here they are plain "
          "characters.")),
        ('name like "Pl%"',
         ("No paper has a name that is like 'Pl%': '*' and '?' are wildcards after 'like', and '%' is a plain "
          "character.")),
        ('name = "Pl*"',
         "No paper has the name 'Pl*': '*' and '?' are wildcards after 'like', and here they are plain characters."),
        ("marks.stag exists", "No paper has 'marks.stag'. Similar: 'stage'."),
    ],
)  # fmt: skip
def test_what_can_find_nothing_is_reported(compiler: Compiler, condition: str, note: str) -> None:
    found = compiler.run(f"find papers where {condition}")
    assert ids(found) == []
    assert found.notes == [note]


def test_wild_characters_that_a_name_has_are_not_reported(compiler: Compiler) -> None:
    assert compiler.run('find papers where name like "Pl*"').notes == []


def test_without_a_catalog_an_id_is_looked_up(wire: Wire) -> None:
    with wire.client() as client:
        plain = Compiler(client, index="papers")
        assert ids(plain.run('find entry("3")')) == ["3"]
        assert value(plain.run('get entry("3").year')) == 2003
        missing = plain.run('get entry("33").year')
        assert isinstance(missing, NotFound)
        assert missing.message == "There is no entry with the id '33'."
        lacking = plain.run('get entry("3").place')
        assert isinstance(lacking, NotFound)
        assert lacking.message == "The entry '3' has no place."
        by_path = plain.run('get entry("3").also_in')
        assert isinstance(by_path, NotFound)
        assert by_path.message == "The entry '3' has no also_in."


def test_keys_of_a_flattened_field_compare_up_to_case(wire: Wire) -> None:
    """Elasticsearch has no regexp query there: letters beyond ASCII are asked for in each of their cases."""
    with wire.client() as client:
        client.indices.create(index="flat", mappings={"properties": {"labels": {"type": "flattened"}}})
        for name in ("Émile Zola", "éMILE zola", "Emile Zola"):
            client.index(index="flat", document={"labels": {"who": name}}, refresh=True)
        assert value(Compiler(client, index="flat").run('count entries where labels.who = "ÉMILE ZOLA"')) == 2


def has_constant_keywords(client: Elasticsearch) -> None:
    """Leaves the test out where a server has not the module of the type."""
    tried = {"properties": {"site": {"type": "constant_keyword"}}}
    found = client.options(ignore_status=400).indices.create(index="tried", mappings=tried)
    if found.meta.status == 400:
        pytest.skip("this server has no constant_keyword")
    client.indices.delete(index="tried")


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        ('site = "NORD ü"', 1),
        ('site starts with "nord"', 1),
        ('site contains "D Ü"', 1),
        ('site contains "Sud"', 0),
        ('site = "Nord"', 0),
        ('site like "n*Ü"', 1),
    ],
)
def test_a_constant_keyword_compares_up_to_case(wire: Wire, condition: str, count: int) -> None:
    with wire.client() as client:
        site = {"type": "constant_keyword", "value": "Nord Ü"}
        if not client.indices.exists(index="constant"):
            has_constant_keywords(client)
            client.indices.create(index="constant", mappings={"properties": {"site": site, "n": {"type": "long"}}})
            client.index(index="constant", document={"n": 1}, refresh=True)
        assert value(Compiler(client, index="constant").run(f"count entries where {condition}")) == count
