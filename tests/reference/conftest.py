"""The engine the reference programs run on: each data set is loaded once a session, when first asked for."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import qlc
from qlc import catalogs
from tests import data_sets

from . import model
from .case import Case

Run = Callable[[Case], dict[str, Any]]


@pytest.fixture(scope="session")
def run() -> Run:
    @cache
    def compiler(data: str) -> qlc.Compiler:
        catalog = catalogs.path("drive") if data == "drive" else None
        return qlc.Compiler(data_sets.client(data), catalog, model.index_of(data))

    def answer(case: Case) -> dict[str, Any]:
        options = {"now": model.moment(case.now), "timezone": case.timezone, "size": 10000}
        return dict(compiler(case.data).run(case.program, **options).model_dump(mode="json"))

    return answer
