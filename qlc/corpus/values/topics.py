"""Topics of clauses: an amount in a clause about something else is no value of a field.

`The warranty is limited to EUR 5,000` has no liability cap, `five days' notice of maintenance` no notice to terminate.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Protocol

_TOPICS = {
    "insurance": r"insur(?:e|es|ed|er|ance)|versicherung\w*|assurance",
    "warranty": r"warrant(?:y|ies|s|ed)|guarantees?|defects?|gewährleistung|mängel|garantie",
    "payment": r"invoices?|payable|falls? due|rechnung(?:en)?|factures?",
    "upkeep": r"maintenance|downtime|repairs?|inspect(?:s|ed|ion|ions)?|audits?|wartung",
    "entry": r"enter|entry|visits?|access",
    "secrecy": r"confidential(?:ity)?|disclos(?:e|ure)",
    "competition": r"compet(?:e|ing|ition)|solicit\w*",
    "dispute": r"disputes?|arbitrat\w+|mediat\w+|complain\w*",
    "breach": r"breach(?:es)?|cure|remed(?:y|ied)|defaults?",
    "permit": r"permits?|licen[cs]es?|consents?|genehmigung",
    "tender": r"tenders?|bids?|reject(?:s|ed)?",
    "renewal": r"options?|renewals?",
}
"""Words of a topic, as regular expressions."""
_ONLY_TIMES = frozenset(("payment", "upkeep", "entry", "breach"))
"""Topics that tell nothing of a sum of money: a cap is what was `payable` in a year."""
_FORMS = {topic: re.compile(rf"(?<!\w)(?:{form})(?!\w)", re.IGNORECASE) for topic, form in _TOPICS.items()}


class Named(Protocol):
    """Interface of a field."""

    @property
    def type(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def phrases(self) -> tuple[str, ...]: ...


@lru_cache(maxsize=4_096)
def topics_of(text: str) -> frozenset[str]:
    return frozenset(topic for topic, form in _FORMS.items() if form.search(text))


def is_foreign(one: Named, clause: str, section: str, title: str) -> bool:
    """Whether a clause, or its section, is about something that neither the field nor the document's title mentions."""
    own = topics_of(" ".join((*one.phrases, one.description, title)))
    others = _ONLY_TIMES if one.type == "money" else frozenset()
    if one.type == "date":
        others = others | {"payment", "renewal", "secrecy"}
    if topics_of(clause) - own - others:
        return True
    return bool(topics_of(section) - own - others) and not own & topics_of(section)
