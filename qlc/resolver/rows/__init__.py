"""Rows of groups and measures, distinct values and pairs of values: read to the end, exact.

`read_rows` is the whole way from a typed aggregate to its rows. Below it, `table` puts the measures of each row
together, `cells` reads buckets in the way that fits their number, `columns` and `references` say how the keys of a
group come about, and `having`, `order`, `names` and `units` do what is left for our side.
"""

from qlc.resolver.rows.asking import filtered_body
from qlc.resolver.rows.model import Key, Row, RowSet
from qlc.resolver.rows.reading import read_rows
from qlc.resolver.rows.values import read_pairs, read_values

__all__ = ["Key", "Row", "RowSet", "filtered_body", "read_pairs", "read_rows", "read_values"]
