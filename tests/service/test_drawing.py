"""Pages are drawn in processes of their own: a file that crashes, hangs or eats memory costs its own image alone."""

import os
import signal
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
import pytest
from pypdfium2 import PdfDocument
from reportlab.pdfgen.canvas import Canvas
from starlette.testclient import TestClient

import qlc
from qlc.corpus.limits import Limits
from qlc.corpus.readers.page_image import Wanted, page_image
from qlc.corpus.work import Processes
from qlc.service import create_app, documents
from tests.service.badly import badly
from tests.service.test_corpus import FILES, cited, folder, library

__all__ = ["folder", "library"]

GOOD = FILES / "contracts/acme_services.pdf"
Pool = Callable[..., Processes]

LIMITS = Limits(seconds=30.0)


def pdf(content: bytes, size: str = "200 200", more: bytes = b"") -> bytes:
    """A PDF file with one page, without the table of its parts: readers build it anew."""
    return b"\n".join([
        b"%PDF-1.4", b"1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj",
        b"2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj",
        b"3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 %s]/Contents 4 0 R/Resources<<%s>>>> endobj"
        % (size.encode(), more),
        b"4 0 obj <</Length %d>> stream\n%s\nendstream endobj" % (len(content), content),
        b"trailer <</Root 1 0 R>>", b"%%EOF",
    ])  # fmt: skip


ENDLESS = b"0 0 m\n" + b"199 199 l 0 199 l 199 0 l 0 0 l\n" * 60_000 + b"[0.001 0.001] 0 d 0.01 w S\n"
BROKEN = {
    "empty": (b"", "only PDF files"),
    "text": (b"Dear all,", "only PDF files"),
    "cut": (GOOD.read_bytes()[:900], ""),
    "its own parent": (pdf(b"", more=b"/XObject<</A 3 0 R>>").replace(b"/Kids[3 0 R]", b"/Kids[2 0 R]"), ""),
    "endless": (pdf(ENDLESS), "not read within 1 seconds"),
}


@pytest.fixture
def pool(files_are_read_apart: None) -> Iterator[Pool]:
    with ExitStack() as opened:
        yield lambda job, count, limits: opened.enter_context(closing(Processes(job, count, limits)))


@pytest.fixture
def http(library: qlc.AsyncCorpus, files_are_read_apart: None) -> Iterator[TestClient]:
    with TestClient(create_app(library, files=FILES)) as client:
        yield client


def address(http: TestClient) -> str:
    one = cited(http)
    return f"/v1/documents/{one['document']}/pages/{one['page']}.png"


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_a_problem(
    http: TestClient, pool: Pool, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    content, message = BROKEN[name]
    tmp_path.joinpath("broken.pdf").write_bytes(content)
    at = address(http)
    service = http.app.state.qlc  # type: ignore[attr-defined]
    service.drawing = pool(page_image, 1, Limits(seconds=1.0))
    monkeypatch.setattr(documents, "_stored", lambda *_: (tmp_path / "broken.pdf", ""))
    monkeypatch.setattr(documents, "Wanted", lambda *asked: Wanted(*asked[:4]))  # whatever file it is
    answered = http.get(at)
    assert (answered.status_code, answered.headers["content-type"]) == (422, "application/problem+json")
    assert answered.json()["code"] == "no-image"
    assert message in answered.json()["detail"]
    monkeypatch.undo()
    service.drawing = pool(page_image, 1, LIMITS)
    assert http.get(at).status_code == 200


def test_a_file_that_was_exchanged_since_it_was_found_is_not_shown(
    http: TestClient, pool: Pool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Between the search and the drawing somebody puts another file, or a link, in its place."""
    at = address(http)
    tmp_path.joinpath("other.pdf").write_bytes(pdf(b""))
    tmp_path.joinpath("link.pdf").symlink_to(tmp_path / "other.pdf")
    http.app.state.qlc.drawing = pool(page_image, 1, LIMITS)  # type: ignore[attr-defined]
    for name in ("other.pdf", "link.pdf"):
        monkeypatch.setattr(documents, "_stored", lambda *_, name=name: (tmp_path / name, "0" * 32))
        answered = http.get(at)
        assert (answered.status_code, answered.json()["detail"]) == (422, "The file is another one now.")


def test_what_ends_a_process_ends_one_image(http: TestClient, pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    at = address(http)
    http.app.state.qlc.drawing = pool(badly, 1, Limits(seconds=1.0))  # type: ignore[attr-defined]
    for task, message in (("crash", "crash"), ("hang", "within 1 seconds"), ("eat", "more memory")):
        monkeypatch.setattr(documents, "Wanted", lambda *_, task=task: task)
        answered = http.get(at)
        assert (answered.status_code, answered.json()["code"]) == (422, "no-image")
        assert message in answered.json()["detail"]
        assert http.get("/healthz").status_code == 200


def test_a_process_that_somebody_kills_is_started_again(pool: Pool) -> None:
    processes = pool(badly, 1, LIMITS)
    first = processes.do("pid")
    os.kill(first, signal.SIGKILL)
    time.sleep(0.1)
    second = processes.do("pid")
    assert first != second
    processes.close()
    with pytest.raises(ProcessLookupError):
        os.kill(second, 0)


def test_no_more_are_drawn_at_once_than_there_are_processes(pool: Pool) -> None:
    processes = pool(badly, 2, LIMITS)
    with ThreadPoolExecutor(6) as threads:
        assert len(set(threads.map(processes.do, ["pid"] * 6))) <= 2
    with pytest.raises(TimeoutError):
        pool(badly, 0, Limits(seconds=0.01)).do("pid")


def test_a_page_of_any_size_is_an_image_of_the_size_that_was_asked_for(tmp_path: Path) -> None:
    for size in ("1000000 1000000", "0 0", "1 100000"):
        path = tmp_path / "page.pdf"
        path.write_bytes(pdf(b"0 0 10 10 re f", size))
        image, _ = page_image(Wanted(path, 1, pixels=100), LIMITS)
        assert image.startswith(b"\x89PNG")
        assert len(image) < 100_000


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_quote_is_marked_where_it_stands_on_a_page_that_is_cropped_and_turned(turn: int, tmp_path: Path) -> None:
    path = tmp_path / "page.pdf"
    canvas = Canvas(str(path), pagesize=(600, 800))
    canvas.drawString(200, 500, "Borden")
    canvas.save()
    document = PdfDocument(path.read_bytes())
    document[0].set_cropbox(100, 200, 500, 700)
    document[0].set_rotation(turn)
    document.save(path)
    image, marks = page_image(Wanted(path, 1, "Borden", pixels=500), LIMITS)
    width, height = struct.unpack(">II", image[16:24])
    rows = zlib.decompressobj().decompress(image[image.index(b"IDAT") + 4 :])
    red, _, blue = np.moveaxis(np.frombuffer(rows, np.uint8).reshape(height, -1)[:, 1:].reshape(height, width, 3), 2, 0)
    (top, left), (bottom, right) = ((edge(at) for at in np.nonzero(red < 100)) for edge in (np.min, np.max))
    assert marks == 1
    assert (blue[top : bottom + 1, left : right + 1] < 100).all(), "the mark is on the word"
    assert (blue < 100).mean() < 0.02
