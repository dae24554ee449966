"""The rules as a black box: no text breaks them, none becomes syntax, and none takes long."""

import os
import time

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from qlc.grammar import parse, tree
from qlc.translator.entry import Asker
from qlc.translator.protocol import Translated

NOW = "2026-03-15T12:00:00Z"
SECONDS = 10.0
"""Processor time of one question of at most forty words, on a machine that does other things too."""

EXAMPLES = int(os.environ.get("QLC_EXAMPLES", "8"))
"""Examples of each property; `make soak` takes many more."""

STEADY = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip

WORDS = st.sampled_from([
    "documents", "folders", "W2s", "receipts", "in", "of", "by", "with", "without", "not", "and", "or", "the", "a",
    "Legal", "Tax Documents", "Dana", "Dana's", "owner", "owned", "size", "larger", "than", "5", "MB", "last", "year",
    "month", "2024", "since", "between", "how many", "which", "who", "largest", "newest", "first", "ten", "per", "each",
    "total", "average", "signed", "overdue", "shared", "under", "containing", "named", "copies", "same", "as", "other",
    "before", "after", "Dock Permit.pdf", '"', "'", "(", ")", ",", "-", "--", "=", ">", "/", ":", "it", "them",
    "except", "most", "more", "no", "is", "are", "was", "created", "modified", "today", "yesterday", "weekday",
    "Monday", "%",
])  # fmt: skip


def read(asker: Asker, text: str) -> str | None:
    """The program of a text; None where it became none. Whatever comes is an outcome, and comes in time."""
    started = time.thread_time()  # other tests have left servers in this process
    said = asker.program_of(text, read_as="words", now=NOW)
    assert time.thread_time() - started < SECONDS, text
    if isinstance(said, Translated):
        parse(said.program)
        return said.program
    assert said.kind != "failed", (text, said)
    return None


@STEADY
@given(text=st.text(max_size=200))
@example(text="\ud800 documents")
@example(text="documents in \x00")
def test_any_text_is_answered_or_declined(drive: Asker, text: str) -> None:
    read(drive, text)


@STEADY
@given(words=st.lists(WORDS, min_size=1, max_size=40))
def test_any_words_that_are_known_in_any_order(drive: Asker, words: list[str]) -> None:
    read(drive, " ".join(words))


NASTY = [
    'x" or size > 0 or name = "', 'a") or (size > 0', "Robert'); DROP TABLE documents; --", '") limit 1 --',
    "find documents", "and not signed", "* OR *", "$me", "root", "`size`", "\\", '\\" or true', "name:*", "{{x}}",
    'a\nfind folders', "-- note", "x > 5 MB", "last year", "document(\"x\")",
]  # fmt: skip


QUOTES = set("\"'`´‘’“”„«»‹›")


@STEADY
@given(name=st.one_of(st.sampled_from(NASTY), st.text(
    alphabet=st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40)))  # fmt: skip
@pytest.mark.parametrize("question", ['documents named "{}"', "documents in the folder '{}'", "folders owned by “{}”"])
def test_the_text_of_users_is_one_string_or_nothing(drive: Asker, question: str, name: str) -> None:
    """A quoted text becomes one unchanged string of the program, or the question is declined."""
    program = read(drive, question.format(name))
    if program is None:
        return
    if not QUOTES & set(name):
        assert name.strip() in [text.strip() for text in texts(program)], program
    assert not [node for node in nodes(parse(program)) if isinstance(node, tree.Or | tree.Between)], program
    assert operators(program) <= {"=", "in", "like", "contains", "mentions", "under"}, program


def texts(program: str) -> list[str]:
    return [node.value for node in nodes(parse(program)) if isinstance(node, tree.String)]


def operators(program: str) -> set[str]:
    return {node.operator for node in nodes(parse(program)) if isinstance(node, tree.Comparison)}


def nodes(node: object) -> list[object]:
    found = [node]
    own = getattr(node, "__dataclass_fields__", ())
    children = node if isinstance(node, tuple) else [getattr(node, one) for one in own]
    for child in children:
        if isinstance(child, tuple | tree.Node):
            found += nodes(child)
    return found


@pytest.mark.parametrize("name", ["find documents", "* OR *", "x > 5 MB", "(size > 0)", "{{x}}", "$me"])
def test_a_name_that_looks_like_syntax_is_looked_up(drive: Asker, name: str) -> None:
    program = read(drive, f'documents in the folder "{name}"')
    assert program is not None
    assert texts(program) == [name]
