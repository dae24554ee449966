"""How an amount stands in its clause."""

import pytest

from qlc.answers.clauses import bounded
from qlc.corpus.values.prose import clause_of
from qlc.language.quantities import Style, quantities
from tests.tables import rows


@pytest.mark.parametrize(("short", "full"), rows(__file__, "test_the_full_stop_of_an_abbreviation_ends_no_clause"))
def test_the_full_stop_of_an_abbreviation_ends_no_clause(short: str, full: str) -> None:
    first, second = (bounded(text, next(iter(quantities(text, Style())))) for text in (short, full))
    assert first == second


def test_a_clause_goes_on_after_an_abbreviation() -> None:
    text = "It is long. The term is approx. 5 days, i.e. a week. It ends."
    (amount,) = quantities(text, Style())
    assert clause_of(text, amount).strip().startswith("The term is approx. 5 days")
