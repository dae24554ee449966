"""Pairs of corpora that differ only in what a caller may not see, and what a caller may send to them.

What is hidden: the files of another tenant (by folder, name or a field), files under an embargo, single passages. The
other tenant may have copies of the caller's files, byte for byte.
"""

import asyncio
import json
import re
import shutil
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import yaml
from reportlab.pdfgen.canvas import Canvas
from starlette.testclient import TestClient

import qlc
from qlc.pasted.entry import run_pasted
from qlc.service import create_app
from tests.confidential.inputs import pasted, plain
from tests.confidential.worlds import CONTEXT, NOW, WORDS, ZONES
from tests.tables import rows, table

SCHEMA = table(__file__, "SCHEMA")
RULES: dict[str, tuple[str, str]] = rows(__file__, "RULES")
"""The entity that has a rule, and the rule. Every file that the caller may see is of the tenant of CONTEXT."""
_OPEN, _CLOSED = ("2026-03-14", "2026-03-15"), ("2026-03-16", "2026-03-17", "2031-01-01")
"""Embargoes that have ended NOW, and others."""


@dataclass(frozen=True)
class Paper:
    """A file: its name, its text by sections, and what only other callers may see of it."""

    name: str
    lines: tuple[str, ...]
    private: tuple[str, ...]

    def written(self, folder: Path) -> None:
        path = folder / self.name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            head, *lines = self.lines
            parts = [f"# {head}", *lines, "## Private", *self.private]
            path.write_text("\n\n".join(parts) + "\n", "utf-8")
            return
        canvas = Canvas(str(path), invariant=True, pageCompression=0)  # texts of one length make files of one size
        for row, (line, size) in enumerate([(self.lines[0], 18), *((one, 10) for one in self.lines[1:]),
                                            ("Private", 18), *((one, 10) for one in self.private)]):  # fmt: skip
            canvas.setFont("Helvetica-Bold" if size > 10 else "Helvetica", size)
            canvas.drawString(60, 780 - 40 * row, line)
        canvas.save()


@dataclass
class Side:
    """One of two corpora, as its caller asks it: from Python, and over HTTP."""

    corpus: qlc.Corpus
    http: TestClient
    names: dict[str, str]
    """The file of each document, by its id: ids follow from contents, which differ."""

    rule: str

    def hides(self, citation: dict[str, Any]) -> bool:
        """Whether the caller may not see what is cited."""
        is_private = self.rule == "passage" and "Nobody" in citation["quote"]
        return is_private or "blue" in citation["file"] or "hidden" in citation["file"]

    def told(self, found: Any) -> str:
        """Return an answer as text, with names in place of ids, and without times and scores."""
        text = re.sub(r'"(took_ms|added)": [^,}]+', r'"\1": 0', json.dumps(found, sort_keys=True, default=str))
        for id, name in self.names.items():
            text = text.replace(id, name)
        return text


@dataclass
class Corpora:
    rule: str
    sides: tuple[Side, Side]
    closing: ExitStack = field(default_factory=ExitStack)

    def close(self) -> None:
        self.closing.close()


def _paper(random: Random, name: str, embargo: tuple[str, ...]) -> Paper:
    lines = (
        f"{random.choice(WORDS).title()} {random.randint(10, 99)}", f"Owner: {random.choice(WORDS).title()}",
        f"Fee: {random.randint(10, 99)}", f"Embargo: {random.choice(embargo)}",
        f"The {random.choice(WORDS)} of the {random.choice(WORDS)} is painted {random.choice(WORDS)} each spring.",
    )  # fmt: skip
    return Paper(name, lines, _private(random))


def _private(random: Random) -> tuple[str, ...]:
    buyer, price = random.choice(WORDS), random.randint(10, 99)
    return (f"Nobody else may know that the {random.choice(WORDS)} is sold to {buyer} for {price}.",)


def _names(random: Random, tenant: str, count: int) -> list[str]:
    return [f"{tenant}/{random.choice(['papers', 'plans'])}/{random.choice(WORDS)}{number}.{random.choice(['md', 'pdf'])}"
            for number in range(count)]  # fmt: skip


def _drawn(random: Random, rule: str) -> tuple[list[Paper], list[Paper]]:
    """The files of the two corpora."""
    open_ones = [_paper(random, name, _OPEN) for name in _names(random, "red", 4)]
    if rule == "passage":
        return open_ones, [Paper(one.name, one.lines, _private(random)) for one in open_ones]
    hidden_in = "red" if rule in ("today", "now") else "blue"
    embargo = _CLOSED if hidden_in == "red" else _OPEN
    both = []
    for most in (2, 3):
        names = [name.replace("/p", "/hidden/p") if hidden_in == "red" else name
                 for name in _names(random, hidden_in, random.randint(1, most))]  # fmt: skip
        hidden = [_paper(random, name, embargo) for name in names]
        if hidden_in == "blue":  # copies of what the caller has
            copied = random.sample(open_ones, random.randint(0, 2))
            hidden += [Paper(one.name.replace("red", random.choice(["a_blue", "z_blue"])), one.lines, one.private)
                       for one in copied]  # fmt: skip
        both.append([*open_ones, *hidden])
    return both[0], both[1]


def draw_corpora(seed: int) -> Corpora:
    """The pair of a seed; the same seed draws the same pair."""
    random = Random(seed)
    rule = [*RULES][seed % len(RULES)]
    closing = ExitStack()
    base = Path(tempfile.mkdtemp(prefix="qlc-pair-"))
    closing.callback(shutil.rmtree, base, ignore_errors=True)
    for module in (
        "qlc.corpus.adding",
        "qlc.service.documents",
    ):  # lists are in the order of ids: hashes of what is hidden
        closing.enter_context(
            patch(f"{module}.document_id", lambda content, name: sha256(name.encode()).hexdigest()[:32])
        )
    sides = [_side(base / str(number), papers, rule, closing) for number, papers in enumerate(_drawn(random, rule))]
    return Corpora(rule, (sides[0], sides[1]), closing)


def _side(base: Path, papers: list[Paper], rule: str, closing: ExitStack) -> Side:
    files = base / "files"
    for one in papers:
        one.written(files)
    tenants = [f"{one.name},{one.name.split('/')[0]}" for one in papers]
    (files / "metadata.csv").write_text("\n".join(["file,tenant", *tenants]) + "\n", "utf-8")
    (base / "corpus.yaml").write_text(SCHEMA, "utf-8")
    with qlc.Corpus.create(base / "corpus", base / "corpus.yaml") as made:
        made.add(files, processes=1)
        catalog = yaml.safe_load(made.catalog())
        listed = made.compiler().run("find documents where file exists show file", size=100)
    entity, condition = RULES[rule]
    catalog["entities"][entity]["access"] = condition
    (base / "own.yaml").write_text(yaml.safe_dump(catalog, sort_keys=False), "utf-8")
    opened = {"read_only": True, "catalog": base / "own.yaml", "clock": lambda: datetime(2026, 3, 15, 12, tzinfo=UTC)}
    asynchronous = asyncio.run(qlc.AsyncCorpus.open(base / "corpus", **opened))
    closing.callback(lambda: asyncio.run(asynchronous.close()))
    http = closing.enter_context(TestClient(create_app(asynchronous, files=files, context=CONTEXT, now=NOW)))
    names = {hit.id: hit.values["file"][0] for hit in listed.hits}
    corpus = asynchronous.corpus
    assert isinstance(corpus, qlc.Corpus)
    return Side(corpus, http, names, rule)


# --- what is asked ---------------------------------------------------------------------------------------------------

PATHS = (
    "id", "document", "kind", "bucket", "files", "files.text", "title", "title.keyword", "text", "section", "head", "body",
    "content", "page", "pages", "state", "values.owner", "values.fee", "values.embargo", "values.tenant",
    "annotations.label", "annotations.text", "places", "made",
)  # fmt: skip


def _condition(random: Random) -> str:
    word = random.choice(WORDS)
    return random.choice([
        f'mentions "{word}"', f'owner = "{word.title()}"', f'file contains "{word}"', f'title contains "{word}"',
        "file exists", f"embargo <= 2026-03-{random.randint(14, 17)}", 'file contains "blue"', "owner exists",
        'tenant = "blue"', "embargo > today", "embargo = tomorrow",
    ])  # fmt: skip


def program(random: Random) -> str:
    entity, by = random.choice(["documents", "papers", "plans"]), random.choice(["owner", "bucket", "embargo", "file"])
    word = random.choice(WORDS)
    return random.choice([
        f"find {entity} where {_condition(random)} sort file", f"count {entity} where {_condition(random)} by {by}",
        f"find passages where {_condition(random)} sort document, ordinal show file, section, text",
        f"count passages where {_condition(random)}", f"count {entity} where {_condition(random)}",
        f'find {entity} where annotations["owner"] exists sort file show file, body',
        f'count passages where text contains "{word}" by section', f'get document("{word.title()}").owner',
        f"avg(fee), count of papers where {_condition(random)} by owner",
        f'count {entity} where body contains "{word}"', f'count documents where annotations[text contains "{word}"]',
    ])  # fmt: skip


def question(random: Random) -> str:
    word, other = random.choice(WORDS), random.choice(WORDS)
    return random.choice([
        "How many documents are there?", "List all papers", "How many plans are there?", f"papers of {word.title()}",
        f"Who is the owner of {word.title()}?", f"How many papers does {word.title()} own?", "plans by owner",
        f"What is the fee of the {word} paper?", f"What is the {word} sold for?", f"Which documents mention {word}?",
        "papers with an embargo after today", "Which paper has the highest fee?", f"What colour is the {word}?",
        f"Compare the fee of {word.title()} and {other.title()}", "What fields do papers have?",
    ])  # fmt: skip


def _run(side: Side, random: Random, options: dict[str, Any]) -> Any:
    return _shown(side, side.corpus.compiler().run(program(random), size=50, **options))


def _asked(side: Side, random: Random, options: dict[str, Any]) -> Any:
    return _shown(side, side.corpus.ask(question(random), **options))


def _searched(side: Side, random: Random, options: dict[str, Any]) -> Any:
    found = side.corpus.search(" ".join(random.sample(WORDS, 2)), by="words", limit=100, per_document=9, **options)
    shown = _shown(side, found)
    for hit in shown.get("hits", ()):  # word frequencies are those of the whole index
        hit["score"] = None
    return {**shown, "hits": sorted(map(side.told, shown.get("hits", ()))), "ids": []}


def _pasted(side: Side, random: Random, options: dict[str, Any]) -> Any:
    text = pasted(random, PATHS, (*WORDS, "blue", "red", "Private"))
    return [_shown(side, one) for one in run_pasted(text, side.corpus.compiler(), **options)]


def _talked(side: Side, random: Random, options: dict[str, Any]) -> Any:
    talk = qlc.Conversation(side.corpus, **options)
    said = [question(random) for _ in range(2)]
    further = ["and the others?", "how many are there", "only the plans", "show more", "who owns it?", "1"]
    turns = [outcome for text in (said[0], *random.sample(further, 2), said[1]) for outcome in talk.turn(text).outcomes]
    return [_shown(side, one) for one in turns]


def _pages(side: Side, random: Random, options: dict[str, Any]) -> Any:
    """Pages as images and the export of a list, over HTTP; the body cannot say what time it is."""
    quote = random.choice([f"sold to {random.choice(WORDS)}", f"the {random.choice(WORDS)}"])
    shown = {}
    for id, name in sorted(side.names.items(), key=lambda one: one[1]):
        if "blue" not in name and "hidden" not in name:
            page = side.http.get(f"/v1/documents/{id}/pages/1.png", params={"quote": quote, "pixels": 200})
            told = (
                side.told(page.text)
                if "image" not in page.headers["content-type"]
                else sha256(page.content).hexdigest()
            )
            shown[name] = [page.status_code, page.headers.get("qlc-marks"), told]
    hidden = [id for id, name in side.names.items() if "blue" in name or "hidden" in name]
    refused = {side.http.get(f"/v1/documents/{id}/pages/1.png").status_code for id in [*hidden, "0" * 32]}
    body = {key: value for key, value in options.items() if key in ("timezone", "as_of")}
    exported = side.http.post("/v1/export.csv", json={"text": "list all papers with their owner", **body})
    return shown, sorted(refused), exported.status_code, side.told(exported.text)


ASKED: tuple[tuple[str, int, Callable[[Side, Random, dict[str, Any]], Any]], ...] = (
    ("program", 4, _run), ("question", 3, _asked), ("search", 1, _searched), ("pasted", 2, _pasted), ("talk", 2, _talked),
    ("pages", 1, _pages),
)  # fmt: skip


def draw_options(random: Random) -> dict[str, Any]:
    """Draw the options that a caller may set, and add those that the application sets."""
    options: dict[str, Any] = {"context": CONTEXT, "now": NOW}
    if random.random() < 0.6:
        options["timezone"] = random.choice(ZONES)
    if random.random() < 0.3:
        options["as_of"] = random.choice(["2031-01-02T00:00:00Z", "2026-03-16T13:00:00+14:00"])
    return options


def _shown(side: Side, outcome: Any) -> dict[str, Any]:
    """Return the comparable part of an outcome.

    Passages open to all are left out: which of them are nearest depends on word frequencies of the whole index.
    """
    shown = plain(outcome.model_dump(mode="json"))
    closed = [one for one in shown.get("passages", ()) if side.hides(one)]
    steps = [one for one in shown.get("steps", ()) if one["tool"] != "verify"]  # what is cited is looked up in that order
    return {**shown, "trips": None, "passages": closed, "steps": steps}
