"""The generated tables are those of the grammar, and the grammar has no conflict that Lark settled in silence."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from qlc.grammar._tables import ROWS, RULES
from qlc.grammar.build import BUILDERS
from qlc.grammar.generate import GRAMMAR, TABLES, GrammarConflict, load_grammar, tables_source
from qlc.grammar.machine import WORDS
from qlc.grammar.tree import RESERVED


def test_tables_are_current() -> None:
    assert TABLES.read_text(encoding="utf-8") == tables_source(GRAMMAR.read_text(encoding="utf-8")), (
        "run python -m qlc.grammar.generate"
    )


def test_a_silently_settled_conflict_is_found() -> None:
    """`if a if b else c`: Lark shifts and only its debug log says so."""
    with pytest.raises(GrammarConflict, match="ELSE"):
        load_grammar('start: "if" start ("else" start)? | "x"')


def test_every_rule_has_a_builder() -> None:
    called = {done for _, _, _, done in RULES if done not in "=*"}
    assert called == set(BUILDERS)


def test_keywords_that_can_be_beside_a_name() -> None:
    """In these states a word is read as the keyword, and a name of that text needs back-quotes. Any other word that
    appears here would silently stop being a name."""
    free = {terminal for uses in WORDS.values() for terminal, follows in uses if not follows}
    reserved = {WORDS[word][0][0] for word in RESERVED}
    beside = Counter(
        tuple(sorted(terminal for terminal in row if terminal in free - reserved)) for row in ROWS if "NAME" in row
    )
    beside.pop(())
    operators = ("BETWEEN", "CONTAINS", "ENDS", "ENDS_WITH", "EXISTS", "HAS", "IN", "LIKE", "MATCHES", "MENTIONS",
                 "MISSING", "STARTS", "STARTS_WITH", "UNDER", "WITHIN")  # fmt: skip
    assert beside == {
        ("OF",): 1,  # count | of
        ("COUNT", "FIND"): 1,  # let x = | find
        ("ALL", "ANY"): 2,  # has | all, contains | any: after a field, and after `is` or `not`
        ("IN",): 2,  # under | in: the same
        operators: 2,  # is | in, is not | in: both other spellings
    }


def test_a_program_is_parsed_without_lark_or_the_modules_of_errors() -> None:
    """What a fresh process pays for: a third of it would be Lark."""
    code = "import sys; from qlc.grammar import parse; parse('find a where b = 1'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"lark", "fractions", "datetime", "qlc.grammar.errors", "qlc.grammar.completion"} & set(loaded)
