"""Other names of indices: a search goes through them."""

from __future__ import annotations

import pytest

from tests.engine.asked import Asked


def test_a_search_goes_through_an_alias(asked: Asked) -> None:
    for index in ("one", "two"):
        asked.put(index, {f"{index}{number}": {"a": number} for number in range(3)})
    asked.ok("PUT", "/one,two/_alias/both")
    assert asked.ids("both", {"term": {"a": 2}}) == ["one2", "two2"]
    assert asked.ids("bo*,-two", {"match_all": {}}) == ["one0", "one1", "one2"]
    named = {"aliases": {"both": {}}}
    assert asked.ok("GET", "/both?filter_path=*.aliases") == {"one": named, "two": named}
    # a document is written to one index
    assert asked.ask("PUT", "/both/_doc/1", {"a": 1})[0] == 400
    assert asked.ask("DELETE", "/both")[0] == 400


def test_an_index_is_made_with_aliases(asked: Asked) -> None:
    asked.ok("PUT", "/one", {"aliases": {"other": {}}})
    asked.ok("PUT", "/other/_doc/1?refresh=true", {"a": 1})
    assert asked.ids("one", {"match_all": {}}) == ["1"]
    assert asked.ok("GET", "/other/_doc/1")["_source"] == {"a": 1}


@pytest.mark.parametrize(
    ("name", "spec"),
    [("two", {}), ("a,b", {}), ("a", {"filter": {"term": {"a": 1}}}), ("a", {"is_write_index": True})],
)
def test_what_is_no_alias_changes_nothing(asked: Asked, name: str, spec: dict[str, object]) -> None:
    asked.ok("PUT", "/one")
    asked.ok("PUT", "/two")
    assert asked.ask("PUT", f"/one,two/_alias/{name}", spec)[0] == 400
    assert asked.ask("PUT", "/three", {"aliases": {name: spec, "a": {"routing": "x"}}})[0] == 400
    assert asked.ok("GET", "/_all?filter_path=*.aliases") == {"one": {"aliases": {}}, "two": {"aliases": {}}}
