"""Questions about the document store that were read wrongly, or not at all, by what was wrong with their reading."""

from tests.tables import table

CASES: dict[str, list[tuple[str, str]]] = table(__file__, "CASES")

UNANSWERED: list[str] = table(__file__, "UNANSWERED")
