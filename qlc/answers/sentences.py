"""The passages that a search finds, and their sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from qlc.corpus.orders import orders_in
from qlc.corpus.pages import Span
from qlc.corpus.sentences import sentences
from qlc.outcome import Hit

from .linking import Linked
from .terms import Term


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that a search found, with the headings above it. `name` is what a model is shown it as: `p1`."""

    id: str
    document: str
    file: str
    title: str
    page: int | None
    section: tuple[str, ...]
    text: str
    name: str = ""
    head: str = ""
    """For a passage that begins inside a table: what stands above its rows, as scale and heads of columns."""

    @property
    def heading(self) -> str:
        return " > ".join(self.section)


def document_of(hit: Hit) -> str:
    """The id of the document of a passage."""
    document = hit.values.get("document")
    return str(document.get("id") if isinstance(document, Mapping) else document)


def passage_of(hit: Hit) -> Passage:
    value = hit.values
    section = value.get("section") or ()
    return Passage(
        hit.id, document_of(hit),
        str((value.get("file") or [""])[0]), str(value.get("title") or ""), value.get("page"),
        (section,) if isinstance(section, str) else tuple(section), str(value.get("text", "")),
        head=str(value.get("head") or ""),
    )  # fmt: skip


def spans_of(text: str) -> list[Span]:
    """Return the sentences of a text, without lines of marks (`|---|---|`) and without orders to a program."""
    parts = [part for span in sentences(text, Span(0, len(text))) for part in _lines(text, span)]
    found = [one for one in parts if any(map(str.isalnum, text[one.begin : one.end]))]
    orders = orders_in(text)
    return [one for one in found if not any(one.begin < end and begin < one.end for begin, end in orders)]


def _lines(text: str, span: Span) -> Iterator[Span]:
    """Yield the lines of a table or a list, each as a sentence; another span is yielded whole."""
    part = text[span.begin : span.end]
    is_labelled = len(re.findall(r"^[^\W\d_][^:\n]{0,40}:\s", part, re.MULTILINE)) > 1
    if "\t" not in part and " | " not in part and not is_labelled and not part.lstrip().startswith(("- ", "* ", "• ")):
        yield span
        return
    begin = span.begin
    for line in part.split("\n"):
        if line.strip():
            yield Span(begin + len(line) - len(line.lstrip()), begin + len(line.rstrip()))
        begin += len(line) + 1


# --- names of a question ---------------------------------------------------------------------------------------------

_DAY = re.compile(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\b"
    r"(?: \d{1,2}(?:st|nd|rd|th)?)?,?(?: (?:19|20)\d\d)?", re.IGNORECASE
)  # fmt: skip


_TITLES = ("Mr", "Mrs", "Ms", "Miss", "Dr", "Prof")


def is_name(one: Term, linked: Linked) -> bool:
    """Whether a word is a name: it has a digit, or a capital inside of a sentence. Words of dates, units and titles are
    not."""
    in_day = any(said.start() <= one.begin < said.end() for said in _DAY.finditer(linked.text))
    if one.begin in linked.unit_places or in_day or one.raw in _TITLES:
        return False
    starts = linked.text[: one.begin].rstrip()[-1:] in ("", ".", "?", "!", ":")
    is_capital = one.raw[0].isupper() and not starts
    return is_capital or any(letter.isdigit() for letter in one.raw)
