"""`qlc index` without a mapping: the type of a field holds every value of it, whichever comes first."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from qlc_engine import Engine
from tests.cli.conftest import Command
from tests.cli.test_index import count, write

BIG = 2**53 + 1
HOLD: dict[str, tuple[list[Any], str]] = {
    "whole": ([2, 4, 0], "long"),
    "whole and decimal": ([2, 4.3], "double"),
    "decimals that a float rounds": ([1234567.89, 2.5], "double"),
    "long whole numbers": ([2, BIG], "long"),
    "greatest long": ([-(2**63), 2**63 - 1], "long"),
    "beyond long": ([2, 2**64 - 1], "unsigned_long"),
    "beyond long below zero": ([-2, 2**63], "double"),
    "lists": ([[2, 3], 4, [[4.5]]], "double"),
    "nulls beside": ([None, 2, None, 2.5], "double"),
    "numbers and empty texts": (["", 2, 2.5], "double"),
    "booleans": ([True, False], "boolean"),
    "dates": (["2024-01-05", "2024-02-05T10:00:00Z"], "date"),
    "two ways to write dates": (["2024-01-05", "2024/02/05"], "date"),
    "dates and texts": (["2024-01-05", "soon"], "text"),
    "dates and empty texts": (["2024-01-05", ""], "text"),
    "no date that there is": (["2024-01-05", "2024-02-31"], "text"),
    "texts": (["a", "", "12"], "text"),
}


def mapping_of(data: Path, index: str) -> dict[str, Any]:
    with Engine.open(data) as engine:
        raw = engine.handle("GET", f"/{index}/_mapping", None)[2]
    properties: dict[str, Any] = json.loads(raw)[index]["mappings"].get("properties", {})
    return properties


@pytest.mark.parametrize("name", HOLD)
def test_a_type_holds_each_value_whichever_comes_first(qlc: Command, tmp_path: Path, name: str) -> None:
    values, expected = HOLD[name]
    for number, order in enumerate(itertools.permutations(values)):
        file, data = write(tmp_path / f"x{number}.ndjson", [{"a": {"v": one}} for one in order]), tmp_path / "d"
        ended = qlc("index", str(file), "--data", str(data), "--json")
        assert (ended.code, ended.json["loaded"]) == (0, len(values)), ended
        assert mapping_of(data, f"x{number}")["a"]["properties"]["v"]["type"] == expected, order


CLASH: dict[str, list[Any]] = {
    "number and text": [5, "n/a"],
    "number and date": [5, "2024-01-05"],
    "boolean and number": [True, 1],
    "boolean and text": [True, "yes"],
    "boolean and empty text": [True, ""],
    "object and number": [{"x": 1}, 1],
    "object and text": [{"x": 1}, "x"],
    "object in a list and text": [[{"x": 1}], ["x"]],
    "decimal and a whole number that no double holds": [0.5, BIG],
    "below zero and beyond long": [-1, 2**64 - 1],
    "decimal and vector of another length than text": ["x", [0.5] * 200],
}


@pytest.mark.parametrize("name", CLASH)
def test_values_that_no_type_holds_stop_the_load_with_their_line(qlc: Command, tmp_path: Path, name: str) -> None:
    for order in (CLASH[name], CLASH[name][::-1]):
        file = write(tmp_path / "x.ndjson", [{"b": 1}, *[{"v": one} for one in order], {"b": 2}])
        ended = qlc("index", str(file), "--data", str(tmp_path / "d"))
        assert ended.code == 2, ended
        assert "'v'" in ended.err
        assert "line 3" in ended.err or "line 2" in ended.err, ended.err
        assert "--mapping" in ended.err
        assert "there is no index yet" in qlc("run", "--data", str(tmp_path / "d"), "count entries").err


def test_a_later_file_is_not_cut_to_the_type_of_an_earlier_one(qlc: Command, tmp_path: Path) -> None:
    at = ("--data", str(tmp_path / "d"), "--name", "x")
    assert qlc("index", str(write(tmp_path / "a.ndjson", [{"id": 1, "rating": 2}])), "--id", "id", *at).code == 0
    later = write(tmp_path / "b.ndjson", [{"id": 2, "rating": 3, "new": 1}, {"id": 3, "rating": 4.3, "new": 1.5}])
    for mapping in ((), ("--mapping", str(write(tmp_path / "m.json", [{"properties": {"more": {"type": "long"}}}])))):
        ended = qlc("index", str(later), "--id", "id", *at, *mapping)
        assert (ended.code, "line 2: 4.3 would be cut" in ended.err) == (2, True), ended
        assert count(qlc, tmp_path / "d", "x") == 1
        assert mapping_of(tmp_path / "d", "x").keys() == {"id", "rating"}
    assert qlc("index", str(later), "--id", "id", *at, "--fresh").code == 0
    types = mapping_of(tmp_path / "d", "x")
    assert (types["rating"]["type"], types["new"]["type"]) == ("double", "double")
    found = qlc("run", "--json", "--data", str(tmp_path / "d"), "--index", "x", "find entries where rating > 4").json
    assert found["ids"] == ["3"]


def test_a_file_that_stops_leaves_the_index_that_fresh_would_replace(qlc: Command, tmp_path: Path) -> None:
    at = ("--data", str(tmp_path / "d"), "--name", "x")
    assert qlc("index", str(write(tmp_path / "a.ndjson", [{"v": 2}])), *at).code == 0
    wrong = write(tmp_path / "b.ndjson", [{"v": 2}, {"v": "two"}])
    assert qlc("index", str(wrong), *at, "--fresh").code == 2
    assert count(qlc, tmp_path / "d", "x") == 1


@pytest.mark.parametrize("given", ["4.5", 4.5, [1, [4.5]]])
def test_a_mapping_of_whole_numbers_cuts_no_value(qlc: Command, tmp_path: Path, given: Any) -> None:
    mapping = write(tmp_path / "m.json", [{"properties": {"o": {"properties": {"n": {"type": "integer"}}}}}])
    at = ("--data", str(tmp_path / "d"), "--mapping", str(mapping))
    ended = qlc("index", str(write(tmp_path / "x.ndjson", [{"o": {"n": "4.0"}}, {"o.n": given}])), *at)
    assert (ended.code, "line 2" in ended.err) == (2, True), ended


def test_rules_of_a_mapping_choose_types_and_cut_nothing(qlc: Command, tmp_path: Path) -> None:
    texts = {"strings": {"match_mapping_type": "string", "mapping": {"type": "keyword"}}}
    numbers = {"numbers": {"match_mapping_type": "long", "mapping": {"type": "integer"}}}
    file = write(tmp_path / "x.ndjson", [{"n": 1, "t": "2024-01-05"}, {"n": 1.5, "t": "soon"}])
    mapping = write(tmp_path / "m.json", [{"dynamic_templates": [texts], "date_detection": False}])
    assert qlc("index", str(file), "--data", str(tmp_path / "d"), "--mapping", str(mapping)).code == 0
    types = mapping_of(tmp_path / "d", "x")
    assert (types["n"]["type"], types["t"]["type"]) == ("double", "keyword")
    mapping = write(tmp_path / "m.json", [{"dynamic_templates": [texts, numbers]}])
    ended = qlc("index", str(file), "--data", str(tmp_path / "e"), "--mapping", str(mapping))
    assert (ended.code, "line 2: 1.5" in ended.err) == (2, True), ended


def test_numbers_in_quotes_are_numbers_where_the_mapping_says_so(qlc: Command, tmp_path: Path) -> None:
    mapping = write(tmp_path / "m.json", [{"numeric_detection": True}])
    file = write(tmp_path / "x.ndjson", [{"n": "1"}, {"n": "1.5"}])
    assert qlc("index", str(file), "--data", str(tmp_path / "d"), "--mapping", str(mapping)).code == 0
    assert mapping_of(tmp_path / "d", "x")["n"]["type"] == "double"


def test_fields_that_are_not_dynamic_get_no_type(qlc: Command, tmp_path: Path) -> None:
    body = {"dynamic": False, "properties": {"open": {"type": "nested", "dynamic": True}, "off": {"enabled": False}}}
    mapping = write(tmp_path / "m.json", [body])
    line = {"x": 1.5, "off": {"x": 1.5}, "open": [{"x": 1}, {"x": 1.5, "y": {"z": 2.5}}]}
    file = write(tmp_path / "x.ndjson", [line])
    assert qlc("index", str(file), "--data", str(tmp_path / "d"), "--mapping", str(mapping)).code == 0
    types = mapping_of(tmp_path / "d", "x")
    assert types.keys() == {"open", "off"}
    assert types["open"]["type"] == "nested"
    assert types["open"]["properties"]["x"]["type"] == "double"
    assert types["open"]["properties"]["y"]["properties"]["z"]["type"] == "double"


def test_names_of_fields_that_are_values_are_bounded(qlc: Command, tmp_path: Path) -> None:
    file = write(tmp_path / "x.ndjson", [{f"k{n}": 1.5 for n in range(at, at + 3000)} for at in range(0, 12000, 3000)])
    ended = qlc("index", str(file), "--data", str(tmp_path / "d"))
    assert (ended.code, "line 4" in ended.err) == (2, True), ended
