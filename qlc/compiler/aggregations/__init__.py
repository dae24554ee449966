"""Groups and measures as Elasticsearch aggregations: pure building of requests and reading of answers.

`groupings` knows how one group's keys are asked for, `statistics` what is measured of a row, `tree` chains both into a
request and reads the answer by the same chain, `slices` cuts what is too large for one response.
"""
