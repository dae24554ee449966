"""Named queries: which of them a hit matches."""

from __future__ import annotations

import numpy as np

from qlc_engine.leaf import Leaf
from qlc_engine.queries.compound import Nested
from qlc_engine.queries.context import QueryContext


def matching(context: QueryContext, leaf: Leaf, doc: int) -> list[str]:
    """The named queries that a document or nested element matches.

    Queries on elements are asked of documents too, which have what is included in them; of an element only those of
    its own level are.
    """
    found: list[str] = []
    for name, query, level in context.named:
        if leaf.nested_path is None:
            asked = level is None or not isinstance(query, Nested)
        else:
            asked = level == leaf.nested_path
        if asked and bool(query.docs(leaf).contains_each(np.array([doc]))[0]):
            found.append(name)
    return found
