"""Fields that an index keeps in another way than documents have them: refused, or answered with a note."""

from collections.abc import Iterator
from typing import Any

import pytest
from elasticsearch import helpers

from qlc.mapping.catalog import read_catalog
from qlc.outcome import AggregateOut, Count, Invalid, ValueOut
from qlc.pipeline.compiler import Compiler
from tests import engines
from tests.tables import rows, table

pytestmark = pytest.mark.skipif(engines.IS_OPENSEARCH, reason="OpenSearch has no flattened fields")
CATALOG = """{version: 1, index: unusual, entities: {entry: {plural: entries}},
fields: {code: {path: code, case: exact}}}"""


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    client = engines.open_client()
    client.indices.create(index="unusual", mappings={"properties": table(__file__, "MAPPING")})
    helpers.bulk(client, ({"_index": "unusual", "_source": one} for one in table(__file__, "DOCUMENTS")), refresh=True)
    with client:
        yield Compiler(client, read_catalog(CATALOG))


@pytest.mark.parametrize("case", rows(__file__, "CASES"), ids=lambda case: str(case[0]))
def test_each_is_exact_or_refused_or_told(compiler: Compiler, case: tuple[Any, ...]) -> None:
    program, wanted, *told = case
    outcome = compiler.run(program)
    if isinstance(outcome, Invalid):
        assert [one.code for one in outcome.diagnostics] == [wanted]
    elif isinstance(outcome, AggregateOut):
        assert {row.key: row.value for row in outcome.rows} == wanted
        assert ("an empty text" in outcome.message) == ("" in wanted)
    else:
        assert isinstance(outcome, Count | ValueOut)
        assert outcome.value == wanted
    assert len(outcome.notes) == len(told), outcome.notes
    assert all(part in note for part, note in zip(told, outcome.notes, strict=True))
