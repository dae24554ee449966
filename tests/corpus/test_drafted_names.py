"""Names that a draft makes of labels and folders: whatever these are, a corpus with them can be made and asked."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

import qlc
from qlc.cli.main import main
from qlc.corpus.checking import check_schema
from qlc.corpus.document import Annotation, Extracted, Reader, Task
from qlc.corpus.draft import draft
from qlc.corpus.drafting import draft_of, sampled
from qlc.corpus.index import catalog_text, index_definition
from qlc.corpus.limits import Limits
from qlc.corpus.pages import About, Span
from qlc.corpus.proposing import Proposal, with_labels
from qlc.corpus.schema import CorpusSchema, folder_bucket, read_schema
from qlc.corpus.values.labelled import Labelled
from qlc.grammar.tree import RESERVED
from qlc.language.quantities import Quantity
from qlc.mapping.catalog import read_catalog
from qlc.mapping.errors import CatalogError
from qlc.mapping.index_mapping import read_mapping
from tests.corpora import made, written
from tests.tables import table

from .files import pdf

EMPTY = read_schema("version: 1\n")
KNOWN = sorted(
    RESERVED | {*re.findall(r"[a-z_]+", catalog_text(EMPTY.with_buckets(["slips"]), "corpus", has_vectors=True))}
)
"""Words of the language, and all that the catalog of any corpus has."""
WORDS = st.sampled_from(KNOWN)
LABELS = st.one_of(
    WORDS,
    WORDS.map(str.title),
    st.builds("{} {}".format, WORDS.map(str.title), st.sampled_from(["currency", "value", "2", "no.", "files"])),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30),
)
AMOUNTS = st.sampled_from(
    [
        None,
        Quantity("money", 0, 5, Decimal(5), "EUR"),
        Quantity("number", 0, 5, Decimal(5)),
        Quantity("measure", 0, 5, Decimal(5), "kg"),
        Quantity("measure", 0, 5, Decimal(5), "d"),
        Quantity("date", 0, 5, date=date(2025, 3, 4)),
    ]
)
FIELDS = st.lists(st.tuples(LABELS, AMOUNTS, st.sampled_from([-1, -1, 0])), min_size=1, max_size=6)


def document(fields: list[tuple[str, Quantity | None, int]]) -> Extracted:
    place = Span(0, 5)
    annotations = tuple(
        Annotation(Labelled(label, "5 EUR", 1, place, place, row=row), amount, "5 EUR") for label, amount, row in fields
    )
    return Extracted("text/plain", About(), "t", 0, (), annotations, (), ())


def programs(schema: CorpusSchema) -> Iterator[str]:
    """A folder may be called `of`, which is a name in back-quotes."""
    for bucket, part in schema.file.buckets.items():
        yield f"count `{bucket}`"
        for name, field in part.fields.items():
            yield f"count `{bucket}` where {name} exists"
            for inner in field.fields:
                yield f"count `{bucket}` where {name}.{inner} exists"
            if field.type == "money":
                yield f"count `{bucket}` where {name} > 3"


def assert_it_can_be_asked(schema: CorpusSchema) -> None:
    check_schema(schema)
    catalog = read_catalog(catalog_text(schema, "corpus", has_vectors=False))
    compiler = qlc.Compiler(catalog=catalog, mapping=read_mapping(index_definition(schema)))
    for program in programs(schema):
        found = compiler.diagnose(program)
        assert not found.failed, (program, found.diagnostics)


@settings(
    max_examples=int(os.environ.get("QLC_EXAMPLES", "30")),
    phases=[Phase.explicit, Phase.generate],  # to shrink a failure takes minutes
)
@given(st.lists(st.tuples(LABELS, FIELDS), min_size=1, max_size=3))
def test_what_is_drafted_of_any_labels_and_folders_can_be_asked(folders: list[tuple[str, list[object]]]) -> None:
    documents = [
        (f"{folder}/{number}.txt", folder, document(fields))  # type: ignore[arg-type]
        for folder, fields in folders for number in range(2)
    ]  # fmt: skip
    schema = read_schema(draft(documents))
    assert len(schema.file.buckets) == len({folder for folder, _ in folders})
    assert_it_can_be_asked(schema)


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_a_label_that_is_a_word_of_the_language_names_a_field_that_can_be_asked(word: str, tmp_path: Path) -> None:
    made = draft([(f"a/{n}.txt", word, document([(word.title(), None, -1), ("Pump", None, -1)])) for n in range(2)])
    schema = read_schema(made)
    assert [*schema.file.buckets] == [f"{word}_files"]
    assert schema.file.buckets[f"{word}_files"].fields[f"{word}_value"].labels == (word.title(),)
    assert_it_can_be_asked(schema)


def test_every_folder_is_a_bucket_that_can_be_asked_or_none() -> None:
    folders = [f"{word}{ending}" for word in KNOWN for ending in ("", "s", "_2")]
    assert_it_can_be_asked(EMPTY.with_buckets(map(folder_bucket, folders)))


@pytest.mark.parametrize("word", sorted(RESERVED))
@pytest.mark.parametrize(
    "where",
    ["{0}:\n    fields: {{a: text}}", "slips:\n    fields:\n      pump: name\n      {0}: date",
     "slips:\n    fields: {{items: {{type: rows, fields: {{a: text, {0}: number}}}}}}",
     "slips:\n    singular: {0}x\n    fields: {{{0}: name}}"],
)  # fmt: skip
def test_a_schema_with_a_word_of_the_language_is_refused_where_it_stands(
    word: str, where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = tmp_path / "corpus.yaml"
    schema.write_text(f"version: 1\nbuckets:\n  {where.format(word)}\n", "utf-8")
    with pytest.raises(CatalogError) as raised:
        qlc.Corpus.create(":memory:", schema)
    (found,) = raised.value.diagnostics
    assert found.code in ("corpus-name", "corpus-bucket")
    assert schema.read_text("utf-8")[found.span.start : found.span.end] == word
    with qlc.Corpus.create(tmp_path / "library") as corpus, pytest.raises(CatalogError):
        corpus.set_schema(schema)
    assert main(["corpus", "add", str(tmp_path / "new"), str(tmp_path), "--schema", str(schema)]) == 2
    said = capsys.readouterr().err
    assert f"'{word}'" in said
    assert "^" in said


TAKEN = table(__file__, "TAKEN")


@pytest.mark.parametrize("fields", TAKEN)
def test_two_fields_of_one_name_are_refused(fields: str) -> None:
    with pytest.raises(CatalogError, match=f"'{TAKEN[fields]}'"):
        check_schema(read_schema(f"version: 1\nbuckets:\n  slips:\n    fields: {{{fields}}}\n"))


def test_a_folder_with_signs_of_patterns_is_its_own_bucket() -> None:
    name = "a [1] b*?"
    schema = read_schema(draft([(f"{name}/{n}.txt", name, document([("Pump", None, -1)])) for n in range(2)]))
    (bucket,) = schema.file.buckets
    assert schema.bucket_of(PurePosixPath(f"{name}/1.txt")) == bucket
    assert schema.bucket_of(PurePosixPath("a 1 bc/1.txt")) != bucket


def test_a_draft_reads_some_files_of_each_folder() -> None:
    """A folder with few files leaves its share to the others, and none is left out."""
    folders = {"few": 2, "many": 1_000, "some": 40}
    tasks = {name: [Task(Path(f"{name}/{at}"), f"{name}/{at}", name) for at in range(count)]
             for name, count in folders.items()}  # fmt: skip
    chosen = [one.name for one in sampled(tasks, 100)]
    assert len({*chosen}) == len(chosen) == 100
    assert Counter(name.split("/")[0] for name in chosen) == {"few": 2, "some": 40, "many": 58}
    assert {"many/0", "many/982"} <= {*chosen}  # spread over their names
    assert len([*sampled({str(at): tasks["few"] for at in range(300)}, 100)]) == 300


def test_a_draft_reads_the_first_pages(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for number in range(1, 31):
            canvas.drawString(72, 700, f"Page value: {number} EUR")
            canvas.showPage()

    path = pdf(tmp_path / "long.pdf", draw)
    found = Reader(every_reading=True, most_pages=3)(Task(path, "long.pdf", "papers"), Limits())
    assert [one.labelled.value for one in found.annotations] == ["1 EUR", "2 EUR", "3 EUR"]


# --- labels that may be fields ---------------------------------------------------------------------------------------

LEASES = """version: 1
# leases of the town
buckets:
  leases:
    fields:
      start_date: date  # the beginning
      tenant:
        type: name
      rent: {type: money, labels: [Rent]}
"""
TENANTS = "Ada Bo Cy Di Ed Flo Gus Hal Ivy Jo".split()  # noqa: SIM905


def test_labels_of_files_without_a_field_are_proposed_and_accepted(tmp_path: Path) -> None:
    (tmp_path / "files/leases").mkdir(parents=True)
    (tmp_path / "corpus.yaml").write_text(LEASES, "utf-8")
    for at, tenant in enumerate(TENANTS):
        labels = ("Start date", "Tenant") if at < 4 else ("Handed over", "Undertaking")
        lines = [f"# Lease {at}", f"{labels[0]}: {at + 1} May 2024", f"{labels[1]}: {tenant} Marsh", f"Rent: EUR 5{at}"]
        lines += [f"Keys: {at + 2}", "Notes: kept by the office of the town for ten years"]
        (tmp_path / f"files/leases/{at}.md").write_text("\n\n".join(lines), "utf-8")
    with qlc.Corpus.create(":memory:", tmp_path / "corpus.yaml") as corpus:
        corpus.add(tmp_path / "files", processes=1)
        found = corpus.label_proposals()
        assert [(one.field, one.label, one.documents, one.lacking) for one in found] == [
            ("start_date", "Handed over", 6, 6), ("tenant", "Undertaking", 6, 6)
        ]  # fmt: skip
        assert found[1].examples == ("Ed Marsh", "Flo Marsh", "Gus Marsh")
        accepted = with_labels(LEASES, found)
        assert "# the beginning" in accepted
        (tmp_path / "corpus.yaml").write_text(accepted, "utf-8")
        corpus.set_schema(tmp_path / "corpus.yaml")
        corpus.add(tmp_path / "files", processes=1)
        assert corpus.status().buckets["leases"].fields["tenant"].known == 10
        assert corpus.label_proposals() == []


@pytest.mark.parametrize(
    ("field", "becomes"),
    [
        ("date", "{type: date, labels: [\"Taken at\"]}"),
        ("{type: date, labels: [Start, 'From']}", "{type: date, labels: [\"Start\", \"From\", \"Taken at\"]}"),
        ("{type: date, labels: Start}", "{type: date, labels: [\"Start\", \"Taken at\"]}"),
        ("{type: date}", "{type: date, labels: [\"Taken at\"]}"),
    ],
)
def test_an_accepted_label_joins_those_of_its_field(field: str, becomes: str) -> None:
    text = "version: 1\nbuckets:\n  visits:\n    fields:\n      start: {}\n      other: name\n"
    proposal = Proposal("visits", "start", "Taken at", 2, 2, ())
    assert with_labels(text.replace("{}", field), [proposal]) == text.replace("{}", becomes)


SHEET = """# {name} load cell

| Parameter | Min | Typ | Max | Unit |
|---|---|---|---|---|
| Rated load | | {load} | | kN |
| Supply voltage | 5 | 10 | {volts} | V |

Result: the cell stays within the limit.
"""


def test_a_table_of_parameters_is_drafted_as_fields_with_units_and_limits(tmp_path: Path) -> None:
    sheets = {f"cells/L{at}.md": SHEET.format(name=f"LM-{at}", load=at, volts=15 + at) for at in (40, 60)}
    drafted = draft_of([written(tmp_path / "files", sheets)], processes=1)
    assert {name: one.unit for name, one in read_schema(drafted).fields("cells").items()} == {
        "rated_load": "kN", "minimum_supply_voltage": "V", "typical_supply_voltage": "V", "maximum_supply_voltage": "V",
        "result": "",
    }  # fmt: skip
    with made(tmp_path, sheets, drafted) as corpus:
        assert corpus.ask("What is the maximum supply voltage of the LM-40?").message.startswith(
            "Maximum supply voltage of LM-40 load cell: 55 V."
        )
        assert corpus.ask("What is the limit for rated load of the LM-40?").kind != "answer"


@pytest.mark.parametrize(
    ("values", "drafted"),
    [
        (["☐ Low ☒ High", "☒ Low ☐ High"], "risk: {type: choice, values: [Low, High]}"),
        (["☐ Yes ☒ No", "☐ Yes ☒ No"], "risk: {type: boolean}"),
        (["☐ Low ☒ High", "Low"], "risk: {type: choice, values: [Low, High]}"),
        (["☐ Low ☒ High", "to be assessed"], "risk: {type: name}"),
    ],
)
def test_options_that_have_boxes_are_the_values_of_a_choice(values: list[str], drafted: str) -> None:
    place = Span(0, 5)
    documents = [
        (f"forms/{at}.txt", "forms", Extracted(
            "text/plain", About(), "t", 0, (), (Annotation(Labelled("Risk", one, 1, place, place), None, one),), (), ()
        )) for at, one in enumerate(values)
    ]  # fmt: skip
    assert drafted in draft(documents)
