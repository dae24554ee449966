"""What goes wrong with the files that describe an index, before any question is asked.

MappingError    the index mapping cannot be read
CatalogError    the catalog cannot be used; it carries every finding as a diagnostic
"""

from __future__ import annotations

from collections.abc import Sequence

from qlc.base.diagnostics import Diagnostic, render
from qlc.base.errors import ConfigurationError


class MappingError(ConfigurationError):
    """The index mapping is not one: the message says what is wrong with it in plain words."""


MOST_PRINTED = 20
"""Findings in the text of an error, the first in the file; `diagnostics` has all of them."""


class CatalogError(ConfigurationError):
    """The catalog has errors. `diagnostics` are all of them; `source` is the text that their spans point into."""

    def __init__(self, diagnostics: Sequence[Diagnostic], source: str = "", name: str = "catalog") -> None:
        super().__init__(diagnostics, source, name)
        self.diagnostics = tuple(diagnostics)
        self.source = source
        self.name = name

    def __str__(self) -> str:
        shown = [render(one, self.source) for one in self.diagnostics[:MOST_PRINTED]]
        more = len(self.diagnostics) - len(shown)
        rest = [f"and {more:,} more: fix these first"] if more else []
        return "\n".join([f"{self.name} has errors:", *shown, *rest])
