"""Other names of indices: a search goes through them, with their filters."""

from __future__ import annotations

import pytest

from tests.engine.asked import Asked


def test_a_search_goes_through_an_alias_with_its_filter(asked: Asked) -> None:
    for index in ("one", "two"):
        asked.put(index, {f"{index}{number}": {"a": number} for number in range(3)})
    asked.ok("PUT", "/one,two/_alias/both")
    asked.ok("PUT", "/one/_alias/few", {"filter": {"range": {"a": {"gte": 1}}}})
    assert asked.ids("both", {"term": {"a": 2}}) == ["one2", "two2"]
    assert asked.ids("few", {"match_all": {}}) == ["one1", "one2"]
    few = {"filter": {"range": {"a": {"gte": 1}}}}
    assert asked.ok("GET", "/one/_alias") == {"one": {"aliases": {"both": {}, "few": few}}}
    assert asked.ok("GET", "/_alias/few") == {"one": {"aliases": {"few": few}}}
    assert asked.ask("HEAD", "/_alias/none")[0] == 404
    # the same name again takes the place of what it was
    asked.ok("PUT", "/one/_alias/few")
    assert asked.ids("few", {"match_all": {}}) == ["one0", "one1", "one2"]


def test_an_index_is_made_with_aliases(asked: Asked) -> None:
    asked.ok("PUT", "/one", {"aliases": {"other": {"is_write_index": True}}})
    asked.ok("PUT", "/other/_doc/1?refresh=true", {"a": 1})
    assert asked.ids("one", {"match_all": {}}) == ["1"]
    assert asked.ask("PUT", "/two", {"aliases": {"other": {"routing": "x"}}})[0] == 400


@pytest.mark.parametrize(
    ("name", "spec", "status"),
    [
        ("two", {}, 400),  # an index has this name
        ("a,b", {}, 400),
        ("a", {"filter": {"no_query": {}}}, 400),
        ("a", {"routing": "x"}, 400),
        ("a", {"is_write_index": True}, 500),
    ],
)
def test_what_is_no_alias_changes_nothing(asked: Asked, name: str, spec: dict[str, object], status: int) -> None:
    asked.ok("PUT", "/one")
    asked.ok("PUT", "/two")
    assert asked.ask("PUT", f"/one,two/_alias/{name}", spec)[0] == status
    assert asked.ok("GET", "/_alias") == {"one": {"aliases": {}}, "two": {"aliases": {}}}
