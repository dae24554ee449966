"""YAML in which right answers stand as Python over the names of some modules."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml


class Expressions:
    def __init__(self, *modules: ModuleType) -> None:
        """Of names that several modules have, the last one's counts."""
        self.names = {name: value for module in modules for name, value in vars(module).items()}

    def value(self, text: str) -> Any:
        return eval(text, self.names)

    def test(self, text: str) -> Callable[[Any], Any]:
        """The expression as a function of a row `d`."""
        return self.value(f"lambda d: {text}")  # type: ignore[no-any-return]


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        found = super().construct_mapping(node, deep)
        if len(found) < len(node.value):
            raise ValueError(f"a key twice: {node.start_mark}")
        return found


def read_yaml(path: Path) -> dict[str, Any]:
    """A mapping in which no key stands twice."""
    with path.open(encoding="utf-8") as file:
        return dict(yaml.load(file, _Loader))
