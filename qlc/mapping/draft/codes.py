"""Words for stored codes, by common abbreviations."""

from __future__ import annotations

import re

from qlc.mapping.draft.naming import words_of
from qlc.mapping.draft.other_words import short_for
from qlc.mapping.draft.sample import Sample

_CODE = re.compile(r"[A-Z][A-Z0-9]{0,6}")


def words_of_codes(sample: Sample, path: str) -> dict[str, tuple[str, ...]]:
    """Return words for each code of a closed field: `SHIP` -> `shipped`. Empty if no value is a known code.

    Words of other fields are not used, however often they occur beside a code: a customer who always pays in SEK is not
    a currency.
    """
    codes = sample.terms.get(path, ())
    if not codes or not all(map(_CODE.fullmatch, codes)):
        return {}
    known = short_for(codes, words_of(path))
    return {code: tuple(sorted(known.get(code, ()))) for code in codes} if known else {}
