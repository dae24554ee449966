"""Questions about the document store: numbers, bounds, values and groups."""

from tests.tables import table

CASES: dict[str, str] = table(__file__, "CASES")

UNANSWERED = table(__file__, "UNANSWERED")
