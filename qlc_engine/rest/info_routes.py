"""What the engine says of itself: banner, health, list of indices."""

from __future__ import annotations

from typing import Any

from qlc_engine.core import VERSION, EngineCore
from qlc_engine.indices import options_of
from qlc_engine.rest.request import Request, Response

HEALTH_PARAMETERS = frozenset(
    {
        "wait_for_status", "timeout", "level", "local", "master_timeout", "wait_for_nodes", "wait_for_active_shards",
        "wait_for_events", "wait_for_no_initializing_shards", "wait_for_no_relocating_shards", "expand_wildcards",
    }
)  # fmt: skip
CAT_PARAMETERS = frozenset({"h", "s", "v", "bytes", "health", "pri", "expand_wildcards", "help", "time"})


def banner(engine: EngineCore, request: Request) -> Response:
    body = {
        "name": "embedded",
        "cluster_name": "embedded",
        "cluster_uuid": "embedded",
        "version": {
            "number": VERSION,
            "build_flavor": "default",
            "build_type": "embedded",
            "build_hash": "embedded",
            "build_date": "2025-01-01T00:00:00.000000000Z",
            "build_snapshot": False,
            "lucene_version": "9.12.1",
            "minimum_wire_compatibility_version": "7.17.0",
            "minimum_index_compatibility_version": "7.0.0",
        },
        "tagline": "You Know, for Search",
    }
    return Response(200, body)


def cluster_health(engine: EngineCore, request: Request) -> Response:
    found = [target.index for target in engine.indices.resolve(request.index, options_of(request.params))]
    shards = sum(index.n_shards for index in found)
    body = {
        "cluster_name": "embedded", "status": "green", "timed_out": False, "number_of_nodes": 1,
        "number_of_data_nodes": 1, "active_primary_shards": shards, "active_shards": shards, "relocating_shards": 0,
        "initializing_shards": 0, "unassigned_shards": 0, "unassigned_primary_shards": 0,
        "delayed_unassigned_shards": 0, "number_of_pending_tasks": 0, "number_of_in_flight_fetch": 0,
        "task_max_waiting_in_queue_millis": 0, "active_shards_percent_as_number": 100.0,
    }  # fmt: skip
    return Response(200, body)


def cat_indices(engine: EngineCore, request: Request) -> Response:
    rows: list[dict[str, Any]] = []
    for target in engine.indices.resolve(request.index, options_of({})):
        index = target.index
        live = sum(segment.n_live for segment in index.snapshot.segments)
        dead = sum(segment.n_docs for segment in index.snapshot.segments) - live
        rows.append(
            {
                "health": "green", "status": "open", "index": index.name, "uuid": index.record.uuid,
                "pri": str(index.n_shards), "rep": str(index.n_copies - 1), "docs.count": str(live),
                "docs.deleted": str(dead), "store.size": "0b", "pri.store.size": "0b", "dataset.size": "0b",
            }
        )  # fmt: skip
    wanted = request.params.get("h")
    if wanted:
        columns = wanted.split(",")
        rows = [{column: row[column] for column in columns if column in row} for row in rows]
    if request.params.get("format") == "json":
        return Response(200, rows)
    return Response(200, "".join(" ".join(row.values()) + "\n" for row in rows))
