"""A first catalog for a live index."""

from qlc.mapping.draft.text import draft_catalog

__all__ = ["draft_catalog"]
