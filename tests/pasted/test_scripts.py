"""Scripts: those that qlc makes are read back to the same answers, all others are refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from qlc import Compiler
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Explain, Hits, Outcome, RejectedQuery
from qlc.pasted.entry import run_pasted
from tests import engines
from tests.pairs import Case, read_cases
from tests.pasted.test_round_trip import Sent
from tests.small_worlds import catalog_of, compiler_of
from tests.tables import table

NOW = "2026-03-15T12:00:00Z"
PROGRAMS = [
    case
    for case in read_cases(Path(__file__).parents[1] / "pipeline" / "outcomes" / "arithmetic.qlc")
    if case.world == "shop" and case.source.startswith(("find", "let"))
]
PROGRAMS += [
    Case("", f"find sales where {one} sort id", "shop")
    for one in (
        "price * 2 * (1 - discount) > 20", "weight > 500 g + parcel", "weight - parcel in [1 kg, 1100 g]",
        "shipped - ordered in [1 day, 2 days]", "-(price - cost) > 3", "(now - ordered) / quantity > 1",
        "(due - 2026-01-01) / quantity > 1", "ordered + (shipped - ordered) > 2026-01-01",
        "ordered + (shipped - ordered) * 2 < 2026-02-03T10:00:00Z", "ordered - 1 week > shipped - 10 days",
        "shipped - ordered > due - ordered", "length(name) * 2 = size(tags) + 7", "quantity * (quantity + 2) in [15, 8]",
        "not lines[amount * each = 10] or quantity * price not between 3 and 30", "quantity * price > 1e20",
        "round(price / 3) = round(cost / 2)", "price * 50% > cost",
    )
]  # fmt: skip
pytestmark = pytest.mark.skipif(engines.IS_ELASTICSEARCH, reason="the built servers of Elasticsearch have no Painless")


@pytest.fixture
def shop() -> Compiler:
    return compiler_of("shop")


def emitted(compiler: Compiler, case: Case, monkeypatch: pytest.MonkeyPatch) -> tuple[Outcome, dict[str, Any]]:
    """The outcome of a program, and its query and its order as they were sent."""
    with monkeypatch.context() as patched:
        sent = Sent(patched)
        found = compiler.run(case.source, **{"now": NOW, **case.options})
    body = next((one for one in reversed(sent.bodies) if "_source" in one), {})
    return found, {name: body[name] for name in ("query", "sort") if name in body}


def pasted(compiler: Compiler, body: dict[str, Any], before: str = "", **options: Any) -> Outcome:
    options = {"now": NOW, **options}
    options.pop("params", None)
    (found,) = run_pasted(before + json.dumps(body), compiler, **options)
    return found


def script_count(body: dict[str, Any]) -> int:
    return json.dumps(body).count('"painless"')


def test_each_program_with_a_script_is_translated_back(shop: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    translated = 0
    for case in PROGRAMS:
        first, body = emitted(shop, case, monkeypatch)
        if not isinstance(first, Hits) or not script_count(body):
            continue
        again = pasted(shop, body, **case.options)
        assert isinstance(again, Hits), (case.source, again)
        assert (again.ids[: len(first.ids)], again.query != "") == (first.ids, " where " in case.source), case.source
        explained = pasted(shop, body, "explain ", **case.options)
        assert isinstance(explained, Explain)
        assert "In the query language: " in explained.message, (case.source, explained.message, explained.notes)
        back = shop.run(explained.query, **{"now": NOW, **case.options})
        assert isinstance(back, Hits), (case.source, explained.query)
        assert back.ids[: len(first.ids)] == first.ids, (case.source, explained.query)
        translated += 1
    assert translated > 40


SCRIPT = table(__file__, "SCRIPT")
ORDER = table(__file__, "ORDER")
SECRET = json.loads(json.dumps(SCRIPT).replace("'price'", "'secret'"))


def asked(script: Any = SCRIPT, **more: Any) -> dict[str, Any]:
    return {"query": {"bool": {"filter": [{"script": {"script": script, **more}}]}}}


def test_scripts_of_qlc_run_wherever_a_query_stands(shop: Compiler) -> None:
    inner = asked()["query"]["bool"]["filter"][0]
    for query, ids in (
        (inner, ["s2", "s4"]),
        ({"bool": {"must": [inner]}}, ["s2", "s4"]),
        ({"bool": {"must_not": [inner]}}, ["s1", "s3", "s5"]),
        ({"bool": {"should": [inner, {"term": {"name": "rug"}}]}}, ["s2", "s4", "s5"]),
    ):
        found = pasted(shop, {"query": query, "sort": ["id"]})
        assert isinstance(found, Hits)
        assert found.ids == ids
        assert shop.run(found.query, now=NOW).ids == ids  # type: ignore[union-attr]
    whole = {**SCRIPT, "params": {"c0": 1e-14, "c1": 100}}  # as a console writes a double
    assert pasted(shop, asked(whole)).total == 2  # type: ignore[union-attr]
    assert pasted(shop, {"sort": [{"_script": ORDER}]}).ids[0] == "s4"  # type: ignore[union-attr]


def test_an_explanation_has_the_calculation(shop: Compiler) -> None:
    found = pasted(shop, {**asked(), "sort": [{"_script": ORDER}]}, "explain ")
    assert found.message == (
        "This finds sales where quantity * price > 100. They are sorted by quantity * price, largest first; the first "
        "10 are shown. It was not run. In the query language: "
        "find sales where quantity * price > 100 sort quantity * price desc"
    )


def test_nothing_else_is_run(shop: Compiler) -> None:
    source = SCRIPT["source"]
    assert isinstance(source, str)
    assert pasted(shop, asked()).kind == "hits"
    changed = [source[:at] + sign + source[at + 1 :] for at, old in enumerate(source) for sign in "x;)" if sign != old]
    changed += [
        source + " ", source.replace("double s", "for (;;) {} double s"), source.replace("return x", "return true || x"),
        source.replace(".value", ".get(0)"), source.replace("params.c1", "params.c2"), "return true;", "", "(" * 4_000,
        source.replace("((double)", "(" * 900 + "(double)"), source.replace("Math.abs", "Math.sqrt"),
        source.replace("(double) doc['price'].value)", "(double) doc['price'].value.toInstant().toEpochMilli())"),
    ]  # fmt: skip
    scripts: list[Any] = [{**SCRIPT, "source": one} for one in changed]
    for params in ({}, {"c0": 1e-14}, {"c0": 1e-14, "c1": "100"}, {"c0": 1e-14, "c1": True}, {"c0": 1e-14, "c1": None},
                   {"c0": 1e-13, "c1": 100.0}, {"c0": 1e-14, "c1": 100.0, "c2": 1}, [], "c0"):  # fmt: skip
        scripts += [{**SCRIPT, "params": params}]
    rounds = "(double) doc['price'].value"
    for _ in range(30):
        rounds = f"(Math.signum({rounds}) * Math.floor(Math.abs(params.c1) * params.c1 * params.c1 + params.c1) / params.c1)"
    scripts += [{**SCRIPT, "source": f"double x = {rounds}; return x > params.c1;"}]
    scripts += [{**SCRIPT, "lang": "expression"}, {**SCRIPT, "id": "stored"}, source, {"source": source}, {}, None]
    scripts.append(json.loads(json.dumps(SCRIPT).replace("'price'", "'missing'")))
    for script in scripts:
        refused(pasted(shop, asked(script)))
    refused(pasted(shop, asked(boost=2)))
    refused(pasted(shop, {"query": {"range": {"price": {"gte": 1, "script": {"script": SCRIPT}}}}}))
    refused(pasted(shop, {"query": {"nested": {"path": "lines", "query": {"script": {"script": SCRIPT}}}}}))
    for key, value in (("type", "string"), ("order", "asc"), ("mode", "max"), ("script", SCRIPT)):
        refused(pasted(shop, {"sort": [{"_script": {**ORDER, key: value}}]}))
    refused(pasted(shop, {"query": {"bool": {"filter": [{"script": {"script": SCRIPT}}] * 21}}}))
    refused(pasted(shop, {"query": {"match_all": {}}, "script_fields": {"a": {"script": {"script": SCRIPT}}}}))


def refused(found: Outcome) -> None:
    assert isinstance(found, RejectedQuery), found
    assert "pasted-script" in {one.code for one in found.diagnostics}
    assert not found.query


def test_a_field_that_the_caller_may_not_see_is_not_calculated_with(shop: Compiler) -> None:
    refused(pasted(shop, asked(SECRET)))
    order = json.loads(json.dumps(ORDER).replace("'price'", "'secret'"))
    refused(pasted(shop, {"sort": [{"_script": order}]}))


def test_a_caller_who_may_see_a_field_calculates_with_it(shop: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    context = {"sensitive": ["secret"]}
    case = Case("", "find sales where quantity * secret > 2 sort id", "shop", {"context": context})
    first, body = emitted(shop, case, monkeypatch)
    assert script_count(body) == 1
    refused(pasted(shop, body))
    found = pasted(shop, body, context=context)
    assert isinstance(found, Hits)
    assert isinstance(first, Hits)
    assert found.ids == first.ids


def test_scripts_run_for_as_many_documents_as_programs(shop: Compiler) -> None:
    described = catalog_of("shop")
    bounded = Compiler(shop.client, read_catalog(f"{described}bounds: {{scripts: 3}}\n"))
    program, found = bounded.run("find sales where quantity * price > 100", now=NOW), pasted(bounded, asked())
    assert (found.kind, found.message) == (program.kind, program.message)
    assert "more than 3 sales" in found.message
    narrow = asked()
    narrow["query"]["bool"]["filter"].append({"term": {"city": "Oslo"}})
    assert pasted(bounded, narrow).ids == ["s2"]  # type: ignore[union-attr]


def test_divisions_by_zero_are_noted(shop: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case("", "find sales where price / (quantity - 2) > 1 sort id", "shop")
    first, body = emitted(shop, case, monkeypatch)
    found = pasted(shop, body)
    assert first.notes
    assert set(first.notes) <= set(found.notes)
