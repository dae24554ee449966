"""Other spellings: accepted where nothing else could be meant, and printed in the canonical one."""

from __future__ import annotations

import pytest

from .reading import canonical

SPELLINGS = [
    ('a is "x"', 'a = "x"'),
    ('a is not "x"', 'a != "x"'),
    ('a is in ["x"]', 'a in ["x"]'),
    ('a is not in ["x"]', 'a not in ["x"]'),
    ("a is missing", "a missing"),
    ("a is null", "a missing"),
    ("a is exists", "a exists"),
    ("a is not missing", "a exists"),
    ("a is not null", "a exists"),
    ("a is not exists", "a missing"),
    ("a not missing", "a exists"),
    ("a not exists", "a missing"),
    ("a = null", "a missing"),
    ("a == null", "a missing"),
    ("a != null", "a exists"),
    ("a == 1", "a = 1"),
    ("a <> 1", "a != 1"),
    ("a = 'x'", 'a = "x"'),
    ("a = 'it\\'s \"x\"'", 'a = "it\'s \\"x\\""'),
    ("a = “x”", 'a = "x"'),
    ("a = „x“", 'a = "x"'),
    ("a = ‘x’", 'a = "x"'),
    ("a IN [1] AND NOT b", "a in [1] and not b"),
    ("a not = 1", "not a = 1"),
    ("a not != 1", "not a != 1"),
    ("a not > 1", "not a > 1"),
    ("a not in [1]", "a not in [1]"),
    ("a not has 1", "not a has 1"),
    ("a not has any [1]", "not a has any [1]"),
    ('a not contains "x"', 'not a contains "x"'),
    ('a not starts with "x"', 'not a starts with "x"'),
    ('a not like "x"', 'not a like "x"'),
    ('a not mentions "x"', 'not a mentions "x"'),
    ("a not between 1 and 2", "not a between 1 and 2"),
    ("a not under b", "not a under b"),
    ("a not within 4 km of (1, 2)", "not a within 4 km of (1, 2)"),
    ("a is under b", "a under b"),
    ('a in ("x", "y")', 'a in ["x", "y"]'),
    ("a in (1)", "a in [1]"),
    ('a not in ("x", today,)', 'a not in ["x", today]'),
    ("a > 5MB", "a > 5 MB"),
    ("a contains any [1]", "a has any [1]"),
    ("a contains all [1]", "a has all [1]"),
    ('a starts_with "x"', 'a starts with "x"'),
    ('a ends_with "x"', 'a ends with "x"'),
    ('about("x")', 'about "x"'),
    ('mentions ("x")', 'mentions "x"'),
    ("a", "a"),
    ("a in [1, 2,]", "a in [1, 2]"),
    ("m² = 5 m²", "`m²` = 5 m2"),
]

STATEMENTS = [
    ("find a order by b", "find a sort b"),
    ("find a sort by b asc, c ascending", "find a sort b, c"),
    ("find a sort b descending;", "find a sort b desc"),
    ("count a group by b", "count a by b"),
    ("count(*) of a", "count a"),
    ("count of a", "count a"),
    ("count(*), avg(b) of a", "count, avg(b) of a"),
    ("count a by c having count(*) > 3 sort count(*)", "count a by c having count > 3 sort count"),
    ("let s = find a where b; find c where d in s", "let s = (find a where b) find c where d in s"),
    ("let s = count a find c where d = s", "let s = (count a) find c where d = s"),
    ("let s = avg(b) of a\nfind c where d > s;", "let s = (avg(b) of a) find c where d > s"),
    ("find a show b, c,", "find a show b, c"),
    ("find a where b,;", "find a where b"),
    ('find a where b in ["c", -- one\n"d", -- two\n]', 'find a where b in ["c", "d"]'),
]


@pytest.mark.parametrize(("written", "printed"), SPELLINGS)
def test_condition(written: str, printed: str) -> None:
    assert canonical(f"find x where {written}") == f"find x where {printed}"


@pytest.mark.parametrize(("written", "printed"), STATEMENTS)
def test_statement(written: str, printed: str) -> None:
    assert canonical(written) == printed
