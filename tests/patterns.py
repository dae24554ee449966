"""Patterns drawn at random, that `re` reads as the product's own readers do, and texts for them."""

from hypothesis import strategies as st

TEXTS = st.text("abcd1.", max_size=7)
_ATOMS = st.sampled_from(["a", "b", "c", "[ab]", "[^a]", "[a-c]", r"\d", r"\.", "()"])


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    signs = st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{2,}", "{0}"])
    return st.one_of(
        st.builds("{}{}".format, inner, inner),
        st.builds("({}|{})".format, inner, inner),
        st.builds("({}){}".format, inner, signs),
    )


PATTERNS = st.recursive(_ATOMS, _larger, max_leaves=6)
