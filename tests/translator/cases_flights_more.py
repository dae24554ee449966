"""More questions about flights: rates, percentiles, hours, what is said by verbs, comparisons of two things."""

from tests.tables import rows

CASES: list[tuple[str, str]] = rows(__file__, "CASES")
