"""Every code of a syntax error, a text that has it and that text mended: documentation and tests read this table."""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    """`offered`: the diagnostic carries exactly this mend. Otherwise the mend is one of several, and ours here."""

    code: str
    failing: str
    mended: str
    offered: bool = True


EXAMPLES = (
    # --- lexemes
    Example("missing-quote", 'find documents where folder = "Tax', 'find documents where folder = "Tax"'),
    Example("missing-quote", 'find documents where folder = Tax"', 'find documents where folder = "Tax"'),
    Example(
        "missing-quote",
        'find documents where name = "Tax and size > 5',
        'find documents where name = "Tax" and size > 5',
        False,
    ),
    Example("missing-back-quote", "find documents where `last = 1", "find documents where `last` = 1"),
    Example("empty-name", "find documents where `` = 1", "find documents where name = 1", False),
    Example("unknown-escape", r'find documents where name = "C:\dir"', r'find documents where name = "C:\\dir"', False),
    Example("half-character", r'find documents where name = "\ud83d"', 'find documents where name = "😀"', False),
    Example("unreadable-character", "find documents where a ? 1", "find documents where a = 1", False),
    Example("leading-zero", "find documents where id = 007", 'find documents where id = "007"'),
    Example("number-out-of-range", "find documents where size > 1e400", "find documents where size > 1e300", False),
    Example("whole-number", "find documents limit 1.5", "find documents limit 2", False),
    Example(
        "invalid-date", "find documents where created = 2024-02-30", "find documents where created = 2024-02-29", False
    ),
    Example("invalid-date", "find documents where created = 2024-3-5", "find documents where created = 2024-03-05"),
    Example("invalid-date", "find documents where type = 1099-INT", 'find documents where type = "1099-INT"'),
    Example("unknown-unit", "find documents where size > 5 megabites", "find documents where size > 5 MB"),
    Example("unknown-unit", "find documents where age > 5 months", "find documents where age > 150 days", False),
    Example(
        "invalid-date", "find documents where year in 2024-2025", "find documents where year between 2024 and 2025"
    ),
    # --- slips of the pen
    Example("empty-program", "-- nothing", "find documents limit 10", False),
    Example("incomplete", "find documents where size >", "find documents where size > 5 MB", False),
    Example("unexpected", "find documents limit x", "find documents limit 10", False),
    Example("misspelt-keyword", 'find documents wher type = "W2"', 'find documents where type = "W2"'),
    Example("misspelt-keyword", "find documents srot created", "find documents sort created"),
    Example(
        "misspelt-keyword",
        "find documents where created in lst 30 days",
        "find documents where created in last 30 days",
    ),
    Example("doubled-word", "find documents where a or or b", "find documents where a or b"),
    Example("missing-bracket", "find documents where (a or b sort c", "find documents where (a or b) sort c"),
    Example("missing-bracket", 'find documents where a in ["x", "y")', 'find documents where a in ["x", "y"]'),
    Example(
        "missing-bracket",
        "count documents where a in (find folders where (b or c",
        "count documents where a in (find folders where (b or c))",
    ),
    Example("missing-bracket", "find documents where (a or b and c", "find documents where (a or b) and c", False),
    Example("extra-bracket", "find documents where a)", "find documents where a"),
    Example("extra-bracket", "find documents where a or b) and c", "find documents where (a or b) and c", False),
    Example("missing-find", "documents where a", "find documents where a"),
    Example("missing-find", "where a", "find documents where a", False),
    Example("missing-entity", "find where a", "find documents where a", False),
    Example("missing-where", 'find documents type = "W2"', 'find documents where type = "W2"'),
    Example("missing-word", 'find documents where name starts "W"', 'find documents where name starts with "W"'),
    Example("missing-word", "let x 5 find documents where size > x", "let x = 5 find documents where size > x"),
    Example("missing-operator", 'find documents where type "W2"', 'find documents where type = "W2"', False),
    Example("missing-and", "find documents where signed starred", "find documents where signed and starred", False),
    Example("missing-comma", "find documents sort size name", "find documents sort size, name"),
    Example(
        "comma-condition", "find documents where signed, starred", "find documents where signed and starred", False
    ),
    Example("list-brackets", 'find documents where tags in "a", "b"', 'find documents where tags in ["a", "b"]'),
    Example("list-brackets", "find documents where size between (5, 9)", "find documents where size between 5 and 9"),
    Example(
        "value-for-condition",
        'find documents where type = "a" or "b"',
        'find documents where type = "a" or type = "b"',
    ),
    Example(
        "value-for-condition",
        'find documents where type = "a" or "b" and c',
        'find documents where (type = "a" or type = "b") and c',
        False,
    ),
    Example("value-for-condition", "find documents where 5 < size", "find documents where size > 5"),
    Example(
        "value-for-condition",
        "find documents where size > 5 and < 9",
        "find documents where size > 5 and size < 9",
    ),
    Example("reserved-word", "find documents where last = 1", "find documents where `last` = 1"),
    Example("repeated-clause", "find documents where a where b", "find documents where a and b", False),
    Example("misplaced-clause", "find documents by folder", "count documents by folder", False),
    Example("misplaced-clause", "count documents show name", "find documents show name", False),
    Example("misplaced-clause", 'get document("x").size sort a', 'get document("x").size', False),
    Example("other-word", "get documents where a", "find documents where a"),
    Example("clause-needs-groups", "count documents limit 10", "count documents by folder limit 10", False),
    Example("two-statements", "find documents where a find folders where b", "find documents where a", False),
    Example("late-let", "find documents where a let x = 5", "let x = 5 find documents where a", False),
    Example("no-statement", "let x = 5", "let x = 5 find documents where size > x", False),
    Example(
        "field-needed", "find documents where weekday(created) missing", "find documents where created missing", False
    ),
    Example("too-deep", "find documents where " + "not " * 300 + "a", "find documents where a", False),
    Example("too-long", "find documents where signed show name" + ", name" * 500, "find documents where signed", False),
    # --- habits from elsewhere
    Example("other-language", 'select * from documents where type = "W2"', 'find documents where type = "W2"'),
    Example("other-language", "select count(*) from documents", "count documents"),
    Example(
        "other-language",
        "select type, avg(size) from documents where a like 'b%' group by type",
        "avg(size) of documents where a like 'b*' group by type",
    ),
    Example("other-language", "from documents | where size > 5 | take 10", "find documents where size > 5 limit 10"),
    Example("other-language", '{"query": {"match_all": {}}}', "find documents limit 10", False),
    Example("read-only", "delete documents where a", "find documents where a", False),
    Example("top-first", "find top 10 documents sort size desc", "find documents sort size desc limit 10"),
    Example("limit-pair", "find documents limit 10, 20", "find documents limit 20 offset 10", False),
    Example("lone-offset", "find documents offset 20", "find documents limit 10 offset 20", False),
    Example("digit-groups", "find documents where size > 10,000", "find documents where size > 10000"),
    Example("number-form", "find documents where score > .5", "find documents where score > 0.5"),
    Example("number-form", "find documents limit ten", "find documents limit 10"),
    Example("late-let", "let x = 5, y = 6 find documents where size in [x, y]",
            "let x = 5 let y = 6 find documents where size in [x, y]"),
    Example("incomplete", "find documents where (a and) b", "find documents where a and b", False),
    Example("measure-brackets", "percentile(95, size) of documents", "percentile(size, 95) of documents"),
    Example("unquoted-text", "find documents where a like %x%", 'find documents where a like "*x*"'),
    Example("number-form", "find documents where size > 10_000", "find documents where size > 10000"),
    Example("currency-sign", "find documents where price > $1,500", "find documents where price > 1500"),
    Example("count-of-field", "count(size) of documents", "distinct(size) of documents", False),
    Example(
        "date-arithmetic",
        "find documents where created > now-30d",
        "find documents where created in last 30 days",
        False,
    ),
    Example(
        "date-arithmetic",
        "find documents where created > 30 days ago",
        "find documents where created in last 30 days",
        False,
    ),
    Example("date-form", "find documents where created in Q2 2024", "find documents where created in 2024-Q2"),
    Example("date-form", "find documents where created = March 2024", "find documents where created = 2024-03"),
    Example("date-form", "find documents where created = 2024/3/5", "find documents where created = 2024-03-05"),
    Example(
        "date-form", "find documents where created > 03/05/2024", "find documents where created > 2024-03-05", False
    ),
    Example(
        "date-form",
        "find documents where created > 2024-03-05 15:00",
        "find documents where created > 2024-03-05T15:00",
    ),
    Example("function-on-left", "find documents where year(created) = 2024", "find documents where created = 2024"),
    Example("unknown-function", 'find documents where lower(name) = "x"', 'find documents where name = "x"'),
    Example("unknown-function", 'find documents where name.contains("x")', 'find documents where name contains "x"'),
    Example("unknown-function", "count documents by minute(created)", "count documents by hour(created)", False),
    Example("measure-brackets", "avg price of flights by carrier", "avg(price) of flights by carrier"),
    Example("measure-brackets", "count distinct owner of documents", "distinct(owner) of documents"),
    Example("filler-word", "find documents where a in the last 30 days", "find documents where a in last 30 days"),
    Example("filler-word", "find my documents where a", "find documents where owner = $me and a", False),
    Example("other-word", "find all documents where a", "find documents where a"),
    Example("other-word", "how many documents are signed", "count documents where signed"),
    Example("other-word", "find documents where a within the last 3 days", "find documents where a in last 3 days"),
    Example("other-word", 'find documents where a isn\'t "x"', 'find documents where a != "x"'),
    Example("direction-in-front", "find documents sort desc size", "find documents sort size desc"),
    Example("lookup-brackets", 'find files where a under folder "Tax"', 'find files where a under folder("Tax")'),
    Example("get-needs-field", 'get owner of document("x")', 'get document("x").owner'),
    Example("place-form", "find a where b within 5 km of 41.9, 12.5", "find a where b within 5 km of (41.9, 12.5)"),
    Example("place-form", "find a where b within 5 km of Rome", "find a where b within 5 km of (41.9, 12.5)", False),
    Example("quote-inside", 'find documents where a = "b "c" d"', r'find documents where a = "b \"c\" d"', False),
    Example("code-fence", "```sql\nfind documents where a\n```", "find documents where a"),
    Example("missing-where", 'find documents in folder "x"', 'find documents where folder = "x"'),
    Example("missing-where", "find documents since 2024", "find documents where created >= 2024", False),
    Example("operator-in-front", 'find documents where has tags "x"', 'find documents where tags has "x"'),
    Example("operator-in-front", "find documents where not exists(owner)", "find documents where not owner exists"),
    Example("operator-in-front", "find documents where missing owner", "find documents where owner missing"),
    Example("star", "find documents where folder = *", "find documents where folder exists"),
    Example("null-value", "find documents where tags has null", "find documents where tags missing", False),
    Example("bracketed-value", 'find documents where a = ("x")', 'find documents where a = "x"'),
    Example(
        "bare-query",
        "find documents where a in find folders where b",
        "find documents where a in (find folders where b)",
    ),
    Example("get-needs-field", 'get document("x")', 'get document("x").owner', False),
    Example("other-word", "find documents where created since 2024", "find documents where created >= 2024"),
    Example("other-word", "find documents where size is greater than 5 MB", "find documents where size > 5 MB"),
    Example("other-word", "list documents where a", "find documents where a"),
    Example("other-word", 'find documents with type = "W2"', 'find documents where type = "W2"'),
    Example("other-sign", "find documents where a && b && c", "find documents where a and b and c"),
    Example("other-sign", 'find documents where name: "x"', 'find documents where name = "x"'),
    Example("other-sign", 'find documents where name ~ "x"', 'find documents where name contains "x"', False),
    Example("other-sign", "find documents where size => 5", "find documents where size >= 5"),
    Example("other-sign", 'find documents where tags in {"a", "b"}', 'find documents where tags in ["a", "b"]'),
    Example("comment-form", "find documents where a // later", "find documents where a -- later"),
    Example(
        "unquoted-text",
        "find documents where type = Tax Return and a",
        'find documents where type = "Tax Return" and a',
    ),
    Example("unquoted-text", "find documents where name = foo-bar", 'find documents where name = "foo-bar"'),
    Example("unquoted-text", "find document(Report.pdf)", 'find document("Report.pdf")'),
)

CODES = tuple(dict.fromkeys(example.code for example in EXAMPLES))
