"""Errors in the files that describe an index, raised before any question.

MappingError    the index mapping cannot be read
CatalogError    the catalog cannot be used; it carries every finding as a diagnostic
"""

from __future__ import annotations

from collections.abc import Sequence

from qlc.base.diagnostics import Diagnostic, render
from qlc.base.errors import ConfigurationError


class MappingError(ConfigurationError):
    """Raised for an invalid index mapping; the message says why in plain words."""


MOST_PRINTED = 20
"""Most findings in the text of an error, in file order; `diagnostics` has all of them."""


class CatalogError(ConfigurationError):
    """Raised for a catalog with errors. `diagnostics` has all of them; `source` is the text that their spans point
    into."""

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
