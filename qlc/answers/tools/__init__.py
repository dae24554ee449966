"""Typed tools over a corpus: for programs, and for a model. Each is a program that runs through the compiler."""

from .running import TOOLS, Tool, call, snippet_of

__all__ = ["TOOLS", "Tool", "call", "snippet_of"]
