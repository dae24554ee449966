"""Cursors come back from anybody: what they say decides nothing about what may be seen."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from qlc.base.errors import UsageError
from qlc.conversation import Conversation
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Hits, Invalid, Outcome
from qlc.pasted.entry import run_pasted
from qlc.pipeline.compiler import Compiler
from qlc.translator.entry import Asker
from tests import engines
from tests.tables import table

CATALOG = table(__file__, "CATALOG")
TEXTS = {"type": "keyword"}
MAPPING = {"properties": {"title": TEXTS, "tenant": TEXTS, "created": {"type": "date"}, "size": {"type": "long"}}}
NOW = "2026-03-15T12:00:00Z"
GIVEN: dict[str, Any] = {"context": {"tenant": "red"}, "now": NOW, "size": 2}
KEY = "a key of thirty-two characters ..."
LIST = "find articles where size > 0"


@pytest.fixture
def client() -> Iterator[Elasticsearch]:
    with engines.open_client() as client:
        for index in ("articles", "notes"):
            client.indices.create(index=index, mappings=MAPPING)
            for number in range(8):
                document = {"title": f"{index} {number}", "tenant": "blue", "size": number + 1,
                            "created": "2026-01-01" if number < 5 else "2027-01-01"}  # fmt: skip
                client.index(index=index, id=f"{index}-{number}", document=document)
            client.indices.refresh(index=index)
        yield client


def compiler(client: Elasticsearch, key: str | bytes | None = None, index: str | None = None) -> Compiler:
    catalog = None if index is not None else read_catalog(CATALOG)
    return Compiler(client, catalog, index, cursor_key=key)


def opened(cursor: str | None) -> list[Any]:
    assert cursor is not None
    found: list[Any] = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    return found


def forged(cursor: str | None, **changes: Any) -> str:
    parts = opened(cursor)
    for name, value in changes.items():
        parts[("version", "fingerprint", "now", "after", "read", "point_in_time").index(name)] = value
    return urlsafe_b64encode(json.dumps(parts).encode()).decode()


def titles(outcome: Outcome) -> list[str]:
    return [str(hit.name) for hit in outcome.hits]


def is_refused(outcome: Outcome) -> bool:
    return isinstance(outcome, Invalid) and [one.code for one in outcome.diagnostics] == ["invalid-cursor"]


def first(compiler: Compiler, source: str = LIST, **more: Any) -> str | None:
    outcome = compiler.run(source, **{**GIVEN, **more})
    assert isinstance(outcome, Hits)
    return outcome.cursor


def test_pages_of_a_list_without_an_id_are_read_on(client: Elasticsearch) -> None:
    one = compiler(client)
    cursor, found = first(one), list[str]()
    while cursor is not None:
        page = one.run(LIST, cursor=cursor, **GIVEN)
        found += titles(page)
        assert isinstance(page, Hits)
        cursor = page.cursor
    assert found == ["articles 2", "articles 3", "articles 4"]


def test_a_point_in_time_of_another_index_is_not_read(client: Elasticsearch) -> None:
    """Opened by anybody, and that of another list of the same compiler: neither is taken from a cursor."""
    one = compiler(client)
    theirs = client.open_point_in_time(index="notes", keep_alive="1m")["id"]
    own = opened(first(one, "find notes where size > 0", context={"tenant": "blue"}))[-1]
    for point in (theirs, own):
        assert is_refused(one.run(LIST, cursor=forged(first(one), point_in_time=point), **GIVEN))


def test_a_pasted_request_takes_no_other_point_in_time_either(client: Elasticsearch) -> None:
    one = compiler(client)
    text = 'GET articles/_search\n{"query": {"range": {"size": {"gt": 0}}}}'
    (page,) = run_pasted(text, one, **GIVEN)
    assert isinstance(page, Hits)
    theirs = client.open_point_in_time(index="notes", keep_alive="1m")["id"]
    (found,) = run_pasted(text, one, cursor=forged(page.cursor, point_in_time=theirs), **GIVEN)
    assert is_refused(found)
    (found,) = run_pasted(text, one, cursor=forged(page.cursor, now="2030-01-01T00:00:00+00:00"), **GIVEN)
    assert found.total == 5


def test_access_rules_go_by_the_clock_of_the_run(client: Elasticsearch) -> None:
    one = compiler(client)
    later = forged(first(one), now="2030-01-01T00:00:00+00:00")
    page = one.run(LIST, **{**GIVEN, "cursor": later, "size": 10})
    assert titles(page) == ["articles 2", "articles 3", "articles 4"]
    assert page.total == 5
    assert one.run("count articles", **{**GIVEN, "as_of": "2030-01-01T00:00:00Z"}).value == 5  # type: ignore[union-attr]


def test_relative_dates_of_the_query_stay_where_they_were(client: Elasticsearch) -> None:
    one = compiler(client)
    source = "find articles where created = last 80 days"
    page = one.run(source, cursor=first(one, source), **{**GIVEN, "now": "2026-05-01T00:00:00Z"})
    assert page.total == 5


def test_what_the_first_page_found_is_not_kept_where_rules_go_by_the_clock(client: Elasticsearch) -> None:
    one = compiler(client)
    source = 'find articles where size in (find articles where title contains "articles").size'
    cursor = first(one, source, now="2028-01-01T00:00:00Z")
    page = one.run(source, cursor=cursor, **GIVEN)
    assert page.total == 5


def test_a_history_does_not_move_the_clock_of_access_rules(client: Elasticsearch) -> None:
    asker = Asker(compiler(client))
    talk = Conversation(asker, **GIVEN)
    assert talk.turn(LIST).outcomes[0].total == 5  # type: ignore[union-attr]
    history = json.dumps(talk.history)
    assert NOW[:-1] in history
    moved = json.loads(history.replace(NOW[:-1], "2030-01-01T00:00:00"))
    for said in ("show more", "show all", "how many are there", "go back to the first page", "only those over 1"):
        for outcome in Conversation(asker, moved, **GIVEN).turn(said).outcomes:
            assert getattr(outcome, "total", getattr(outcome, "value", 0)) <= 5, (said, outcome)


def test_two_indices_of_one_mapping_share_no_cursor(client: Elasticsearch) -> None:
    source = "find entries where size > 0"
    cursor = first(compiler(client, KEY, "articles"), source)
    assert is_refused(compiler(client, KEY, "notes").run(source, cursor=cursor, **GIVEN))


def test_a_signed_cursor_is_read_by_any_process_with_the_key_and_altered_by_none(client: Elasticsearch) -> None:
    cursor = first(compiler(client, KEY))
    assert titles(compiler(client, KEY.encode()).run(LIST, cursor=cursor, **GIVEN)) == ["articles 2", "articles 3"]
    assert is_refused(compiler(client, KEY + "x").run(LIST, cursor=cursor, **GIVEN))
    assert is_refused(compiler(client).run(LIST, cursor=cursor, **GIVEN))
    assert is_refused(compiler(client, KEY).run(LIST, cursor=first(compiler(client)), **GIVEN))
    assert cursor is not None
    for at in range(len(cursor)):
        other = cursor[:at] + ("A" if cursor[at] != "A" else "B") + cursor[at + 1 :]
        found = compiler(client, KEY).run(LIST, cursor=other, **GIVEN)
        # The last character may have bits that mean nothing.
        assert is_refused(found) or (at == len(cursor) - 1 and isinstance(found, Hits))


def test_without_a_key_another_process_begins_such_a_list_anew(client: Elasticsearch) -> None:
    cursor = first(compiler(client))
    found = compiler(client).run(LIST, cursor=cursor, **GIVEN)
    assert is_refused(found)
    assert "first page" in found.diagnostics[0].message


def test_the_cursor_of_another_caller_is_refused(client: Elasticsearch) -> None:
    for key in (None, KEY):
        one = compiler(client, key)
        cursor = first(one, "find notes where size > 0", context={"tenant": "blue"})
        assert is_refused(one.run("find notes where size > 0", cursor=cursor, **GIVEN))


@pytest.mark.parametrize("key", ["", "short", b"short", 17, ["x" * 16]])
def test_a_key_is_a_long_secret(client: Elasticsearch, key: Any) -> None:
    with pytest.raises(UsageError, match="cursor_key"):
        compiler(client, key)


@pytest.mark.parametrize("cursor", ["A" * 200_000, 5, b"x", ["x"], {"a": 1}])
def test_what_is_no_cursor_is_refused(client: Elasticsearch, cursor: Any) -> None:
    assert is_refused(compiler(client).run(LIST, cursor=cursor, **GIVEN))
