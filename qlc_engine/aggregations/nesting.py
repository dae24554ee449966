"""`nested` and `reverse_nested`: down to the elements of a nested object and up again."""

from __future__ import annotations

from dataclasses import dataclass

from qlc_engine.aggregations.selection import Selection, ascend, descend
from qlc_engine.aggregations.tree import Aggregator, SingleBucket, single_bucket
from qlc_engine.errors import illegal_argument


@dataclass
class NestedAggregator(Aggregator):
    """`path` None stands for a path that is no nested object: no documents."""

    path: str | None

    def collect(self, selection: Selection) -> SingleBucket:
        is_below = self.path is not None and (selection.path is None or self.path.startswith(selection.path + "."))
        if self.path is None or not is_below:
            below = selection.with_slices((), path=self.path, same_path=False)
        else:
            below = descend(selection, self.path)
        return single_bucket(below, self.children)


@dataclass
class ReverseNestedAggregator(Aggregator):
    """`path` None: up to the top-level documents."""

    path: str | None

    def collect(self, selection: Selection) -> SingleBucket:
        inside = selection.path or ""
        if self.path is not None and not (inside == self.path or inside.startswith(self.path + ".")):
            raise illegal_argument(
                f"Reverse nested path [{self.path}] is not a parent of the current nested scope [{inside}]",
                on_shard=True,
            )
        if selection.path == self.path:
            return single_bucket(selection, self.children)
        roots = [segment.space for segment in selection.run.context.segments]
        return single_bucket(ascend(selection, self.path, roots), self.children)
