"""Names that a draft makes of an index and its fields: whatever these are, the catalog loads and can be asked."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import qlc
from qlc.compiler.catalog_check import check_catalog
from qlc.grammar.tree import RESERVED
from qlc.mapping.catalog import read_catalog
from qlc.mapping.draft import draft_catalog
from qlc.mapping.index_mapping import fetch_mapping
from tests.mapping.double import index_of

WORDS = st.sampled_from(sorted(RESERVED | {"find", "count", "where", "by", "sort", "limit", "show", "id", "entry"}))
"""Words of the language, reserved and not."""
NAMES = st.one_of(
    WORDS,
    WORDS.map(str.upper),
    WORDS.map("{}_id".format),
    st.sampled_from(["name", "title", "label"]),  # whatever their type
    st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters=".*,#"), min_size=1, max_size=12).filter(
        lambda name: name.strip() == name and not name.startswith("_")
    ),
)
TYPES = st.sampled_from(["keyword", "long", "date", "boolean"])
VALUES: dict[str, list[Any]] = {
    "keyword": ["a", "b"], "long": [1, 2], "date": ["2024-01-01", "2025-02-03"], "boolean": [True, False],
}  # fmt: skip


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(NAMES, TYPES, min_size=1, max_size=5), st.sampled_from(["things", "limits", "last", "nots"]))
def test_a_draft_of_any_names_is_accepted_and_each_field_is_asked(fields: dict[str, str], index: str) -> None:
    properties = {name: {"type": kind} for name, kind in fields.items()}
    documents = [(str(n), {name: VALUES[kind][n % 2] for name, kind in fields.items()}) for n in range(2)]
    client = index_of(index, {"mappings": {"properties": properties}}, documents)
    catalog = read_catalog(draft_catalog(client, index))
    assert [one for one in check_catalog(catalog, fetch_mapping(client, index)) if one.severity == "error"] == []
    compiler = qlc.Compiler(client, catalog)
    for entity in compiler.schema.entities.values():
        for name in entity.fields:
            found = compiler.run(f"count `{entity.plural}` where `{name}` exists")
            assert found.kind == "count", (name, found.message)
