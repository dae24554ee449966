"""Bulk requests: their lines and their answer are the same JSON, whichever way they are read and made."""

import json
from typing import Any

import pytest

from qlc_engine.json_output import dump_json
from qlc_engine.rest.bulk_answer import BulkAnswer, item_text
from qlc_engine.rest.document_routes import action_of, usual_action
from tests.engine.asked import Asked
from tests.tables import rows

_ITEM: dict[str, Any] = {
    "_index": "i", "_id": "1", "_version": 3, "result": "updated",
    "_shards": {"total": 2, "successful": 1, "failed": 0}, "_seq_no": 7, "_primary_term": 1, "status": 200,
}  # fmt: skip


@pytest.mark.parametrize(
    "item",
    [
        _ITEM,
        {**_ITEM, "_id": 'a"b\\\n\x00é\u2028\U0001f600\ud800', "_index": "größe"},
        {**_ITEM, "forced_refresh": True},
        {"_index": "i", "_id": None, "error": {"type": "x", "reason": "y"}, "status": 400},
    ],
)
def test_an_item_is_written_as_any_other_json(item: dict[str, Any]) -> None:
    assert item_text("index", item).encode("utf-8", "surrogatepass") == dump_json({"index": item})


def test_items_can_be_filtered_and_are_whole_otherwise(asked: Asked) -> None:
    lines = [{"index": {"_id": "1"}}, {"n": 1}, {"delete": {"_id": "2"}}]
    whole = asked.ok("POST", "/i/_bulk", lines)
    assert [next(iter(item)) for item in whole["items"]] == ["index", "delete"]
    assert not whole["errors"]
    filtered = asked.ok("POST", "/i/_bulk?filter_path=items.*.status", lines)
    assert filtered == {"items": [{"index": {"status": 200}}, {"delete": {"status": 404}}]}


def test_a_bulk_answer_is_one_json_document() -> None:
    answer = BulkAnswer(as_text=True)
    for action in ("index", "create"):
        answer.add(action, _ITEM)
    parsed = json.loads(dump_json(answer.body(errors=False, took=3)))
    assert parsed == {"errors": False, "took": 3, "items": [{"index": _ITEM}, {"create": _ITEM}]}


@pytest.mark.parametrize(("line", "is_usual"), rows(__file__, "test_a_line_of_the_usual_form_says_what_its_json_says"))
def test_a_line_of_the_usual_form_says_what_its_json_says(line: str, is_usual: bool) -> None:
    found = action_of(line.encode(), 1)
    assert found[1] == next(iter(json.loads(line).values()))
    assert usual_action(line.encode()) == (found if is_usual else None)
