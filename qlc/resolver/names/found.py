"""What a lookup of a name answers with. Frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from qlc.compiler.typed import Scalar

StepName = Literal["id", "exact", "path", "folded", "extension", "words", "near"]

Reason = Literal["no-such-name", "other-kind", "no-such-id"]
"""Why nothing was found. `other-kind`: something else has the name (a folder is wanted, a document is called so)."""

MAX_CANDIDATES = 1000


@dataclass(frozen=True, slots=True)
class Candidate:
    """One entity that the name may mean.

    `path` is the readable path, empty where there is none. `label` says what tells it apart from others of the name.
    `values` are the stored values of the wanted fields by the field's name: empty where the document lacks it.
    """

    id: Scalar
    name: str
    path: str
    label: str
    values: Mapping[str, tuple[Scalar, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """The entities that a name means: one, several to ask about, or none and why.

    `step` is the one that found them, `by_path`: the text was read as a path. `truncated`: there are more than
    MAX_CANDIDATES. `notes` are plain sentences for the outcome. With no candidates `reason` says
    why, `other_kinds` name the entities that have the name (`as_id`: the id) instead, and `suggestions` are names that
    come near, best first.
    """

    entity: str
    text: str
    step: StepName | None = None
    candidates: tuple[Candidate, ...] = ()
    truncated: bool = False
    notes: tuple[str, ...] = ()
    reason: Reason | None = None
    other_kinds: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    by_path: bool = False
    as_id: bool = False
