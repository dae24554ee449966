"""Questions for folders, what lies in them, and other documents, as different people type them."""

from tests.tables import table

CASES: dict[str, str] = table(__file__, "CASES")
