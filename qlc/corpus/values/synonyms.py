"""Synonyms of labels in documents of any kind: `Balance due` is a total. Terms of single trades are left out.

Includes the usual labels of German and French documents.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import Protocol

from qlc.language.alternatives import one_of

_OF_DATES = {
    "start": "start|begin|begins|beginning|commencement|commences|effective|in force|in force from|from|valid from"
    "|valid as of|effective from|first day|starts|takes effect|take effect|taking effect|comes into force"
    "|comes into effect|enters into force|with effect from",
    "end": "end|ends|until|valid until|valid to|valid till|good until|runs until|expiry|expires|expires on|expiration"
    "|to|last day|end of validity|renewed by|to be renewed by|renew by|repeated before|to be repeated before|next due"
    "|lapses|lapses on|till|through|gültig bis|vertragsende|valable jusqu'au",
    "signed": "signed|signature|signing|made|entered into|executed|unterzeichnet|unterschrieben|fait",
    "due": "due|due date|due by|due on|payable until|payable by|pay by|payment due|deadline"
    "|fällig|fällig am|zahlbar bis|échéance",
    "date": "date|dated|day|when|on|issued|issued on|issue|date of issue|issue date|day of issue|datum"
    "|ordered on|invoiced on|rechnungsdatum|date de facture",
    "done": "done|done on|finished|completed|completed on|closed|completion",
}
_OF_ANYTHING = frozenset(["from", "to", "till", "through", "when", "on", "first", "last"])
"""Words that can belong to another date in a sentence."""
_OF_NAMES = {
    "seller": "vendor|supplier|seller|shop|store|merchant|sold by|supplied by|lieferant|verkäufer|fournisseur",
    "buyer": "buyer|customer|client|purchaser|bill to|billed to|sold to|invoice to|bought by|kunde|käufer",
    "maker": "maker|manufacturer|make|brand|made by|built by|built|manufactured by|manufactured"
    "|producer|produced by|hersteller|fabricant",
    "sender": "sender|from|sent by",
    "recipient": "recipient|to|addressee|sent to",
    "author": "author|written by|prepared by|drawn up by",
    "person": "person|name|full name|holder|participant|employee|member|who",
    "place": "place|location|site|address|where|venue",
    "role": "role|position|job|job title|function|duty",
    "law": "law|governing law|applicable law",
    "title": "title|subject|re|topic|concerning",
    "issuer": "issuer|issued by|granted by|authority|approved by|authorised by|authorized by",
    "leader": "in charge|person in charge|responsible|person responsible|leader|led by|done by|carried out by",
    "kind": "kind|type|category|class",
}
_OF_MONEY = {
    "total": "total|total due|amount due|balance due|amount payable|total payable|total to pay|please pay|to pay"
    "|grand total|total amount|invoice total|order total|invoice amount|amount to pay|balance|total price|amount paid"
    "|total paid|paid|paid in cash|paid by card|paid in full|order value"
    "|invoice value|contract value|total value|rechnungsbetrag|gesamtbetrag|bruttobetrag|endbetrag|zahlbetrag"
    "|gesamtsumme|zu zahlen|total ttc|montant total|net à payer|total à payer",
    "net": "net|net amount|net total|subtotal|sub-total|sub total|before tax|excluding tax|excl. tax|goods total"
    "|netto|nettobetrag|summe netto|zwischensumme|total ht|montant ht",
    "tax": "tax|vat|gst|sales tax|value added tax|value-added tax|mwst|ust|tva",
    "price": "price|cost|costs|charge|fee|rate|pay|pays|wage|salary",
    "limit": "limit|cap|ceiling|highest payment|maximum",
}
_OF_NUMBERS = {
    "weight": "weight|mass|gewicht|poids",
    "power": "power|wattage|consumption|power consumption|power draw|rating|leistung|puissance",
    "quantity": "quantity|qty|pieces|count|menge|anzahl|stück|quantité",
}
_OF_DURATIONS = {
    "length": "duration|length|term|time spent|runs for|lasts|days|weeks|months|years",
    "payment": "payment|pay|paid|payable|due|falls due|fall due|settled",
    "notice": "notice|warning|notifies|notify|beforehand|ahead|kündigungsfrist|préavis",
    "ending": "termination|terminate|terminates|terminated|cancel|cancels|cancellation|cancelled|call off|calls off"
    "|called off|calling off|quit|quits|withdraw|withdraws|withdrawal|exit|exits"
    "|leave|leaves|leaving|left|give up|gives up|given up|brought to an end|end|ends|ended",
}
_OF_TYPE: dict[str, dict[str, str]] = {
    "date": _OF_DATES,
    "date in a sentence": {
        row: "|".join(each for each in phrases.split("|") if each.split()[0] not in _OF_ANYTHING)
        for row, phrases in _OF_DATES.items() if row in ("start", "end", "due", "signed")
    }, "name": _OF_NAMES, "text": _OF_NAMES, "choice": _OF_NAMES, "money": _OF_MONEY,
    "number": {**_OF_NUMBERS, **_OF_DURATIONS}, "duration": _OF_DURATIONS,
}  # fmt: skip


class Named(Protocol):
    """Interface of a field."""

    @property
    def name(self) -> str: ...


@lru_cache(maxsize=16_384)
def in_common_words(text: str, kind: str) -> str:
    """Replace words of a label, or of the name of a typed field, by one canonical synonym."""
    form, row_of = _rows(kind)
    return form.sub(lambda found: f" same{row_of[found[1].lower()]} ", text) if row_of else text


@cache
def _rows(kind: str) -> tuple[re.Pattern[str], dict[str, str]]:
    table = _OF_TYPE.get(kind, {})
    row_of = {phrase: row.replace(" ", "") for row, phrases in table.items() for phrase in phrases.split("|")}
    return re.compile(rf"(?<!\w)(?:date of )?({one_of(row_of)})(?: date)?(?!\w)", re.IGNORECASE), row_of


@cache
def same_words(called: str, kind: str) -> tuple[str, ...]:
    """Return synonyms for the name of a typed field: the other words of its row, without words for prose only."""
    table = _OF_TYPE.get(kind, {})
    for phrases in table.values():
        every = phrases.split("|")
        if called.lower() in every:
            return tuple(one for one in every if one not in _OF_ANYTHING)
    return ()


ROLES = frozenset(
    "supplier vendor seller contractor provider customer client buyer purchaser lessor lessee landlord tenant licensor"  # noqa: SIM905
    " licensee hirer insurer insured employer employee borrower lender partner party taker principal agent vermieter"
    " mieter auftraggeber auftragnehmer".split()
)
"""Names of parties to an agreement."""
KINDS_OF_PAPERS = frozenset(
    "invoice receipt bill statement order contract agreement lease letter memo memorandum minutes report certificate"  # noqa: SIM905
    " permit licence license notice policy manual handbook guide sheet slip note quote quotation offer form record"
    " specification protocol summary confirmation document paper".split()
)
"""Kinds of documents: dates and numbers in a document belong to an `invoice`, too."""
def says_its_kind(text: str) -> bool:
    """Whether a text says what a document is: `Employment Contract`, `Minutes of 5 May`."""
    found = re.findall(r"[^\W\d_]+", text.lower())
    return any(form in KINDS_OF_PAPERS for word in found for form in (word, word.removesuffix("s")))


_LIKE = ("invoice bill", "contract agreement deal", "manual handbook", "permit licence license", "notice letter",
         "receipt slip", "report record protocol")  # fmt: skip


def papers_like(nouns: Collection[str]) -> tuple[str, ...]:
    """Return synonyms for kinds of documents: `bill` for an invoice, `deal` for a contract."""
    return tuple(
        one for row in _LIKE if {*row.split()} & {*nouns} for one in row.split() if one not in nouns
    )  # fmt: skip


def is_called(one: Named, row: str) -> bool:
    """Whether a field's name, or its last word, is in a row of synonyms."""
    spoken = one.name.replace("_", " ")
    kind = "date" if row in _OF_DATES else "name"
    return any(in_common_words(text, kind).strip() == f"same{row}" for text in (spoken, spoken.split()[-1]))


END = re.compile(
    r"\b(?:until|till|by|before|end(?:s|ed|ing)?|expir\w*|lapse\w*|due|over|deadline|latest|last|ran out|runs? out"
    r"|valid\w*|good|not later|no later|back|closed?|paid|return\w*)\b",
    re.IGNORECASE,
)
"""Words for the end of a time; a question for an end is not answered by a beginning."""
