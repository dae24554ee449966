"""Modules that are imported when their name is first used: `import qlc` must not pay for them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from importlib import import_module
from types import ModuleType


def submodules(package: str, names: Collection[str]) -> Callable[[str], ModuleType]:
    """The `__getattr__` of a package whose modules `names` are there without an import of their own."""

    def get(name: str) -> ModuleType:
        if name not in names:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return import_module(f"{package}.{name}")

    return get
