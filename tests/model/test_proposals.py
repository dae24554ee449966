"""Proposals of a model for a drafted catalog are kept if they hold in the index; sensitive fields get none."""

import json
import time
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from qlc.compiler.catalog_check import check_catalog
from qlc.mapping.catalog import read_catalog
from qlc.mapping.catalog_model import CatalogFile
from qlc.mapping.draft import draft_catalog
from qlc.mapping.index_mapping import fetch_mapping
from qlc.models.anthropic_model import AnthropicModel
from qlc.store.clients import connect
from qlc.translator.model.proposals import request_for, with_proposals
from tests.tables import table

from .messages_api import message, serving, uses

pytestmark = pytest.mark.usefixtures("loopback_allowed")
KEYWORD, DATE = {"type": "keyword"}, {"type": "date"}
GIVEN: dict[str, Any] = table(__file__, "GIVEN")


@pytest.fixture
def client() -> Elasticsearch:
    made = connect(":memory:")
    fields: dict[str, Any] = {
        "book": KEYWORD, "reader": KEYWORD, "salary": KEYWORD, "email": KEYWORD, "due": DATE, "returned": DATE,
        "reminder": {"properties": {"posted": DATE}},
    }  # fmt: skip
    made.indices.create(index="loans", mappings={"properties": fields})
    for n in range(30):
        one = {"book": f"Book {n}", "reader": f"A reader {n}", "salary": "secret-pay", "email": f"r{n}@x.org"}
        out = {} if n % 3 else {"returned": "2024-05-02", "reminder": {"posted": "2024-05-02"}}
        made.index(index="loans", document=one | out | {"due": "2024-05-01"})
    made.indices.refresh(index="loans")
    return made


def proposed(client: Elasticsearch, given: Any) -> tuple[str, CatalogFile]:
    with serving(uses("propose", given)) as server:
        model = AnthropicModel("test-model", api_key="k", base_url=server.url)
        text = with_proposals(client, draft_catalog(client, "loans"), model, time.monotonic() + 30)
        model.close()
    catalog = read_catalog(text)
    assert check_catalog(catalog, fetch_mapping(client, "loans")) == []
    return text, catalog.file


def test_what_holds_is_kept_and_marked(client: Elasticsearch) -> None:
    text, file = proposed(client, GIVEN)
    loan = file.entities["loan"]
    assert (loan.words, loan.description) == (("borrowing", "borrowings"), "A book that is out")
    assert file.fields["reader"].words == ("borrower", "lent to")
    assert (file.fields["due"].words, file.fields["due"].description) == (("deadline",), "When it has to be back")
    assert file.fields["returned"].words == ()
    assert file.fields["salary"].words == ()
    assert {name: one.means for name, one in loan.conditions.items()} == {
        "reminder": "posted exists", "outstanding": "returned missing"}  # fmt: skip
    assert [one.query for one in file.examples] == ["find loans where outstanding"]
    assert text.count("# ? proposed by test-model") == 7


def test_sensitive_fields_and_private_values_are_not_sent(client: Elasticsearch) -> None:
    text = draft_catalog(client, "loans")
    assert "sensitive: true  # ? called salary" in text
    sent = json.dumps(request_for(client, text).body())
    assert "A reader 1" in sent
    assert [one for one in ("salary", "secret-pay", "@x.org") if one in sent] == []


def test_a_reply_that_does_not_fit_is_sent_back_once(client: Elasticsearch) -> None:
    wrong = {**GIVEN, "examples": [{"words": "loans that are still out", "query": 5}]}
    with serving(uses("propose", wrong), uses("propose", GIVEN)) as server:
        model = AnthropicModel("test-model", api_key="k", base_url=server.url)
        text = with_proposals(client, draft_catalog(client, "loans"), model, time.monotonic() + 30)
        model.close()
    assert "of propose is wrong at $.examples[0].query: 5 is not of type 'string'" in json.dumps(server.requests[1])
    assert text == proposed(client, GIVEN)[0]


@pytest.mark.parametrize("given", [{}, {"entities": 3, "fields": [4], "conditions": [{}], "examples": None}, "text"])
def test_a_reply_of_another_form_changes_nothing(client: Elasticsearch, given: Any) -> None:
    text, _ = proposed(client, given)
    assert text == draft_catalog(client, "loans")


def test_a_reply_without_the_tool_changes_nothing(client: Elasticsearch) -> None:
    with serving(message([{"type": "text", "text": "no"}], stop="end_turn")) as server:
        model = AnthropicModel("test-model", api_key="k", base_url=server.url)
        text = draft_catalog(client, "loans")
        assert with_proposals(client, text, model, time.monotonic() + 30) == text
        model.close()
