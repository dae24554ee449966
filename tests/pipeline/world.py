"""Two tenants in one index: folders, documents, people and projects, each tenant's by the same names where it can be.

An access rule on every entity; the projects' rule is a semi-join. Pay is sensitive, in fields, elements and texts.
"""

from collections.abc import Iterator
from typing import Any

from elasticsearch import Elasticsearch, helpers

from tests.tables import table

INDEX = "shared"

CATALOG = table(__file__, "CATALOG")

_KEYWORDS = (
    "id", "kind", "name", "tenant", "parent", "above", "owner_id", "owner_name", "copied_from", "status", "type",
    "tags", "secret_note",
)  # fmt: skip

MAPPING: dict[str, Any] = table(__file__, "MAPPING")

TENANTS = ("red", "blue")
MARKS = {"red": ("red", "crimson"), "blue": ("blue", "azure")}
"""Words that stand in what belongs to a tenant, and nowhere else."""


def entry(tenant: str, key: str, kind: str, name: str, parent: str | None = None, **more: Any) -> dict[str, Any]:
    return {
        "id": f"{tenant}-{key}",
        "kind": kind,
        "name": name,
        "tenant": tenant,
        "parent": "root" if parent is None else f"{tenant}-{parent}",
        "above": ["root"] if parent is None else ["root", f"{tenant}-{parent}"],
        **more,
    }


def documents() -> Iterator[dict[str, Any]]:
    for tenant, colour in (("red", "Crimson"), ("blue", "Azure")):
        owner = {"owner_id": f"{tenant}-p1", "owner_name": f"Olga {colour}"}
        other = {"owner_id": f"{tenant}-p2", "owner_name": "Sam Common"}
        yield entry(tenant, "f1", "folder", "Plans", clearance=1, **owner)
        yield entry(tenant, "f2", "folder", f"{colour} Vault", clearance=9, **owner)
        yield entry(tenant, "f3", "folder", "Drafts", "f1", clearance=1, **owner)
        yield entry(tenant, "f4", "folder", "Drafts", "f2", clearance=1, **owner)
        yield entry(tenant, "j1", "project", "Bridge", "f1", status="open", **owner)
        yield entry(tenant, "j2", "project", f"{colour} Tunnel", "f2", status="open", **owner)
        for number in range(1, 9):
            yield entry(
                tenant, f"d{number}", "document", f"{colour} Report {number}.pdf" if number > 2 else "Report.pdf",
                "f1" if number % 2 else "f2",
                **(owner if number < 6 else other),
                size=number * 1_000_000 if number != 7 else None,
                created=f"2026-0{number}-01T08:00:00Z",
                due=f"2026-0{number}-20",
                status="open" if number < 5 else "closed",
                type=f"{colour} memo" if number == 8 else "memo",
                tags=["draft", f"{tenant}-tag{number % 3}"] if number != 5 else [],
                body=f"the {colour.lower()} plan number {number}",
                verdict=f"the secret verdict {number}",
                signed=number % 2 == 0,
                secret_note=f"{tenant}-note",
                copied_from=f"{tenant}-d1" if number == 4 else None,
                pay={"salary": 1000 * number, "grade": f"{tenant}-grade{number}"},
                shares=[{"who": f"Olga {colour}", "role": "editor", "wage": number},
                        {"who": "Sam Common", "role": "viewer", "wage": 10 * number}],
                reviews=[{"by": f"Olga {colour}", "mark": number}],
            )  # fmt: skip


def load(client: Elasticsearch) -> None:
    client.indices.create(index=INDEX, mappings=MAPPING)
    found = ({"_index": INDEX, "_id": one["id"], "_source": one} for one in documents())
    helpers.bulk(client, found, refresh=True)
