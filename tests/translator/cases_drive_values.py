"""Questions about the document store: in the order of what happens to things, parts of periods, the same value."""

from tests.tables import table

CASES: dict[str, str] = {
}

UNANSWERED: list[str] = table(__file__, "UNANSWERED")
