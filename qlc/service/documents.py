"""Pages of documents as images, for callers who may read them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from fastapi.responses import Response

from qlc.base.beside import beside
from qlc.corpus.adding import document_id
from qlc.corpus.errors import Unreadable
from qlc.corpus.files import content_of, opened
from qlc.corpus.index import passages_on_page
from qlc.corpus.limits import Limits
from qlc.corpus.readers.page_image import LARGEST, Wanted, page_image
from qlc.corpus.work import Processes
from qlc.grammar.printer import print_string
from qlc.outcome import Hits

from .backend import Backend
from .problems import Problem
from .service import service_of

routes = APIRouter(prefix="/v1/documents", tags=["documents"])

LIMITS = Limits(file_bytes=256 * 1024 * 1024, seconds=10.0)
"""Limits for drawing one page: a hostile file may crash the drawing process, or never end."""
DRAWING = 2
"""Pages that are drawn at once."""

Id = Annotated[str, InPath(max_length=200)]
Number = Annotated[int, InPath(ge=1, le=1_000_000)]


_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}},
                      "text/plain": {"schema": {"type": "string"}}}}
}  # fmt: skip
_OF_ANY_TEXT = {"Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff"}
_MOST_PASSAGES = 100
"""Most passages of a page whose text is shown."""


def drawing() -> Processes:
    """Return the pool of processes that draw pages."""
    return Processes(page_image, DRAWING, LIMITS)


@routes.get("/{id}/pages/{number}.png", operation_id="getPageImage", response_class=Response, responses=_RESPONSES)
async def page(
    id: Id,
    number: Number,
    request: Request,
    quote: Annotated[str, Query(max_length=10_000, description="The text to mark: the quote of a citation.")] = "",
    pixels: Annotated[int, Query(ge=50, le=LARGEST, description="The length of the longer side.")] = 1_200,
) -> Any:
    """A page of a document, with a quote marked. The header `Qlc-Marks` says in how many places it was found. Where the
    caller may not see all of its passages, the answer is the text of those that the caller may see."""
    service = service_of(request)
    access = service.backend.access(service.caller(request))
    drawing = service.drawing
    assert drawing is not None
    tag = hashlib.sha256(f"{id}\0{number}\0{quote}\0{pixels}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
    headers = {"ETag": f'"{tag}"', "Cache-Control": "private, no-cache"}

    async def drawn() -> Response:
        file, text = await _readable(service.backend, id, number, access)
        if file is None:
            return Response(text, headers=_OF_ANY_TEXT, media_type="text/plain")
        if headers["ETag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        try:
            image, marks = await beside(drawing.do, Wanted(file[0], number, quote, pixels, file[1]))
        except Unreadable as problem:
            raise Problem(422, "no-image", problem.message) from None
        return Response(image, headers={**headers, "Qlc-Marks": str(marks)}, media_type="image/png")

    return await service.work(request, drawn())


async def _readable(
    backend: Backend, id: str, number: int, access: Mapping[str, Any]
) -> tuple[tuple[Path, str] | None, str]:
    """Return the file of a document whose page a caller may read, and the text that is found on the page with the
    caller's access. Without the file where the page has a passage that the caller may not see: neither its image nor
    the marks of a quote may tell what that says. Raises Problem; what may not be read is not there."""
    if backend.corpus is None or backend.files is None:
        raise Problem(404, "no-files", "This service has no files to show pages of.")
    compiler = (await backend.asker()).compiler
    name = print_string(id)
    on_page = f"document.id = {name} and page <= {number} and page_to >= {number}"
    text = await compiler.run_async(
        f"find passages where {on_page} sort ordinal show text", **{**access, "size": _MOST_PASSAGES}
    )
    found = await compiler.run_async(f"find documents where id = {name} limit 1 show file", **access)
    for outcome in (text, found):
        if not isinstance(outcome, Hits) or not outcome.hits:
            raise Problem(404, "no-page", "There is no such page.")
    assert isinstance(text, Hits)
    assert isinstance(found, Hits)
    shown = "\n\n".join(str(hit.values.get("text", "")) for hit in text.hits)
    corpus = backend.corpus
    all_of_it = await corpus.client.count(index=corpus.corpus.index, query=passages_on_page(id, number))
    if all_of_it["count"] != text.total:
        return None, shown
    names = found.hits[0].values.get("file")
    file = await beside(_stored, backend.files, names if isinstance(names, list) else [names], id)
    if file is None:
        raise Problem(404, "file-changed", "The file of this document is not where it was, or it is another one now.")
    return file, shown


def _stored(folder: Path, names: list[Any], id: str) -> tuple[Path, str] | None:
    """Return the file below the folder whose content is that of the document, and its hash; None if there is none."""
    root = folder.resolve()
    for name in names:
        path = (root / str(name)).resolve()
        try:
            if path.is_relative_to(root):
                with opened(path) as file:
                    content, _ = content_of(file, Limits().file_bytes)
                if id in (document_id(content, str(name)), content):  # the second is of an earlier version
                    return path, content
        except (OSError, Unreadable):
            continue
    return None
