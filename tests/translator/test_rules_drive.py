"""The questions of `asked/` about the document store, which take long: see `test_asked`."""

from typing import Any

import pytest

from .test_asked import ARGUMENTS, check, rows


@pytest.mark.parametrize(ARGUMENTS, rows(of_drive=True))
def test_what_is_asked(world: str, index: str, text: str, expected: Any, options: dict[str, Any]) -> None:
    check(world, index, text, expected, options)
