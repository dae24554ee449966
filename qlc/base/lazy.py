"""The only place that imports modules by their names: the modules of a package, when they are first used as its
attributes, and packages of extras, which may be missing."""

from __future__ import annotations

from collections.abc import Callable, Collection
from importlib import import_module
from typing import Any


def submodules(package: str, names: Collection[str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose modules `names` are there without an import of their own: `import qlc` does
    not pay for `qlc.outcome`."""

    def get(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return import_module(f"{package}.{name}")

    return get


def optional(name: str) -> Any:
    """A package of an extra; None where it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        return None


def named(module: str, name: str) -> Any:
    """Return an attribute of a module: `named("qlc.cli.index", "build")`."""
    return getattr(import_module(module), name)


def module_named(name: str) -> Any:
    """Import a module: `module_named("docx")`."""
    return import_module(name)
