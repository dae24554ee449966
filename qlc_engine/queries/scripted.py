"""`script`: documents for which a script returns true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.docset import DocSet, Ordinals
from qlc_engine.errors import parsing_error
from qlc_engine.leaf import Leaf
from qlc_engine.painless import Script, read_script
from qlc_engine.params import Params
from qlc_engine.queries.base import Query, Scores
from qlc_engine.queries.context import QueryContext


@dataclass(frozen=True)
class Scripted(Query):
    """Only live documents that match the other clauses are asked: in others the script may be an error."""

    script: Script
    late = True

    def docs(self, leaf: Leaf) -> DocSet:
        return self.among(leaf, DocSet.all(leaf.n))

    def among(self, leaf: Leaf, within: DocSet) -> DocSet:
        if leaf.space.live is not None:
            within = within & DocSet(leaf.n, mask=leaf.space.live)
        if not within.is_large:
            return DocSet(leaf.n, ids=within.ids[self.script.matches(leaf.space, within.ids)])
        mask = within.mask
        if mask.all():
            return DocSet(leaf.n, mask=self.script.matches(leaf.space, None))
        return DocSet(leaf.n, mask=self.script.matches(leaf.space, None, mask) & mask)

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        matching = self.among(leaf, DocSet(leaf.n, ids=ids))
        return matching.contains_each(ids) * np.float64(np.float32(boost))

    def score_matching(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        return np.full(len(ids), np.float64(np.float32(boost)))


def parse_script(body: Any, context: QueryContext) -> Query:
    params = Params("script", body)
    if "script" not in params:
        raise parsing_error("script must be provided with a [script] filter")
    given = params.take("script")
    params.finish()
    return Scripted(read_script(given, context.mapping, null=False))
