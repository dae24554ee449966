"""Words for stored codes, states and kinds: abbreviations spelled out, and synonyms."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from qlc.base.words.languages import languages
from qlc.language.nouns import plural_of


@dataclass(frozen=True, slots=True)
class Family:
    """Codes that occur together in one field. Two of them must occur: `CM` alone can also mean centimetres.

    `of`: words of which the field's name must have one, for codes that are too short to be sure.
    """

    codes: Mapping[str, tuple[str, ...]]
    of: frozenset[str] = frozenset()


def _family(text: str, of: str = "") -> Family:
    """Parse a family from text: codes before colons, their words after: `URG: urgent; EMER: emergency`."""
    pairs = (one.split(":") for one in text.split(";"))
    codes = {code: tuple(word.strip() for word in words.split(",")) for code, words in pairs}
    spelled = {one.strip(): words for code, words in codes.items() for one in code.split("/")}
    return Family(spelled, frozenset(of.split()))


_FAMILIES = (
    _family("ELEC/EL: elective; URG/UR: urgent; EMER/EMERG/EM: emergency; ROUT/RT: routine; SEMI: semi-urgent"),
    _family("GA: general anaesthetic, general anaesthesia, general anesthesia; LA: local; RA: regional; SED: sedation; "
            "SPIN: spinal"),
    _family(
        "CM: corrective, corrective maintenance, repair; PM: preventive, preventive maintenance; INS/INSP: inspection; "
        "CAL: calibration; MOD: modification; EM: emergency; PDM: predictive; OVH: overhaul; INST: installation"
    ),
    _family("ELEC: electrical; PLMB/PLUM: plumbing; MECH: mechanical; HVAC: air conditioning; CARP: carpentry; "
            "STRUC/STR: structural; ALT: alteration; DEMO: demolition; BLDG: building; ROOF: roofing"),
    _family("HI/H: high; MED/M: medium; LO/L: low; CRIT/C: critical; NORM/N: normal; MIN: minor; MAJ: major",
            "priority severity urgency risk impact level"),
    _family("FT: full-time, full time; PT: part-time, part time; TEMP: temporary; PERM: permanent; CONTR: contractor; "
            "INT: intern; CAS: casual"),
    _family("APPR/APP: approved; REJ: rejected; PEND/PND: pending; CANC/CAN/CXL: cancelled; COMP/CMPL: completed; "
            "SUSP: suspended; EXP: expired; SUBM: submitted; WIP: in progress; ACT: active; INACT/INA: inactive; "
            "TERM: terminated; DEL: deleted; DELIV/DLV: delivered; SHIP: shipped; RET: returned; CLSD: closed; "
            "OPN: open"),
    _family("RES: residential; COM/COMM: commercial; IND: industrial; GOV: government; AGR/AGRI: agricultural; "
            "INST: institutional; EDU: education"),
    _family("CC: credit card; DC: debit card; DD: direct debit; BT/TRF: bank transfer; CHQ/CHK: cheque, check; "
            "CSH: cash; PP: paypal; INV: invoice"),
    _family("STD: standard; EXPR/EXP: express; PRIO: priority; ECO/ECON: economy; PREM: premium; BUS: business; "
            "OVN: overnight; INTL: international; DOM: domestic"),
    _family("STUD/STU: student; CORP: corporate; FAM: family; SEN/SNR: senior; JUN/JNR: junior; "
            "OFFPEAK: off-peak, off peak; IND/INDIV: individual; TRL: trial"),
    _family("IN/INB: inbound, incoming; OUT/OUTB: outbound, outgoing; INT: internal"),
    _family("N: north; S: south; E: east; W: west; NE: northeast; NW: northwest; SE: southeast; SW: southwest",
            "direction heading side orientation exposure wind region sector quadrant"),
    _family("XS: extra small; S: small; M: medium; L: large; XL: extra large", "size"),
    _family("R/RED: red; W/WHT/WH: white; RO/ROS/RS: rosé, rose; SP/SPK: sparkling; SW/SWT: sweet; "
            "FO/FT/FORT: fortified", "colour color style"),
    _family("BLK/BK: black; WHT/WH: white; RED: red; BLU: blue; GRN: green; GRY: grey, gray; SLV: silver; YEL: yellow; "
            "BRN: brown; ORG: orange; PNK: pink; PRP: purple", "colour color"),
    _family("DAY: day; EVE: evening; NGT/NT: night; AM: morning; PM: afternoon; ERL: early; LAT: late",
            "shift session slot"),
    _family("DIES/D: diesel; PET/P: petrol; EL/EV/E: electric; HYB/H: hybrid; GAS/CNG: gas",
            "fuel drive propulsion engine"),
)  # fmt: skip
_ENOUGH = 2


def short_for(codes: Iterable[str], words_of_the_field: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Spell out the codes of a field by the family that has most of them; empty if no family has two."""
    stored = {one.upper(): one for one in codes}
    said = set(words_of_the_field)
    fitting = [one.codes for one in _FAMILIES if not one.of or one.of & said]
    best = max(fitting, key=lambda known: len(known.keys() & stored.keys()))
    found = {stored[code]: words for code, words in best.items() if code in stored}
    return found if len(found) >= _ENOUGH else {}


_STATES = tuple(
    tuple(one.strip() for one in words.split(","))
    for words in (
        "done, completed, finished",
        "completed, finished",
        "complete, completed, finished",
        "finished, completed",
        "open, unresolved",
        "in progress, under way, ongoing",
        "ongoing, in progress, under way",
        "cancelled, called off",
        "canceled, cancelled, called off",
        "postponed, put off",
        "rejected, turned down, refused, denied",
        "denied, rejected, turned down, refused",
        "refused, rejected, turned down, denied",
        "approved, granted",
        "granted, approved",
        "on hold, put on hold, paused",
        "under review, being reviewed, in review",
        "in review, being reviewed, under review",
        "withdrawn, taken back",
        "retired, decommissioned, taken out of service",
        "missing, lost",
        "sold out, out of stock",
        "terminated, ended",
    )
)
STATES = frozenset({"state", "status", "stage", "phase"})


def words_for_states(values: Iterable[str], words_of_the_field: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return synonyms for each state of a field, unless another value has the synonym as its name."""
    stored = {one.replace("_", " ").replace("-", " ").lower(): one for one in values}
    if not STATES & set(words_of_the_field):
        return {}
    also = ((one[0], one[1:]) for one in _STATES if one[0] in stored)
    return {stored[said]: tuple(word for word in others if word not in stored) for said, others in also}


_OF_LANGUAGES = frozenset({"lang", "langs", "language", "languages", "locale", "locales", "tongue"})


def names_of_languages(values: Collection[str], words_of_the_field: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the names of languages for their codes: `de`, `de-AT` -> German, if only one value is German. Empty if not
    all values are language codes."""
    codes = {one: re.split("[-_]", one.casefold())[0] for one in values}
    if not _OF_LANGUAGES & set(words_of_the_field) or not languages().keys() >= {*codes.values()}:
        return {}
    often = Counter(name for code in codes.values() for name in languages()[code])
    return {one: tuple(name for name in languages()[code] if often[name] == 1) for one, code in codes.items()}


_DENIALS = frozenset({"no", "not", "non", "un", "none", "without", "never", "partly", "semi", "pre", "ex", "other"})
_SHORTEST_NOUN = 3
_LONGEST_NAME = 3
"""Most words in the name of a kind; longer values are prose."""


def kinds_of(
    values: Collection[str], words_of_the_field: Iterable[str], known: Collection[str]
) -> dict[str, list[str]]:
    """Group values by their last noun: English oak, Turkey oak -> `oak`.

    Nouns that are a value themselves, that all values have, or that are `known` are left out; so are states, reasons
    and prose.
    """
    if (STATES | {"reason", "cause"}) & set(words_of_the_field):
        return {}
    words = {one: re.split(r"[\s_-]+", one) for one in values}
    ending: defaultdict[str, list[str]] = defaultdict(list)
    for one, parts in words.items():
        if 1 < len(parts) <= _LONGEST_NAME:
            ending[parts[-1]].append(one)
    alone = {parts[0].casefold() for parts in words.values() if len(parts) == 1}
    return {
        noun: ending_so
        for noun, ending_so in ending.items()
        if 1 < len(ending_so) < len(words) and len(noun) >= _SHORTEST_NOUN and noun.isalpha() and noun.islower()
        if not {noun, plural_of(noun)} & {*alone, *known} and not noun.endswith(("ed", "ing"))
        if not any(words[one][0].casefold() in _DENIALS for one in ending_so)
    }


_NOUNS = {
    "order": "purchase", "work_order": "job", "workorder": "job", "job": "task", "task": "job", "ticket": "issue case",
    "permit": "application", "application": "request", "request": "application", "claim": "case",
    "incident": "event", "booking": "reservation", "reservation": "booking", "shipment": "delivery consignment",
    "delivery": "shipment", "consignment": "shipment", "parcel": "package shipment", "invoice": "bill",
    "bill": "invoice", "payment": "transaction", "transaction": "payment", "employee": "worker colleague",
    "worker": "employee", "member": "client", "client": "customer", "customer": "client buyer", "guest": "visitor",
    "visitor": "guest", "student": "pupil", "appointment": "visit", "visit": "appointment", "vehicle": "car",
    "car": "vehicle", "truck": "lorry", "property": "home", "listing": "ad", "article": "post", "post": "article",
    "product": "article item", "repair": "job", "inspection": "check", "accident": "crash", "crash": "accident",
    "trip": "journey ride", "ride": "trip journey", "journey": "trip", "event": "incident", "film": "movie",
    "movie": "film", "house": "home", "apartment": "flat", "flat": "apartment", "vacancy": "opening",
    "contract": "agreement", "agreement": "contract", "lease": "contract", "donation": "gift", "course": "class",
    "species": "animal", "defect": "fault", "fault": "defect", "complaint": "issue", "issue": "problem ticket",
    "operation": "surgery procedure", "surgery": "operation procedure",
}  # fmt: skip
"""Synonyms of nouns for documents, as used by people who work with them."""
_BY_FIELDS = {
    "operation surgery": "procedure surgeon anaesthesia anesthesia anaesthetist incision theatre",
    "member": "joined membership plan visits visit trainer renewal checkins club",
    "employee": "hired hire salary department position manager job payroll contract",
    "patient": "ward diagnosis admitted discharged allergies hospital doctor insurance",
    "student": "enrolled enrolment semester grade course school gpa major",
    "customer": "orders loyalty purchases spent segment basket lifetime",
    "tenant": "rent flat lease moved deposit",
    "applicant candidate": "applied vacancy interview cv stage",
    "donor": "donated donations pledge campaign gift",
    "volunteer": "hours skills availability shifts",
}
"""Nouns for people and cases, by the words of their fields."""
_UNCALLED = frozenset({"person", "case", "entry"})
_ENOUGH_OF_IT = 3


def nouns_for(name: str, words_of_fields: Iterable[str]) -> tuple[str, ...]:
    """Return synonyms for a kind, in singular and plural, that none of its fields has as a name: `workorder` -> `job`;
    someone with a plan and visits -> `member`."""
    taken = set(words_of_fields)
    nouns = _NOUNS.get(name, "").split()
    if name in _UNCALLED:
        met = {said: len(taken & set(words.split())) for said, words in _BY_FIELDS.items()}
        most = max(met.values())
        best = [said for said, count in met.items() if count == most]
        nouns = best[0].split() if most >= _ENOUGH_OF_IT and len(best) == 1 else []
    return tuple(form for noun in nouns for form in (noun, plural_of(noun)) if not taken & {noun, plural_of(noun)})
