"""Computed fields and measures of a catalog: a name means what its calculation means, and is as confidential."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from qlc import Asker
from qlc.agents.describing import describe
from qlc.compiler.completion import complete
from qlc.outcome import Explain, Hits, Outcome
from qlc.service.catalog import described
from tests.small_worlds import compiler_of

NOW = "2026-03-15T12:00:00Z"
FIELDS = {
    "margin": "((price - cost) / price)", "amount": "(quantity * price)", "line": "(lines.amount * lines.each)",
    "kept": "((price - cost) / price * quantity * price)",
}  # fmt: skip
OF_FIELDS = (
    "count sales where {} > {n}", "count sales where {} <= {n}", "count sales where not {} * 2 >= {n}",
    "count sales where {n} / {} > 1", "count sales where {} - {} = 0", "avg({}), max({}) of sales by city",
    "median({}) of sales", "count sales by step({}, 0.5)", "count sales by bins({}, {n}, 1000)",
    "count sales where abs({}) > {n} or round({}, 1) = 0.3",
)  # fmt: skip
OF_DOCUMENTS = ("find all sales sort {} desc show id", "find sales where {} <= {n} sort id show id")
MEASURES = {
    "revenue": "sum(quantity * price)", "left_over": "(sum(quantity * price) - sum(cost))",
    "rate": "((sum(quantity * price) - sum(cost)) / sum(quantity * price))",
}  # fmt: skip
OF_MEASURES = (
    "(1 * {}) as x of sales by city", "({} / count) as x of sales", "count sales by city having {} > {n}",
    "count sales by city having {} * 2 > {n} sort {} desc", "({} - {} * 2) as x of sales by city sort x",
)  # fmt: skip


SAID_OTHERWISE = {"query", "stats", "message", "notes", "units", "groups", "measures", "fields", "labels"}


def data(outcome: Outcome) -> Any:
    """Return the parts of an outcome that do not depend on the names of columns."""
    said = outcome.model_dump(mode="json", exclude=SAID_OTHERWISE)
    if isinstance(outcome, Hits):
        return [(hit.id, hit.values.get("id")) for hit in outcome.hits]
    values = said.get("value")
    said["value"] = list(values.values()) if isinstance(values, dict) else values
    for row in said.get("rows", ()):
        row["value"] = list(row["value"].values()) if isinstance(row["value"], dict) else row["value"]
    return said


@given(
    st.sampled_from([
        *((one, FIELDS, ()) for one in OF_FIELDS), *((one, FIELDS, ("line",)) for one in OF_DOCUMENTS),
        *((one, MEASURES, ()) for one in OF_MEASURES),
    ]),
    st.data(), st.sampled_from([0.1, 0.35, 20, 100]),
)  # fmt: skip
def test_a_name_is_its_calculation_in_brackets(form: Any, drawn: st.DataObject, number: float) -> None:
    template, names, without = form
    name = drawn.draw(st.sampled_from(sorted(set(names).difference(without))))
    compiler = compiler_of("store")
    n = str(number)
    by_name = compiler.run(template.replace("{n}", n).replace("{}", name), now=NOW)
    written = compiler.run(template.replace("{n}", n).replace("{}", names[name]), now=NOW)
    assert by_name.kind not in ("invalid", "failed"), by_name.diagnostics
    assert data(by_name) == data(written)


def test_nothing_shows_what_is_calculated_from_a_confidential_field() -> None:
    compiler = compiler_of("store")
    told = [
        described(compiler.schema).model_dump_json(), str(describe("catalog", "", None, compiler, {})),
        str(describe("sale", "", None, compiler, {})),
        *(one.text for text in ("", "find sales where ", "count sales by city sort ", "avg(")
          for one in complete(text, len(text), compiler.schema).candidates),
        *(Asker(compiler).ask(words, now=NOW).model_dump_json(exclude={"query"})
          for words in ("which fields do sales have?", "what can I ask?")),
        compiler.run("find sales limit 1", all_columns=True).model_dump_json(),
    ]  # fmt: skip
    assert "margin" in told[0]
    assert "revenue" in told[1]
    assert [one for one in told if "hidden" in one or "secrets" in one] == []


def test_words_reach_computed_fields_and_measures() -> None:
    asker = Asker(compiler_of("store"))
    asked = {
        "average profitability per city": "avg(margin) of sales by city",
        "total amount by city": "sum(amount) of sales by city",
        "turnover per city": "revenue of sales by city",
        "which city has the highest revenue?": "revenue of sales by city sort revenue desc limit 1",
        "rate by city": "rate of sales by city",
    }
    assert {words: getattr(asker.ask(words, now=NOW), "query", None) for words in asked} == asked
    assert [asker.ask(words, now=NOW).kind for words in ("total rate by city", "average revenue")] == ["declined"] * 2
    explained = asker.ask("what does turnover mean?", now=NOW)
    assert isinstance(explained, Explain)
    assert "sum(quantity * price)" in explained.message


def test_words_that_parse_are_a_program_only_if_the_catalog_has_the_measure() -> None:
    asker = Asker(compiler_of("store"))
    assert asker.ask("revenue of sales", now=NOW).kind == "value"
    assert asker.ask("price of sales", now=NOW).kind == "declined"
    assert asker.ask("price of sales", read_as="program", now=NOW).kind == "invalid"
