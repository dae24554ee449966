"""Where the last answer says so: which page, which file, the quote itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qlc.outcome import Answer, Citation, Claim, Declined, Outcome
from qlc.translator.protocol import Turn

from .searching import Searches
from .verifying import verified

_ASKED_FOR = frozenset(
    """page pages file files document documents source sources quote quoted cite cited citation citations sentence
    passage wording evidence reference proof prove where""".split()  # noqa: SIM905
)
_AROUND = frozenset(
    """which what is are was were be that this it they them these those on in from of at for does do did say says said
    stand stands stood so find found come comes came the a an me show give tell us exact exactly words please and or you
    your know how can could i we read written its there taken answer to line text original get got see let have got
    value number name full whole again as""".split()  # noqa: SIM905
)
"""Words that stand around these in a question about a source, and say nothing of their own."""


def asks_for_source(message: str) -> bool:
    """Whether a message asks for nothing but where the last answer stands."""
    words = re.findall(r"[\w']+", message.lower())
    return bool(_ASKED_FOR & set(words)) and set(words) <= _ASKED_FOR | _AROUND


def sources(last: Turn, searches: Searches) -> Outcome:
    """The quotes of the last answer with their pages, looked for on them again."""
    cited = list(dict.fromkeys(_cited(last)))
    claims, notes = verified(
        (Claim(text=one.quote, citations=[one], quoted=True) for one in cited if one.quote), searches
    )
    given = [one.file for one in cited if not one.quote]
    if not claims and not given:
        return Declined(message="There is no answer before this one that has a source to show.", query=last.program)
    lines = [f"{_place(one.citations[0])}: “{' '.join(one.text.split())}”" for one in claims]
    lines += [f"{file}: given by a person, not read from a page." for file in given]
    return Answer(
        message="\n".join(lines), query=last.program, claims=claims, notes=notes,
        covered=list(dict.fromkeys(one.file for one in cited)),
    )  # fmt: skip


def _place(one: Citation) -> str:
    return one.file if one.page is None else f"{one.file}, page {one.page}"


def _cited(last: Turn) -> Iterator[Citation]:
    """What the outcome of a turn cites. A quote that was cut where it was kept is one up to there."""
    outcome = last.outcome
    cells = [cell for row in outcome.get("rows") or () for cell in (row.get("cells") or {}).values()]
    for holder in [*(outcome.get("claims") or ()), *cells, *(outcome.get("values") or ())]:
        for one in holder.get("citations") or ():
            cited = Citation.model_validate(one)
            yield cited.model_copy(update={"quote": cited.quote.removesuffix("…")})
