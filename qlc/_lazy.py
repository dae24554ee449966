"""Lazy import of submodules on first use, to keep `import qlc` fast."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any


def submodules(
    package: str, names: Collection[str] = (), homes: Mapping[str, str] | None = None
) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package: it imports submodules in `names`, and attributes from their modules in
    `homes`."""

    def get(name: str) -> Any:
        if homes and name in homes:
            return getattr(import_module(homes[name]), name)
        if name not in names:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return import_module(f"{package}.{name}")

    return get
