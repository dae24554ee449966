"""The stages of a program in their order: `compiler` is the public API, `prepared` knows the order."""

from typing import TYPE_CHECKING, Any

from qlc.base.lazy import submodules

if TYPE_CHECKING:
    from qlc.pipeline import searches as searches
    from qlc.pipeline.compiler import Compiler, Prepared

__all__ = ["Compiler", "Prepared"]

_module = submodules(__name__, ("searches",))

if not TYPE_CHECKING:  # a type checker would take it that every name is there

    def __getattr__(name: str) -> Any:
        """`from qlc.pipeline.compiler import Compiler`; other modules of this folder do not pay for it."""
        if name in __all__:
            from qlc.pipeline import compiler

            return getattr(compiler, name)
        return _module(name)
