"""The lines of a bulk request that say what is to be done: those of the usual form are read as any other."""

from __future__ import annotations

import json

import pytest

from qlc_engine.rest.document_routes import action_of, usual_action


@pytest.mark.parametrize(
    "line",
    [
        '{"index":{"_id":"e1","_index":"i-1.b"}}',
        '{"create":{"_index":"i","_id":" //*[x]~!$&\'"}}',
        '{"index":{"_id":"1"}}',
    ],
)
def test_the_usual_form_says_what_its_json_says(line: str) -> None:
    assert usual_action(line.encode()) == action_of(line.encode(), 1)


@pytest.mark.parametrize(
    "line",
    [
        '{"index":{"_id":"a\\"b","_index":"i"}}',
        '{"index":{"_id":"é","_index":"i"}}',
        '{"index":{"_index":"i","_id":"1","_index":"j"}}',
        '{"index":{"_id":1,"_index":"i"}}',
        '{"index":{"_id":"1","_index":"i","op_type":"create"}}',
        '{"index":{"_id":"1","_index":"i"}} ',
        '{"delete":{"_id":"1","_index":"i"}}',
        json.dumps({"index": {"_id": "1"}}),
        '{"index":{"_id":""}}',
    ],
)
def test_other_forms_are_read_as_json(line: str) -> None:
    assert usual_action(line.encode()) is None
