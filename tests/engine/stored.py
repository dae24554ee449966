"""Shared by the tests of stored folders: writing and comparing documents."""

import os
import traceback
from collections.abc import Callable
from typing import Any

from qlc_engine import Engine
from tests.engine.asked import Asked
from tests.tables import table

MAPPING = table(__file__, "MAPPING")


def document(number: int) -> dict[str, Any]:
    return {
        "n": number,
        "kind": f"k{number % 7}",
        "text": f"word{number % 50} and more",
        "parts": [{"x": f"x{number % 5}"}, {"x": "y"}],
    }


def abandon(engine: Engine) -> None:
    """Gives the folder back as a process that is killed does: nothing is saved."""
    engine.store.close()
    engine._lock.release()


def in_child(work: Callable[[], None]) -> int:
    """The exit code of a forked process that does the work: 0 where nothing was raised."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException:  # noqa: BLE001  it is told, and is the exit code
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def found_documents(asked: Asked, index: str = "i") -> dict[str, int]:
    answered = asked.ok("POST", f"/{index}/_search", {"size": 1000, "sort": [{"n": "asc"}], "track_total_hits": True})
    hits = answered["hits"]["hits"]
    assert answered["hits"]["total"]["value"] == len(hits)
    assert all(hit["_source"] == document(hit["sort"][0]) for hit in hits)
    return {hit["_id"]: hit["sort"][0] for hit in hits}


def columns_agree(asked: Asked, found: dict[str, int], index: str = "i") -> None:
    """Check that searches over columns agree with the stored documents."""
    for number in range(5):
        nested = {"nested": {"path": "parts", "query": {"term": {"parts.x": f"x{number}"}}}}
        match = {"match": {"text": f"word{number}"}}
        for query, modulus in ((nested, 5), (match, 50)):
            counted = asked.ok("POST", f"/{index}/_count", {"query": query})["count"]
            assert counted == sum(value % modulus == number for value in found.values())
