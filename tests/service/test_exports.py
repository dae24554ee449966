"""Exports over HTTP: with the shown columns, or with every field that the caller may see."""

import pytest
from starlette.testclient import TestClient

PROGRAM = 'find documents where type = "W2" sort created limit 3 show name'
PASTED = '{"query": {"match_all": {}}, "size": 3, "_source": ["commonAttributes.name"]}'


@pytest.mark.parametrize("text", [PROGRAM, "the W2s of Dana Whitfield", PASTED])
def test_a_list_has_every_field_where_that_is_asked_for(http: TestClient, text: str) -> None:
    sent = [http.post("/v1/export.csv", json={"text": text, "all_columns": one}) for one in (False, True)]
    heads = [one.raise_for_status().text.splitlines()[0].split(",") for one in sent]
    assert set(heads[0]) <= set(heads[1])
    assert text == PASTED or len(heads[1]) > 50 > len(heads[0])
