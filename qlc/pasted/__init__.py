"""Pasted Elasticsearch requests: recognised, checked, run within the caller's access, explained."""

from qlc.base.lazy import submodules

__getattr__ = submodules(__name__, ("entry", "recognise"))
