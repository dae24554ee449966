"""Why an answer that was found is not given: what the question says and the answer does not keep to.

An amount for a month is none for a year, what is left is not what there was, and what holds now may have been changed
by another document that names the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from qlc.corpus.values.quantities import Amount, Style, amounts
from qlc.grammar.printer import print_string
from qlc.outcome import Answer, Citation

from .linking import Linked
from .searching import CHECK, Searches
from .sentences import document_of, has_term, is_name, passage_of
from .terms import RELATIONAL, noun_stem, stems
from .verifying import page_text, read_pages
from .vocabulary import KIND_NOUNS

RATE = re.compile(
    r"(?:\b(?:an?|per|each|every)\s+|/\s?)(hour|day|week|month|quarter|year|annum)\b"
    r"|\b(hour|dai|week|month|quarter|year|annual)ly?\b",
    re.IGNORECASE,
)
"""A time for which an amount is."""
NOW = re.compile(
    r"\b(?:now|nowadays|at present|presently|current(?:ly)?|today|at the moment|in the end|really|these days|by now"
    r"|as (?:things|it|matters) stands?)\b",
    re.IGNORECASE,
)
"""What says that a value was another one before: it is sure only with the document that changes it."""
_LEFT = re.compile(r"\b(?:still|remain\w*|(?:is|are|was|were|have|has|much|many \w+) left)\b", re.IGNORECASE)
_MOST_READ = 30
"""Passages that name what the question names."""


def doubt(outcome: Answer, linked: Linked, searches: Searches) -> str:
    """Why an answer is not sure, as a sentence; empty where nothing speaks against it."""
    cited = [one for claim in outcome.claims for one in claim.citations]
    cited += [one for row in outcome.rows for cell in row.cells.values() for one in cell.citations]
    told = " ".join(one.quote for one in cited)
    asked_rates, rates = rates_in(linked.text), rates_in(told)
    if asked_rates and rates and not asked_rates & rates:
        return f"The amount that I found is for a {min(rates)}, and the question asks for a {min(asked_rates)}."
    if _LEFT.search(linked.text) and not _LEFT.search(told) and amounts(told, Style()):
        return "I found the whole amount, not what is left of it."
    if any(claim.quoted for claim in outcome.claims) and (name := _unnamed(cited, linked, searches)):
        return f"The sentence that I found is in a document that does not name '{name}'."
    if linked.intent == "qa" and cited and (word := _of_others(outcome, cited, linked, searches)):
        return f"What I found is in a document that does not say '{word}', while others do."
    if NOW.search(linked.text) and (file := _changed_in(cited, linked, searches)):
        return f"{file} may have changed it."
    return ""


def rates_in(text: str) -> set[str]:
    """The times for which a text says that something is: `per month`, `yearly`."""
    same = {"annum": "year", "annual": "year", "dai": "day"}
    found = ((one[1] or one[2]).lower() for one in RATE.finditer(text))
    return {same.get(one, one) for one in found}


def _of_others(outcome: Answer, cited: list[Citation], linked: Linked, searches: Searches) -> str:
    """A noun of the question that no document of an answer has, and others do: one of these is rather meant."""
    shown = _SHOWN.search(outcome.query)
    fields = shown[1].split(", ") if shown else []
    explained = {at for one in linked.fields if one.name in fields for at in one.used | one.hinted}
    explained |= linked.unit_places
    nouns = KIND_NOUNS.get(linked.kind, frozenset()) | RELATIONAL
    said = [
        one for one in linked.open_terms
        if _ARTICLE.search(linked.text, 0, one.begin) and _AFTER_NOUN.match(linked.text, one.end)
        and one.begin not in explained and one.stem not in nouns and not is_name(one, linked)
    ]  # fmt: skip
    known = _said_in(cited, linked, searches) if said else frozenset()
    missing = [one for one in said if not {one.stem, noun_stem(one.raw, linked.language)} & known]
    asked = [(f"count passages where mentions {print_string(one.raw)}", f"who says '{one.raw}'") for one in missing]
    counted = searches.counts(asked) if asked else []
    return next((one.raw for one, count in zip(missing, counted, strict=True) if count), "")


_ARTICLE = re.compile(r"\b(?:the|an?|our|this|that)\s+$", re.IGNORECASE)
_AFTER_NOUN = re.compile(r"\s*(?:[?.!,;:]|$|(?:of|at|in|on|for|with|from|by|to)\b|[A-Z0-9])")
"""What follows a noun, and no adjective."""
_SHOWN = re.compile(r" show ([\w, ]+)$")


def _said_in(cited: list[Citation], linked: Linked, searches: Searches) -> frozenset[str]:
    """The stems of the documents of an answer, and of their files."""
    documents = dict.fromkeys(one.document for one in cited)
    read_pages(((one, None) for one in documents), searches)
    texts = [*(page_text(one, None, searches) for one in documents), *(one.file.replace("_", " ") for one in cited)]
    return stems(" ".join(texts), linked.language)


def _unnamed(cited: list[Citation], linked: Linked, searches: Searches) -> str:
    """A name of the question that no document of the sentences has."""
    names = [one for one in linked.terms if is_name(one, linked)]
    known = _said_in(cited, linked, searches) if names else frozenset()
    return next((one.raw for one in names if not has_term(known, one, linked)), "")


def _changed_in(cited: list[Citation], linked: Linked, searches: Searches) -> str:
    """Another document that names what the question names, and has another amount of the kind that was found."""
    documents = {one.document for one in cited}
    found = [one for each in cited for one in amounts(each.quote, Style())]
    if len(documents) != 1 or not found:
        return ""
    names = [one.raw for one in linked.terms if is_name(one, linked)]
    return telling_another(names, documents, lambda text: any(_other(found, text)), searches)


def telling_another(
    names: Iterable[str], documents: Collection[str], is_other: Callable[[str], bool], searches: Searches
) -> str:
    """The file of a document, other than some, that has one of some names beside another value; empty where none."""
    for name in names:
        program = f"find passages where mentions {print_string(name)} limit {_MOST_READ} show text, document, file"
        for hit in searches.hits(CHECK, program, "whether other documents tell another value")[1]:
            if document_of(hit) not in documents and is_other(str(hit.values.get("text", ""))):
                return passage_of(hit).file
    return ""


def _other(found: list[Amount], text: str) -> Iterator[bool]:
    """For each amount of a text that is of the kind of some others, whether it is none of them."""
    for one in amounts(text, Style()):
        same = [other for other in found if (other.kind, other.unit) == (one.kind, one.unit)]
        yield bool(same) and all((one.number, one.date) != (other.number, other.date) for other in same)
