"""Routes a question to the documents that it names: their titles, folders and file names have its names and years."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import log

from qlc.corpus.searching import years_in
from qlc.grammar.printer import print_string
from qlc.language.stems import stem

from .linking import Linked
from .searching import PASSAGES, Searches
from .sentences import passage_of
from .terms import Term, is_run, terms

_LOOKED_AT = 50
"""Documents whose names are compared with the question: the best by its names."""
_LONGEST_RUN = 3
"""Words that a name without spaces can join: `AmericanWaterWorks_2021.pdf`."""


@dataclass(frozen=True, slots=True)
class Route:
    """The files that a question names, and its words that name them."""

    files: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()


def route_of(linked: Linked, searches: Searches) -> Route:
    """Return the files that most of the names in a question lead to, rare names first; none if no name is of a file.

    `capex of Best Buy in FY2018` -> `BESTBUY_2018.pdf`. Of several years the latest is the document's: a report of 2018
    tells 2016 to 2018.
    """
    names = {"".join(run): run for run in _names(linked)}
    if not names:
        return Route()
    latest = max(years_in(linked.text), default="")
    asked = " ".join((*names, latest)).strip()
    program = f"find documents where about {print_string(asked)} by words limit {_LOOKED_AT} show title, file"
    hits = [passage_of(hit) for hit in searches.hits(PASSAGES, program, "documents that the question names")[1]]
    called = {one.file: _pieces(f"{one.title} {one.file}", linked.language) for one in hits}
    wanted = {name: _pieces(name, linked.language) for name in (*names, *filter(None, [latest]))}
    having = {file: {name for name, run in wanted.items() if is_run(run, known)} for file, known in called.items()}
    counts = Counter(name for some in having.values() for name in some)
    worth = {
        file: sum(log(1 + len(having) / counts[name]) for name in some)
        for file, some in having.items() if some - {latest}
    }  # fmt: skip
    files = tuple(file for file in worth if worth[file] == max(worth.values()))
    return Route(files, frozenset(word for file in files for name in having[file] for word in names.get(name, ())))


def _names(linked: Linked) -> Iterator[tuple[str, ...]]:
    """Yield what can be a name in a question: words with a capital or a digit, and neighbours of them, which names of
    files join."""
    runs: list[list[Term]] = []
    for one in (one for one in terms(linked.text, linked.language) if _is_name(one.raw)):
        if runs and linked.text[runs[-1][-1].end : one.begin] == " ":
            runs[-1].append(one)
        else:
            runs.append([one])
    for run in runs:
        for length in range(1, _LONGEST_RUN + 1):
            yield from (tuple(one.raw for one in run[at : at + length]) for at in range(len(run) - length + 1))


def _is_name(word: str) -> bool:
    return word[0].isupper() or (any(map(str.isdigit, word)) and not word.isdecimal())


def _pieces(text: str, language: str) -> tuple[str, ...]:
    """Return the stems of a name, divided at marks and between letters and digits: `3M_2018Q2` -> 3 m 2018 q 2."""
    return tuple(stem(part, language) for part in re.findall(r"\d+|[^\W\d_]+", text))
