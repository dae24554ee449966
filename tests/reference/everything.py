"""All cases, by topic: every module here whose name begins with `cases_` has a list `CASES`."""

import importlib
import pkgutil
from pathlib import Path

from .case import Case

TOPICS: dict[str, list[Case]] = {
    module.name.removeprefix("cases_"): importlib.import_module(f"{__package__}.{module.name}").CASES
    for module in sorted(pkgutil.iter_modules([str(Path(__file__).parent)]), key=lambda module: module.name)
    if module.name.startswith("cases_")
}
CASES: list[Case] = [case for cases in TOPICS.values() for case in cases]
