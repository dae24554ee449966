"""The embedded engine with the data sets of the questions in it, each loaded when first asked for."""

from pathlib import Path
from typing import Any

import qlc
from qlc import catalogs
from tests import data_sets
from tests.reference import model

# The moment of asking, for each data set (its README says why).
NOW = {
    "drive": model.NOW,
    "ecommerce": "2016-12-31T23:50:00Z",
    "flights": "2018-02-11T23:55:00Z",
    "logs": "2018-09-20T22:00:00Z",
    "ports": "2024-07-01T12:00:00Z",
}
# The same for the fresh sets, whose right answers are told as programs (`fresh/<set>/`).
FRESH = {
    "drive": model.NOW,
    "ecommerce": "2016-12-28T12:00:00Z",
    "flights": "2018-02-07T12:00:00Z",
    "helpdesk": "2026-06-17T10:00:00Z",
    "letting": "2026-06-17T10:00:00Z",
}
OWN = Path(__file__).resolve().parent


def parts(folder: Path) -> list[str]:
    """The parts of a set of questions: its halves, and of some what was written later."""
    return sorted(path.name.split(".")[1] for path in folder.glob("questions.*.jsonl"))


def catalog(data: str) -> Path:
    """The catalog that ships with the project, or the one beside the questions."""
    if data in catalogs.names():
        return catalogs.path(data)
    own = OWN / data / "catalog.yaml"
    return own if own.exists() else OWN / "fresh" / data / "catalog.yaml"


class Engine:
    def __init__(self) -> None:
        self.compilers: dict[str, qlc.Compiler] = {}

    def compiler(self, data: str) -> qlc.Compiler:
        if data not in self.compilers:
            self.compilers[data] = qlc.Compiler(data_sets.client(data), str(catalog(data)), model.index_of(data))
        return self.compilers[data]

    def run(self, data: str, program: str) -> dict[str, Any]:
        now = model.moment(NOW[data])
        outcome = self.compiler(data).run(program, now=now, timezone="UTC", size=10000)
        return dict(outcome.model_dump(mode="json"))
