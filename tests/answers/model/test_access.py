"""Documents and values that a caller may not see reach neither a language model nor an outcome.

Two corpora differ only in documents and values that are hidden from the caller. Both answer the same, byte for byte.
Ranking counts words of all documents, as in Elasticsearch; here it orders the visible ones equally in both.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

import qlc
from qlc.answers.answering import prompts_of
from qlc.corpus.schema import CorpusSchema
from tests.amounts import some
from tests.answers.model.conftest import Scripted, judges, plans, routes, writes
from tests.model.messages_api import Said, message, uses
from tests.tables import table

SCHEMA = table(__file__, "SCHEMA")
SEEN = table(__file__, "SEEN")
HIDDEN = {
    "contracts/bordeaux.md": """# Cleaning Agreement Bordeaux

Supplier: Bordeaux Facility Partners

Notice period: 10 days

Monthly fee: EUR 9,999

Effective Date: 5 May 2031

Panel width: 77 mm

## Scope

The supplier cleans rooms, rooms and rooms again; hotel hotel hotel, windows, servers and trains.
""",
    "contracts/amendment.md": """# Amendment No. 1 to the Cleaning Agreement

Supplier: Borden Facility Services

The notice period of the Cleaning Agreement is 45 days instead of 90 days.
""",
    "memos/rooms.md": "# Rooms\n\n" + "A hotel room of the staff costs EUR 500 a night in Monaco. " * 12,
    "lawsuits/secret.md": "# Lawsuit\n\nDamages claimed: EUR 1,000,000\n\nThe hotel sues.\n",
}


class Guarded(qlc.Corpus):
    """A corpus with a catalog of its own: every entity has the rule."""

    rule = ""

    def _catalog_of(self, schema: CorpusSchema) -> str:
        made = yaml.safe_load(super()._catalog_of(schema))
        for entity in made["entities"].values():
            entity["access"] = self.rule
        return yaml.safe_dump(made, sort_keys=False)


class ByTeam(Guarded):
    rule = "team = $team"


class ByFolder(Guarded):
    rule = "bucket in $buckets"


@dataclass(frozen=True)
class Pair:
    """Two corpora and a context to which they are the same: the second one has what it keeps back."""

    corpora: tuple[qlc.Corpus, qlc.Corpus]
    context: Mapping[str, Any]


def _corpus(folder: Path, kind: type[Guarded], schema: str, files: Mapping[str, str], bonus: int) -> qlc.Corpus:
    for name, text in files.items():
        (folder / "files" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "files" / name).write_text(text)
    rows = [f"{name},{'red' if name in SEEN else 'blue'},{bonus}" for name in files]
    if schema:
        (folder / "files/metadata.csv").write_text("\n".join(["file,team,bonus", *rows]) + "\n")
        (folder / "corpus.yaml").write_text(schema)
    corpus = kind.create(folder / "corpus", folder / "corpus.yaml" if schema else None)
    corpus.add(folder / "files", processes=1)
    return corpus


@pytest.fixture(scope="module", params=["rules on fields", "rules on folders"])
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """With a schema a rule is on a field; without one it is on the folder, and all of some are kept back."""
    root = tmp_path_factory.mktemp("access")
    is_typed = request.param == "rules on fields"
    kind, schema = (ByTeam, SCHEMA) if is_typed else (ByFolder, "")
    seen = {name: text for name, text in SEEN.items() if is_typed or not name.startswith("memos/")}
    kept = {name: text for name, text in HIDDEN.items() if is_typed or not name.startswith("contracts/")}
    few = _corpus(root / "few", kind, schema, seen, 1)
    many = _corpus(root / "many", kind, schema, {**seen, **kept}, 7)
    yield Pair((few, many), {"team": "red"} if is_typed else {"buckets": ["contracts"]})
    few.close()
    many.close()


NOTICE = "What is the notice period in the Borden cleaning agreement?"
ROOMS = "Which sort of rooms may staff take at the hotel, and what are they paid?"
QUESTIONS = (
    NOTICE, ROOMS, "How many contracts are there?", "Which contracts have a notice period under 60 days?",
    "What is the notice period with Bordeaux Facility Partners?", "contracts from 2031",
    "What is the largest monthly fee?", "What is claimed in the lawsuit?", "Summarize the contracts",
    "What is the panel width?", "What is the bonus of Borden?",
)  # fmt: skip


def _constraint(field: str, value: str, raw: str, operator: str = "=") -> dict[str, str]:
    return {"field": field, "operator": operator, "value": value, "raw_text": raw}


CLEANED = ("It is 90 days.", [("p1", "Notice period: 90 days")])
SCRIPTS: Mapping[str, Sequence[Said]] = {
    "a plan": (plans("contracts", fields=["notice"], entities=[{"name": "Borden", "role": "party"}]), writes(CLEANED)),
    "a list": (plans("contracts", "list"), judges(True)),
    "refused": (judges(False, "another"), plans("contracts", "summarize"), writes(CLEANED)),
    "a name that is kept back": (
        plans("contracts", "list", entities=[{"name": "Bordeaux", "role": "party"}],
              constraints=[_constraint("party", "Bordeaux Facility Partners", "contracts")]),
    ),
    "a title that is kept back": (plans("memos", entities=[{"name": "Lawsuit", "role": "document"}]), writes(CLEANED)),
    "a bucket that is kept back": (plans("lawsuits", "list"), plans("lawsuits", "list"), judges(True)),
    "a field that is kept back": (
        plans("contracts", fields=["bonus"], constraints=[_constraint("bonus", "7", "contracts", ">=")]),
        writes(CLEANED),
    ),
    "routed": (routes("lawsuits"), plans("contracts", "list")),
    "words": (plans(topic_terms=["Borden", "windows", "lawsuit"]), writes(status="search", search=["rooms in Monaco"]),
              writes(CLEANED)),
    "a passage that is not there": (plans(topic_terms=["hotel"]), writes(("It is 90 days.", [("p9", "90 days")]))),
    "text": (message([{"type": "text", "text": "no"}], stop="end_turn"),),
}  # fmt: skip
TOOLS: Mapping[str, Said] = {
    "search_text": uses("search_text", {"query": "hotel rooms cleaned windows and trains"}),
    "search_text in a bucket": uses("search_text", {"query": "hotel", "bucket": "lawsuits"}),
    "search_text where": uses("search_text", {"query": "supplier cleans rooms", "where": 'title contains "Bordeaux"'}),
    "search_semantic": uses("search_semantic", {"query": "hotel rooms"}),
    "annotations_search": uses("annotations_search", {"label": "panel width"}),
    "annotations_search near": uses("annotations_search", {"label": "damages"}),
    "annotations_aggregate": uses("annotations_aggregate", {"measure": "max", "label": "monthly fee"}),
    "annotations_aggregate by": uses("annotations_aggregate", {"measure": "count", "by": "bucket"}),
    "metadata": uses("get_document_metadata", {"documents": ["contracts/bordeaux.md", "Lawsuit", "Hosting Agreement"]}),
    "run_query": uses("run_query", {"program": 'find contracts where about "cleans windows and rooms"'}),
    "run_query passages": uses("run_query", {"program": 'find passages where about "supplier rooms" show text'}),
    "run_query unknown bucket": uses("run_query", {"program": "find lawsuit"}),
    "run_query near name": uses("run_query", {"program": 'find passages where document = "Cleaning Agreement Bordo"'}),
    "run_query sensitive": uses("run_query", {"program": "max(bonus) of contracts"}),
    "unknown tool": uses("delete_all", {}),
}


def _same(pair: Pair, scripted: Scripted, question: str, script: Sequence[Said], **options: Any) -> str:
    """All that went out and came back, of the corpus without what is kept back."""
    told = []
    for corpus in pair.corpora:
        reader, server = scripted(*script, **options)
        found = corpus.explain(question, reader=reader, context=pair.context, now="2026-06-15T12:00:00Z")
        data = json.dumps([server.requests, found.model_dump(mode="json")], indent=1)
        told.append(re.sub(r'("(?:took_ms|milliseconds|all|link|verify|search and compose)": )[\d.e-]+', r"\1 0", data))
    assert told[0].splitlines() == told[1].splitlines()
    return told[0]


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_stages_tell_nothing_of_what_is_kept_back(pair: Pair, scripted: Scripted, name: str) -> None:
    """Of four questions each script has every second one; `make soak` asks all."""
    step = some(2, 1)
    for question in (NOTICE, ROOMS, QUESTIONS[3], QUESTIONS[4])[[*SCRIPTS].index(name) % step :: step]:
        _same(pair, scripted, question, SCRIPTS[name])


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_question_tells_of_what_is_kept_back(pair: Pair, scripted: Scripted, question: str) -> None:
    _same(pair, scripted, question, SCRIPTS["refused"])


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_tools_tell_nothing_of_what_is_kept_back(pair: Pair, scripted: Scripted, tool: Said) -> None:
    told = _same(pair, scripted, ROOMS, [tool, writes(status="not_in_evidence")], mode="single_loop")
    assert '"score"' not in told


def test_scores_would_tell(pair: Pair) -> None:
    """Scores differ between the corpora, as they count words of hidden documents. So the tests above can fail."""
    program = 'find passages where about "supplier cleans rooms"'
    found = [corpus.compiler().run(program, context=pair.context) for corpus in pair.corpora]
    scores = [[(hit.id, hit.score) for hit in one.hits] for one in found]  # type: ignore[union-attr]
    assert scores[0]
    assert scores[0] != scores[1]


@pytest.mark.parametrize("question", QUESTIONS)
def test_printed_prompts_tell_nothing_of_what_is_kept_back(pair: Pair, question: str) -> None:
    options = {"context": pair.context, "now": "2026-06-15T12:00:00Z"}
    first, second = (
        {name: one.body() for name, one in prompts_of(question, corpus, options).items()} for corpus in pair.corpora
    )
    assert first == second


@pytest.mark.parametrize("question", QUESTIONS)
def test_who_may_see_nothing_is_told_nothing(pair: Pair, scripted: Scripted, question: str) -> None:
    nobody = {name: ["none"] if isinstance(value, list) else "none" for name, value in pair.context.items()}
    reader, server = scripted(plans("contracts", "list"), writes(CLEANED))
    found = pair.corpora[1].explain(question, reader=reader, context=nobody)
    sent = json.dumps([one["messages"] for one in server.requests])
    for name in ("Borden Facility", "Corvid", "Monaco", "lawsuits/", "EUR 1,200"):
        assert name not in sent + found.model_dump_json(exclude={"question"}) or name in question


@pytest.fixture(scope="module")
def without_suppliers(pair: Pair, tmp_path_factory: pytest.TempPathFactory) -> qlc.Corpus:
    """A corpus whose passages about suppliers are hidden, in documents that are seen."""
    catalog = yaml.safe_load(pair.corpora[0].catalog())
    for entity in catalog["entities"].values():
        del entity["access"]
    catalog["entities"]["passage"]["access"] = 'not text contains "Supplier"'
    path = tmp_path_factory.mktemp("catalog") / "own.yaml"
    path.write_text(yaml.safe_dump(catalog, sort_keys=False))
    return qlc.Corpus(pair.corpora[0].client, pair.corpora[0].index, catalog=path)


@pytest.mark.parametrize("tool", [None, *TOOLS], ids=lambda tool: tool or "a plan")
def test_a_hidden_passage_of_a_seen_document_is_sent_to_no_model(
    without_suppliers: qlc.Corpus, scripted: Scripted, tool: str | None
) -> None:
    """Its text is in no evidence, no quote and no labelled value."""
    script, options = SCRIPTS["a plan"], dict[str, Any]()
    if tool is not None:
        script, options = [TOOLS[tool], writes(status="not_in_evidence")], {"mode": "single_loop"}
    for question in (NOTICE, QUESTIONS[3])[: some(1 if tool else 2, 2)]:
        reader, server = scripted(*script, **options)
        found = without_suppliers.explain(question, reader=reader)
        told = json.dumps([server.requests, found.model_dump(mode="json")])
        for quote in ("Supplier: ", "Notice period: 90", "Monthly fee: EUR", "Effective Date: 2"):
            assert quote not in told or quote in str(script[-1])
