"""Catalog and mapping from `Document` classes of `elasticsearch.dsl`, without a server."""

import sys
from pathlib import Path

import pytest
from elasticsearch.dsl import AsyncDocument, Date, Document, Float, Integer, Keyword, Nested, Text

import qlc
from qlc.cli.main import main
from qlc.mapping.documents import catalog_text, documents_of
from tests import engines
from tests.tables import table

SHOP = table(__file__, "SHOP")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = "shop_" + tmp_path.name.replace("-", "_")
    (tmp_path / f"{name}.py").write_text(SHOP, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield name  # type: ignore[misc]
    sys.modules.pop(name, None)


def test_programs_are_checked_against_the_classes_without_a_server(shop: str) -> None:
    documents = documents_of(shop)
    compiler = qlc.Compiler(None, qlc.catalog_of(*documents), mapping=qlc.mappings_of(*documents))
    right = 'find orders where lines[sku = "x" and quantity > 2] and placed_on in last year and total > 10'
    assert compiler.diagnose(right).diagnostics == ()
    assert [one.code for one in compiler.diagnose("find orders where totl > 10").diagnostics] == ["unknown-field"]
    assert [one.code for one in compiler.diagnose('find orders where total > "x"').diagnostics] == ["wrong-type"]
    query = compiler.query("find orders where total > 10").to_dict()
    assert query == {"bool": {"filter": [{"range": {"total": {"gt": 10}}}]}}


def test_a_field_called_after_the_id_of_another_class_refers_to_it(shop: str) -> None:
    text = catalog_text(*documents_of(shop))
    assert "refers_to: customer  # ? its name" in text
    assert "documents" not in text.splitlines()[0].partition("drafted")[2]


def test_the_catalog_finds_what_the_classes_stored(shop: str) -> None:
    client = engines.open_client()
    customer, order = sorted(documents_of(shop), key=lambda one: one.__name__)
    for one in (customer, order):
        one.init(using=client)
    customer(meta={"id": "c1"}, id="c1", name="Ada").save(using=client, refresh=True)
    order(meta={"id": "o1"}, order_id="o1", customer_id="c1", total=12.5).save(using=client, refresh=True)
    order(meta={"id": "o2"}, order_id="o2", customer_id="c2", total=99).save(using=client, refresh=True)
    compiler = qlc.Compiler(client, qlc.catalog_of(customer, order))
    found = compiler.run('find orders where customer = "Ada"')
    assert found.ids == ["o1"]


class Bare(Document):
    a = Keyword()


class Reading(AsyncDocument):
    taken = Date()
    value = Float()
    unit = Keyword()
    notes = Text()
    parts = Nested(properties={"count": Integer()})

    class Index:
        name = "readings"


class Same(Document):
    class Index:
        name = "readings"


def test_asynchronous_classes_give_the_same() -> None:
    assert "reading:" in catalog_text(Reading)
    assert list(qlc.mappings_of(Reading)) == ["readings"]


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ((), "at least one Document"),
        ((Bare,), "class Index: name"),
        ((int,), "not a Document class"),
        ((Reading, Same), "two classes have the index 'readings'"),
    ],
)
def test_what_is_no_class_with_an_index_of_its_own_is_refused_in_words(documents: tuple[type, ...], said: str) -> None:
    with pytest.raises(qlc.UsageError, match=said):
        qlc.catalog_of(*documents)


def test_the_command_drafts_from_a_module(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "draft", "--documents", shop]) == 0
    assert "  order:" in capsys.readouterr().out
    assert main(["catalog", "draft", "--documents", "no_such_module_here"]) == 2
    assert "cannot be imported" in capsys.readouterr().err
    assert main(["catalog", "draft", "orders", "--documents", shop]) == 2
