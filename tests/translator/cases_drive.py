"""Questions about the document store and the programs that the rules make of them, by topic."""

from tests.tables import table

CASES: dict[str, list[tuple[str, str]]] = table(__file__, "CASES")
