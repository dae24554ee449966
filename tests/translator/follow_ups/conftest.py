"""The data sets in memory, each behind the translators once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from qlc.translator.door import Asker

from .dialogues import asker_of


@pytest.fixture(scope="session")
def asker() -> Callable[[str], Asker]:
    return cache(asker_of)
