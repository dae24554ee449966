"""Budgets of questions: calls, seconds, tokens, money."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from qlc.base.errors import ConfigurationError

CHARACTERS_PER_TOKEN = 3.0
"""Few, so that a prompt is rather thought too large than too small before it is sent."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of calls. `read` come from the prompt cache, `written` go into it, `input` are the rest of the prompt."""

    input: int = 0
    output: int = 0
    read: int = 0
    written: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.read + other.read,
            self.written + other.written,
        )

    @property
    def tokens(self) -> int:
        return self.input + self.output + self.read + self.written


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens. The prompt cache costs a tenth to read and a quarter more to write."""

    input: float
    output: float

    def of(self, usage: Usage) -> float:
        prompt = usage.input + 0.1 * usage.read + 1.25 * usage.written
        return (prompt * self.input + usage.output * self.output) / 1_000_000


@dataclass(slots=True)
class Ledger:
    """The cost of one turn's questions, by model, so that a budget holds for all of them together.

    `before` is the cost of earlier steps of the turn, `own` was added since; both can be stored as JSON.
    """

    before: Mapping[str, tuple[Usage, float]] = field(default_factory=dict)
    own: dict[str, tuple[Usage, float]] = field(default_factory=dict)

    def spent(self, model: str) -> tuple[Usage, float]:
        """Tokens and seconds."""
        (before, early), (own, late) = (one.get(model, (Usage(), 0.0)) for one in (self.before, self.own))
        return before + own, early + late

    def add(self, model: str, usage: Usage, seconds: float) -> None:
        own, late = self.own.get(model, (Usage(), 0.0))
        self.own[model] = own + usage, late + seconds


PRICES: Mapping[str, Price] = {
    "claude-opus-4": Price(15, 75),
    "claude-opus-4-5": Price(5, 25),
    "claude-opus-4-6": Price(5, 25),
    "claude-sonnet-4": Price(3, 15),
    "claude-haiku-4": Price(1, 5),
}
"""Prices by the beginning of a model's name, the longest counts. They change: give your own where a budget rests on
them."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one message.

    rounds: calls of the model for one question, the first and corrections; a message of several questions has as many
    for each, and for the text over their answers. All other limits hold for the message as a whole. seconds: over all
    calls, their retries included, and never beyond the deadline. tokens: of all calls, cached ones too. cost: US
    dollars by `prices`; None: no limit. A call that could exceed tokens or cost is not made.

    An answer from documents has at most `calls` of the model in place of rounds, at most `searches` programs, and at
    most `tools` that a model in a single loop calls. For such an answer `seconds` limit the whole of it.
    """

    rounds: int = 3
    seconds: float = 25.0
    tokens: int = 150_000
    cost: float | None = None
    prices: Mapping[str, Price] = field(default_factory=lambda: PRICES)
    calls: int = 8
    searches: int = 300
    tools: int = 5

    def price(self, model: str) -> Price | None:
        """Raises ConfigurationError where a cost is to be kept and nothing says what the model costs."""
        known = [name for name in self.prices if model.startswith(name)]
        if known:
            return self.prices[max(known, key=len)]
        if self.cost is not None:
            raise ConfigurationError(f"no price is known for the model '{model}', so no cost can be kept: give prices")
        return None

    def deadline(self, model: str, ledger: Ledger, until: float) -> float:
        """The instant of `time.monotonic` at which the model is to be done, and not after `until`."""
        return min(time.monotonic() + self.seconds - ledger.spent(model)[1], until)

    def allows(self, model: str, spent: Usage, characters: int, answer: int) -> bool:
        """Whether another call with a prompt of so many characters and at most `answer` tokens back fits in."""
        most = spent + Usage(written=int(characters / CHARACTERS_PER_TOKEN), output=answer)
        if most.tokens > self.tokens:
            return False
        price = self.price(model)
        return self.cost is None or price is None or price.of(most) <= self.cost
