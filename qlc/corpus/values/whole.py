"""Finds values that a document has as a whole: its title, kind, currency, number, letterhead, and parties."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from qlc.base.words.sentences import ends_with_abbreviation
from qlc.language.quantities import Style, quantities

from ..pages import Page, Span
from .labelled import Labelled
from .labels import words
from .prose import NAME
from .synonyms import KINDS_OF_PAPERS, ROLES, is_called, says_its_kind
from .typed import Scalar, Value, Wanted, choice_in, is_amount

_TRUST = 0.5
_OPENING = 4
"""Number of first blocks that can be a letterhead, a title or the number of a document."""


def of_whole(
    one: Wanted, pages: Sequence[Page], labelled: Sequence[Labelled], style: Style, file: str
) -> Iterator[Value]:
    """Yield at most one value of a field of names or texts, or the parties of a document if it takes several."""
    said = _Document(pages, labelled, style, file)
    of_names = (_kind, _currency, _title, _number, _letterhead, _parties)
    for read in (_heading, *(of_names if one.type in ("name", "text", "choice") else (_date,))):
        found = [*read(one, said)]
        if found:
            yield from (Value(one.name, value, "", page.number, span, _TRUST) for value, page, span in found)
            return


_Candidate = tuple[Scalar, Page, Span]


@dataclass(frozen=True, slots=True)
class _Document:
    """A document."""

    pages: Sequence[Page]
    labelled: Sequence[Labelled]
    style: Style
    file: str
    """The name of its file."""


def _opening(pages: Sequence[Page]) -> Iterator[tuple[Page, Span, str, bool]]:
    """Yield the lines before the first table, with whether they are headings."""
    for page in pages[:1]:
        for block in islice((each for each in page.blocks if each.kind != "margin"), _OPENING):
            if block.rows:
                return
            text = page.of(block.span)
            if block.kind == "heading":
                yield page, block.span, " ".join(text.split()), True
                continue
            begin = block.span.begin
            for line in text.split("\n")[:_OPENING]:
                if line.strip():
                    yield page, Span(begin, begin + len(line)), line.strip(), False
                begin += len(line) + 1


def first_heading(pages: Sequence[Page]) -> str:
    """Return the first heading of a document; empty if it has none on its first page."""
    heads = (page.of(each.span) for page in pages[:1] for each in page.blocks if each.kind == "heading")
    return " ".join(next(heads, "").split())


def papers_of(pages: Sequence[Page]) -> frozenset[str]:
    """Return stems of the document's kind in its headings, `Petty Cash Slip`, and of `number`."""
    said = {
        word.lower().removesuffix("s")
        for page in pages[:1] for block in page.blocks[:_OPENING] if block.kind == "heading"
        for word in re.findall(r"[^\W\d_]+", page.of(block.span))
    }  # fmt: skip
    return frozenset(stem for word in (*(said & KINDS_OF_PAPERS), "number") for stem in words(word))


def _heading(one: Wanted, said: _Document) -> Iterator[_Candidate]:
    """Yield the first heading, for a field that is declared so."""
    heads = ((page, each.span) for page in said.pages for each in page.blocks if each.kind == "heading")
    yield from ((" ".join(page.of(span).split()), page, span) for page, span in islice(heads, int(one.from_heading)))


def _kind(one: Wanted, said: _Document) -> Iterator[_Candidate]:
    """Yield the first of the listed kinds that the opening mentions."""
    if is_called(one, "kind"):
        found = (
            (choice_in(one, text), page, span) for page, span, text, _ in _opening(said.pages) if not text[0].islower()
        )
        yield from islice(((value, page, span) for value, page, span in found if value), 1)


def _currency(one: Wanted, said: _Document) -> Iterator[_Candidate]:
    """Yield the only currency of all sums."""
    if words(one.name) != words("currency"):
        return
    found = {
        amount.unit: (page, Span(amount.start, amount.end))
        for page in said.pages for amount in quantities(page.text, said.style) if amount.kind == "money"
    }  # fmt: skip
    for unit, (page, span) in found.items() if len(found) == 1 else ():
        if not one.options or choice_in(one, unit):
            yield unit, page, span


_THINGS = frozenset({"product", "model", "device", "article", "item"})
"""Words for the subject in the heading of a document about one thing."""


def _title(one: Wanted, said: _Document) -> Iterator[_Candidate]:
    """Yield the first heading; for the name of a thing without the kind of document: `Pump P-7 - Service Manual`."""
    is_thing = {*one.name.split("_")} - {"name"} <= _THINGS and one.name != "name"
    if not is_thing and not is_called(one, "title"):
        return
    page, span, text, is_heading = next(_opening(said.pages), (None, None, "", False))
    if page is None or span is None or not (is_heading or (len(text) <= 80 and not text.endswith((".", ":", ",")))):
        return
    if not is_thing:
        yield text, page, span
        return
    name = re.split(r"\s+[-–—|:]\s+|:\s+", text)[0]
    again = rf"(?<=[^\W_] ){re.escape(name)}|{re.escape(name)}(?= [a-z(])"  # in a sentence
    is_of_it = re.search(r"\d", name) or {*_WORD.findall(name.lower())} <= {*_WORD.findall(said.file.lower())}
    is_of_it = is_of_it or any(re.search(again, other.text[span.end :]) for other in said.pages[:1])
    if is_of_it and len(name.split()) <= 6 and not says_its_kind(name):
        yield name, page, span


def _date(one: Wanted, said: _Document) -> Iterator[_Candidate]:
    """Yield the date in the first line."""
    page, span, text, _ = next(_opening(said.pages), (None, None, "", False))
    if page is None or span is None or one.type != "date" or one.name != "date" or len(text) > 80:
        return
    days = [amount.date for amount in quantities(text, said.style) if amount.date]
    if len(days) == 1:
        yield days[0], page, span


_WORD = re.compile(r"[^\W_]+")
_CODE = re.compile(r"(?<![\w/-])(?=[\w./-]*\d)(?:[A-Z]{1,6}[-/. ]?)?\d[\w./-]*\w(?![\w-])")


def _number(one: Wanted, said: _Document) -> Iterator[_Candidate]:
    """Read `Receipt 672445`: a short line of the opening with a code at its edge, and words for the number."""
    if not one.is_number:
        return
    others = [{*words(phrase)} - {"number"} for phrase in one.phrases]
    for at, (page, span, text, _) in enumerate(_opening(said.pages)):
        codes = [found for found in _CODE.finditer(text) if not is_amount(found[0], said.style)]
        if len(codes) != 1 or len(text.split()) > 8 or not (codes[0].start() == 0 or codes[0].end() == len(text)):
            continue
        is_sure = says_its_kind(text) or (not at and re.search(r"[-/].*\d{3}|\d{3}.*[-/]", codes[0][0]))
        if any(each <= {*words(text)} if each else is_sure for each in others):
            yield codes[0][0], page, span
            return
    if not any(others):
        named = [found for page in said.pages[:1] for found in _CODE.finditer(page.text) if _is_in(found[0], said.file)]
        if len({found[0] for found in named}) == 1:
            yield named[0][0], said.pages[0], Span(*named[0].span())


def _is_in(code: str, file: str) -> bool:
    """Whether a file is named by the code, which must be long enough to exclude coincidence."""
    plain = re.sub(r"[\W_]", "", code.lower())
    return len(plain) > 4 and plain in re.sub(r"[\W_]", "", file.lower())


_FIRM = re.compile(
    r"(?:^|\s)(?:Ltd|Limited|LLC|LLP|Inc|Corp|Corporation|Company|Co|plc|PLC|GmbH|AG|KG|mbH|SE|S\.?A\.?|SAS|SARL|B\.?V\.?"
    r"|N\.?V\.?|AB|A/?S|ApS|Oy|S\.?r\.?l|S\.?p\.?A|Pty|DAC|d\.o\.o|s\.r\.o|e\.\s?V|LP|Foundation|University|Institute"
    r"|Trust|Council)\b\.?"
)
"""Words that only names of organisations contain."""
_TO = frozenset({"to", "order to", "ordered from"})
_PAPERS_OF_SELLERS = frozenset({"invoice", "receipt", "bill", "statement", "quote", "quotation", "offer"})


def _letterhead(one: Wanted, said: _Document) -> Iterator[_Candidate]:
    """Yield the organisation in the letterhead, for the seller of a seller's document, or for the issuer."""
    is_seller = is_called(one, "seller")
    if not is_seller and not is_called(one, "issuer") and not is_called(one, "maker"):
        return
    lines = [*_opening(said.pages)]
    by_number = {page.number: page for page in said.pages}
    if is_seller and words("order")[0] in papers_of(said.pages):
        addressed = [each for each in said.labelled if each.label.lower() in _TO and not each.is_again]
        yield from ((each.value, by_number[each.page], each.span) for each in addressed[:1])
        return
    if is_called(one, "maker") and lines:
        made = re.compile(rf"{re.escape(lines[0][2])}\s+(?:made\s+)?(?:by|of|from)\s+({NAME})")
        for page in said.pages[:1]:
            if found := made.search(page.text):
                yield " ".join(found[1].split()), page, Span(*found.span(1))
                return
    spoken = {word.lower() for _, _, text, _ in lines for word in re.findall(r"[^\W\d_]+", text)}
    if is_seller and not spoken & _PAPERS_OF_SELLERS:
        return
    edges = (block for page in said.pages[:1] for block in page.blocks if block.kind == "margin" or block.is_aside)
    margins = [said.pages[0].of(block.span) for block in edges]
    for at, (page, span, text, is_heading) in enumerate(lines):
        if ":" in text or says_its_kind(text) or len(text) > 70 or _is_own(one, text):
            continue
        is_sure = _FIRM.search(text) or (not is_called(one, "maker") and any(text in margin for margin in margins))
        if is_sure or (is_seller and at == 0 and is_heading):
            yield text.split(",  ")[0], page, span
            return


_ARTICLE = r"(?:(?:the|der|dem|la société|la|le)\s+)?"
_BETWEEN = re.compile(
    rf"\b(?i:between|zwischen|entre):?\s+{_ARTICLE}(?P<first>{NAME})(?P<about>[^.;]{{0,160}}?)[\s,]+(?:and|und|et|–|-)\s+"
    rf"{_ARTICLE}(?P<second>{NAME})"
)


def _parties(one: Wanted, said: _Document) -> Iterator[_Candidate]:
    """Read `between A, the Owner, and B`: both; for a single party, the one that does not keep the corpus."""
    if not {*words(one.name.replace("_", " "))} & {*words("party parties counterparty signatory")}:
        return
    for page in said.pages[:1]:
        if found := _BETWEEN.search(page.text):
            parts = [(found[key].split("\n\n")[0], found.start(key)) for key in ("first", "second")]
            names = [(" ".join(part.split()), Span(begin, begin + len(part))) for part, begin in parts]
            others = [each for each in names if not _is_own(one, each[0])]
            if one.is_list or len(others) == 1:
                for name, span in names if one.is_list else others:
                    yield name if ends_with_abbreviation(name) else name.rstrip(".,"), page, span
                return
    by_role = {
        each.value: each for each in said.labelled
        if each.label.lower().removeprefix("the ") in ROLES and not _is_own(one, each.value) and len(each.value) < 80
    }  # fmt: skip
    if one.is_list or len(by_role) == 1:
        by_number = {page.number: page for page in said.pages}
        for name, each in by_role.items():
            yield name, by_number[each.page], each.span


def _is_own(one: Wanted, name: str) -> bool:
    """Whether an organisation is the keeper of the corpus, by the name or description of the corpus."""
    first = [word for word in re.findall(r"[^\W\d_]{3,}", name.lower()) if word != "the"][:2]
    own = re.findall(r"[^\W\d_]{3,}", one.keeper.lower())
    return bool(first) and all(word in own for word in first)
