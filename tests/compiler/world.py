"""Compilers without a client, and what each stage makes of a program: typed query, diagnostics, plan, requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings

from qlc import Compiler, catalogs
from qlc.base.diagnostics import Diagnostic
from qlc.compiler import typed
from qlc.compiler.check import Checked
from qlc.compiler.request import SearchRequest
from qlc.mapping.catalog import read_catalog
from qlc.mapping.index_mapping import load_mapping, read_mapping
from qlc.pipeline.compiler import Diagnosis
from qlc.planner.plan import Plan
from qlc.resolver.run import dry_requests

NOW = "2026-03-15T12:00:00Z"
relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
"""For generated cases: the first one loads time zones and tables."""

Body = dict[str, Any]
Node = TypeVar("Node")


@dataclass(frozen=True)
class World:
    """A compiler and the options of its runs."""

    compiler: Compiler
    zone: str = "UTC"
    now: str = NOW

    def at(self, *, zone: str = "UTC", now: str = NOW) -> World:
        return World(self.compiler, zone, now)

    # --- findings ----------------------------------------------------------------------------------------------------

    def diagnose(self, source: str, **params: Any) -> Diagnosis:
        return self.compiler.diagnose(source, now=self.now, timezone=self.zone, params=params)

    def findings(self, source: str, **params: Any) -> tuple[Diagnostic, ...]:
        return self.diagnose(source, **params).diagnostics

    def codes(self, source: str, **params: Any) -> list[str]:
        return [found.code for found in self.findings(source, **params)]

    def finding(self, source: str, **params: Any) -> Diagnostic:
        """The only one."""
        found = self.findings(source, **params)
        assert len(found) == 1, [one.code for one in found]
        return found[0]

    def text(self, source: str) -> str:
        """The canonical text of a program without errors."""
        found = self.diagnose(source)
        assert not found.failed, found.diagnostics
        return found.text

    # --- stages ------------------------------------------------------------------------------------------------------

    def compiled(self, source: str) -> tuple[Checked, Plan]:
        checked, plan = self.compiler.prepare(source).compiled({}, frozenset(), None)
        assert plan is not None, [f"{d.code}: {d.message}" for d in checked.diagnostics]
        return checked, plan

    def statement(self, source: str) -> typed.Statement:
        statement = self.compiled(source)[0].statement
        assert statement is not None
        return statement

    def find(self, source: str) -> typed.Find:
        return only(typed.Find, self.statement(source))

    def aggregate(self, source: str) -> typed.Aggregate:
        return only(typed.Aggregate, self.statement(source))

    def where(self, condition: str, entity: str = "documents") -> typed.Condition:
        return self.find(f"find {entity} where {condition}").where

    def plan(self, source: str) -> Plan:
        return self.compiled(source)[1]

    def requests(self, source: str, **options: Any) -> list[tuple[int, SearchRequest]]:
        """Each first request with its level; placeholders stand for what is looked up."""
        given = {"now": self.now, "timezone": self.zone, **options}
        return dry_requests(self.plan(source), self.compiler.environment(given))

    def body(self, source: str, **options: Any) -> Body:
        """The statement's own request."""
        return self.requests(source, **options)[-1][1].body

    def query(self, condition: str, entity: str = "documents", **params: Any) -> Body:
        """Return the compiled form of a condition, without the filter of the entity."""
        body = self.body(f"find {entity} where {condition}", params=params)
        env = self.compiler.environment({"now": self.now})
        singular = next(e for e in self.compiler.schema.entities.values() if e.plural == entity)
        scope = [clause.to_dict() for clause in env.scope(singular)]
        clauses = [clause for clause in body["query"].get("bool", {}).get("filter", []) if clause not in scope]
        clauses += body["query"].get("bool", {}).get("must", [])
        return dict(clauses[0]) if len(clauses) == 1 else {"all": clauses}


def only(kind: type[Node], value: object) -> Node:
    assert isinstance(value, kind), value
    return value


@cache
def shipped(name: str, index: str) -> World:
    mapping = load_mapping(catalogs.mapping_path(name), index)
    return World(Compiler(None, catalogs.path(name), mapping=mapping))


def drive() -> World:
    """Documents, folders, entries, people."""
    return shipped("drive", "entities-v4")


def flights() -> World:
    """Places, distances, two fields of one type."""
    return shipped("flights", "flights")


def ecommerce() -> World:
    """A list of objects that is not nested, analysed text without exact values, sensitive fields."""
    return shipped("ecommerce", "ecommerce")


def made(properties: Mapping[str, Any], catalog: str | None = None, index: str = "things") -> World:
    """A world of its own; without a catalog every field by its mapping path."""
    mapping = read_mapping({"mappings": {"properties": properties}}, index)
    loaded = read_catalog(catalog) if catalog is not None else None
    return World(Compiler(None, loaded, index, mapping=mapping))
