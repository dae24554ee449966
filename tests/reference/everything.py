"""All cases, by topic: every module here whose name begins with `cases_` has a list `CASES`."""

import importlib
import pkgutil
from dataclasses import replace
from pathlib import Path

from .case import Case


def topic(module: str) -> list[Case]:
    """The cases of a module, their ids prefixed with the topic."""
    name = module.removeprefix("cases_").removeprefix("drive_")
    cases: list[Case] = importlib.import_module(f"{__package__}.{module}").CASES
    return [replace(case, id=f"{name}/{case.id}") for case in cases]


MODULES = sorted(found.name for found in pkgutil.iter_modules([str(Path(__file__).parent)]))
TOPICS: dict[str, list[Case]] = {name: topic(name) for name in MODULES if name.startswith("cases_")}
CASES: list[Case] = [case for cases in TOPICS.values() for case in cases]
