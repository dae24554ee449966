"""Explanations of requests: every kind of query, the shown fields, the order, and the reasons not to run it."""

from __future__ import annotations

import json
from typing import Any

from qlc import Compiler
from qlc.outcome import Explain
from qlc.pasted.entry import run_pasted
from tests.pasted.conftest import NOW


def explained(compiler: Compiler, request: Any, words: str = "explain") -> Explain:
    (found,) = run_pasted(f"{words} {json.dumps(request)}", compiler, now=NOW)
    assert isinstance(found, Explain)
    return found


def test_places_in_words() -> None:
    from qlc import catalogs
    from qlc.mapping.index_mapping import load_mapping

    flights = Compiler(
        None, catalogs.path("flights"), mapping=load_mapping(catalogs.mapping_path("flights"), "flights")
    )
    for query, phrase in (
        (
            {"geo_distance": {"distance": "40km", "OriginLocation": {"lat": 41.9, "lon": 12.5}}},
            "lies within 40km of 41.9, 12.5",
        ),
        (
            {
                "geo_bounding_box": {
                    "OriginLocation": {"top_left": {"lat": 42, "lon": 12}, "bottom_right": {"lat": 41, "lon": 13}}
                }
            },
            "is in the box",
        ),
    ):
        assert phrase in explained(flights, {"query": query}).message
    near = explained(flights, {"query": {"geo_distance": {"distance": "40km", "OriginLocation": [12.5, 41.9]}}})
    assert near.query == "find flights where origin_location within 40 km of (41.9, 12.5)"
