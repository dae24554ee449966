"""Every construct of the language, as many times as a program may have it: what is told of limits and of time is told
of each of them."""

from collections.abc import Callable
from typing import NamedTuple

from qlc.base.limits import (
    LONGEST_NAME,
    LONGEST_PROGRAM,
    MOST_CONDITIONS,
    MOST_LEVELS,
    MOST_PARTS,
    MOST_VALUES,
    MOST_WORDS,
)

Make = Callable[[int], str]


class Construct(NamedTuple):
    """A construct of the language. `make` writes a program with a number of them; `most` is their limit."""

    make: Make
    most: int


WHERE = "count documents where "
DEEPEST = 190
"""Brackets in one another."""


def joined(part: str, by: str = " or ", before: str = WHERE, after: str = "", most: int = MOST_CONDITIONS) -> Construct:
    """`part` so many times, its `#` a number."""
    write = lambda n: before + by.join(part.replace("#", str(i)) for i in range(n)) + after  # noqa: E731
    return Construct(write, min(most, LONGEST_PROGRAM // len(part + by + "12345")))


def repeated(part: str, before: str = "", after: str = "", closing: str = "", most: int = LONGEST_PROGRAM) -> Construct:
    room = (LONGEST_PROGRAM - len(before + after)) // len(part + closing)
    return Construct(lambda n: before + part * n + after + closing * n, min(most, room))


def listed(item: str, before: str = f"{WHERE}size in [", after: str = "]", most: int = MOST_VALUES) -> Construct:
    return joined(item, ", ", before, after, most)


def bindings(value: str, first: str, use: str) -> Construct:
    """Bindings that each use the one before, `#`."""

    def make(n: int) -> str:
        lets = [f"let a0 = {first}", *(f"let a{i} = {value.replace('#', f'a{i - 1}')}" for i in range(1, n))]
        return " ".join([*lets, use.replace("#", f"a{n - 1}")])

    return Construct(make, MOST_LEVELS)


def _dates(n: int) -> str:
    days = (f"{2000 + i % 100}-{1 + i // 100 % 12:02}-{1 + i // 1200 % 28:02}" for i in range(n))
    return f"{WHERE}created in [{', '.join(days)}]"


_HALF = MOST_CONDITIONS // 2

CONSTRUCTS = {
    "bindings used twice": bindings(
        "(count documents where size > # and size < #)", "(count documents)", f"{WHERE}size > #"
    ),
    "bindings of bindings": bindings("#", "5", f"{WHERE}size > #"),
    "bindings unused": joined("let a# = 5", " ", "", " count documents", 100),
    "numbers in a list": listed("#"),
    "units in a list": listed("#.5 MB"),
    "texts in a list": listed('"v#"', f"{WHERE}vendor in ["),
    "names in a list": listed('"v#"', f"{WHERE}folder in ["),
    "ids in a list": listed('"v#"', f"{WHERE}id in ["),
    "names under": listed('"v#"', f"{WHERE}folder under in ["),
    "wrong values in a list": listed('"v#"', f"{WHERE}type in ["),
    "dates in a list": Construct(_dates, MOST_VALUES),
    "has all": listed('"v#"', f"{WHERE}tags has all ["),
    "sub-queries in a list": listed("(count documents where size > #)", most=MOST_CONDITIONS),
    "or": joined("size = #"),
    "and": joined("size > #", " and "),
    "and of or": joined("(size > # or pages = #)", " and ", most=_HALF),
    "and not": joined("not size = #", " and "),
    "or between": joined("size between # and 99999#"),
    "names": joined('folder = "f#"'),
    "references": joined('folder.owner = "a#"'),
    "keys": joined('attributes.k# = "a"'),
    "dates": joined("created in last 1# days"),
    "weekdays": joined('weekday(created) = "Sunday" and size > #', " and ", most=_HALF),
    "fields compared": joined("owner = creator and size > #", " and ", most=_HALF),
    "patterns": joined('name contains "x#*"'),
    "words": joined('mentions "x#"'),
    "elements": joined('shares[who = "a#"]'),
    "conditions of an element": joined('role = "a#"', before=f"{WHERE}shares[", after="]"),
    "sub-queries": joined("folder in (find folders where size > #)"),
    "sub-queries in one another": repeated("folder in (find folders where ", WHERE, "starred", ")", 20),
    "brackets": repeated("(", WHERE, "signed", ")", DEEPEST),
    "not": repeated("not ", WHERE, "signed", most=DEEPEST),
    "periods in one another": repeated("month(", f"{WHERE}created in ", "2024", ")", DEEPEST // 2),
    "a long path": repeated("folder.", WHERE, 'x = "x"', most=2_000),
    "show": listed("name", "find documents where signed show ", "", MOST_PARTS),
    "show behind references": listed("folder.name", "find documents where signed show ", "", MOST_PARTS),
    "sort": listed("name", "find documents where signed sort ", "", MOST_PARTS),
    "groups": listed("type", "count documents by ", "", MOST_PARTS),
    "bins": listed("#", "count documents by bins(size, ", ")", MOST_PARTS),
    "measures": listed("percentile(size, 1.#)", "", " of documents by type", MOST_PARTS),
    "shares": listed("share(size > #)", "", " of documents by type", MOST_PARTS),
    "sort by measures": listed("share(size > #)", "count documents by type sort ", "", MOST_PARTS - 1),
    "having": joined("count = #", before="count documents by type having "),
    "having measures": joined("share(size > #) > 0", before="count documents by type having ", most=MOST_PARTS - 1),
    "get": listed('document("d#").size', "get ", "", MOST_PARTS),
    "get of one": repeated(", size", 'get document("d").size', most=MOST_PARTS - 1),
    "parameters": joined("size = $p#"),
    "a long text": repeated("a", f'{WHERE}name = "', '"'),
    "escapes": repeated("\\n", f'{WHERE}name = "', '"'),
    "wrong escapes": repeated("\\q", f'{WHERE}name = "', '"'),
    "wild characters": repeated("a*", f'{WHERE}name like "', '"'),
    "a long number": repeated("1", f"{WHERE}size = "),
    "a long fraction": repeated("1", f"{WHERE}size = 0."),
    "a long name": repeated("a", WHERE, " = 1", most=LONGEST_NAME),
    "a name with accents": repeated("\u0301", f"{WHERE}a", " = 1", most=LONGEST_NAME),
    "a name in back-quotes": repeated("a", f"{WHERE}`", "` = 1", most=LONGEST_NAME - 2),
    "comments": repeated("-- x\n", "count documents\n", most=MOST_WORDS - 300),
    "nothing but comments": repeated("-- x\n", most=MOST_WORDS - 300),
    "a long comment": repeated("x", "count documents -- "),
    "spaces": repeated(" ", "count documents", "where signed"),
    "spaces alone": repeated(" "),
    "lines alone": repeated("\n"),
    "lines": repeated("\n"),
    "spaces before what is wrong": repeated(" ", "count documents", "\x00"),
    "misspelt names": joined("siez# > 1", " and "),
    "misspelt values": joined('type = "Invoic"'),
    "texts without quotes": joined("type = Invoic#"),
    "misspelt entities": joined("folder in (find foldrs where size > #)"),
    "wrong types": joined('size = "#"'),
    "wrong units": joined("size > # minutes", " and "),
    "ranges the wrong way round": joined("size between 99999# and #"),
    "signs from elsewhere": joined("size > #", " && ", most=MOST_VALUES),
    "colons": joined("size:#", " ", most=MOST_VALUES),
    "another language": joined("size = #", " and ", "select * from documents where ", most=MOST_VALUES),
    "no and between": joined("size = #", " ", most=MOST_VALUES),
    "a misspelt keyword": joined("size = #", after=" lmit 5"),
    "an open list": listed("#", after=""),
    "an open bracket": joined("size = #", before=f"{WHERE}("),
    "open brackets": repeated("(", WHERE, most=DEEPEST),
    "a bracket too many": joined("size = #", after=")"),
    "brackets too many": repeated(")", f"{WHERE}signed"),
    "an open text": repeated(" and x", f'{WHERE}name = "'),
    "an open name": repeated("a", f"{WHERE}`"),
    "labels": repeated("find: ", most=3_000),
    "words of a question": repeated("all the documents ", "please give me "),
    **{f"only {name}": repeated(text) for name, text in {
        "back-slashes": "\\", "quotes": '"', "back-quotes": "`", "fences": "```x\n", "brackets": "[", "braces": "{",
        "digits": "1", "letters": "é", "accents": "e\u0301", "zeros": "\0", "halves": "\ud800", "pictures": "😀",
        "dots": ".", "commas": ",", "semicolons": ";", "signs": "§", "dollars": "$", "minuses": "-",
    }.items()},
}  # fmt: skip
