"""Modules that are imported when their name is first used: `import qlc` must not pay for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any


def submodules(
    package: str, names: Collection[str] = (), homes: Mapping[str, str] | None = None
) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose modules `names`, and what is in the modules `homes`, are there without an
    import of their own."""

    def get(name: str) -> Any:
        if homes and name in homes:
            return getattr(import_module(homes[name]), name)
        if name not in names:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return import_module(f"{package}.{name}")

    return get
