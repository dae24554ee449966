"""Questions about the document store in other people's words, and the programs they mean."""

from __future__ import annotations

from tests.tables import table

CASES: dict[str, str] = table(__file__, "CASES")

BARE: dict[str, str] = {
    # What has done so by itself has done it before today; a quoted value needs no field for its verb.
    "leases that have already expired": 'find documents where type = "Lease" and expires < today',
}
"""Questions that are understood with a catalog of bare names."""

UNANSWERED: list[str] = table(__file__, "UNANSWERED")
