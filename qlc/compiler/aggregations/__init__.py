"""Groups and measures as Elasticsearch aggregations, without I/O: requests are built, responses are parsed.

`groupings` has the buckets of one group, `statistics` the measures of a row. `tree` chains both into a request and
parses the response by the same chain. `slices` splits what is too large for one response.
"""
