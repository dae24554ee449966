"""How an amount stands in its clause."""

import pytest

from qlc.answers.clauses import bounded
from qlc.corpus.values.prose import clause_of
from qlc.language.quantities import Style, quantities


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("Deliver within approx. 5 days.", "Deliver within about 5 days."),
        ("It is sent. Some e.g. 5 kg.", "It is sent. Some perhaps 5 kg."),
        ("At least this much. Then 5 days.", "At least this much; then 5 days."),
        ("At least ca. 20 kg, i.e. a sack.", "At least 20 kg, that is a sack."),
        ("A cap, e.g. 20 kg.", "A cap, such as 20 kg."),
    ],
)
def test_the_full_stop_of_an_abbreviation_ends_no_clause(short: str, full: str) -> None:
    first, second = (bounded(text, next(iter(quantities(text, Style())))) for text in (short, full))
    assert first == second


def test_a_clause_goes_on_after_an_abbreviation() -> None:
    text = "It is long. The term is approx. 5 days, i.e. a week. It ends."
    (amount,) = quantities(text, Style())
    assert clause_of(text, amount).strip().startswith("The term is approx. 5 days")
