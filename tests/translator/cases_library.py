"""Questions about a town library: books, members and loans in one index, and the programs that the rules make of them."""

from tests.tables import rows

CASES: list[tuple[str, str]] = rows(__file__, "CASES")
