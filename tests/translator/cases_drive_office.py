"""Questions about the document store as people of an office ask them."""

from tests.tables import table

CASES: dict[str, str] = table(__file__, "CASES")

UNANSWERED = table(__file__, "UNANSWERED")
