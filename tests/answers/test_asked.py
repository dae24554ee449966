"""Questions to corpora and what holds of their outcomes: a corpus with its questions is a file of `asked/`.

A file has the texts of the corpus (`files`) and its `schema`; without files it asks the corpus that ships as an
example.
The rows are as in `tests.translator.test_asked`.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import qlc
from tests.corpora import made
from tests.tables import described, holds, rows_of

FOLDER = Path(__file__).parent / "asked"
WORLDS = sorted(path.stem for path in FOLDER.glob("*.yaml"))


@pytest.fixture(scope="module")
def corpus_of(library: qlc.Corpus, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], qlc.Corpus]]:
    with ExitStack() as stack:

        def opened(world: str) -> qlc.Corpus:
            said = described(FOLDER / f"{world}.yaml")
            if "files" not in said:
                return library
            return stack.enter_context(made(tmp_path_factory.mktemp(world), said["files"], said["schema"]))

        yield cache(opened)


@pytest.mark.parametrize(
    ("world", "question", "expected", "options"),
    [
        pytest.param(world, *row, id=f"{world}, {title}: {row[0][:60]!a}")
        for world in WORLDS
        for title, group in described(FOLDER / f"{world}.yaml")["asked"].items()
        for row in rows_of(group)
    ],
)
def test_what_is_asked(
    corpus_of: Callable[[str], qlc.Corpus],
    world: str,
    question: str,
    expected: dict[str, Any],
    options: dict[str, Any],
) -> None:
    now = described(FOLDER / f"{world}.yaml").get("now")
    holds(corpus_of(world).ask(question, **{"now": now, **options}), expected)


def test_a_measure_without_the_document_that_changes_another_is_offered(corpus_of: Callable[[str], qlc.Corpus]) -> None:
    office = corpus_of("office")
    found = office.ask("What is the average hire of the charters?", now="2026-03-30T12:00:00Z")
    assert office.compiler().run(found.suggestions[0]).kind == "value"
