"""Pages: all of them together are the whole answer, each hit exactly once, however it is sorted and cut."""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from elasticsearch import helpers

from qlc.mapping.catalog import read_catalog
from qlc.outcome import Hits, Invalid, Outcome
from qlc.pipeline.compiler import Compiler, all_pages
from tests.pipeline.wire import Call, Reply, Wire, in_turn
from tests.tables import table

CATALOG = table(__file__, "CATALOG")
MAPPING: dict[str, Any] = table(__file__, "MAPPING")
NOW = "2026-03-15T12:00:00Z"


def things() -> list[dict[str, Any]]:
    """Every third has no size, every fourth no tags; few distinct values, so that ties are many."""
    found = []
    for n in range(97):
        one: dict[str, Any] = {"id": f"t{n:03}", "name": f"thing {n % 7}", "made": f"2026-03-{n % 28 + 1:02}"}
        if n % 3:
            one["size"] = n % 5
        if n % 4:
            one["tags"] = [f"tag{n % 4}", f"tag{n % 3}"]
            one["marks"] = [n % 6, n % 11]
        if n % 5:
            one["parts"] = [{"kind": "a", "cost": n % 8}, {"kind": "b", "cost": n % 9}]
        found.append(one)
    return found


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    made = Wire()
    with made.client() as client:
        for index, documents in (("things", things()), ("many", ({"id": f"m{n:05}"} for n in range(10_100)))):
            client.indices.create(index=index, mappings=MAPPING)
            actions = ({"_index": index, "_id": one["id"], "_source": one} for one in documents)
            helpers.bulk(client, actions, chunk_size=5000, refresh=True)
        yield made


@pytest.fixture(scope="module")
def compiler(wire: Wire) -> Iterator[Compiler]:
    with wire.client() as client:
        yield Compiler(client, read_catalog(CATALOG))


@pytest.fixture(scope="module")
def plain(wire: Wire) -> Iterator[Compiler]:
    """The same index without a catalog: no field is known to be the id."""
    with wire.client() as client:
        yield Compiler(client, index="things")


def read(compiler: Compiler, program: str, size: int, **options: Any) -> tuple[list[str], list[Hits]]:
    pages: list[Hits] = []
    cursor = None
    while True:
        page = compiler.run(program, size=size, cursor=cursor, now=NOW, **options)
        assert isinstance(page, Hits), page
        pages.append(page)
        cursor = page.cursor
        if cursor is None:
            return [one for page in pages for one in page.ids], pages


SORTS = ["", "sort size", "sort size desc", "sort tags", "sort tags desc", "sort marks desc, name",
         "sort made desc, size", "sort parts.cost", "sort parts[kind = \"b\"].cost desc",
         "sort name, size desc, tags"]  # fmt: skip
CUTS = ["", "limit 40", "limit 7", "limit 40 offset 30", "limit 500 offset 90", "limit 5 offset 96",
        "limit 5 offset 97"]  # fmt: skip
KEYS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "size": lambda one: one.get("size", 99),
    "size desc": lambda one: one.get("size", -1),
    "tags": lambda one: min(one.get("tags", ["~"])),
    "marks desc, name": lambda one: (max(one.get("marks", [-1])), one["name"]),
    "parts[kind = \"b\"].cost desc": lambda one: max((p["cost"] for p in one.get("parts", ()) if p["kind"] == "b"),
                                                     default=-1),
}  # fmt: skip
"""The values that a `sort` compares."""


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("cut", CUTS)
def test_pages_are_the_whole_answer(compiler: Compiler, plain: Compiler, sort: str, cut: str) -> None:
    for one, entities in ((compiler, "things"), (plain, "entries")):
        program = f'find {entities} where name starts with "thing" {sort} {cut}'
        whole, (page,) = read(one, program, 1000)
        assert len(set(whole)) == len(whole) == page.total
        for size in (1, 13, 40, 97):
            if (size == 1 and len(whole) > 40) or (size == 97 and cut):
                continue
            found, pages = read(one, program, size)
            assert found == whole
            assert {p.total for p in pages} == {page.total}
            assert all(len(p.hits) == size for p in pages[:-1])


@pytest.mark.parametrize("sort", KEYS)
@pytest.mark.parametrize(("limit", "offset"), [(1, 0), (7, 0), (12, 20), (60, 0), (90, 6), (97, 0), (200, 0)])
def test_a_limit_between_equal_hits(compiler: Compiler, plain: Compiler, sort: str, limit: int, offset: int) -> None:
    by_id = {one["id"]: KEYS[sort](one) for one in things()}
    for one, entities in ((compiler, "things"), (plain, "entries")):
        program = f"find {entities} where name exists sort {sort}"
        whole = read(one, program, 1000)[0]
        cut = whole[offset : offset + limit]
        also = whole[offset + limit : next((at for at in range(offset + limit, len(whole))
                                            if by_id[whole[at]] != by_id[cut[-1]]), len(whole))]  # fmt: skip
        for size in (1000, 13):
            found, pages = read(one, f"{program} limit {limit} with ties offset {offset}", size)
            assert found == cut + also
            assert {p.total for p in pages} == {len(found)}
            *first, last = read(one, f"{program} limit {limit} offset {offset}", size)[1]
            assert not any(page.notes for page in first)
            told = sum(int(number) for note in last.notes for number in re.findall(r"^\d+|(?<=; )\d+", note)[:1])
            shown = [one for one in last.ids if by_id[one] == by_id[cut[-1]]]
            whole_tie = len(shown) < len(last.ids) or (len(last.ids) == limit == len(cut) and not offset)
            assert told == (0 if not also else len(also) + (len(shown) if whole_tie else 0)), last.notes


GROUPS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "name": lambda one: one["name"],
    "size": lambda one: one.get("size"),
    "bins(size, 1, 3), name": lambda one: ((one["size"] + 1) // 2, one["name"]) if "size" in one else None,
    "week(made)": lambda one: (int(one["made"][-2:]) + 5) // 7,
}  # fmt: skip
"""The group of a document; 2026-03-02 is a Monday."""


@pytest.mark.parametrize("sort", KEYS)
@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("count", [1, 3])
def test_the_first_of_each_group(compiler: Compiler, plain: Compiler, sort: str, group: str, count: int) -> None:
    by_id = {one["id"]: one for one in things()}
    for one, entities in ((compiler, "things"), (plain, "entries")):
        taken: Counter[Any] = Counter()
        expected = []
        for identity in read(one, f"find {entities} where name exists sort {sort}", 1000)[0]:
            key = GROUPS[group](by_id[identity])
            taken[key] += 1
            expected += [identity] if key is not None and taken[key] <= count else []
        found, (page,) = read(one, f"find {entities} where name exists top {count} per {group} sort {sort}", 1000)
        assert [KEYS[sort](by_id[each]) for each in found] == [KEYS[sort](by_id[each]) for each in expected]
        lacking = sum(GROUPS[group](each) is None for each in by_id.values())
        assert any(note.startswith(f"{lacking} ") for note in page.notes) == bool(lacking)
        if entities == "things":
            assert found == expected
            assert read(one, f"find things where name exists top {count} per {group} sort {sort}", 9)[0] == expected


def test_missing_comes_last_and_lists_sort_by_their_ends(compiler: Compiler) -> None:
    by_id = {one["id"]: one for one in things()}

    def values(program: str, field: str) -> list[Any]:
        return [by_id[one].get(field) for one in read(compiler, program, 20)[0]]

    def ordered(found: list[Any]) -> bool:
        present = [value for value in found if value is not None]
        return found == present + [None] * (len(found) - len(present))

    up = values("find things where name exists sort size", "size")
    down = values("find things where name exists sort size desc", "size")
    assert ordered(up)
    assert ordered(down)
    assert [v for v in up if v is not None] == sorted(v for v in up if v is not None)
    lows = [min(v) for v in values("find things where tags exists sort tags", "tags")]
    highs = [max(v) for v in values("find things where tags exists sort tags desc", "tags")]
    assert lows == sorted(lows)
    assert highs == sorted(highs, reverse=True)


def test_a_page_of_nothing_counts(compiler: Compiler) -> None:
    page = compiler.run("find things where size = 1", size=0)
    assert (page.hits, page.cursor) == ([], None)
    assert page.total > 0


# --- more than one request holds -------------------------------------------------------------------------------------


@pytest.mark.parametrize("catalog", [True, False])
def test_more_hits_than_one_request_gives(wire: Wire, catalog: bool) -> None:
    with wire.client() as client:
        text = CATALOG.replace("index: things", "index: many")
        one = Compiler(client, read_catalog(text)) if catalog else Compiler(client, index="many")
        entities = "things" if catalog else "entries"
        everything = [f"m{n:05}" for n in range(10_100)]
        page = one.run(f"find {entities} where id exists", size=20_000)
        assert sorted(page.ids) == everything
        assert (page.total, page.cursor) == (10_100, None)
        assert page.stats.further == (1 if catalog else 3)  # the point in time is opened and closed
        for offset in (9_990, 9_999, 10_000, 10_001, 10_095):
            cut = one.run(f"find {entities} where id exists sort id limit 20 offset {offset}", size=20)
            assert cut.ids == everything[offset : offset + 20]
        beyond = one.run(f"find {entities} where id exists sort id limit 20 offset 10100", size=20)
        assert (beyond.ids, beyond.total) == ([], 0)
        together = all_pages(one, f"find {entities} where id exists", size=4_000)
        assert sorted(together.ids) == everything
        assert (together.cursor, together.message) == (None, f"10,100 {entities}.")


# --- points in time --------------------------------------------------------------------------------------------------


def opened_and_closed(calls: list[Call]) -> tuple[int, int]:
    opened = sum(call.method == "POST" and call.path.endswith("/_pit") for call in calls)
    return opened, sum(call.method == "DELETE" and call.path == "/_pit" for call in calls)


def test_an_index_without_an_id_is_read_in_one_point_in_time(wire: Wire, plain: Compiler) -> None:
    with wire.watched() as calls:
        read(plain, "find entries where size exists", 10)
    assert opened_and_closed(calls) == (1, 1)
    assert calls[-1].method == "DELETE"


def test_what_is_written_meanwhile_moves_no_page(wire: Wire, plain: Compiler) -> None:
    program = "find entries where name exists sort size"
    whole, _ = read(plain, program, 1000)
    first = plain.run(program, size=50)
    assert isinstance(first, Hits)
    with wire.client() as client:
        client.index(index="things", id="new", document={"id": "new", "name": "new", "size": -1}, refresh=True)
        try:
            rest = plain.run(program, size=1000, cursor=first.cursor)
        finally:
            client.delete(index="things", id="new", refresh=True)
    assert [*first.ids, *rest.ids] == whole


@pytest.mark.parametrize("program", ["find entries where size in (find entries where name exists limit 3).size",
                                     "get (find entries where name exists sort size limit 1).size",
                                     "find entries where size = 99"])  # fmt: skip
def test_every_point_in_time_is_closed(wire: Wire, plain: Compiler, program: str) -> None:
    with wire.watched() as calls:
        assert plain.run(program, size=1000).kind in ("hits", "value")
    opened, closed = opened_and_closed(calls)
    assert opened == closed > 0


def test_a_set_that_is_too_large_leaves_none_open(wire: Wire) -> None:
    text = CATALOG.replace("{id: id, names", "{names") + "bounds: {set_size: 10}\n"
    with wire.client() as client, wire.watched() as calls:
        one = Compiler(client, read_catalog(text))
        outcome = one.run("find things where size in (find things where name exists limit 50).size")
    assert outcome.kind == "unsupported"
    opened, closed = opened_and_closed(calls)
    assert opened == closed == 1


def test_a_point_in_time_that_cannot_be_closed_spoils_no_answer(wire: Wire, plain: Compiler) -> None:
    def fault(call: Call) -> Reply | None:
        return Reply(404, {"succeeded": True, "num_freed": 0}) if call.method == "DELETE" else None

    with wire.answering(fault):
        assert plain.run("find entries where size = 1", size=1000).kind == "hits"


def test_a_page_that_came_too_late_says_so(wire: Wire, plain: Compiler) -> None:
    first = plain.run("find entries where size exists", size=2)
    assert isinstance(first, Hits)
    gone = {"type": "search_context_missing_exception", "reason": "No search context found for id [7]"}
    body = {"error": {"root_cause": [gone], "type": "search_phase_execution_exception", "reason": "all shards failed"},
            "status": 404}  # fmt: skip
    with wire.answering(in_turn(Reply(404, body))):
        outcome = plain.run("find entries where size exists", size=2, cursor=first.cursor)
    assert outcome.kind == "failed"
    assert outcome.message == "This page has expired. Ask for the first page again."


# --- cursors ---------------------------------------------------------------------------------------------------------


def first_page(compiler: Compiler, program: str, **options: Any) -> str:
    page = compiler.run(program, size=2, **options)
    assert isinstance(page, Hits)
    assert page.cursor is not None
    return page.cursor


def refused(outcome: Outcome) -> bool:
    return isinstance(outcome, Invalid) and [note.code for note in outcome.diagnostics] == ["invalid-cursor"]


@pytest.mark.parametrize("other", ["find things where size = 2", "find things where size = 1 sort size",
                                   "find things where size = 1 limit 5"])  # fmt: skip
def test_the_cursor_of_another_query_is_refused(compiler: Compiler, other: str) -> None:
    cursor = first_page(compiler, "find things where size = 1")
    assert refused(compiler.run(other, cursor=cursor))
    assert compiler.run("find   things where size=1 -- the same", cursor=cursor).kind == "hits"


def test_the_cursor_of_other_values_is_refused(compiler: Compiler) -> None:
    program = "find things where size = $x"
    cursor = first_page(compiler, program, params={"x": 1})
    assert refused(compiler.run(program, params={"x": 2}, cursor=cursor))
    assert refused(compiler.run(program, params={"x": 1}, cursor=cursor, timezone="Asia/Tokyo"))
    assert compiler.run(program, params={"x": 1}, cursor=cursor).kind == "hits"


@pytest.mark.parametrize("cursor", ["", "x", "====", "é", "WzFd", "bnVsbA", "e30", "\x00", "W1tbW1tbW1tbW1s" * 400])
def test_a_damaged_cursor_is_refused(compiler: Compiler, cursor: str) -> None:
    assert refused(compiler.run("find things where size = 1", cursor=cursor))


@pytest.mark.parametrize(("at", "value"), [(0, 1), (2, "yesterday"), (2, 5), (3, None), (3, 7), (4, "x"), (4, 1e999),
                                           (4, None), (1, "0")])  # fmt: skip
def test_an_altered_cursor_is_refused(compiler: Compiler, at: int, value: Any) -> None:
    program = "find things where size = 1"
    cursor = first_page(compiler, program)
    parts = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    parts[at] = value
    altered = urlsafe_b64encode(json.dumps(parts).encode()).decode()
    assert refused(compiler.run(program, cursor=altered))


@pytest.mark.parametrize("after", [[], ["a", "b", "c"], [{"x": 1}], [[1]]])
def test_other_sort_values_break_nothing(compiler: Compiler, after: list[Any]) -> None:
    program = "find things where size = 1"
    cursor = first_page(compiler, program)
    parts = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    parts[3] = after
    outcome = compiler.run(program, cursor=urlsafe_b64encode(json.dumps(parts).encode()).decode())
    assert outcome.kind in ("failed", "invalid", "hits")
    assert getattr(outcome, "reason", "") != "internal"


def test_all_pages_are_one_outcome(compiler: Compiler) -> None:
    found = all_pages(compiler, "find things where name exists sort tags", size=10, now=NOW)
    assert found.ids == read(compiler, "find things where name exists sort tags", 1000)[0]
    assert (found.total, found.cursor, found.message) == (97, None, "97 things.")
    assert all_pages(compiler, "count things", now=NOW).kind == "count"
    assert all_pages(compiler, "find thing", now=NOW).kind == "invalid"


def test_all_pages_end_with_what_ends_a_page(wire: Wire, compiler: Compiler) -> None:
    with wire.answering(in_turn(None, None, Reply(403, {"error": "no"}))):
        outcome = all_pages(compiler, "find things where name exists", size=10, now=NOW)
    assert outcome.kind == "failed"
