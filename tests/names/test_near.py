"""Near spellings: obvious typos are found, other names are not."""

import pytest

from qlc.base.words.folding import fold
from qlc.base.words.spelling import edits, edits_allowed
from tests.tables import rows

TYPOS = rows(__file__, "TYPOS")
OTHERS = rows(__file__, "OTHERS")


@pytest.mark.parametrize(("asked", "name", "distance"), TYPOS)
def test_typos(asked: str, name: str, distance: int) -> None:
    assert edits(fold(asked), fold(name)) == distance


@pytest.mark.parametrize(("asked", "name"), OTHERS)
def test_other_names(asked: str, name: str) -> None:
    assert edits(fold(asked), fold(name)) is None


def test_edits_allowed_as_elasticsearch_allows_them() -> None:
    assert [edits_allowed(length) for length in range(8)] == [0, 0, 0, 1, 1, 1, 2, 2]
