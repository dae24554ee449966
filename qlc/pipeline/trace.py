"""The record of one run that explain prints. The stages write to it if it is passed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qlc.compiler import typed
    from qlc.compiler.check import Checked
    from qlc.grammar.tree import Program
    from qlc.outcome import Outcome
    from qlc.planner.plan import Plan
    from qlc.resolver.driver import Sent


@dataclass(slots=True)
class Trace:
    source: str = ""
    tree: Program | None = None
    checked: Checked | None = None
    plan: Plan | None = None
    access: Mapping[str, typed.Condition] = field(default_factory=dict)
    requests: list[Sent] = field(default_factory=list)
    outcome: Outcome | None = None
    failure: str = ""
    stage_ms: dict[str, float] = field(default_factory=dict)
    words: str = ""
    translation: Sequence[Any] = ()
    fixed: Sequence[str] = ()

    def translated(self, words: str, steps: Sequence[Any], fixed: Sequence[str] = ()) -> None:
        """Record how words became a program: each translator's result (qlc.translator.protocol.Step), and fixes."""
        self.words, self.translation, self.fixed = words, tuple(steps), tuple(fixed)

    def compiled(
        self,
        source: str,
        program: Program,
        checked: Checked,
        plan: Plan | None,
        access: Mapping[str, typed.Condition],
    ) -> None:
        self.source, self.tree, self.checked, self.plan, self.access = source, program, checked, plan, access

    def times(self, **seconds: float) -> None:
        self.stage_ms |= {stage: 1000 * value for stage, value in seconds.items()}

    def sent(self, requests: Sequence[Sent]) -> None:
        self.requests += requests

    def ended(self, outcome: Outcome | None, failure: str = "") -> None:
        """Record the outcome. `failure` is the technical detail of a `failed` one."""
        self.outcome, self.failure = outcome, failure
