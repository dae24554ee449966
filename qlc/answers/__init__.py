"""Answers from the documents of a corpus, with citations that are checked in code."""

from __future__ import annotations

from qlc.base.lazy import submodules

__getattr__ = submodules(__name__, ("model", "rows", "tools"))
