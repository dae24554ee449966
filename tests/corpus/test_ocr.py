"""Scans: pages that are pictures, read where the program is there, named where it is not."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from qlc.base import extras
from qlc.corpus.adding import Problem
from qlc.corpus.corpus import Corpus
from qlc.corpus.readers import ocr, pdf

from . import files

LINES = ("Receipt 731904", "Total: GBP 166.80")


def scan(path: Path) -> Path:
    picture = Image.new("L", (1240, 1754), 255)
    for row, line in enumerate(LINES):
        ImageDraw.Draw(picture).text((120, 150 + 90 * row), line, 0, ImageFont.load_default(48))
    picture.save(path.with_suffix(".png"))
    files.pdf(path, lambda canvas: canvas.drawImage(str(path.with_suffix(".png")), 0, 0, 595, 842))
    path.with_suffix(".png").unlink()
    return path


def test_words_become_runs_where_they_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = (("Ladder", 100, 40, 90), ("5", 160, 10, 91), ("m", 175, 10, 92), ("139.00", 800, 90, 93), ("|", 900, 4, 7))
    data: dict[str, list[Any]] = {"text": [], "left": [], "width": [], "conf": []}
    for word in words:
        for key, value in zip(data, word, strict=True):
            data[key].append(value)
    same = {"top": 300, "height": 25, "block_num": 1, "par_num": 1, "line_num": 1}
    data |= {key: [value] * len(words) for key, value in same.items()}
    monkeypatch.setattr(ocr, "can_read_scans", lambda: True)
    monkeypatch.setattr("pytesseract.image_to_data", lambda picture, **options: data)
    monkeypatch.setattr(ocr, "_languages", lambda: "eng")
    (page,) = pdf.read(scan(tmp_path / "scan.pdf")).pages
    assert page.text == "Ladder 5 m\t139.00"
    monkeypatch.setattr("pytesseract.image_to_data", _timeout)
    (page,) = pdf.read(tmp_path / "scan.pdf").pages
    assert page.text == ""


def _timeout(picture: Any, **options: Any) -> Any:
    raise RuntimeError("Tesseract process timeout")


def test_a_scan_is_named_and_read_once_scans_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "files").mkdir()
    scan(tmp_path / "files/scan.pdf")
    with monkeypatch.context() as without, Corpus.create(tmp_path / "corpus") as corpus:
        without.setenv("PATH", "")
        report = corpus.add(tmp_path / "files", processes=1)
        assert [(one.file, one.reason) for one in report.problems] == [("scan.pdf", "no_text")]
        assert 'pip install "qlc-search[ocr]"' in report.problems[0].message
        assert corpus.add(tmp_path / "files", processes=1).unchanged == 1
    if not extras.can_read_scans():
        pytest.skip("tesseract is not installed")
    with Corpus.open(tmp_path / "corpus") as corpus:
        assert corpus.add(tmp_path / "files", processes=1).problems == list[Problem]()
        found = corpus.search("receipt")
        assert LINES[1] in found.hits[0].values["text"]  # type: ignore[union-attr]
