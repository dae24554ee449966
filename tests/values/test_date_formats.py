"""Dates that an index stores in a format of its own: shown, taken and compared as the days that they are."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from elasticsearch import Elasticsearch, helpers

from qlc.pipeline.compiler import Compiler
from tests import engines
from tests.tables import table

DAY = datetime(2024, 3, 5, tzinfo=UTC)
SECONDS = int(DAY.timestamp())
FORMATS = table(__file__, "FORMATS")
AS_ISO = {
    None: ["2024-03-05", DAY.isoformat(), SECONDS * 1000, str(SECONDS * 1000)],
    "strict_date_optional_time||epoch_millis": ["2024-03-05T00:00:00Z"],
}
CASES = [*FORMATS.items(), *((form, one) for form, ones in AS_ISO.items() for one in ones)]


@pytest.fixture
def stored(client: Elasticsearch) -> Iterator[Any]:
    def put(properties: dict[str, Any], *documents: dict[str, Any]) -> Compiler:
        client.indices.create(index="dated", mappings={"properties": {"n": {"type": "keyword"}, **properties}})
        helpers.bulk(client, ({"_index": "dated", "_source": one} for one in documents), refresh=True)
        return Compiler(client, index="dated")

    client.options(ignore_status=404).indices.delete(index="dated")
    yield put
    client.options(ignore_status=404).indices.delete(index="dated")


def date_type(form: str | None, **more: Any) -> dict[str, Any]:
    return {"type": "date", **({"format": form} if form else {}), **more}


@pytest.mark.parametrize(("form", "value"), CASES)
def test_a_stored_date_is_the_day_that_its_format_says(stored: Any, form: str | None, value: Any) -> None:
    compiler = stored({"o": {"properties": {"s": date_type(form)}}}, {"n": "a", "o": {"s": value}}, {"n": "b"})
    shown = compiler.run('find entries where n = "a" show o.s')
    assert shown.hits[0].values["o.s"] == "2024-03-05T00:00:00Z"
    got = compiler.run('get (find entries where n = "a" limit 1).o.s')
    assert got.value == "2024-03-05T00:00:00Z"
    taken = compiler.run('find entries where o.s = (find entries where n = "a" limit 1).o.s')
    assert taken.total == 1
    found = compiler.run('count entries where o.s in (find entries where n = "a" limit 5).o.s and o.s = 2024-03-05')
    assert found.value == 1


def test_lists_nested_lists_and_dotted_keys_keep_their_order(stored: Any) -> None:
    properties = {
        "days": date_type("dd.MM.yyyy"),
        "legs": {"type": "nested", "properties": {"at": date_type("epoch_second"), "to": {"type": "keyword"}}},
        "o": {"properties": {"s": date_type("epoch_second")}},
    }
    compiler = stored(properties, {
        "n": "a",
        "days": ["07.03.2024", None, "05.03.2024"],
        "legs": [{"to": "x"}, {"at": SECONDS, "to": "y"}, {"at": [SECONDS + 60, SECONDS], "to": "z"}],
        "o.s": SECONDS,
    })  # fmt: skip
    shown = compiler.run('find entries where n = "a" show days, legs, o.s')
    values = shown.hits[0].values
    assert values["days"] == ["2024-03-07T00:00:00Z", "2024-03-05T00:00:00Z"]
    assert values["legs"] == [
        {"to": "x"},
        {"at": "2024-03-05T00:00:00Z", "to": "y"},
        {"at": ["2024-03-05T00:01:00Z", "2024-03-05T00:00:00Z"], "to": "z"},
    ]
    assert values["o.s"] == "2024-03-05T00:00:00Z"


@pytest.mark.skipif(engines.IS_OPENSEARCH, reason="OpenSearch shows no date of a list with a malformed one")
def test_a_malformed_date_is_no_date(stored: Any) -> None:
    compiler = stored({"s": date_type("epoch_second", ignore_malformed=True)}, {"n": "a", "s": ["soon", SECONDS]},
                      {"n": "b", "s": "later"})  # fmt: skip
    shown = compiler.run('find entries where n = "a" or n = "b" show n, s')
    assert {hit.values["n"]: hit.values.get("s") for hit in shown.hits} == {"a": "2024-03-05T00:00:00Z", "b": None}


def test_indices_may_store_a_date_in_formats_of_their_own(client: Elasticsearch) -> None:
    formats = {"dated-1": (None, "2024-03-05"), "dated-2": ("dd.MM.yyyy", "05.03.2024")}
    for index, (form, value) in formats.items():
        client.options(ignore_status=404).indices.delete(index=index)
        client.indices.create(index=index, mappings={"properties": {"s": date_type(form)}})
        client.index(index=index, document={"s": value}, refresh=True)
    try:
        shown = Compiler(client, index="dated-*").run("find entries where s exists show s")
        assert [hit.values["s"] for hit in shown.hits] == ["2024-03-05T00:00:00Z"] * 2
    finally:
        for index in formats:
            client.indices.delete(index=index)


def test_what_is_asked_about_tells_the_day(client: Elasticsearch, stored: Any) -> None:
    from qlc.mapping.catalog import read_catalog

    stored({"s": date_type("epoch_second")}, {"n": "a", "s": SECONDS}, {"n": "a", "s": SECONDS + 86_400})
    catalog = read_catalog("version: 1\nindex: dated\nentities: {task: {names: [n], tell_apart: [s]}}\n"
                           "fields: {n: n, s: s}\n")  # fmt: skip
    asked = Compiler(client, catalog).run('get task("a").s')
    assert [("2024-03-05" in o.label, "2024-03-06" in o.label) for o in asked.options] == [(True, False), (False, True)]


@pytest.mark.parametrize(
    ("value", "moment"),
    [("2024", "2024-01-01"), ("2024-03", "2024-03-01"), ("20240305", "1970-01-01T05:37:20.305"), ("-1", None)],
)
def test_a_shortened_date_begins_where_it_does_in_the_index(stored: Any, value: str, moment: str | None) -> None:
    compiler = stored({"s": date_type(None)}, {"n": "a", "s": value})
    taken = compiler.run('find entries where s = (find entries where n = "a" limit 1).s show s')
    begin = datetime.fromisoformat(moment or "1969-12-31T23:59:59.999").replace(tzinfo=UTC)
    assert taken.hits[0].values["s"] in (begin.isoformat().replace("+00:00", "Z"),
                                         begin.isoformat(timespec="milliseconds").replace("+00:00", "Z"))  # fmt: skip
