"""Words of a question that a model's program has no part for are asked about once, then told; ties are all named."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import qlc
from qlc import Asker, Compiler
from qlc.mapping.catalog import read_catalog
from qlc.models.doubles import ScriptedModel
from qlc.models.exchange import ModelReply, ToolUse
from qlc.outcome import Clarify, Hits, Outcome, ValueOut
from qlc.tables.loading import load_all
from qlc.tables.typed import read_typed
from qlc.translator.by_rules import ByRules
from qlc.translator.model import ModelTranslator
from qlc.translator.model.accounting import ASKED
from tests.tables import rows

NOW = "2026-03-15T12:00:00Z"
LAKES = """lake,country,depth_m,area_km2,frozen,outflow,surveyed
Arva,Norway,40,12.5,1,Fl(2) river,2019-06-01
Bled Lake,Slovenia,30,1.4,0,none found,2018-06-09
Cald,Norway,40,7,1,Q canal,2019-06-01
Dorn,Austria,12,3,0,Fl(2) river,2017-05-30
"""


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    folder: Path = tmp_path_factory.mktemp("lakes")
    (folder / "lakes.csv").write_text(LAKES, "utf-8")
    with qlc.connect(folder / "store") as client:
        load_all(client, read_typed(folder / "lakes.csv"))
    return Compiler(qlc.connect(folder / "store", read_only=True), None, "lakes")


def submitted(program: str, **because: str) -> ModelReply:
    pairs = [{"said": said.replace("_", " "), "means": means} for said, means in because.items()]
    return ModelReply((ToolUse("submit_query", {"program": program, "because": pairs}, "id1"),))


def asked(lakes: Compiler, question: str, *replies: ModelReply | str) -> tuple[Outcome, list[str]]:
    """Return the outcome, and what the model was asked about its programs."""
    model = ScriptedModel(list(replies))
    outcome = Asker(lakes, (ModelTranslator(model),)).ask(question, read_as="words", now=NOW)
    last = model.requests[-1].messages
    return outcome, [str(block["content"]) for one in last[2::2] for block in one["content"]]


@pytest.mark.parametrize(
    ("question", "program", "because"),
    rows(__file__, "test_a_program_with_all_words_is_answered_at_once"),
)
def test_a_program_with_all_words_is_answered_at_once(
    lakes: Compiler, question: str, program: str, because: Mapping[str, str]
) -> None:
    outcome, sent_back = asked(lakes, question, submitted(program, **because))
    assert sent_back == []
    assert outcome.notes == []


@pytest.mark.parametrize(
    ("question", "program", "missing"),
    rows(__file__, "test_what_a_program_leaves_out_is_asked_about_once_and_then_told"),
)
def test_what_a_program_leaves_out_is_asked_about_once_and_then_told(
    lakes: Compiler, question: str, program: str, missing: str
) -> None:
    outcome, (sent_back,) = asked(lakes, question, program, program)
    assert ASKED in sent_back
    assert missing.replace('"', '\\"') in sent_back
    assert missing in " ".join(outcome.notes)


def test_what_a_constant_is_taken_for_is_told(lakes: Compiler) -> None:
    program = 'find lakes where outflow = "Q canal"'
    outcome, sent_back = asked(lakes, "lakes that ships leave", submitted(program, ships_leave='"Q canal"'))
    assert sent_back == []
    assert outcome.notes == ["Taken for 'ships leave': outflow = \"Q canal\"."]


def test_a_reason_that_is_no_part_of_the_program_is_none(lakes: Compiler) -> None:
    _, sent_back = asked(lakes, "lakes with trout", submitted("find all lakes", trout="fish"), "find all lakes")
    assert "'trout'" in sent_back[0]


def test_a_model_may_decline_what_its_program_left_out(lakes: Compiler) -> None:
    decline = ModelReply((ToolUse("decline", {"reason": "not_held", "what": "trout"}, "id2"),))
    outcome, _ = asked(lakes, "lakes with trout", "find all lakes", decline)
    assert outcome.kind == "unsupported"


# --- ties ------------------------------------------------------------------------------------------------------------


def test_the_first_one_comes_with_those_that_are_equal(lakes: Compiler) -> None:
    outcome, _ = asked(lakes, "which lake is the deepest?", "find lakes sort depth_m desc limit 1 show lake")
    assert isinstance(outcome, Hits)
    assert {hit.values["lake"] for hit in outcome.hits} == {"Arva", "Cald"}


def test_a_value_of_the_first_one_is_that_of_all_equal_ones(lakes: Compiler) -> None:
    program = "get (find lakes sort depth_m desc limit 1)."
    outcome, _ = asked(lakes, "the country of the deepest lake", f"{program}country")
    assert isinstance(outcome, ValueOut)
    assert outcome.value == "Norway"
    outcome, _ = asked(lakes, "the area of the deepest lake", f"{program}area_km2")
    assert isinstance(outcome, Hits)
    assert sorted(hit.values["area_km2"] for hit in outcome.hits) == [7, 12.5]
    outcome, _ = asked(lakes, "the country of the most lakes", "get (count lakes by country limit 1).country")
    assert isinstance(outcome, ValueOut)


def test_the_second_one_and_the_first_two_stay_as_they_are(lakes: Compiler) -> None:
    for program in ("find lakes sort depth_m desc limit 1 offset 1", "find lakes sort depth_m desc limit 2"):
        outcome, _ = asked(lakes, "the deepest lakes", program)
        assert isinstance(outcome, Hits)
        assert outcome.query == program


# --- questions back --------------------------------------------------------------------------------------------------


def asks(*programs: str) -> ModelReply:
    options = [{"program": one, "label": f"reading {n}"} for n, one in enumerate(programs, 1)]
    return ModelReply((ToolUse("ask_user", {"question": "Which?", "options": options}, "id1"),))


def test_options_that_find_nothing_say_so(lakes: Compiler) -> None:
    outcome, _ = asked(lakes, "big ones", asks("find lakes where depth_m > 35", "find lakes where area_km2 > 500"))
    assert isinstance(outcome, Clarify)
    assert [one.label for one in outcome.options] == ["reading 1", "reading 2 (nothing is found)"]


def test_readings_with_one_answer_are_no_question(lakes: Compiler) -> None:
    outcome, _ = asked(lakes, "big ones", asks("find lakes where depth_m > 35", "find lakes where depth_m >= 40"))
    assert isinstance(outcome, Hits)


def test_a_question_that_says_not_which_one_is_asked_back(lakes: Compiler) -> None:
    reply: Any = ModelReply((ToolUse("decline", {"reason": "unspecified", "what": "the lake"}, "id1"),))
    outcome, _ = asked(lakes, "is the lake frozen?", reply)
    assert isinstance(outcome, Clarify)
    assert (outcome.what, outcome.options) == ("reference", [])
    assert "'the lake'" in outcome.message


@pytest.mark.parametrize(
    ("question", "program", "told"),
    [("lakes surveyed in 2024", "count lakes where surveyed = 2024",
      ["'surveyed' is from 2017-05-30 until 2019-06-01."]),
     ("lakes surveyed in 2018", "count lakes where surveyed = 2018", []),
     ("lakes deeper than 99 m", "count lakes where depth_m > 99", [])],
)  # fmt: skip
def test_an_answer_with_nothing_in_it_tells_the_range_of_its_dates(
    lakes: Compiler, question: str, program: str, told: list[str]
) -> None:
    outcome, _ = asked(lakes, question, program)
    assert outcome.notes == told


def test_a_value_that_others_have_in_them_is_asked_about_once_and_then_told(lakes: Compiler) -> None:
    question, equal = "lakes of outflow river", 'find lakes where outflow = "river"'
    outcome, (sent_back,) = asked(lakes, question, equal, 'find lakes where outflow contains "river"')
    assert "leaves out 'Fl(2) river'" in sent_back
    assert (len(outcome.hits), outcome.notes) == (2, [])
    outcome, _ = asked(lakes, question, equal, equal)
    assert "'outflow' is also 'Fl(2) river', which is left out." in outcome.notes
    model = ScriptedModel([equal])
    asker = Asker(lakes, (ModelTranslator(model, values=False),))
    asker.ask(question, read_as="words", now=NOW)
    assert len(model.requests) == 1


def test_a_value_that_does_not_start_with_what_was_compared_is_asked_about(lakes: Compiler) -> None:
    starts = 'find lakes where outflow starts with "Fl"'
    assert asked(lakes, "lakes whose outflow starts with Fl", starts)[1] == []
    starts = 'find lakes where outflow starts with "canal"'
    outcome, (sent_back,) = asked(lakes, "lakes of outflow canal", starts, starts)
    assert "leaves out 'Q canal'" in sent_back
    assert "'outflow' is also 'Q canal', which is left out." in outcome.notes


@pytest.mark.parametrize(
    ("question", "program", "told"),
    [("how many countries have a lake of 30 m or more?", "count lakes where depth_m >= 30",
      ["These have 2 different values of country."]),
     ("how many countries have a lake of 30 m or more?", "distinct(country) of lakes where depth_m >= 30", []),
     ("how many countries have a lake of less than 30 m?", "count lakes where depth_m < 30", []),
     ("how many lakes are of 30 m or more?", "count lakes where depth_m >= 30", [])],
)  # fmt: skip
def test_documents_that_share_a_counted_value_are_told(
    lakes: Compiler, question: str, program: str, told: list[str]
) -> None:
    assert asked(lakes, question, submitted(program, countries="count"))[0].notes == told


def test_whom_a_pronoun_means_is_left_to_the_model_and_told(lakes: Compiler) -> None:
    model, rules = ScriptedModel(["count lakes"]), ByRules()
    translators = (rules, ModelTranslator(model, rules=rules.rules))
    outcome = Asker(lakes, translators).ask("how many did they have?", read_as="words", now=NOW)
    assert outcome.notes[0] == "The language model decided what 'they' means."
    alone = Asker(lakes).ask("how many did they have?", read_as="words", now=NOW)
    assert alone.message == "What do you mean by 'they'? Name it in the question."


COURTS = """{version: 1, index: courts, entities: {match: {plural: matches}}, fields: {surface:
  {path: surface, values: [Clay, Clay (i), Hard, not Clay]}}}"""


def test_a_listed_value_that_others_have_in_them_is_told_and_not_asked_about() -> None:
    client = qlc.connect()
    client.indices.create(index="courts", mappings={"properties": {"surface": {"type": "keyword"}}})
    for number, surface in enumerate(("Clay", "Clay (i)", "Hard")):
        client.index(index="courts", id=str(number), document={"surface": surface}, refresh=True)
    compiler = Compiler(client, read_catalog(COURTS))
    outcome, sent_back = asked(compiler, "how many matches on clay", 'count matches where surface = "Clay"')
    assert (outcome.notes, sent_back) == (["'surface' is also 'Clay (i)', which is left out."], [])
    outcome, _ = asked(compiler, "how many matches on clay", 'count matches where surface in ["Clay", "Clay (i)"]')
    assert outcome.notes == []
