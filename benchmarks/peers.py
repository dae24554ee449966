"""The same five-condition query in qlc, luqum, LangChain's self-query and hand-written elasticsearch.dsl."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import cache
from typing import Any

from lark import Lark

import qlc.catalogs
from qlc import Compiler
from qlc.compiler.check import check
from qlc.compiler.consistency import inconsistencies
from qlc.compiler.environment import Bindings
from qlc.grammar import parse
from qlc.grammar.lark_parser import GRAMMAR, edit_terminal
from qlc.grammar.reading import read
from qlc.mapping.index_mapping import load_mapping
from qlc.planner.plan import Plan, plan_query
from qlc.resolver.hits import compiled_search
from qlc.resolver.run import shown_fields

QUERY = (
    'find documents where type = "Invoice" and size > 5 MB and created >= 2026-02-13 and tags has "draft" '
    'and name contains "acme" sort created desc'
)
LUQUM = 'type:"Invoice" AND size:[5000000 TO *] AND created:[2026-02-13 TO *] AND tags:"draft" AND name:*acme*'
LANGCHAIN = (
    'and(eq("type", "Invoice"), gt("size", 5000000), gte("created", 20260213), eq("tags", "draft"), '
    'contain("name", "acme"))'
)
NOW = datetime(2026, 3, 15, 12, tzinfo=UTC)


@cache
def compiler() -> Compiler:
    """The document store's catalog over its mapping; no server."""
    mapping = load_mapping(qlc.catalogs.mapping_path("drive"), "entities-v4")
    return Compiler(None, qlc.catalogs.path("drive"), mapping=mapping)


def _environment() -> Bindings:
    return compiler().environment({"now": NOW})


def qlc_cold() -> dict[str, Any]:
    """Text to body: parsed, checked against catalog and mapping, planned, checked for contradictions, generated.

    `parse` remembers the trees of short programs; what is measured here is a text that is seen for the first time.
    """
    schema = compiler().schema
    checked = check(read(QUERY), schema, QUERY)
    assert checked.statement is not None
    plan_query(checked.statement, {}, schema, checked.parts)
    env = _environment()
    assert not inconsistencies(checked, env)
    statement: Any = checked.statement
    return compiled_search(statement, env, shown_fields(statement)).body


VARIED = (
    "find documents where type = $type and size > $size and created >= $since and tags has $tag and "
    "name contains $name sort created desc"
)
GIVEN = {"type": "Invoice", "size": 5_000_000, "since": date(2026, 2, 13), "tag": "draft", "name": "acme"}


@cache
def _varied() -> tuple[Any, Plan]:
    checked = check(parse(VARIED), compiler().schema, VARIED, GIVEN)
    assert checked.statement is not None
    return checked, plan_query(checked.statement, {}, compiler().schema)


def qlc_new_parameters() -> dict[str, Any]:
    """What a prepared query does with parameters that it has not seen: bound, checked for contradictions, generated."""
    checked, _ = _varied()
    env = compiler().environment({"now": NOW, "params": GIVEN})
    assert not inconsistencies(checked, env)
    return compiled_search(checked.statement, env, shown_fields(checked.statement)).body


@cache
def _plan() -> Plan:
    checked = check(parse(QUERY), compiler().schema, QUERY)
    assert checked.statement is not None
    return plan_query(checked.statement, {}, compiler().schema)


@cache
def _body() -> dict[str, Any]:
    return qlc_cold()


def qlc_prepared() -> dict[str, Any]:
    """What a prepared query does before it sends: a new environment, and the body of a plan that does not vary."""
    _environment()
    plan = _plan()
    return _body() if plan.fixed else {}


def luqum() -> object:
    from luqum.elasticsearch import ElasticsearchQueryBuilder
    from luqum.parser import parser

    builder = ElasticsearchQueryBuilder(not_analyzed_fields=["type", "tags"])
    return builder(parser.parse(LUQUM))


@cache
def _langchain_parser() -> Any:
    from langchain_classic.chains.query_constructor.parser import get_parser
    from langchain_core.structured_query import Comparator, Operator

    return get_parser(allowed_comparators=list(Comparator), allowed_operators=list(Operator))


def langchain() -> object:
    from langchain_community.query_constructors.elasticsearch import ElasticsearchTranslator
    from langchain_core.structured_query import StructuredQuery

    condition = _langchain_parser().parse(LANGCHAIN)
    return ElasticsearchTranslator().visit_structured_query(StructuredQuery(query="", filter=condition))


def by_hand() -> dict[str, Any]:
    from elasticsearch.dsl import Q, Search

    return dict(
        Search()
        .filter(Q("term", **{"commonAttributes.documentType.keyword": "Invoice"}))
        .filter(Q("range", **{"commonAttributes.sizeInBytes": {"gt": 5_000_000}}))
        .filter(Q("range", **{"systemAttributes.createDate": {"gte": "2026-02-13T00:00:00.000Z"}}))
        .filter(Q("term", **{"commonAttributes.tags.keyword": "draft"}))
        .filter(Q("wildcard", **{"commonAttributes.name.keyword": {"value": "*acme*", "case_insensitive": True}}))
        .sort("-systemAttributes.createDate")
        .to_dict()
    )


def parsed() -> object:
    return read(QUERY)


@cache
def _bare_lark() -> Lark:
    """The grammar and the terminals of qlc, without its callbacks: what Lark itself takes for the same text."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", edit_terminals=edit_terminal, maybe_placeholders=False)


def lark_alone() -> object:
    return _bare_lark().parse(QUERY)


PEERS: dict[str, Callable[[], object]] = {
    "qlc, cold text, fully checked": qlc_cold,
    "qlc, prepared": qlc_prepared,
    "qlc, prepared, with new parameters": qlc_new_parameters,
    "qlc, text to tree": parsed,
    "Lark, the same text without callbacks": lark_alone,
    "luqum (checks nothing)": luqum,
    "LangChain self-query, parser and translator": langchain,
    "elasticsearch.dsl by hand": by_hand,
}
