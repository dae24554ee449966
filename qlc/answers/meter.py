"""Counts how much of its budget an answer has used: searches, calls of a model with tokens and cost, and time."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from qlc.models.budgets import Budget, Ledger, Usage
from qlc.models.exchange import ModelRequest
from qlc.outcome import Spent


class OutOfBudget(Exception):
    """A search is to be made, and the budget has none left."""


@dataclass
class Meter:
    """The one place where an answer is charged. `ends` is an instant of `time.monotonic`."""

    budget: Budget
    ends: float
    ledger: Ledger = field(default_factory=Ledger)
    searches: int = 0
    requests: int = 0
    calls: int = 0

    def search(self, count: int, *, is_check: bool = False) -> None:
        """Count searches. Raises OutOfBudget if the budget has fewer left.

        Checks are counted, but always allowed: a found answer is neither lost nor shown unchecked.
        """
        if not is_check and self.searches + count > self.budget.searches:
            raise OutOfBudget
        self.searches += count

    def may_call(self, model: str, request: ModelRequest) -> bool:
        """Whether the budget allows a call of a model, however long the reply."""
        spent, seconds = self.ledger.spent(model)
        is_allowed = self.budget.allows(model, spent, request.characters, request.max_tokens)
        return is_allowed and self.calls < self.budget.calls and seconds < self.budget.seconds

    def called(self, model: str, usage: Usage, seconds: float) -> None:
        self.calls += 1
        self.ledger.add(model, usage, seconds)

    def call_ends(self, model: str) -> float:
        """Return the instant by which a call of a model must end."""
        return self.budget.deadline(model, self.ledger, self.ends)

    @property
    def left(self) -> float:
        """Return the remaining seconds, at least 0."""
        return max(self.ends - time.monotonic(), 0.0)

    def spent(self) -> Spent:
        """Return the cost so far. It is None if a model has no known price."""
        usages = {model: usage for model, (usage, _) in self.ledger.own.items()}
        prices = {model: self.budget.price(model) for model in usages}
        costs = [price.of(usages[model]) for model, price in prices.items() if price is not None]
        return Spent(
            searches=self.searches, requests=self.requests, calls=self.calls,
            tokens=sum(one.tokens for one in usages.values()),
            cost=round(sum(costs), 6) if len(costs) == len(usages) else None,
        )  # fmt: skip
