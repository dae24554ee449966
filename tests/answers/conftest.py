"""The corpus that ships as an example, added once for a worker."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import qlc

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    folder = tmp_path_factory.mktemp("answers") / "library"
    with qlc.Corpus.create(folder, ROOT / "examples/library.yaml") as corpus:
        corpus.add(ROOT / "examples/library", processes=1)
        yield corpus
