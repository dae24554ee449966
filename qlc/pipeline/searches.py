"""Exceptions of `Compiler.search` and `query`, for programs that are not a search."""

from __future__ import annotations

from typing import Any, ClassVar

from qlc.base.errors import QlcError
from qlc.outcome import Outcome


class NoSearch(QlcError):
    """Raised if the program gives no search; `outcome` says why, as a run of the program would have."""

    kinds: ClassVar[dict[str, type[NoSearch]]] = {}

    def __init_subclass__(cls, *, kind: str, **given: Any) -> None:
        super().__init_subclass__(**given)
        NoSearch.kinds[kind] = cls

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.message)
        self.outcome = outcome

    @classmethod
    def of(cls, outcome: Outcome) -> NoSearch:
        """The exception of an outcome's kind: `clarify` -> ChoiceNeeded."""
        return cls.kinds.get(outcome.kind, cls)(outcome)


class InvalidProgram(NoSearch, kind="invalid"):
    """The program has errors; the outcome has the diagnostics."""


class ChoiceNeeded(NoSearch, kind="clarify"):
    """A name means several things. Pass `choices={outcome.token: id of an option}`."""


class NameNotFound(NoSearch, kind="not_found"):
    """The program looks up a name that is not found."""


class CannotSearch(NoSearch, kind="unsupported"):
    """The program is right, but it is not one search, or a bound is exceeded."""


class SearchFailed(NoSearch, kind="failed"):
    """A lookup failed, or the caller's context lacks a value of an access rule."""
