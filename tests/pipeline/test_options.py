"""Inputs of users beside a question never raise an exception: wrong ones lead to one kind of outcome, with a code."""

import math
import random
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any, get_args

import pytest

import qlc
from qlc.conversation import Conversation
from qlc.outcome import Invalid, NotFound, Outcome
from qlc.pasted.entry import run_pasted
from qlc.pasted.problems import Reason
from qlc.pipeline.compiler import Compiler
from qlc.pipeline.present import _FAILURES
from qlc.translator.entry import Asker
from tests import tables
from tests.docs.pages import table
from tests.pipeline.wire import Wire
from tests.tables import each

QUERY = "find documents where size > 5 MB"
CUT = "has an unpaired surrogate in a text: it was cut, or decoded with the wrong encoding."
REQUEST = '{"query": {"range": {"createdDateTime": {"gte": "now-1d"}}}}'
HALF = "\ud800"

LAST = datetime.max.replace(tzinfo=timezone(-timedelta(hours=14)))
KIND = "and is of the type"
ISO = "Now must be a datetime or a date and time in ISO 8601"
ZONE = "Timezone must be an IANA name, an offset or a tzinfo"

WRONG = [
    ("all_columns", "yes", "option-all-columns", "All_columns must be True or False, and is of the type str."),
    ("size", -1, "option-size", "Size must not be negative."),
    ("size", 2**31, "option-size", "Size must not be larger than 2,147,483,647."),
    ("size", 10**5000, "option-size", "Size must not be larger than 2,147,483,647."),
    ("size", "10", "option-size", "Size must be a whole number, and is of the type str."),
    ("size", True, "option-size", "Size must be a whole number, and is of the type bool."),
    ("size", None, "option-size", "Size must be a whole number, and is None."),
    ("cursor", 5, "invalid-cursor", f"Cursor must be the text that a page came with, {KIND} int."),
    ("cursor", {}, "invalid-cursor", f"Cursor must be the text that a page came with, {KIND} dict."),
    ("now", 5, "option-now", f"{ISO}, {KIND} int."),
    ("now", date(2026, 1, 1), "option-now", f"{ISO}, {KIND} date."),
    ("now", "yesterday", "option-now", "Now must be a date and time in ISO 8601, not 'yesterday'."),
    ("now", "x" * 5000, "option-now", f"Now must be a date and time in ISO 8601, not '{'x' * 60}…'."),
    ("now", "0001-01-01T00:00:00+14:00", "option-now", "Now must lie in the years 0001 to 9998."),
    ("now", LAST, "option-now", "Now must lie in the years 0001 to 9998."),
    ("timezone", 5, "option-timezone", f"{ZONE}, {KIND} int."),
    ("timezone", "Mars/Olympus", "option-timezone", "'Mars/Olympus' is not a time zone."),
    ("timezone", HALF, "option-timezone", "'\ufffd' is not a time zone."),
    ("timezone", "../../etc/passwd", "option-timezone", "'../../etc/passwd' is not a time zone."),
    ("timezone", [], "option-timezone", f"{ZONE}, {KIND} list."),
    ("params", None, "option-params", "Params must map names to values, such as {...}, and is None."),
    ("params", {1: 2}, "option-params", "The names in params must be texts."),
    ("params", {"x": HALF}, "option-params", f"Params {CUT}"),
    ("choices", "folder", "option-choices", f"Choices must map names to values, such as {{...}}, {KIND} str."),
    ("choices", {"folder": 5}, "option-choices", "What is chosen must be the id of an option, which is a text."),
    ("choices", {"folder": HALF}, "option-choices", f"Choices {CUT}"),
    ("deadline", None, "option-deadline", "Deadline must be a number of seconds below 10,000,000."),
    ("deadline", "5", "option-deadline", "Deadline must be a number of seconds below 10,000,000."),
    ("deadline", math.nan, "option-deadline", "Deadline must be a number of seconds below 10,000,000."),
    ("deadline", 10**5000, "option-deadline", "Deadline must be a number of seconds below 10,000,000."),
]


@pytest.mark.parametrize(
    ("option", "value", "code", "message"), WRONG, ids=[f"{one[0]}-{n}" for n, one in enumerate(WRONG)]
)
def test_a_value_that_a_user_supplies_is_an_outcome(
    store: tuple[Wire, Compiler], option: str, value: Any, code: str, message: str
) -> None:
    wire, compiler = store
    with wire.watched() as calls:
        outcomes = [compiler.run(QUERY, **{option: value}), *run_pasted(REQUEST, compiler, **{option: value})]  # type: ignore[arg-type]
    for outcome in outcomes:
        assert isinstance(outcome, Invalid)
        assert (outcome.message, [one.code for one in outcome.diagnostics]) == (message, [code])
        assert outcome.diagnostics[0].hint
        assert outcome.model_dump_json()
    assert calls == []


async def test_and_over_an_asynchronous_client() -> None:
    async with qlc.connect_async() as client:
        await client.index(index="notes", id="1", document={"name": "One"}, refresh=True)
        compiler = Compiler(client, index="notes")
        outcome = await compiler.run_async("count entries", size=-1)
        (pasted,) = await qlc.run_pasted_async('{"query": {"match_all": {}}}', compiler, size=-1)
    assert [one.code for one in (*outcome.diagnostics, *pasted.diagnostics)] == ["option-size"] * 2


def test_what_has_no_outcome_raises_it(store: tuple[Wire, Compiler]) -> None:
    with pytest.raises(qlc.base.errors.OptionError, match="not a time zone") as found:
        store[1].diagnose(QUERY, timezone="Mars/Olympus")
    assert isinstance(found.value, qlc.UsageError)


def test_the_context_is_the_programs_own(store: tuple[Wire, Compiler]) -> None:
    """Half a character of a tenant that is replaced could be another tenant."""
    for context in (["tenant"], {"tenant": HALF}):
        with pytest.raises(qlc.UsageError, match="context"):
            store[1].run(QUERY, context=context)  # type: ignore[arg-type]


def nested(levels: int) -> Any:
    inner: Any = 1
    for _ in range(levels):
        inner = [inner]
    return inner


VALUES: list[Any] = [
    None, -1, 0, True, 10**5, 2**63, 10**5000, 1.5, math.nan, math.inf, 1j, "", "5", HALF, "\x00", "x" * 10_000, b"5",
    "Europe/Berlin", "+99:99", "/etc/passwd", "9999-12-31T23:59:59-14:00", "2024-02-30", "W10", "WzEsMl0", "=", "é",
    [], {}, [1], (1, 2), {1, 2}, {"a": {"b": [1, {"c": None}]}}, nested(3000), object(), {1: 2}, {None: None},
    date(2020, 1, 1), datetime.min, datetime.max.replace(tzinfo=UTC), timedelta(1),
    {"entity": "document", "id": 5}, {"entity": [], "id": {}}, {"x": {"entity": 5}},
]  # fmt: skip
PROGRAMS = tables.table(__file__, "PROGRAMS")


def test_options_of_any_kind_make_an_outcome(store: tuple[Wire, Compiler]) -> None:
    def check(seed: int) -> None:
        chance = random.Random(seed)
        names = ["now", "timezone", "choices", "params", "size", "cursor", "deadline"]
        given = {name: chance.choice(VALUES) for name in chance.sample(names, 2)}
        for name in given.keys() & {"params", "choices"}:
            given[name] = {"x": given[name]}
        asked = [store[1].run(chance.choice(PROGRAMS), **given), *run_pasted(REQUEST, store[1], **given)]  # type: ignore[arg-type]
        for outcome in asked:
            assert outcome.kind != "failed" or outcome.reason == "timeout", (given, outcome)
            assert outcome.model_dump_json()

    each(range(300), check)


@pytest.mark.parametrize("choice", ["", "no such id", "'; drop", "x" * 10_000, "\x00", "{}", "find documents"])
@pytest.mark.parametrize("of", ["token", "", "forged", "reading:0000000000000000"])
def test_a_forged_choice_is_no_defect(store: tuple[Wire, Compiler], choice: str, of: str) -> None:
    query = 'find documents where folder = "Travel"'
    asked = store[1].run(query)
    assert asked.kind == "clarify"
    outcome = store[1].run(query, choices={asked.token if of == "token" else of: choice})
    if of == "token":
        assert isinstance(outcome, NotFound) or outcome.kind == "clarify", outcome
    else:
        assert outcome.kind == "clarify"


# --- the table of statuses -------------------------------------------------------------------------------------------


def kinds() -> dict[str, set[str]]:
    """Every kind with the reasons that it can have."""
    union = get_args(get_args(Outcome)[0])
    found: dict[str, set[str]] = {one.model_fields["kind"].default: set() for one in union}
    listed = (NotFound.__doc__ or "").partition("`reason`: ")[2].rstrip(".")
    found["not_found"] = set(listed.replace(" or ", ", ").split(", "))
    found["rejected_query"] = set(get_args(Reason))
    found["failed"] = {*_FAILURES, "context-missing", "internal"}
    return found


def test_every_kind_and_reason_has_a_status() -> None:
    told: dict[str, set[str]] = {}
    for cell, status, _ in table("docs/api.md", "### Outcomes as HTTP"):
        assert 200 <= int(status) < 600
        names, _, reasons = cell.partition(":")
        for kind in names.replace("`", "").split(", "):
            of_kind = {one.strip(" `") for one in reasons.split(",") if one.strip()}
            assert kind not in told or not told[kind] & of_kind, f"twice: {cell}"
            told[kind] = told.get(kind, set()) | of_kind
    assert told == kinds()


WRONG_VALUES: list[dict[str, Any]] = [
    {"size": -1}, {"size": "5"}, {"size": 10**12}, {"deadline": "soon"}, {"timezone": "Mars"}, {"now": "then"},
    {"as_of": 5}, {"params": ["x"]}, {"choices": {"a": 5}}, {"choices": {"\ud800": "\ud800"}}, {"cursor": 5},
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG_VALUES, ids=str)
def test_every_entry_point_answers_a_wrong_value_with_an_outcome(compiler: Compiler, wrong: dict[str, Any]) -> None:
    asker = Asker(compiler)
    outcomes = [compiler.run("count documents", **wrong), asker.ask("how many documents", **wrong),
                asker.program_of("how many documents", **wrong)]  # fmt: skip
    if not {"cursor", "choices"} & set(wrong):
        reply = Conversation(asker).turn("how many documents", **wrong)
        assert reply.history == Conversation(asker).history
        outcomes += reply.outcomes
    for outcome in outcomes:
        assert isinstance(outcome, Invalid), outcome
        outcome.model_dump_json()


@pytest.mark.parametrize("width", ["1e-300", "1e-290", "1e-15"])
def test_steps_that_no_float_can_count_are_refused_by_name(compiler: Compiler, width: str) -> None:
    for program in (f"count documents by step(size, {width})", f"count documents by step(size, {width}), name"):
        outcome = compiler.run(program, context={"tenant": "red", "level": 5})
        assert outcome.kind == "unsupported", outcome
        assert "too small" in outcome.message
