"""Sentences about cells of statements: right ones pass, and those of another row, column, scale, sign or unit fail."""

import random
from collections import Counter

from qlc.answers.grounding import unfounded
from qlc.answers.placing import Source, quoted_cells
from tests.amounts import some
from tests.answers.statements import Sentence, Statement, for_cell, statement

STATEMENTS = some(30, 400)
CELLS = 3


def problems(table: Statement, one: Sentence) -> list[str]:
    sources = [Source(quote, table.text, table.head) for quote in one.quotes]
    return unfounded(one.text, list(one.quotes), ("Annual report",), cells=quoted_cells(sources))


def measured(seeds: range) -> tuple[list[str], list[str], Counter[str]]:
    """Return the right sentences that are refused, the wrong ones that pass, and how many of each were tried."""
    refused, passed, tried = [], [], Counter[str]()
    for seed in seeds:
        table, draw = statement(seed), random.Random(seed)
        for _ in range(CELLS):
            row, column = draw.randrange(len(table.rows)), draw.randrange(len(table.columns))
            for one in for_cell(table, row, column, draw):
                found = problems(table, one)
                tried["wrong" if one.wrong else "right"] += 1
                if not one.wrong and found:
                    refused.append(f"{table.name}\n  {one.text}\n  {found}")
                if one.wrong and not found:
                    passed.append(f"{table.name}\n  {one.wrong}: {one.text}\n  {one.quotes}")
    return refused, passed, tried


def test_sentences_about_cells_of_statements() -> None:
    refused, passed, tried = measured(range(STATEMENTS))
    assert tried["right"] >= 13 * STATEMENTS
    assert tried["wrong"] >= 27 * STATEMENTS
    assert len(refused) <= 0.02 * tried["right"], "\n".join(refused[:10])
    assert len(passed) <= 0.005 * tried["wrong"], "\n".join(passed[:10])
