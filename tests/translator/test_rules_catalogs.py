"""The fewest of groups, which have no row where there is none."""

from qlc.outcome import AggregateOut
from qlc.translator.entry import Asker


def test_the_fewest_with_a_condition_are_those_of_groups_that_all_have_some(containers: Asker) -> None:
    """Groups that have none at all make no row: the fewest among the rows are the fewest only where there are none."""
    program = "count containers where hazardous = true by carrier sort count limit 1"
    assert containers.ask("which carrier has the fewest hazardous containers", size=0).query == program
    rows = containers.ask("count containers by carrier")
    assert isinstance(rows, AggregateOut)
    some = containers.ask("count containers where hazardous = true by carrier")
    assert isinstance(some, AggregateOut)
    assert len(rows.rows) == len(some.rows)
