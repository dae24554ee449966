"""Words of a question that only the rows of a list have: `every diesel receipt`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from qlc.corpus.schema import CorpusSchema, singular
from qlc.grammar.printer import print_string

from .linking import Linked
from .naming import Name
from .searching import Searches
from .terms import RELATIONAL, Term, is_run, stem, stems_in_order

_PAIRS = """tire/tyre color/colour gray/grey aluminum/aluminium fiber/fibre liter/litre meter/metre center/centre
caliber/calibre theater/theatre mold/mould plow/plough labor/labour armor/armour odor/odour vapor/vapour sulfur/sulphur
catalog/catalogue program/programme jewelry/jewellery license/licence curb/kerb donut/doughnut yogurt/yoghurt"""
_SPELLINGS = {one: pair.split("/") for pair in _PAIRS.split() for one in pair.split("/")}
"""American and British spellings of a word: documents have either, or both."""

_MOST_LISTED = 1_000
"""Documents whose rows are read for the words that they have; of more, no condition is made."""


def row_columns(bucket: str, schema: CorpusSchema) -> Iterator[tuple[str, str]]:
    """The fields of rows of a bucket, each with a column of text."""
    for name, one in schema.fields(bucket).items():
        for column, cell in one.fields.items() if not one.sensitive else ():
            if cell.type in ("text", "name") and not cell.sensitive:
                yield name, column


def names_in_rows(topic: Sequence[Term], where: Sequence[str], bucket: str, linked: Linked, searches: Searches
                  ) -> list[Name]:  # fmt: skip
    """The longest runs of words that rows of the documents have, each as a condition on one row.

    A row has a word where its own word has the same stem: `oil` is not in `foil`. No condition is made where the
    letters stand inside another word, as the program cannot tell both apart.
    """
    found: list[Name] = []
    columns = list(row_columns(bucket, searches.schema))
    at = 0
    while at < len(topic) and columns:
        for stop in range(len(topic), at, -1):
            run = topic[at:stop]
            text = linked.text[run[0].begin : run[-1].end]
            if len(text.split()) != len(run) or any(one.stem in RELATIONAL for one in run):
                continue
            made = [one for pair in columns if (one := _condition(text, *pair, where, bucket, linked, searches))]
            if len(made) == 1:
                used = frozenset(one.begin for one in run)
                found.append(Name(text, used, (made[0].split("[")[0],), (), frozenset(), made[0], in_rows=True))
                at = stop - 1
                break
        at += 1
    return found


def _condition(
    text: str, name: str, column: str, where: Sequence[str], bucket: str, linked: Linked, searches: Searches
) -> str:
    """The condition that a column of a row has a text, in any spelling that rows have; empty where none can be made."""
    *before, last = text.lower().split()
    one = singular(last).removesuffix("_document")
    if (stemmed := stem(last, linked.language)) != stem(one, linked.language):
        one = stemmed if last == f"{stemmed}s" else last  # `ties`
    many = re.sub(r"(?<=[^aeiou])y$", "ies", one)
    forms = [[*before, form] for form in dict.fromkeys((one, last, many, *_SPELLINGS.get(one, ())))]
    said: dict[str, str] = {}
    for words in forms:
        if any(one in " ".join(words) for one in said):
            continue  # a part of it is looked for already
        condition = f"{column} contains {print_string(' '.join(words))}"
        program = f"find {' and '.join([f'{bucket} where {name}[{condition}]', *where])}"
        total, hits = searches.hits("search_text", f"{program} limit {_MOST_LISTED} show {name}", f"rows with '{text}'")
        if not total:
            continue
        wanted = tuple(one for word in words for one in stems_in_order(word, linked.language))
        texts = [str(row.get(column, "")) for hit in hits for row in _rows(hit.values.get(name))]
        inside = [one for one in texts if " ".join(words) in one.lower()]
        if total >= _MOST_LISTED or not all(is_run(wanted, stems_in_order(one, linked.language)) for one in inside):
            return ""
        said[" ".join(words)] = condition
    return f"{name}[{' or '.join(said.values())}]" if said else ""


def _rows(value: object) -> list[Mapping[str, object]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def has_money(bucket: str, schema: CorpusSchema) -> bool:
    """Whether documents of a bucket have amounts of money."""
    fields = schema.fields(bucket).values()
    return any(one.type == "money" for field in fields for one in (field, *field.fields.values()))
