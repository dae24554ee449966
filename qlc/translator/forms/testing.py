"""Whether forms still give what they gave when they were taught, and whether two of them disagree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from qlc.compiler.check import check
from qlc.grammar import parse, print_program
from qlc.mapping.schema import Schema
from qlc.translator.forms.form import Form
from qlc.translator.forms.matching import Pattern
from qlc.translator.forms.places import filled
from qlc.translator.forms.teaching import pattern_of
from qlc.translator.rules.lexicon.lexicon import IndexValues, Lexicon
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words.tokens import tokenize


def failing(forms: Sequence[Form], schema: Schema, now: datetime) -> Iterator[tuple[Form, str]]:
    """Each form that is not used, or not as it was taught, with a sentence that says why. Nothing of the index is
    read: names in a test are in quotes."""
    like = Parse((), Lexicon(schema, IndexValues()), now, "")
    patterns: list[Pattern] = []
    for form in forms:
        try:
            errors = [one for one in check(parse(form.program), schema, form.program).diagnostics
                      if one.severity == "error"]  # fmt: skip
            if errors:
                yield form, f"its program has errors, and it is not used: {errors[0].message}"
                continue
            patterns.append(pattern_of(form, like))
        except (ValueError, KeyError) as problem:
            yield form, f"it does not fit the catalog, and is not used: {problem}"
    for pattern in patterns:
        question, expected = pattern.form.test.question, pattern.form.test.program
        p = Parse(tokenize(question), like.lexicon, now, question)
        given = _programs(pattern, p, schema)
        if given != {expected}:
            what = ", ".join(sorted(given)) or "no program"
            yield pattern.form, f"its test '{question}' gives {what}, not {expected}"
        for other in patterns:
            if other is not pattern and (_programs(other, p, schema) - {expected}):
                yield pattern.form, f"'{question}' is read differently by the form {other.form.id}: neither is used"


def _programs(pattern: Pattern, p: Parse, schema: Schema) -> set[str]:
    programs = (print_program(filled(pattern.program, dict(one.values))) for one in pattern.matches(p))
    return {check(parse(one), schema, one).text for one in programs}
