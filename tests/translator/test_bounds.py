"""Long texts take bounded time: too long ones are refused, and an answer comes by its deadline.

Times are those of the processor for this thread, so they do not depend on other processes.
"""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from elasticsearch import AsyncElasticsearch

import qlc
from qlc.conversation import AsyncConversation, Conversation
from qlc.translator.entry import Asker
from qlc.translator.recognise import LONGEST, LONGEST_SOURCE, MOST_WORDS
from tests import data_sets

from .endless import ENDLESS

NOW = "2026-03-15T12:00:00Z"
OFTEN = 8
"""How much longer four times as much may take: time that grows with the square takes sixteen times as long."""
NOISE = 0.15
"""Seconds below which a difference tells nothing."""
SLACK = 0.2
"""Seconds after its deadline in which an answer comes."""
OUTCOMES = {"declined", "refuse", "invalid", "rejected_query", "hits", "count", "clarify", "aggregate", "value",
            "several", "unsupported", "explain", "not_found"}  # fmt: skip


@pytest.fixture(scope="module")
def history(drive: Asker) -> Any:
    talk = Conversation(drive, now=NOW)
    for text in ("receipts from Costco", "over 100 dollars, newest first", "who owns the first one?"):
        talk.turn(text)
    return talk.history


def measured(asker: Asker, history: Any, text: str, alone: bool = True, **options: Any) -> tuple[float, list[Any]]:
    """The seconds of the slowest of the doors, and all outcomes; the way through a conversation is the longer one."""
    entries: list[Callable[[], Any]] = [lambda: Conversation(asker, history, now=NOW).turn(text, **options).outcome]
    if alone:
        entries.append(lambda: asker.ask(text, now=NOW, **options))
    found, most = [], 0.0
    gc.disable()  # going through all that other tests have left takes longer than any of this
    try:
        for entry in entries:
            started = time.thread_time()
            found.append(entry())
            most = max(most, time.thread_time() - started)
    finally:
        gc.enable()
    return most, found


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_time_grows_with_the_length_at_the_most(drive: Asker, history: Any, text: Callable[[int], str]) -> None:
    """Or it is cut: nobody reads a question of a thousand words."""
    before, _ = measured(drive, history, text(12), alone=False)
    for words in (48, 192, 3_072, 12_288):
        took, outcomes = measured(drive, history, text(words), alone=False)
        assert took <= max(before, NOISE) * OFTEN, words
        assert {one.kind for one in outcomes} <= OUTCOMES
        assert all(one.message or one.kind in ("hits", "rejected_query") for one in outcomes)
        before = took


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_an_answer_comes_with_its_deadline(drive: Asker, history: Any, text: Callable[[int], str]) -> None:
    for words, deadline in ((90, 0.03), (40, 0.0), (12_288, 0.03)):
        took, outcomes = measured(drive, history, text(words), deadline=deadline)
        assert took <= deadline + SLACK, words
        assert {one.kind for one in outcomes} <= OUTCOMES | {"failed"}
        assert {one.reason for one in outcomes if one.kind == "failed"} <= {"timeout"}


@pytest.mark.parametrize("text", [
    "documents . days", "days . " * 20, "1" * 309, "１" * 700, "documents over " + "٣" * 1900,
    "top " + "9" * 400 + " receipts", "documents from the last " + "9" * 400 + " days", "1." + "0" * 400 + " MB",
    "9" * 310 + "k documents", "9" * 99 + " million documents", "top ² documents", "the ²th document",
    "week ² receipts", "documents over " + "9" * 99 + " GB", "documents number ²",
])  # fmt: skip
def test_what_is_no_number_is_none(drive: Asker, history: Any, text: str) -> None:
    _, outcomes = measured(drive, history, text)
    assert {one.kind for one in outcomes} <= OUTCOMES


@pytest.mark.parametrize(("text", "told"), [
    ("documents in red and " * 26, f"{MOST_WORDS} words"), ("x" * (LONGEST + 1), f"{LONGEST:,} characters"),
    ("a,b;" * 400, f"{MOST_WORDS} words"), ("docs " * LONGEST_SOURCE, f"{LONGEST_SOURCE:,} characters"),
    ('{"query": ' * LONGEST_SOURCE, f"{LONGEST_SOURCE:,} characters"),
    ("find documents where id in (" + '"x", ' * LONGEST_SOURCE, f"{LONGEST_SOURCE:,} characters"),
])  # fmt: skip
def test_what_is_too_long_is_reported_at_every_entry_point(drive: Asker, history: Any, text: str, told: str) -> None:
    talk = Conversation(drive, now=NOW)
    asked = talk.turn("documents in Tax").outcome
    said = [talk.turn(text).outcome, drive.ask(text), drive.program_of(text), qlc.compile_and_run(text, drive.compiler)]
    assert asked.kind == "clarify"
    for one in said:
        assert isinstance(one, qlc.outcome.Declined)
        assert told in one.message
        assert not one.suggestions
    assert talk.turn("1").origin == "choice"  # the question is still open
    assert len(str(talk.history)) < 100_000


# --- beside the event loop -------------------------------------------------------------------------------------------

SLOW = " and ".join(["documents larger than 5 MB or by Dana in Tax"] * 9)


@pytest.fixture
async def async_drive() -> AsyncIterator[Asker]:
    url, _, node = data_sets.lines("drive")
    async with AsyncElasticsearch(url, node_class=node, request_timeout=60) as client:
        asker = Asker(qlc.Compiler(client, "qlc/catalogs/drive.yaml"))
        await asker.ask_async("how many documents", now=NOW)
        yield asker


async def ticks_while(work: Any) -> tuple[int, float]:
    """How often another task got its turn meanwhile, and the seconds of the processor that the work took."""
    done, ticks = asyncio.ensure_future(work), 0
    started = time.process_time()
    gc.disable()
    try:
        while not done.done():
            await asyncio.sleep(0.005)
            ticks += 1
    finally:
        gc.enable()
    await done
    return ticks, time.process_time() - started


async def test_what_is_computed_is_so_beside_the_event_loop(async_drive: Asker) -> None:
    """Counted, not timed: others get their turns all the while, however slow the machine is."""
    talk = AsyncConversation(async_drive, now=NOW)
    program = "find documents where " + " or ".join(f'(name = "n{n}" and size > {n} MB)' for n in range(400))
    for work in (async_drive.ask_async(SLOW, now=NOW), talk.turn(SLOW), async_drive.compiler.run_async(program)):
        ticks, seconds = await ticks_while(work)
        assert seconds > 0.02
        assert ticks >= max(2, seconds / 0.05)
