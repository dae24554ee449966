"""How often a true sentence is refused and a false one accepted beside its quote (`qlc/answers/grounding.py`).

    python -m benchmarks.claims FOLDER [--show]

FOLDER has `records.jsonl` (facts with value, unit, page and quote) and `gold_pages.jsonl` (the texts of pages). A
sentence is made of each of some facts, in one of several wordings; a false one says something else in one place: a
digit, a unit, a name, a date, a negation, or a bound.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from qlc.answers.grounding import unfounded

EACH = 6
"""Facts of one key that are asked about."""
_LABELS = {
    "notice": "notice period", "cap": "liability cap", "effective": "effective date", "law": "governing law",
    "vceo": "Vceo", "ic": "collector current", "power": "power", "boiling": "boiling point", "flash": "flash point",
    "number": "number", "due": "payment term", "tax": "VAT", "net": "net amount", "done": "date of calibration",
    "expiry": "expiry date", "issued": "date of issue", "serial": "serial number", "secrecy": "secrecy period",
    "payment": "payment term", "term": "initial term", "moisture": "water content",
}  # fmt: skip
_SENTENCES: dict[str, tuple[str, ...]] = {
    "notice": (
        "Either party may end the agreement without cause on {amount} notice.",
        "The agreement can be ended with {amount} notice.",
    ),
    "cap": (
        "Liability is limited to {amount}.",
        "Total liability may not exceed {amount}.",
        "The liability cap is {amount}.",
        "Liability is at most {amount}.",
    ),
    "secrecy": ("Confidential information stays secret for {amount}.",),
    "payment": ("Invoices are payable within {amount}.", "Payment is due {amount} after the invoice."),
    "due": ("It is payable within {amount}.", "The invoice is payable in {amount}."),
    "term": ("The initial term is {amount}.", "It runs for an initial term of {amount}."),
    "effective": ("The agreement commences on {amount}.", "The effective date is {amount}."),
    "law": ("The agreement is governed by the laws of {amount}.", "The governing law is that of {amount}."),
    "party": ("The supplier is {amount}.", "{amount} is the supplier."),
    "vendor": ("The invoice is from {amount}.", "{amount} is the vendor."),
    "instrument": ("The instrument is a {amount}.",),
}
_RENEWALS = {
    "automatic": ("The agreement renews automatically.", "The agreement does not renew automatically."),
    "manual": ("The agreement does not renew by itself.", "The agreement renews by itself."),
    "option": ("The client may extend the agreement.", "The client may not extend the agreement."),
    "none": ("No renewal is foreseen.", "A renewal is foreseen."),
}
_OPPOSITES = (
    ("at least", "at most"), ("not less than", "not more than"), ("up to", "at least"), ("within", "after"),
    ("shall not exceed", "shall exceed"), ("may not exceed", "may exceed"), ("at most", "at least"),
    ("is limited to", "is at least"), ("below", "above"), ("above", "below"), ("before", "after"),
    ("more than", "less than"),
)  # fmt: skip
_UNITS = {
    "days": "months", "months": "days", "years": "months", "GBP": "EUR", "EUR": "USD", "USD": "GBP", "mm": "cm",
    "V": "kV", "W": "kW", "A": "mA", "°C": "°F", "kg": "g", "hours": "days", "ppm": "%", "%": "ppm", "min": "h",
    "L": "ml", "kWh": "MWh", "MWh": "kWh", "kW": "W", "s": "min", "bar": "mbar",
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A sentence beside its quote. `kind` is `true`, or what was changed."""

    kind: str
    text: str
    quote: str
    around: tuple[str, ...]
    names: str
    question: str

    def problems(self) -> list[str]:
        return unfounded(self.text, [self.quote], self.around, None, self.names, self.question)


def cases(folder: Path, random: Random) -> Iterator[Case]:
    pages = {(one["file"], one["page"]): one["text"] for one in _lines(folder / "gold_pages.jsonl")}
    facts: dict[str, list[tuple[dict[str, Any], dict[str, Any]]]] = defaultdict(list)
    for record in _lines(folder / "records.jsonl"):
        for fact in record["facts"]:
            if fact.get("quote") and re.search(r"[A-Za-z]", fact["quote"]) and not record.get("unreadable"):
                facts[f"{record['bucket']} {fact['key'].partition(':')[0]}"].append((record, fact))
    names = {key: sorted({str(one["value"]) for _, one in found}) for key, found in facts.items()}
    for key, found in facts.items():
        most = EACH if not key.endswith((" line", " qty")) else 2 * EACH
        for record, fact in random.sample(found, min(most, len(found))):
            text = pages.get((fact["file"], fact["page"]), fact["quote"])
            if (made := _sentence(record, fact, random)) is None:
                continue
            sentence, amount = made
            question = f"What is the {_label(fact)} of {record['name']}?"
            title = pages.get((fact["file"], 1), "").strip().partition("\n")[0]
            around = (title, record["name"], fact["file"], "")
            case = Case("true", sentence, fact["quote"], around, text, question)
            yield case
            for kind, change in _CHANGES.items():
                others = [one for one in names[key] if one not in text and one.casefold() not in case.text.casefold()]
                changed = change(sentence, amount, fact, random, others)
                if changed is not None and changed not in (sentence, f"{amount}.") and changed != fact["quote"]:
                    yield replace(case, kind=kind, text=changed)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)


def _label(fact: dict[str, Any]) -> str:
    key, _, thing = str(fact["key"]).partition(":")
    return {"line": f"amount of {thing}", "qty": f"quantity of {thing}", "price": f"price of {thing}"}.get(
        key, _LABELS.get(key, key.replace("_", " "))
    )


def _sentence(record: dict[str, Any], fact: dict[str, Any], random: Random) -> tuple[str, str] | None:
    """A true sentence, and how it says the value; the quote itself where it is a sentence of its own."""
    key, value = str(fact["key"]), fact["value"]
    if key == "renewal":
        return _RENEWALS[value][0], ""
    amount, quote = _amount(fact, random), str(fact["quote"])
    if key in _SENTENCES and str(value) != "none":
        said = [one for one in _SENTENCES[key] if "without" not in one or re.search("without|free to", quote)]
        return random.choice(said).format(amount=amount), amount
    if quote.endswith(".") and len(quote.split()) > 4:
        return quote, next((one for one in (amount, str(value)) if re.search(rf"{re.escape(one)}(?!\w)", quote)), "")
    if isinstance(value, str) and value.casefold() not in quote.casefold() and fact.get("type") != "date":
        return None  # the value is a reading of the quote
    if key.startswith(("line:", "qty:", "price:")) and random.random() < 0.5:
        return f"{key.partition(':')[2]}: {amount}.", amount
    return f"The {_label(fact)} of {record['name']} is {amount}.", amount


def _amount(fact: dict[str, Any], random: Random) -> str:
    value, unit = fact["value"], fact.get("unit") or ""
    if fact.get("type") == "date":
        day = date.fromisoformat(value)
        return str(random.choice([value, f"{day.day} {day:%B} {day.year}", f"{day:%B} {day.day}, {day.year}"]))
    if isinstance(value, str):
        return str(value)
    number = f"{value:,.2f}" if isinstance(value, float) and unit in ("GBP", "EUR", "USD") else f"{value:,}"
    if unit in ("GBP", "EUR", "USD"):
        return f"{unit} {number}"
    return f"{number} {unit}" if unit != "pieces" else number


_Change = Callable[[str, str, dict[str, Any], Random, list[str]], str | None]


def _digit(sentence: str, amount: str, fact: dict[str, Any], random: Random, _: list[str]) -> str | None:
    places = [found.start() for found in re.finditer(r"\d", amount)]
    if not places or fact.get("type") == "date" or amount not in sentence:
        return None
    at = random.choice(places)
    new = random.choice([one for one in "123456789" if one != amount[at]])
    return sentence.replace(amount, f"{amount[:at]}{new}{amount[at + 1 :]}")


def _unit(sentence: str, amount: str, fact: dict[str, Any], random: Random, _: list[str]) -> str | None:
    unit = fact.get("unit") or ""
    if unit not in _UNITS or unit not in amount or amount not in sentence:
        return None
    return sentence.replace(amount, re.sub(rf"(?<!\w){re.escape(unit)}(?!\w)", _UNITS[unit], amount))


def _name(sentence: str, amount: str, fact: dict[str, Any], random: Random, others: list[str]) -> str | None:
    is_name = isinstance(fact["value"], str) and fact.get("type") != "date" and amount and amount in sentence
    return sentence.replace(amount, random.choice(others)) if is_name and others and fact["key"] != "renewal" else None


def _date(sentence: str, amount: str, fact: dict[str, Any], random: Random, _: list[str]) -> str | None:
    if fact.get("type") != "date" or not amount:
        return None
    day = date.fromisoformat(fact["value"]) + timedelta(random.choice([1, 31, 365, -365]))
    return sentence.replace(amount, random.choice([day.isoformat(), f"{day.day} {day:%B} {day.year}"]))


def _negation(sentence: str, amount: str, fact: dict[str, Any], random: Random, _: list[str]) -> str | None:
    if fact["key"] == "renewal":
        return _RENEWALS[fact["value"]][1]
    if re.search(r"\b(?:not|no|never|neither|nor|without|cannot)\b", sentence, re.IGNORECASE):
        changed = re.sub(r"\b(?:do|does) not |\b(?<!may )(?:not|never) (?!exceed)", "", sentence, count=1)
        return changed if changed != sentence else None
    return re.sub(r"\b(is|are|may|shall|can|has|have|must|will)\b", r"\1 not", sentence, count=1)


def _bound(sentence: str, amount: str, fact: dict[str, Any], random: Random, _: list[str]) -> str | None:
    for one, other in _OPPOSITES:
        if re.search(rf"\b{one}\b", sentence):
            return re.sub(rf"\b{one}\b", other, sentence, count=1)
    if isinstance(fact["value"], str) or amount not in sentence or not amount or re.match(r"\w+:", fact["key"]):
        return None
    return sentence.replace(amount, f"{random.choice(['at least', 'at most', 'more than', 'less than'])} {amount}")


_CHANGES: dict[str, _Change] = {
    "digit": _digit, "unit": _unit, "name": _name, "date": _date, "negation": _negation, "bound": _bound,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", action="store_true", help="print what was judged wrongly")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counted: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for case in cases(options.folder, Random(options.seed)):
        problems = case.problems()
        counted[case.kind] += 1
        if bool(problems) == (case.kind == "true"):
            wrong[case.kind] += 1
            if options.show:
                print(f"{case.kind}: {case.text}\n    {case.quote}\n    {'; '.join(problems) or 'accepted'}")
    false = {kind: number for kind, number in counted.items() if kind != "true"}
    print(f"true: {counted['true']}, refused {wrong['true']}")
    print(f"false: {sum(false.values())}, accepted {sum(wrong[kind] for kind in false)}")
    for kind, number in false.items():
        print(f"  {kind}: {number}, accepted {wrong[kind]}")


if __name__ == "__main__":
    main()
