"""Programs have limits. Up to them time grows with the length of the program, and the deadline is kept."""

import gc
import itertools
import re
import sys
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from typing import Any

import pytest

from qlc import Compiler, catalogs
from qlc.base import limits
from qlc.base.deadline import checkpoint, until
from qlc.base.errors import RequestFailed
from qlc.grammar import SyntaxProblem, format_source, parse
from qlc.mapping.catalog import read_catalog
from qlc.mapping.errors import CatalogError
from qlc.mapping.index_mapping import load_mapping, read_mapping
from qlc.outcome import Count, Failed, Invalid, NotFound
from qlc.pipeline.compiler import Diagnosis
from tests.amounts import some
from tests.tables import rows

from . import world
from .constructs import CONSTRUCTS, WHERE, Construct
from .wire import Wire

NOW = "2026-03-15T12:00:00Z"
FLOOR = 0.1
"""Seconds of processor time that are not compared: less is noise."""
GROWTH = 2.6
MOST_SECONDS = 15.0
EACH = pytest.mark.parametrize("one", CONSTRUCTS.values(), ids=CONSTRUCTS)


@cache
def compiler() -> Compiler:
    made = Compiler(catalog=catalogs.path("drive"), mapping=load_mapping(catalogs.mapping_path("drive")))
    made.diagnose('count documents where type = "W2" and siez > 5 and created = 2024', now=NOW)  # imports
    return made


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the thread's processor time, which does not depend on other processes, and the result."""
    gc.disable()
    try:
        began = time.thread_time()
        found = work()
        return time.thread_time() - began, found
    finally:
        gc.enable()


def _anew(work: partial[Any]) -> partial[Any]:
    """The same for a text that nothing remembers: a short one that was read before is not read again."""
    return partial(work.func, f"{work.args[0]} ", **work.keywords)


def calls(work: Callable[[], Any]) -> int:
    """How many functions are called, which is the same on each machine at each time."""
    counter = itertools.count()
    sys.setprofile(lambda frame, event, argument: next(counter) and None if event in ("call", "c_call") else None)
    try:
        work()
    finally:
        sys.setprofile(None)
    return next(counter)


@EACH
def test_time_grows_with_the_length_up_to_the_limit(one: Construct) -> None:
    """By the clock; where that says no, because the machine has become slower meanwhile, by the number of calls.

    A run of the suite goes up to half the limit; `make soak` up to the limit.
    """
    counts = [max(1, one.most // part) for part in (16, 8, 4, 2, 1)[: some(4, 5)]]
    works = [partial(compiler().diagnose, one.make(count), now=NOW) for count in counts]
    times: list[float] = []
    for at, work in enumerate(works):
        took, found = seconds(work)
        assert isinstance(found, Diagnosis)
        assert took < MOST_SECONDS
        if at and took > max(FLOOR, GROWTH * times[-1]):
            assert calls(_anew(work)) <= GROWTH * calls(_anew(works[at - 1])), (counts[at], took, times)
        times.append(took)


SLOW = {name: one for name, one in CONSTRUCTS.items() if name in (
    "bindings used twice", "numbers in a list", "names in a list", "ids in a list", "has all", "names", "references",
    "weekdays", "elements", "sub-queries", "sub-queries in a list", "show behind references", "measures",
    "having measures", "get", "comments", "misspelt names", "texts without quotes", "an open bracket", "and of or",
)}  # fmt: skip
DEADLINE = 0.2


@pytest.mark.parametrize("one", SLOW.values(), ids=SLOW)
def test_the_answer_comes_by_the_deadline(store: tuple[Wire, Compiler], one: Construct) -> None:
    """In each stage: reading, checking, mending, planning, looking up, searching. By the thread's processor time, of
    which no more can have passed than by the clock."""
    _, compiler = store
    compiler.forget()
    compiler.run("count documents", now=NOW)
    source = one.make(one.most)
    took, outcome = seconds(lambda: compiler.run(source, now=NOW, deadline=DEADLINE))
    assert took < DEADLINE + 0.4  # one step that cannot be left, on a busy core
    if isinstance(outcome, Failed):
        assert (outcome.reason, outcome.retryable) == ("timeout", True)


HOSTILE = {"back-slashes": "\\", "quotes": '"', "brackets": "(", "digits": "7", "letters": "é", "pictures": "😀",
           "lines": "\n", "commas": ",", "minuses": "-", "names": "a "}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_millions_of_characters_are_refused_before_anything_is_made_of_them(text: str) -> None:
    source = WHERE + text * (4 * 10**6 // len(text))
    compiler()
    for entry in (parse, format_source, compiler().prepare, lambda text: compiler().diagnose(text, now=NOW),
                 compiler().complete):  # fmt: skip
        tracemalloc.start()
        with suppress(SyntaxProblem):
            entry(source)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 20_000_000, entry


# --- each limit ------------------------------------------------------------------------------------------------------


def codes(source: str, **params: Any) -> list[str]:
    return [found.code for found in compiler().diagnose(source, now=NOW, params=params).diagnostics]


@pytest.mark.parametrize(("name", "most"), rows(__file__, "test_as_many_as_the_limit_may_be_asked_for"))
def test_as_many_as_the_limit_may_be_asked_for(name: str, most: int) -> None:
    make = CONSTRUCTS[name].make
    assert "too-long" not in codes(make(most))
    (found,) = compiler().diagnose(make(most + 1), now=NOW).diagnostics
    assert (found.code, found.fixed) == ("too-long", None)
    assert found.hint


def test_bindings_that_use_one_another_twice_take_no_power_of_their_number() -> None:
    """Each was checked, hashed and gone through for each of its uses: 15 of them took 18 seconds."""
    make = CONSTRUCTS["bindings used twice"].make
    few, _ = seconds(lambda: codes(make(10)))
    many, found = seconds(lambda: codes(make(limits.MOST_LEVELS - 1)))
    assert found == []
    assert many < 6 * few + FLOOR


def test_two_chains_of_equal_bindings_are_one() -> None:
    chain = "let {0}0 = (count documents) " + " ".join(
        f"let {{0}}{i} = (count documents where size > {{0}}{i - 1} and size < {{0}}{i - 1})" for i in range(1, 25)
    )
    source = f"{chain.format('a')} {chain.format('b')} count documents where size > a24 and size < b24"
    took, found = seconds(lambda: codes(source))
    assert found == []
    assert took < 0.5


def test_levels_that_each_need_the_one_before_have_a_limit() -> None:
    make = CONSTRUCTS["bindings used twice"].make
    assert codes(make(limits.MOST_LEVELS)) == []
    assert codes(make(limits.MOST_LEVELS + 1)) == ["too-deep"]
    assert codes(WHERE + ".".join(["folder"] * 60) + ' = "x"') == ["too-deep"]
    assert set(codes(make(limits.MOST_BINDINGS))) == {"too-deep", "unused-binding"}


def test_a_hundred_errors_are_reported_and_that_there_are_more() -> None:
    found = compiler().diagnose(CONSTRUCTS["misspelt names"].make(150), now=NOW).diagnostics
    assert len(found) == limits.MOST_FINDINGS + 1
    assert (found[-1].code, found[-1].severity) == ("too-many-errors", "error")
    assert all(one.fixed is None for one in found)


def test_a_list_that_is_bound_has_the_limit_of_one_that_is_written(store: tuple[Wire, Compiler]) -> None:
    _, compiler = store
    run = lambda count: compiler.run("count documents where size in $sizes", params={"sizes": [*range(count)]})  # noqa: E731
    assert isinstance(run(limits.MOST_VALUES), Count)
    outcome = run(limits.MOST_VALUES + 1)
    assert isinstance(outcome, Invalid)
    assert [note.code for note in outcome.diagnostics] == ["too-long"]


def test_the_limits_are_reported_in_the_page_of_the_language() -> None:
    from tests.docs.syntax_table import PAGE

    text = (PAGE.parent / "language.md").read_text("utf-8")
    told = {value for name, value in vars(limits).items() if name.isupper() and name != "MOST_DEPTH"}
    shown = {int(number.replace(",", "")) for number in re.findall(r"\| ([0-9,]+) \|", text)}
    assert told <= shown


# --- the deadline ----------------------------------------------------------------------------------------------------


def test_a_checkpoint_raises_once_the_deadline_has_passed() -> None:
    checkpoint()
    with until(time.monotonic() + 60):
        checkpoint()
        with until(time.monotonic() - 1), pytest.raises(RequestFailed) as failed:
            checkpoint()
        assert failed.value.reason == "timeout"
        checkpoint()
        with until(time.monotonic() + 3600):  # an inner one is no longer than the one around it
            checkpoint()
    checkpoint()


async def test_the_deadline_is_kept_over_an_asynchronous_client(store: tuple[Wire, Compiler]) -> None:
    from qlc import connect_async

    client = connect_async()
    try:
        waiting = Compiler(client, catalogs.path("drive"), mapping=load_mapping(catalogs.mapping_path("drive")))
        make = CONSTRUCTS["numbers in a list"].make
        outcome = await waiting.run_async(make(limits.MOST_VALUES), now=NOW, deadline=0.02)
    finally:
        await client.close()
    assert isinstance(outcome, Failed)
    assert outcome.reason == "timeout"


# --- very many lookups ----------------------------------------------------------------------------------------------


@pytest.fixture
def ids(store: tuple[Wire, Compiler]) -> list[str]:
    _, compiler = store
    found = compiler.run("find folders where folder under root", size=1000)
    compiler.forget()
    return found.ids


def test_a_list_of_ten_thousand_ids_is_looked_up_together(store: tuple[Wire, Compiler], ids: list[str]) -> None:
    wire, compiler = store
    many = ", ".join(f'"{one}"' for one in (ids * 20)[:10_000])
    wire.calls.clear()
    took, outcome = seconds(lambda: compiler.run(f"count documents where folder in [{many}]", now=NOW))
    compiler.forget()
    one_by_one = compiler.run("count documents where folder in (find folders where folder under root)", now=NOW)
    assert outcome.value == one_by_one.value
    assert took < MOST_SECONDS


def test_a_bound_list_of_ids_takes_a_few_requests(store: tuple[Wire, Compiler], ids: list[str]) -> None:
    wire, compiler = store
    wire.calls.clear()
    outcome = compiler.run("count documents where folder in $ids", now=NOW, params={"ids": ids})
    assert outcome.value > 0
    assert outcome.stats.round_trips <= 3


def test_an_id_that_is_none_among_many_is_reported(store: tuple[Wire, Compiler], ids: list[str]) -> None:
    _, compiler = store
    outcome = compiler.run("count documents where folder in $ids", now=NOW, params={"ids": [*ids, "no such folder"]})
    assert isinstance(outcome, NotFound)
    assert outcome.what == "no such folder"


def test_names_are_read_once_for_all_look_ups_of_a_round(store: tuple[Wire, Compiler]) -> None:
    wire, compiler = store
    compiler.forget()
    wire.calls.clear()
    outcome = compiler.run(CONSTRUCTS["names"].make(50), now=NOW)
    assert isinstance(outcome, NotFound)
    assert sum(str(call).count("composite") for call in wire.calls) <= 2


# --- the catalog's own conditions ------------------------------------------------------------------------------------


def of_catalog(condition: str, access: str = "tenant = $tenant") -> Compiler:
    text = world.CATALOG.replace("big: size > 5 MB", f"big: {condition}")
    text = text.replace("access: tenant = $tenant\nentities", f"access: {access}\nentities")
    return Compiler(catalog=read_catalog(text), mapping=read_mapping({"mappings": world.MAPPING}))


def test_conditions_of_the_catalog_have_the_limits_of_a_program() -> None:
    many = " or ".join(["size > 5"] * 1_200)
    with pytest.raises(CatalogError, match="the condition 'big' cannot be read: there are at most") as told:
        of_catalog(many)
    assert len(str(told.value)) < 1_000  # of a long line a part is shown
    with pytest.raises(CatalogError, match="the access rule cannot be read: there are at most"):
        of_catalog("size > 5", many)


def test_a_condition_of_the_catalog_is_checked_once_however_often_it_is_used() -> None:
    compiler = of_catalog(" or ".join(f"size = {n}" for n in range(500)))
    took, found = seconds(lambda: compiler.diagnose("find documents where " + " or ".join(["big"] * 900), now=NOW))
    assert not found.failed
    assert took < MOST_SECONDS
