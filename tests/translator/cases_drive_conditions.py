"""Questions for documents by their kind, their text and their fields, in the wordings of different people."""

from tests.tables import table

CASES: dict[str, str] = table(__file__, "CASES")

UNANSWERED: list[str] = table(__file__, "UNANSWERED")
