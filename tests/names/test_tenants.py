"""Two tenants in one index, sharing one cache: neither sees a name of the other's, on no step and in no answer."""

import json
from dataclasses import replace

import pytest

from tests.names.conftest import MakeWorld
from tests.names.world import Environment, World
from tests.tables import table

CATALOG = table(__file__, "CATALOG")
FIELDS = ("id", "kind", "name", "parent", "above", "tenant", "owner_id", "owner_name")
MAPPING = {"mappings": {"properties": {field: {"type": "keyword"} for field in FIELDS}}}


def entry(tenant: str, one: str, kind: str, name: str, parent: str | None = None) -> dict[str, object]:
    return {
        "_id": f"{tenant}-{one}",
        "id": f"{tenant}-{one}",
        "kind": kind,
        "name": name,
        "tenant": tenant,
        "parent": "root" if parent is None else f"{tenant}-{parent}",
        "above": ["root"] if parent is None else ["root", f"{tenant}-{parent}"],
        "owner_id": f"{tenant}-owner",
        "owner_name": f"Olga {tenant.title()}",
    }


DOCUMENTS = table(__file__, "DOCUMENTS")
TEXTS = table(__file__, "TEXTS")


@pytest.fixture(scope="module")
def tenants(make_world: MakeWorld) -> dict[str, World]:
    shared = make_world(CATALOG, {"shared": (MAPPING, DOCUMENTS)})

    def of(tenant: str) -> World:
        allowed = dict.fromkeys(("folder", "document"), ("tenant", tenant))
        return replace(shared, environment=Environment(shared.schema, allowed=allowed), access=tenant)

    return {tenant: of(tenant) for tenant in ("red", "blue")}


def test_the_tenants_share_a_cache(tenants: dict[str, World]) -> None:
    assert tenants["red"].cache is tenants["blue"].cache


@pytest.mark.parametrize("entity", ["folder", "document", "person"])
@pytest.mark.parametrize("text", TEXTS)
def test_nothing_of_the_others(tenants: dict[str, World], entity: str, text: str) -> None:
    others = {"red": ("blue", "azure", "bluebird"), "blue": ("red", "crimson", "redwood")}
    for tenant in ("red", "blue", "red"):
        found = tenants[tenant].find(entity, text)
        shown = json.dumps([[c.id, c.name, c.path, c.label] for c in found.candidates] + [found.suggestions]).casefold()
        assert not any(word in shown for word in others[tenant]), shown
        assert all(str(candidate.id).startswith(tenant) for candidate in found.candidates)


@pytest.mark.parametrize("entity", ["folder", "document", "person"])
def test_completion_knows_only_ones_own(tenants: dict[str, World], entity: str) -> None:
    both = [
        name
        for tenant in ("red", "blue")
        for prefix in ("", "r", "b", "o", "notes", "c", "a")
        for name in tenants[tenant].like(entity, prefix)
        if ("red" if tenant == "blue" else "blue") in name.casefold()
    ]
    assert both == []


def test_every_request_carries_the_filter(tenants: dict[str, World]) -> None:
    world = tenants["red"]
    world.cache.clear()
    for entity in ("folder", "document", "person"):
        for text in TEXTS:
            world.find(entity, text)
            for request in world.requests:
                assert '{"term": {"tenant": "red"}}' in json.dumps(request.body["query"]), request


def test_something_of_the_other_tenant_is_no_other_kind(tenants: dict[str, World]) -> None:
    assert tenants["red"].find("document", "Redwood Secret").other_kinds == ("folder",)
    assert tenants["blue"].find("document", "Redwood Secret").reason == "no-such-name"
