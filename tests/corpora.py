"""Corpora of the files that a test writes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import qlc


def written(folder: Path, files: Mapping[str, str]) -> Path:
    """Write texts into files by their names below a folder, and return the folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def made(place: Path, files: Mapping[str, str], schema: str = "", name: Any = None, **options: Any) -> qlc.Corpus:
    """Return a corpus of the files, which are in `place/files`; it is in `place/corpus` unless it has a name."""
    if schema:
        (place / "corpus.yaml").write_text(schema, "utf-8")
    corpus = qlc.Corpus.create(name or place / "corpus", place / "corpus.yaml" if schema else None, **options)
    corpus.add(written(place / "files", files), processes=1)
    return corpus
