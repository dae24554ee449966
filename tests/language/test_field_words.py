"""Choose the dates of a table that a question can mean without naming one."""

import pytest

from qlc.language.field_words import usual_dates


@pytest.mark.parametrize(("kind", "dates", "usual"), [
    ("order", "ordered_at shipped_at delivered_at", "ordered_at"),
    ("order", "order_date due_date", "order_date"),
    ("entry", "date created_at", "date"),
    ("ticket", "created_at updated_at started_at", "created_at"),
    ("lease", "signed_on start_date end_date", "signed_on start_date"),
    ("job", "booked_on scheduled_for", "scheduled_for"),
    ("workorder", "reported_at scheduled_for planned_start", "reported_at"),
    ("harvest", "picked_on next_inspection", "picked_on"),
    ("shipment", "not_before shipped estimated_delivery", "shipped"),
    ("project", "manager_birth_date planned_end updated_at", ""),
    ("account", "trial_end", ""),
])  # fmt: skip
def test_the_usual_dates_of_names(kind: str, dates: str, usual: str) -> None:
    words = {one: one.split("_") for one in dates.split()}
    assert usual_dates(words, (kind, f"{kind}s")) == usual.split()
