"""The engine the reference programs run on: each data set is loaded once a session, when first asked for."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

import qlc
from qlc import catalogs
from tests import engines

from . import model
from .case import Case

Run = Callable[[Case], dict[str, Any]]


@pytest.fixture(scope="session")
def run() -> Iterator[Run]:
    with engines.open_client() as client:

        @cache
        def compiler(data: str) -> qlc.Compiler:
            model.load(client, data)
            catalog = catalogs.path("drive") if data == "drive" else None
            return qlc.Compiler(client=client, catalog=catalog, index=model.index_of(data))

        def answer(case: Case) -> dict[str, Any]:
            options = {"now": model.moment(case.now), "timezone": case.timezone, "size": 10000}
            return dict(compiler(case.data).run(case.program, **options).model_dump(mode="json"))

        yield answer
