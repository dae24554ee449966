"""All routes of an application, and a request for each."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

VALUES = {"id": "x", "format": "csv", "number": "1", "name": "main.js"}


class Route(NamedTuple):
    method: str
    template: str

    @property
    def path(self) -> str:
        return re.sub(r"\{(\w+)\}", lambda one: VALUES[one[1]], self.template)


def routes_of(app: Any) -> list[Route]:
    """Every method of every route; those of included routers, too."""
    return sorted(_routes(app.routes))


def _routes(routes: Any) -> Iterator[Route]:
    for one in routes:
        if hasattr(one, "original_router"):
            yield from _routes(one.original_router.routes)
        else:
            yield from (Route(method, one.path) for method in one.methods)
