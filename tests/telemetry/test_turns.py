"""Metrics and events of turns: what is counted, that nothing is told twice, and that content stays out."""

import json
import logging
import subprocess
import sys
from typing import Any

import pytest

import qlc
from qlc import telemetry
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Hits, Outcome
from qlc.telemetry import names
from qlc.telemetry.content import VARIABLE
from qlc.translator.protocol import CannotSay, Question, Step, Translated
from tests import data_sets
from tests.pipeline.wire import Wire
from tests.tables import rows, table
from tests.telemetry.conftest import NOW, PROGRAM, WORDS, Heard

Events = list[logging.LogRecord]


def turns(events: Events) -> list[dict[str, Any]]:
    return [vars(one) for one in events if one.name == "qlc.turn"]


def ask(text: str, **options: Any) -> Outcome:
    return qlc.Asker(data_sets.drive()).ask(text, now=NOW, **options)


# --- what is counted -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [WORDS, PROGRAM, "find invoices and count receipts", "what can I ask?",
                                  'GET entities-v4/_search\n{"query": {"match_all": {}}}'])  # fmt: skip
def test_stats_count_every_search(store: tuple[Wire, qlc.Compiler], text: str) -> None:
    wire, compiler = store
    compiler.refresh()
    with wire.watched() as calls:
        outcome = qlc.Asker(compiler).ask(text, now=NOW)
    assert outcome.stats.round_trips + outcome.stats.further == len(calls)
    assert outcome.stats.searches >= sum(one.path.endswith("_search") for one in calls)


def test_stats_of_a_turn_count_those_of_its_translation(store: tuple[Wire, qlc.Compiler]) -> None:
    wire, compiler = store
    compiler.refresh()
    with wire.watched() as calls:
        reply = qlc.Conversation(qlc.Asker(compiler), now=NOW).turn(f"{WORDS}? and how many receipts are there?")
    assert sum(one.stats.round_trips + one.stats.further for one in reply.outcomes) == len(calls) > 2


def test_questions_are_counted_once_by_outcome_route_and_translator(heard: Heard) -> None:
    ask(WORDS)
    ask(WORDS)
    ask(PROGRAM)
    qlc.Conversation(qlc.Asker(data_sets.drive()), now=NOW).turn(WORDS)
    counted = {tuple(sorted(given.items())): value for given, value in heard.points("qlc.questions")}
    words = {names.KIND: "count", names.ROUTE: "words", names.TRANSLATOR: "rules"}
    assert counted == {
        tuple(sorted(words.items())): 3,
        tuple(sorted({names.KIND: "count", names.ROUTE: "program"}.items())): 1,
    }
    assert sum(count for _, count in heard.points("qlc.question.duration")) == 4
    assert {given[names.CACHE] for given, _ in heard.points("qlc.cache.hits")} >= {"programs"}


def test_who_translated_is_said_of_a_reading_that_another_could_not_improve(heard: Heard) -> None:
    class Sure:
        def translate(self, question: Question, steps: list[Step]) -> Any:
            steps.append(Step("guess", "a program"))
            return Translated("count documents", sure=False)
            yield

    class Failing:
        def translate(self, question: Question, steps: list[Step]) -> Any:
            return CannotSay(failed=True, notes=("No model answered.",))
            yield

    qlc.Asker(data_sets.drive(), [Sure(), Failing()]).ask(WORDS, now=NOW)
    ((given, _),) = heard.points("qlc.questions")
    assert given[names.TRANSLATOR] == "guess"


@pytest.mark.parametrize(
    ("text", "metric", "kind", "cause"), rows(__file__, "test_what_is_not_answered_is_counted_by_its_cause")
)
def test_what_is_not_answered_is_counted_by_its_cause(
    heard: Heard, text: str, metric: str, kind: str, cause: str
) -> None:
    outcome = ask(text)
    assert outcome.kind == kind
    assert heard.points(metric) == [({names.KIND: kind, names.CAUSE: cause}, 1)]


# --- events ----------------------------------------------------------------------------------------------------------


def test_a_turn_is_one_event_without_content(events: Events) -> None:
    outcome = ask(WORDS)
    (event,) = turns(events)
    assert (event["event.name"], event[names.KIND], event[names.TRANSLATOR]) == ("qlc.turn", "count", "rules")
    assert event[names.PROGRAM] == 'count documents where type = "?" and folder = "?"'
    assert event[names.COUNT_SEARCHES] == outcome.stats.searches
    assert names.QUESTION not in event
    assert not {word for word in ("W2", "Tax") if word in repr(event)}


def test_content_is_told_when_it_is_asked_for(events: Events, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "true")
    outcome = ask(WORDS)
    telemetry.capture_content(False)
    ask(WORDS)
    telemetry.capture_content(None)
    told, silent = turns(events)
    assert (told[names.QUESTION], told[names.PROGRAM]) == (WORDS, outcome.query)
    assert names.QUESTION not in silent


@pytest.mark.parametrize(("program", "shown"), rows(__file__, "test_a_program_is_told_without_its_values"))
def test_a_program_is_told_without_its_values(program: str, shown: str) -> None:
    assert telemetry.without_values(program) == shown


KEYED = table(__file__, "KEYED")
SECRETS = ("Alpha", "zebra", "quagga", "okapi", "gnu", "4711", "2031")


@pytest.fixture(scope="module")
def notes() -> qlc.Compiler:
    client = qlc.connect(":memory:")
    keyword = {"type": "keyword"}
    listed = {"type": "nested", "properties": {"name": keyword, "text": keyword}}
    fields = {"id": keyword, "title": keyword, "size": {"type": "long"}, "colour": keyword, "annotations": listed}
    client.indices.create(index="notes", mappings={"properties": fields})
    notes = {"name": "zebra", "text": "okapi"}, {"name": "quagga gnu", "text": "okapi"}
    client.index(index="notes", id="a", document={"id": "a", "title": "Alpha", "annotations": notes}, refresh=True)
    return qlc.Compiler(client, read_catalog(KEYED, "notes"))


@pytest.mark.parametrize(("program", "shown"), rows(__file__, "test_an_event_has_the_names_of_the_schema_alone"))
def test_an_event_has_the_names_of_the_schema_alone(
    events: Events, notes: qlc.Compiler, program: str, shown: str | None
) -> None:
    qlc.Asker(notes).ask(program, now=NOW, params={"gnu": 4711} if "$gnu" in program else {})
    (event,) = turns(events)
    if shown is not None and event[names.PROGRAM]:
        assert " ".join(event[names.PROGRAM].split()) == " ".join(shown.split())
    told = {name: value for name, value in event.items() if not isinstance(value, float)}  # times have any digits
    assert not [word for word in SECRETS if word in repr(told)]


def test_comments_are_not_told() -> None:
    assert telemetry.without_values("count notes -- zebra\nwhere big") == "count notes -- ?\nwhere big"


def test_a_long_program_is_cut_in_the_event() -> None:
    shown = telemetry.without_values("count notes where " + " or ".join(['title = "zebra"'] * 20_000))
    assert len(shown) < 11_000
    assert shown.endswith("...")


def test_an_event_is_a_line_of_json_that_knows_its_trace(events: Events, heard: Heard) -> None:
    formatter, lines = telemetry.JsonFormatter(), []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(json.loads(formatter.format(record)))  # type: ignore[method-assign]
    logging.getLogger("qlc.turn").addHandler(handler)
    try:
        ask(WORDS)
    finally:
        logging.getLogger("qlc.turn").removeHandler(handler)
    (line,) = lines
    (span,) = heard.named(names.ASK)
    assert (line["logger"], line["level"], line[names.KIND]) == ("qlc.turn", "INFO", "count")
    assert (line["trace_id"], line["span_id"]) == (f"{span.context.trace_id:032x}", f"{span.context.span_id:016x}")


# --- feedback --------------------------------------------------------------------------------------------------------


def test_feedback_is_an_event_with_what_a_case_needs(events: Events) -> None:
    reply = qlc.Conversation(qlc.Asker(data_sets.drive()), now=NOW).turn(WORDS)
    qlc.feedback(reply, "good", "just right")
    qlc.feedback(reply.outcome, "bad", question=WORDS, program="count documents")
    good, bad = [vars(one) for one in events if one.name == "qlc.feedback"]
    assert good["event.name"] == "gen_ai.evaluation.result"
    assert (good[names.EVALUATION_LABEL], good[names.EVALUATION_EXPLANATION]) == ("good", "just right")
    assert (good[names.QUESTION], good[names.RIGHT_PROGRAM]) == (WORDS, reply.outcome.query)
    assert (bad[names.QUESTION], bad[names.RIGHT_PROGRAM]) == (WORDS, "count documents")


def test_feedback_is_about_an_outcome() -> None:
    with pytest.raises(qlc.UsageError, match="'good' or 'bad'"):
        qlc.feedback(Hits(), "fine")  # type: ignore[arg-type]
    with pytest.raises(qlc.UsageError, match="an outcome"):
        qlc.feedback("count documents", "good")


# --- where nobody listens --------------------------------------------------------------------------------------------


def _python(code: str) -> str:
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return made.stdout.strip()


def test_everything_works_without_the_api() -> None:
    code = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "opentelemetry":
            raise ImportError(name)
sys.meta_path.insert(0, Absent())
import qlc
client = qlc.connect(":memory:")
client.index(index="things", id="1", document={"colour": "red"}, refresh=True)
outcome = qlc.Compiler(client, index="things").run('count things where colour.keyword = "red"')
client.close()
print(outcome.kind, outcome.stats.searches > 0, [one for one in sys.modules if one.startswith("opentelemetry")])
"""
    assert _python(code) == "count True []"
