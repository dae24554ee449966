"""Words of fields and names of conditions that are values too are warned of."""

from __future__ import annotations

import pytest

from qlc.mapping.catalog import read_catalog
from qlc.mapping.check import check_catalog
from qlc.mapping.index_mapping import read_mapping

KEYWORD = {"type": "keyword"}
MAPPING = read_mapping({"mappings": {"properties": {"state": KEYWORD, "payer": KEYWORD, "due": {"type": "date"}}}}, "n")


def told(
    payer: str = "payer", condition: str = "", state: str = "{path: state, values: {late: [tardy], paid: []}}"
) -> list[str]:
    conditions = f"{{conditions: {{{condition}}}}}" if condition else "{}"
    fields = f"{{state: {state}, payer: {payer}, due: due}}"
    text = f"version: 1\nindex: n\nentities: {{bill: {conditions}}}\nfields: {fields}\n"
    found = check_catalog(read_catalog(text), MAPPING)
    assert all(one.severity == "warning" and one.hint for one in found)
    return [one.message for one in found]


def test_a_word_of_a_field_that_is_a_value_of_another() -> None:
    assert told("{path: payer, words: [Tardy]}") == [
        "'Tardy' stands for the field 'payer' and for 'late' of the field 'state'"
    ]


def test_a_condition_called_as_a_value() -> None:
    assert told(condition="late: due < today") == ["the condition 'late' is called as 'late' of the field 'state' is"]


@pytest.mark.parametrize(
    "parts",
    [
        {"condition": 'late: due < today and state = "late"'},
        {"condition": "overdue: due < today"},
        {"payer": "{path: payer, words: [client]}"},
        {"state": "{path: state, words: [late], values: [late, paid]}"},
    ],
)
def test_what_means_the_same_thing_is_no_clash(parts: dict[str, str]) -> None:
    assert told(**parts) == []


def test_the_name_of_a_field_may_be_a_value() -> None:
    assert told(state="{path: state, values: [payer, due]}") == []
