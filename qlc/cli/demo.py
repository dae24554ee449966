"""`make demo`: real questions, in words and in the query language, answered from the sample document store, and from a
corpus that is made of the files in `examples` while one watches."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from qlc.cli import render
from qlc.cli.demo_store import demo_compiler
from qlc.cli.meter import Meter
from qlc.cli.target import DEMO_NOW
from qlc.cli.terminal import guard
from qlc.outcome import Outcome
from qlc.outcome.amounts import several
from qlc.translator.entry import Asker

QUESTIONS = (
    ("Rules turn words into a query: no model, no network.",
     "W2s in Tax Documents from last year"),
    ("References work in both directions.",
     "which folder is Dock Permit.pdf in?"),
    ("Numbers and groups.",
     "how many invoices per quarter of 2025?"),
    ("If a question is ambiguous, qlc asks which reading you mean.",
     "files for Contoso"),
    ("An action is not mistaken for a search.",
     "delete the old drafts"),
    ("Words that are not understood are reported, never guessed.",
     "receipts that smell of the sea"),
)  # fmt: skip

QUERIES = (
    ("A folder by its name: the lookup of its id is planned from the types.",
     'find documents where type = "W2" and folder = "Tax Documents" sort created desc'),
    ("All folders below one, a size with a unit, a period relative to today.",
     'find documents where folder under "Clients" and size > 5 MB and created in last year sort size desc'),
    ("Two lookups, one after the other: the owner of the folder that holds a document.",
     'get document("Dock Permit.pdf").folder.owner'),
    ("If two folders have the name, qlc asks which one. It never guesses.",
     'find documents where folder = "Travel"'),
    ("If nothing has a name, similar names are suggested.",
     'find documents where folder = "Client Contracts"'),
    ("A misspelled name is corrected, and a note says so.",
     'find documents where folder = "Tax Docments" and tags has "audit"'),
    ("Groups are exact: every bucket is read.",
     'count, sum(amount) of documents where type = "Invoice" and created in 2025 by quarter(created), payment_status'),
    ("One element of a nested list must meet both conditions.",
     'count documents where shares[who = "Finance Team" and role = "editor"]'),
    ("All errors are reported at once, each with a way to fix it.",
     'find documents where folderName = "Tax" and type = "Invoic" and size > 5 minutes'),
)

EXAMPLES = Path(__file__).parents[2] / "examples"
"""They are in the repository, and in no wheel."""

CORPUS_QUESTIONS = (
    ("Fields that were read from PDF, DOCX, HTML and text, in whatever unit they say.",
     "qlc> find contracts where notice <= 60 days show party, notice, effective"),
    ("Rows of tables are elements of a list.",
     'qlc> find invoices where items[description contains "tyre" and quantity >= 4] show vendor, total'),
    ("Words work, too.",
     "ask> how many contracts with ACME Corp"),
    ("Documents by what they say, best first.",
     'qlc> find passages where about "bleed the pump" limit 2 show file, page, text'),
)  # fmt: skip


def main() -> int:
    style = render.Style.of(sys.stdout)
    started = time.perf_counter()
    compiler = demo_compiler()
    total = compiler.run("count entries", now=DEMO_NOW)
    print(f"The sample document store: {total.message.rstrip('.')}, opened in {time.perf_counter() - started:.1f} s.\n")
    asker = Asker(compiler)
    for said, question in QUESTIONS:
        _show(style, said, f"ask> {question}", asker.ask(question, now=DEMO_NOW, size=5))
    for said, query in QUERIES:
        _show(style, said, f"qlc> {query}", compiler.run(query, now=DEMO_NOW, size=5))
    if EXAMPLES.is_dir():
        _corpus(style)
    print("Your turn:  .venv/bin/qlc ask --demo 'contracts that expire this year'")
    print("            .venv/bin/qlc run --demo 'find documents where owner = \"Omar\" and due < today'")
    print("            .venv/bin/qlc explain --demo 'find folders where id = document(\"Dock Permit.pdf\").folder'")
    return 0


ANSWERED = (
    ("An answer with file, page and quote. Each quote is checked against its page before it is shown.",
     "What is the notice period in the Borden cleaning agreement?"),
    ("What no field has: the nearest passages, as search results.", "What does the travel policy say about hotels?"),
    ("If no file has the answer, it says so.", "Who is the captain of the yacht?"),
)  # fmt: skip


def _corpus(style: render.Style) -> None:
    """Add files and ask about them; then search by vectors, if the extra for them is installed."""
    from qlc.answers.corpora import Corpus
    from qlc.base.extras import is_installed

    if not is_installed("corpus"):
        return
    meter = Meter("files")
    with TemporaryDirectory() as place, Corpus.create(Path(place) / "corpus", EXAMPLES / "library.yaml") as corpus:
        started = time.perf_counter()
        report = corpus.add(EXAMPLES / "library", progress=meter.of_files if meter.on else None)
        meter.end()
        seconds = time.perf_counter() - started
        print(f"A corpus of the files in examples/library: {several(report.added, 'document')} in {seconds:.1f} s.")
        for problem in report.problems:
            print(f"  {problem.file}: {problem.message}")
        print()
        asker = Asker(corpus.compiler())
        for said, asked in CORPUS_QUESTIONS:
            _show(style, said, asked, asker.ask(asked.split("> ", 1)[1], size=5))
        for said, question in ANSWERED:
            _show(style, said, f"ask> {question}", corpus.ask(question))
        if is_installed("semantic"):
            corpus.embed()
            by_meaning = 'find passages where about "leave without giving a reason" by meaning limit 1 show file, text'
            _show(style, "By meaning, with none of its words.", f"qlc> {by_meaning}", corpus.compiler().run(by_meaning))


def _show(style: render.Style, said: str, asked: str, outcome: Outcome) -> None:
    print(style.paint(f"-- {said}", "2"))
    print(style.paint(asked, "1"))
    source = asked.split("> ", 1)[1]
    if outcome.query not in ("", source) and asked.startswith("ask"):
        print(style.paint(f"is   {outcome.query}", "2"))
    print(render.outcome(outcome, source, style))
    trips = outcome.stats.round_trips
    print(style.paint(f"({several(trips, 'round trip')}, {outcome.stats.took_ms:.0f} ms)\n", "2"))


if __name__ == "__main__":
    guard()
    sys.exit(main())
