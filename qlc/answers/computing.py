"""Numbers over documents: counts, and measures of a field, with the values that they were computed from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from qlc.base.words.sentences import listed
from qlc.corpus.status import Document
from qlc.grammar.printer import print_string
from qlc.outcome import AggregateOut, Answer, AnswerRow, Cell, Citation, Claim, Count, Declined, Outcome, ValueOut
from qlc.outcome.tables import cell_text

from .bounds import HOW_MANY
from .cells import (
    AMENDS,
    asked_in_words,
    cells_of,
    cited,
    found_documents,
    is_amending,
    program_of,
    read_as,
    read_by_meaning,
    several,
)
from .changes import changes_of, contested
from .coverage import may_too, unknown, untold
from .doubts import rates_in
from .grouping import grouped
from .naming import Name, joined_names
from .planning import Plan
from .searching import Searches
from .vocabulary import MEASURED
from .working_days import days_apart


def computed(plan: Plan, searches: Searches) -> Outcome | None:
    """A number over the documents: a count, or a measure of a field, with the values that it was computed from."""
    measure = plan.linked.measure
    if plan.groups:
        return grouped(plan, searches)
    if measure == "count":
        if _counts_rows(plan):
            return None
        program = f"count {asked_in_words(plan)}"
        counted = searches.run("run_query", program, "how many there are")
        if not isinstance(counted, Count):
            return None
        notes, possible = unknown(plan, searches)
        _, documents = found_documents(plan, searches)
        if possible:
            return may_too(plan, counted.value, [one.id for one in documents], possible, searches)
        changed, unsure = contested(plan, counted.value, [one.id for one in documents], searches)
        if unsure is not None:
            return unsure
        notes += changed
        citations = [one for document in documents[:20] for one in _why(plan, document, searches)]
        claim = Claim(text=f"{several(counted.value, plan.bucket)}.", citations=citations)
        return Answer(
            message=claim.text, query=program, claims=[claim], values=[Cell(value=counted.value)], computed=True,
            covered=[one.files[0] for one in documents], notes=[*read_as(plan), *notes, *_counted_too(documents)],
        )  # fmt: skip
    if not plan.asked or len(plan.asked) > 1 or plan.asked[0].part.type not in MEASURED:
        return None
    name = plan.asked[0].name
    if parts := [one for one in plan.names if one.in_rows]:
        return _of_wholes(plan, name, parts, searches)
    total, documents = found_documents(plan, searches)
    rows = [row for row in cells_of(plan, documents, searches) if row.cells]
    if not rows:
        return None
    known = len(rows)
    if total > len(documents):  # the values of the first are read, the others counted
        if (mixed := _mixed(plan, name, total, searches)) is not None:
            return mixed
        missing, hits = searches.hits("verify", program_of(plan, f"{name} missing"), f"those that lack {name}")
        documents = [*documents, *searches.documents([hit.id for hit in hits])]
        known = total - missing
    apart = _of_currencies(plan, rows) or _apart(plan, rows) or days_apart(plan, rows, known, searches)
    if (apart := apart or _changing(plan, rows)) is not None:
        return apart
    if untold_ones := untold(plan, name, documents, searches):
        those, others = listed([one.file for one in rows[:5]]), listed([one.files[0] for one in untold_ones[:5]])
        said = f"{_capital(name)} is known in {those}, but {others} may state it, too: I could not read the value."
        return _declined(plan, said)
    if plan.linked.measure in ("sum", "avg") and (lacking := _not_known(name, documents, rows)):
        said = f"{lacking[0]} So the {_MEASURE_NAMES[plan.linked.measure]} of all is not known."
        return _declined(plan, said, [[f"{name} exists"]])
    if changes := changes_of(plan, [name], documents, searches):
        said = "; ".join(dict.fromkeys(one.said() for one in changes[:5]))
        changed_ones = listed([one.of.title for one in changes[:5]])
        return _declined(plan, f"{name.replace('_', ' ')} of {changed_ones} may be changed: {said}")
    if measure in ("min", "max") and re.match(r"(?:which|what) (?!is|was|are|were)", plan.linked.text, re.IGNORECASE):
        return _extreme(plan, name, _not_known(name, documents, rows), searches)
    program = f"{measure}({name}) of {asked_in_words(plan)}"
    outcome = searches.run("annotations_aggregate", program, f"the {measure} of {name}")
    if not isinstance(outcome, ValueOut) or outcome.value is None:
        return None
    best = [row for row in rows if measure in ("min", "max") and row.cells[name].value == outcome.value]
    units = {row.cells[name].unit for row in best or rows}
    if len(units) != 1:
        return None
    one = Cell(value=_plain(outcome.value), unit=units.pop())
    citations = [citation for row in rows for citation in row.cells[name].citations]
    words = {**_EXTREMES, "avg": "Average", "sum": "Sum of"}[measure]
    text = f"{words} {name.replace('_', ' ')} of {several(known, plan.bucket)}: {cell_text(one)}."
    if total == known == 1:  # the value of one document is no sum
        one = rows[0].cells[name]
        text = f"{_capital(name)} of {rows[0].name}: {cell_text(one)}."
        return Answer(
            message=text, query=f"{program_of(plan)} show {name}", claims=[Claim(text=text, citations=one.citations)],
            values=[one], covered=[rows[0].file], notes=[*read_as(plan), *read_by_meaning(documents, [name])],
        )  # fmt: skip
    first = [f"The values of the first {len(rows):,} are shown, and cited."] if known > len(rows) else []
    claim = Claim(text=text, citations=citations)
    return Answer(
        message=text, query=program, claims=[claim], values=[one.model_copy(update={"citations": citations})],
        computed=True, columns=[name], rows=rows, covered=[row.file for row in rows],
        notes=[
            *read_as(plan), *_not_known(name, documents, rows), *first, *read_by_meaning(documents, [name]),
        ],
    )  # fmt: skip


_MEASURE_NAMES = {"sum": "sum", "avg": "average"}
_EXTREMES = {"min": "Lowest", "max": "Highest"}


def _of_wholes(plan: Plan, name: str, parts: Sequence[Name], searches: Searches) -> Declined:
    """That a field is of whole documents, where only some rows of them are meant: what tires cost is no invoice's
    total."""
    fields = searches.schema.fields(plan.bucket)
    columns = [
        f"{parts[0].made}.{column}"
        for column, part in fields[parts[0].fields[0]].fields.items() if part.type == plan.asked[0].part.type
    ]  # fmt: skip
    where = " and ".join([*(one.text for one in plan.conditions),
                          *joined_names([one for one in plan.names if not one.in_rows], plan.linked.text)])  # fmt: skip
    rest = f" where {where}" if where else ""
    return Declined(
        message=f"'{name}' is a value of whole {plan.bucket.replace('_', ' ')}, not of "
        f"{listed([one.text for one in parts])} alone.",
        query=f"{program_of(plan)} show {name}",
        suggestions=[f"{plan.linked.measure}({one}) of {plan.bucket}{rest}" for one in columns],
    )


def _mixed(plan: Plan, name: str, total: int, searches: Searches) -> Declined | None:
    """Of more documents than are read: whether amounts have several currencies, or some documents change others."""
    if plan.asked[0].part.type == "money":
        where = " and ".join(filter(None, (plan.where, f"{name} exists")))
        by = f"count {plan.bucket} where {where} by {name}_currency"
        grouped_by = searches.run("facets", by, "whether all are of one currency")
        codes = [str(row.key) for row in grouped_by.rows] if isinstance(grouped_by, AggregateOut) else []
        if len(codes) != 1:
            return _currencies_apart(plan, sorted(codes))
    changing, hits = searches.hits("verify", program_of(plan, f"({AMENDS})"), "those that change others")
    if not 0 < changing < total:
        return None
    return _counted_twice(plan, [one.files[0] for one in searches.documents([hit.id for hit in hits[:3]])])


def _counts_rows(plan: Plan) -> bool:
    """Whether what is counted is in rows of documents, and no document: `how many boxes of gloves were ordered`."""
    found = HOW_MANY.search(plan.linked.text)
    if found is None or not any(one.made for one in plan.names):
        return False
    return not any(found.start(1) <= at < found.end(1) for at in plan.linked.bucket_words)


def _of_currencies(plan: Plan, rows: Sequence[AnswerRow]) -> Declined | None:
    """Amounts of several currencies have no sum and no highest; each currency has."""
    codes = sorted({row.cells[plan.asked[0].name].unit for row in rows})
    return _currencies_apart(plan, codes) if plan.asked[0].part.type == "money" and len(codes) > 1 else None


def _currencies_apart(plan: Plan, codes: Sequence[str]) -> Declined:
    name = plan.asked[0].name
    said = f"{_capital(name)} is in {listed(codes)}: these cannot be compared or added up. Say which currency is meant."
    return _declined(plan, said, [[f'{name}_currency = "{code}"'] for code in codes])


def _apart(plan: Plan, rows: Sequence[AnswerRow]) -> Declined | None:
    """Amounts of money for different times cannot be put together: a wage of an hour, and the salary of a year."""
    asked = plan.asked[0]
    if asked.part.type != "money":
        return None
    found: dict[str, list[str]] = {}
    for row in rows:
        quoted = " ".join(one.quote for one in row.cells[asked.name].citations)
        rates = rates_in(quoted)
        if len(rates) == 1:
            found.setdefault(rates.pop(), []).append(row.file)
    if len(found) < 2:
        return None
    said = [f"for {'an' if rate == 'hour' else 'a'} {rate} in {listed(files[:3])}" for rate, files in found.items()]
    return _declined(plan, f"These amounts cannot be combined. {_capital(asked.name)} is {listed(said)}.")


def _changing(plan: Plan, rows: Sequence[AnswerRow]) -> Declined | None:
    """Documents that change others say a value again, and which of both counts differs from one to the other."""
    changing = [row.file for row in rows if is_amending(row.name)]
    return _counted_twice(plan, changing) if 0 < len(changing) < len(rows) else None


def _counted_twice(plan: Plan, changing: Sequence[str]) -> Declined:
    change = f"{listed(changing[:3])} {'changes' if len(changing) == 1 else 'change'} other documents"
    said = f"{change}: {plan.asked[0].name.replace('_', ' ')} would be counted twice."
    return _declined(plan, said, [[f"not ({AMENDS})"]])


def _declined(plan: Plan, message: str, narrower: Sequence[Sequence[str]] = ()) -> Declined:
    """That no measure is told, with the values instead; each of the `narrower` conditions leaves some that have one."""
    name, own = plan.asked[0].name, [plan.where] if plan.where else []
    measure = f"{plan.linked.measure}({name}) of {plan.bucket} where"
    suggestions = [f"{measure} {' and '.join([*own, *some])}" for some in narrower]
    return Declined(message=message, query=f"{program_of(plan)} show {name}", suggestions=suggestions)


def _capital(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _not_known(name: str, documents: Sequence[Document], rows: Sequence[AnswerRow]) -> list[str]:
    known = {row.document for row in rows}
    files = [one.files[0] for one in documents if one.id not in known]
    more = f" and {len(files) - 3:,} more" if len(files) > 3 else ""
    return [f"'{name}' is not known in {', '.join(files[:3])}{more}."] if files else []


def _extreme(plan: Plan, name: str, notes: Sequence[str], searches: Searches) -> Outcome | None:
    """The documents with the lowest or highest value of a field: all that share it."""
    program = f"{plan.linked.measure}({name}) of {asked_in_words(plan)}"
    outcome = searches.run("annotations_aggregate", program, f"the {plan.linked.measure} of {name}")
    if not isinstance(outcome, ValueOut) or outcome.value is None:
        return None
    unit = searches.unit(plan.bucket, name)
    bound = print_string(str(outcome.value)) if isinstance(outcome.value, str) else f"{_plain(outcome.value)}"
    extra = f"{name} = {bound}" + (f" {unit}" if unit and not isinstance(outcome.value, str) else "")
    total, hits = searches.hits("run_query", program_of(plan, extra), "the documents that have it")
    documents = searches.documents([hit.id for hit in hits])
    rows = [row for row in cells_of(plan, documents, searches) if row.cells]
    if total > len(rows) or not rows:
        return None
    which = _EXTREMES[plan.linked.measure]
    claims = [
        Claim(text=f"{which} {name.replace('_', ' ')}: {cell_text(row.cells[name])}, of {row.name}.",
              citations=row.cells[name].citations)
        for row in rows
    ]  # fmt: skip
    return Answer(
        message="\n".join(one.text for one in claims), query=program_of(plan, extra), claims=claims,
        values=[*(Cell(value=row.name, citations=row.cells[name].citations) for row in rows), rows[0].cells[name]],
        computed=True, columns=[name], rows=rows,
        covered=[row.file for row in rows],
        notes=[*read_as(plan), *notes, *read_by_meaning(documents, [name])],
    )  # fmt: skip


def _counted_too(documents: Sequence[Document]) -> list[str]:
    """Which of the documents change others, and are counted as well."""
    files = [one.files[0] for one in documents if is_amending(one.title)]
    some = f"{listed(files[:3])}{' and others' if len(files) > 3 else ''}"
    return [f"{some} {'changes another document, and is' if len(files) == 1 else 'change others, and are'} counted too."
            ] if files and len(files) < len(documents) else []  # fmt: skip


def _plain(number: Any) -> Any:
    """A sum of stored amounts without what floats add to it."""
    return round(number, 6) if isinstance(number, float) else number


def _why(plan: Plan, document: Document, searches: Searches) -> list[Citation]:
    """Where a document says that it meets the conditions."""
    fields = [one.field for one in plan.conditions] + [name for one in plan.names for name in one.fields]
    places = [place for name in fields if (place := searches.place(document, name)) is not None]
    return [cited(document, place) for place in places]
