"""The page: files that come with the package, under a policy that lets it load nothing from elsewhere."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from .problems import Problem

routes = APIRouter(include_in_schema=False)

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@lru_cache(maxsize=1)
def contents() -> dict[str, bytes]:
    """Return the files of the page by name."""
    folder = files("qlc.service").joinpath("static")
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.name[one.name.rfind(".") :] in TYPES}


@routes.get("/")
async def index(request: Request) -> Any:
    return _file("index.html")


@routes.get("/static/{name}")
async def static(name: str) -> Any:
    return _file(name)


def _file(name: str) -> Response:
    if (content := contents().get(name)) is None:
        raise Problem(404, "not-found", "The page has no such file.")
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache", "Referrer-Policy": "no-referrer"}
    return Response(content, headers=headers, media_type=TYPES[name[name.rfind(".") :]])
