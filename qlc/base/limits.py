"""Limits of a program. A program beyond one is refused with `too-long` or `too-deep` before it is processed;
docs/language.md lists them. What an answer may read is bounded by the catalog (`bounds`), time by the deadline.

Generous for people and for generated lists of ids; a program at any limit compiles within about two seconds.
"""

LONGEST_PROGRAM = 500_000
"""Most characters, including comments and spaces: 10,000 ids in quotes are some 400,000."""

MOST_WORDS = 60_000
"""Most words, values, signs and comments."""

LONGEST_NAME = 5_000
"""Most characters of a name."""

MOST_VALUES = 20_000
"""Most commas in lists and clauses together; also most values of a list that is bound to a parameter."""

MOST_CONDITIONS = 1_000
"""Most `and`s and `or`s, including sub-queries. Elasticsearch by default accepts about as many clauses in a search."""

MOST_BRACKETS = 1_000
"""Most round brackets: groups of conditions, sub-queries, lookups, functions."""

MOST_REFERENCES = 2_000
"""Most dots, each after a reference, a list or an object."""

MOST_BINDINGS = 100
"""Most bindings (`let`)."""

MOST_PARTS = 500
"""Most keys of one `sort`, fields of one `show`, measures, values of `get`, edges of `bins`."""

MOST_DEPTH = 200
"""Most symbols on the parser's stack. Lists and chains of `and` need a constant number, each bracket or `not` one to
six, so this bounds the nesting of the tree, and the recursion of all functions that walk it."""

MOST_LEVELS = 30
"""Most lookups and sub-queries that each need the one before; each is a round trip."""

MOST_FINDINGS = 100
"""Most errors and warnings that are reported for a program."""
