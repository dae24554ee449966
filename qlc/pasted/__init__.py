"""Pasted Elasticsearch requests: recognised, checked, run within the caller's access, explained."""

from typing import TYPE_CHECKING

from qlc.base.lazy import submodules

if TYPE_CHECKING:
    from qlc.pasted import entry as entry
    from qlc.pasted import recognise as recognise
else:  # a type checker would take it that every name is there
    __getattr__ = submodules(__name__, ("entry", "recognise"))
