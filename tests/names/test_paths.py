"""Every way to cut a text into a path, against trying them one by one."""

import itertools
import re
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qlc.compiler.caseless import same_case
from qlc.compiler.typed import Scalar
from qlc.resolver.names.entries import Entry
from qlc.resolver.names.paths import MAX_PARTS, Cuts, below_entries, below_path_text
from tests.tables import rows

Tree = dict[str, tuple[str, str | None]]
"""Name and parent by id."""


def same(asked: str, name: str) -> int | None:
    return 0 if same_case(asked, name) else None


def above(tree: Tree, one: str) -> list[str]:
    """The ids above an entry, highest first."""
    parent = tree[one][1]
    return [] if parent is None else [*above(tree, parent), parent]


def entries(tree: Tree) -> list[Entry]:
    def entry(one: str) -> Entry:
        chain = above(tree, one)
        parents: tuple[Scalar, ...] = tuple(chain[-1:])
        path = "/".join(tree[key][0] for key in [*chain, one])
        return Entry(one, (tree[one][0],), path, parents, frozenset(chain), {}, frozenset())

    return [entry(one) for one in tree]


def all_cuts(text: str) -> Iterator[list[str]]:
    """Every list of parts that the text can be cut into at its separators, empty parts left out."""
    places = [match.start() for match in re.finditer("[>/]", text)]
    for chosen in range(2 ** len(places)):
        edges = [-1, *(place for bit, place in enumerate(places) if chosen >> bit & 1), len(text)]
        parts = [text[start + 1 : end].strip() for start, end in itertools.pairwise(edges)]
        if len(parts) > 1 and parts[-1]:
            yield [part for part in parts if part]


def expected(tree: Tree, text: str, constants: Sequence[str] = ()) -> set[str]:
    found = set()
    for parts in all_cuts(text):
        starts = [parts, parts[1:]] if parts[0].casefold() in constants and len(parts) > 1 else [parts]
        for one, (name, _) in tree.items():
            for upper in (start[:-1] for start in starts):
                rest = iter([tree[key][0] for key in above(tree, one)])
                if same_case(name, parts[-1]) and all(any(same_case(part, n) for n in rest) for part in upper):
                    found.add(one)
    return found


names = st.sampled_from(["a", "b", "A", "c", "a/b", "b > c", "root"])


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    tree: Tree = {}
    for number in range(draw(st.integers(1, 8))):
        parent = draw(st.sampled_from([None, *tree]))
        tree[str(number)] = (draw(names), parent)
    return tree


texts = st.lists(st.sampled_from(["a", "b", "c", "/", ">", " / ", " > ", "root"]), min_size=1, max_size=9).map("".join)


@given(trees(), texts, st.sampled_from([(), ("root",)]))
def test_paths_by_id(tree: Tree, text: str, constants: tuple[str, ...]) -> None:
    cuts = Cuts(text)
    if not cuts.is_path:
        return
    everything = entries(tree)
    below = below_entries(cuts, everything, constants, same, same)
    found = {entry.id for entry in everything if below(entry) is not None}
    bare = text.rstrip(" />")
    # a separator at the end says no more than one at the beginning
    assert found == expected(tree, text if bare == text.rstrip() else "/" + bare, constants)


@given(trees(), texts)
def test_paths_by_readable_path_find_what_ids_find(tree: Tree, text: str) -> None:
    """A readable path may say more than is there where names hold the separator, never less."""
    cuts = Cuts(text)
    if cuts.is_path:
        everything = entries(tree)
        by_id = below_entries(cuts, everything, (), same, same)
        by_text = below_path_text(cuts, "/", (), same, same)
        plain = [
            entry for entry in everything if not any("/" in n for n in (entry.names[0], entry.path.split("/")[-1]))
        ]
        for entry in plain:
            if by_id(entry) is not None:
                assert by_text(entry) is not None


@pytest.mark.parametrize(("text", "last", "upper"), rows(__file__, "test_the_parts_that_are_asked_for"))
def test_the_parts_that_are_asked_for(text: str, last: list[str], upper: list[str]) -> None:
    cuts = Cuts(text)
    assert (cuts.last_parts, cuts.upper_parts) == (last, upper)


@pytest.mark.parametrize("text", ["", "a", " ", "a b", "-"])
def test_a_text_without_separators_is_no_path(text: str) -> None:
    assert not Cuts(text).is_path


def test_a_separator_of_the_catalogs_own() -> None:
    assert Cuts("a :: b", "::").last_parts == ["b"]
    assert not Cuts("a :: b").is_path


@pytest.mark.parametrize("separators", [5, 20, 100, 299])
def test_the_parts_stay_few(separators: int) -> None:
    cuts = Cuts("/".join(str(n) for n in range(separators + 1)))
    assert cuts.is_path
    assert len(cuts.last_parts) + len(cuts.upper_parts) <= MAX_PARTS + separators
    assert str(separators) in cuts.last_parts


def test_far_too_many_separators_are_no_path() -> None:
    assert not Cuts("a/" * 400 + "a").is_path
