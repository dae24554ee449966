"""How much one program may ask for. Beyond a limit it is refused with `too-long` or `too-deep` before work is done on
it; docs/language.md lists them. What an answer may read is bounded by the catalog (`bounds`), time by the deadline.

Generous for people and for machine-made lists of ids; a program at any limit compiles within two seconds or so.
"""

LONGEST_PROGRAM = 500_000
"""Characters, comments and spaces included: 10,000 ids in quotes are some 400,000."""

MOST_WORDS = 60_000
"""Words, values, signs and comments."""

LONGEST_NAME = 5_000
"""Characters of one name."""

MOST_VALUES = 20_000
"""Commas: between the values of all lists and the parts of all clauses together. Also the values of a list that is
bound to a parameter."""

MOST_CONDITIONS = 1_000
"""`and`s and `or`s, those of sub-queries included. Elasticsearch by default takes about as many clauses in a search."""

MOST_BRACKETS = 1_000
"""Round brackets: groups of conditions, sub-queries, lookups, functions."""

MOST_REFERENCES = 2_000
"""Dots, each after a reference, a list or an object."""

MOST_BINDINGS = 100
"""Bindings (`let`)."""

MOST_PARTS = 500
"""Keys of one `sort`, fields of one `show`, measures, values of `get`, edges of `bins`."""

MOST_DEPTH = 200
"""Symbols that may wait on the parser's stack. Lists and chains of `and` need a constant number of them, each bracket
or `not` one to six, so this bounds the nesting of the tree, and with it the recursion of all who walk it."""

MOST_LEVELS = 30
"""Lookups and sub-queries that each need the one before: each is a round trip."""

MOST_FINDINGS = 100
"""Errors and warnings of one program that are reported."""
