"""Claims held against quotes of whole pages: tables of offices, pages in another language, days without a year."""

from typing import Any

import pytest

from qlc.answers.calculating import calculated
from qlc.answers.grounding import unfounded
from qlc.answers.placing import Source, quoted_cells
from tests.tables import rows


@pytest.mark.parametrize("claim", rows(__file__, "test_a_claim_holds_or_names_what_differs"))
def test_a_claim_holds_or_names_what_differs(claim: dict[str, Any]) -> None:
    """`pages`: a list of a page and the quotes of it. `wrong`: a part of the problem, empty where the claim holds."""
    pages: list[tuple[str, list[str]]] = claim["pages"]
    quotes = [quote for _, some in pages for quote in some]
    cells = quoted_cells([Source(quote, page) for page, some in pages for quote in some])
    said, asked = claim["said"], claim.get("asked", "")
    expression = claim.get("calculation", "")
    try:
        result = calculated(expression, quotes, said, asked, cells) if expression else None
        found = unfounded(said, quotes, [], result, "\n".join(page for page, _ in pages), asked, cells)
    except ValueError as problem:
        found = [str(problem)]
    wrong = claim.get("wrong", "")
    assert any(wrong in one for one in found) if wrong else not found, found
