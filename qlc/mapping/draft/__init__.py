"""Drafts a first catalog for a live index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qlc.base.errors import ConfigurationError, RequestFailed
from qlc.base.options import DEFAULT_DEADLINE
from qlc.mapping.draft.text import draft_catalog

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

    from qlc.mapping.catalog import Catalog

__all__ = ["draft_catalog", "drafted_catalog"]


def drafted_catalog(client: Elasticsearch, index: str, *, shows_all: bool = False) -> Catalog | None:
    """Return a catalog drafted from the mapping and samples of an index.

    None if there is no such index, or the caller may not read it; a query of it says so. `shows_all`: nothing is
    drafted as confidential, as for the owner of the files.

    Raises RequestFailed if the server cannot answer now, or answers in part: the draft would be another one later.
    """
    from elastic_transport import TransportError
    from elasticsearch import ApiError

    from qlc.mapping.catalog import read_catalog

    try:
        text = draft_catalog(client.options(request_timeout=DEFAULT_DEADLINE), index, in_memory=True,
                             shows_all=shows_all)  # fmt: skip
        return read_catalog(text, "draft")
    except (ApiError, ConfigurationError) as problem:
        if isinstance(problem, ApiError) and problem.meta.status >= 429:
            raise RequestFailed("unavailable", "the index could not be read for a draft", retryable=True) from None
        return None
    except TransportError:
        raise RequestFailed("unreachable", "the index could not be read for a draft", retryable=True) from None
