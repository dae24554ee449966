"""How long an answer without a language model takes, by kind of question, over a corpus of many passages.

    python -m benchmarks.answers FOLDER [--documents N] [--times N]

The first run writes documents and adds them to FOLDER (`FOLDER/files`, `FOLDER/corpus`); later ones only ask. The
documents and the questions come from one random generator, so the same numbers give the same corpus.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import qlc

SCHEMA = """\
version: 1
name: works
buckets:
  agreements:
    description: Agreements with suppliers of services
    words: [agreement, contract, contracts]
    files: ["agreements/**"]
    fields:
      supplier: {type: name, labels: [Supplier]}
      signed: {type: date, labels: [Signed]}
      notice: {type: duration, unit: days, labels: [Notice period], description: notice to leave without cause}
      law: {type: name, labels: [Governing law]}
      cap: {type: money, labels: [Liability cap]}
  slips:
    description: Delivery slips
    words: [delivery slip, delivery slips]
    files: ["slips/**"]
    fields:
      carrier: {type: name, labels: [Carrier]}
      delivered: {type: date, labels: [Delivered]}
      weight: {type: number, unit: kg, labels: [Weight]}
      goods: {type: choice, labels: [Goods], values: {timber: [], cement: [], glass: [], steel: [], paint: []}}
  pumps:
    description: Data sheets of pumps
    words: [pump, data sheet, data sheets]
    files: ["pumps/**"]
    fields:
      model: {type: name, labels: [Model]}
      flow: {type: number, unit: l/min, labels: [Flow rate]}
      power: {type: number, unit: W, labels: [Power]}
      housing: {type: choice, labels: [Housing], values: {bronze: [], steel: [], plastic: []}}
  guides:
    description: Instructions for machines
    words: [guide, manual, manuals]
    files: ["guides/**"]
"""


def _words(text: str) -> list[str]:
    return text.split()


FIRST = _words("Aldermoor Birchfield Corvane Dunsel Elverby Farholt Glenmarr Hestow Ivelden Jorvane Kelmere Lanthorn")
LAST = _words("Freight Logistics Joinery Surveys Cleaning Security Catering Lifts Glazing Roofing Drainage Archives")
LAWS = _words("Norway Scotland Ireland Denmark England Bavaria")
GOODS = _words("timber cement glass steel paint")
PARTS = _words("valve seal rotor bearing gasket filter coupling impeller hopper belt spindle nozzle")
VERBS = _words("inspected cleaned replaced tightened lubricated drained aligned calibrated vented rinsed")
NOUNS = _words(
    """schedule ledger depot ballast harbour parcel signal tariff survey margin payload quarry sluice terrace vessel
    warden yield annex bracket canopy derrick estuary furnace gantry hinge ingot jetty kiln lattice mortar notch outlet
    parapet quota rafter scaffold trench upkeep vault weir yard zoning"""
)
OF_HUNDRED = {"agreements": 40, "slips": 35, "pumps": 10, "guides": 15}
PARAGRAPHS = {"agreements": 24, "slips": 1, "pumps": 3, "guides": 24}


def name(number: int) -> str:
    return f"{FIRST[number % 12]} {LAST[number // 12 % 12]} {number // 144 + 1}"


def prose(rng: random.Random, paragraphs: int) -> Iterator[str]:
    """Paragraphs of about 40 words that nothing asks for."""
    for _ in range(paragraphs):
        yield " ".join(
            f"The {rng.choice(NOUNS)} of the {rng.choice(NOUNS)} is kept with the {rng.choice(NOUNS)} until the "
            f"{rng.choice(NOUNS)} {rng.choice(NOUNS)} is settled." for _ in range(3)
        )  # fmt: skip


def document(bucket: str, number: int, rng: random.Random) -> str:
    day = f"{rng.randint(2015, 2025)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    text = [*prose(rng, PARAGRAPHS[bucket])]
    match bucket:
        case "agreements":
            head = [f"# {name(number)} agreement", f"Supplier: {name(number)}", f"Signed: {day}",
                    f"Notice period: {rng.choice((14, 30, 45, 60, 90))} days",
                    f"Governing law: {rng.choice(LAWS)}",
                    f"Liability cap: EUR {rng.randint(10, 900) * 1000:,}"]  # fmt: skip
            said = rng.choice(("keys are handed back", "badges are returned", "vehicles are washed"))
            text.insert(rng.randrange(len(text)), f"All {said} to {name(number)} within {rng.randint(2, 20)} hours of "
                        "the end of a shift.")  # fmt: skip
        case "slips":
            head = [f"# Delivery slip DS-{number:06}", f"Carrier: {name(number % 300)}", f"Delivered: {day}",
                    f"Weight: {rng.randint(20, 9000)} kg", f"Goods: {rng.choice(GOODS)}"]  # fmt: skip
        case "pumps":
            head = [f"# Pump P-{number:05}", f"Model: P-{number:05}", f"Flow rate: {rng.randint(5, 900)} l/min",
                    f"Power: {rng.randint(40, 4000)} W",
                    f"Housing: {rng.choice(('bronze', 'steel', 'plastic'))}"]  # fmt: skip
        case _:
            head = [f"# Guide to the mixer M-{number:05}"]
            text.insert(rng.randrange(len(text)), f"The {part_of(number)} of the mixer M-{number:05} is to be "
                        f"{VERBS[number % 10]} every {rng.randint(2, 40)} weeks.")  # fmt: skip
    return "\n\n".join(["\n".join(head), *text])


def part_of(guide: int) -> str:
    return PARTS[guide % 12]


def _often(guide: int) -> str:
    return f"How often is the {part_of(guide)} of the mixer M-{guide:05} {VERBS[guide % 10]}?"


def write(folder: Path, documents: int) -> None:
    for bucket, share in OF_HUNDRED.items():
        (folder / bucket).mkdir(parents=True, exist_ok=True)
        for number in range(documents * share // 100):
            rng = random.Random(f"{bucket} {number}")
            (folder / bucket / f"{bucket}-{number:06}.md").write_text(document(bucket, number, rng), "utf-8")


def questions(documents: int, times: int) -> dict[str, list[str]]:
    """By kind, each about documents that there are or, where the kind says so, are not."""
    rng = random.Random(7)
    of = {bucket: documents * share // 100 for bucket, share in OF_HUNDRED.items()}

    def one(bucket: str) -> int:
        return rng.randrange(of[bucket])

    made = {
        "list": lambda: f"List agreements with governing law {rng.choice(LAWS)}, notice under 20 days, signed in "
                        f"{rng.randint(2015, 2025)}, and a liability cap above {rng.randint(700, 880) * 1000:,}",
        "overload": lambda: f"List every delivery slip with {rng.choice(GOODS)}",
        "count": lambda: f"How many slips of {rng.choice(GOODS)} were delivered in {rng.randint(2015, 2025)}?",
        "compute": lambda: f"What is the average power of the {rng.choice(('bronze', 'steel', 'plastic'))} pumps?",
        "value": lambda: f"What is the notice period in the {name(one('agreements'))} agreement?",
        "passages": lambda: _often(one("guides")),
        "compare": lambda: f"Compare P-{one('pumps'):05} and P-{one('pumps'):05}: flow rate and power",
        "no results": lambda: f"Show the agreements signed in {rng.randint(1950, 1990)}",
        "not in corpus": lambda: f"What is the salary of {rng.choice(('Ola', 'Ingrid', 'Jens'))} Fjeldstrand?",
    }  # fmt: skip
    return {kind: [make() for _ in range(times)] for kind, make in made.items()}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--documents", type=int, default=17_000, help="about six passages each (default 17,000)")
    arguments.add_argument("--times", type=int, default=20, help="questions of each kind (default 20)")
    given = arguments.parse_args()
    files, index, schema = (given.folder / one for one in ("files", "corpus", "corpus.yaml"))
    if not index.exists():
        write(files, given.documents)
        schema.write_text(SCHEMA, "utf-8")
        began = time.monotonic()
        with qlc.Corpus.create(index, schema) as corpus:
            corpus.add(files)
        print(f"added in {time.monotonic() - began:.0f} s")
    with qlc.Corpus.open(index, read_only=True) as corpus:
        report(corpus, questions(given.documents, given.times))


def report(corpus: qlc.Corpus, asked: dict[str, list[str]]) -> None:
    passages = getattr(corpus.compiler().run("count passages"), "value", 0)
    print(f"{passages:,} passages. Milliseconds of processor time, without a language model.")
    print(f"{'kind':<14}  {'n':>3}  {'p50':>6}  {'p95':>6}  {'searches':>8}  {'requests':>8}  outcomes")
    every: list[float] = []
    for kind, some in asked.items():
        corpus.ask(some[-1])
        took, searches, requests, kinds = [], [], [], []
        for question in some:
            began = time.process_time()
            outcome = corpus.ask(question)
            took.append(1000 * (time.process_time() - began))
            spent = outcome.stats.spent
            searches.append(spent.searches)
            requests.append(spent.requests)
            kinds.append(outcome.kind)
        every += took
        told = ", ".join(f"{kinds.count(one)} {one}" for one in dict.fromkeys(kinds))
        print(f"{kind:<14}  {len(took):>3}  {_at(took, 50):>6.0f}  {_at(took, 95):>6.0f}  "
              f"{statistics.mean(searches):>8.1f}  {statistics.mean(requests):>8.1f}  {told}")  # fmt: skip
    print(f"{'all':<14}  {len(every):>3}  {_at(every, 50):>6.0f}  {_at(every, 95):>6.0f}")


def _at(took: list[float], percent: int) -> float:
    ordered = sorted(took)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


if __name__ == "__main__":
    main()
