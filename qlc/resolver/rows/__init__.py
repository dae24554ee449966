"""Rows of groups and measures, distinct values and pairs of values: read to the end, exact.

`read_rows` goes from a typed aggregate to its rows. It uses `table` to combine the measures of each row, `cells` to
read buckets in the way that fits their number, `columns` and `references` for the keys of groups, and `having`,
`order`, `names` and `units` for the work on our side.
"""

from qlc.resolver.rows.asking import filtered_body
from qlc.resolver.rows.model import Key, Row, RowSet
from qlc.resolver.rows.reading import read_rows
from qlc.resolver.rows.values import read_pairs, read_values

__all__ = ["Key", "Row", "RowSet", "filtered_body", "read_pairs", "read_rows", "read_values"]
