"""Evaluates citations: how many answers have one, and how they agree with the right ones.

Right citations are lines `{"id", "citations": [{"file", "page"?}]}`, by the ids of the questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qlc.evaluation.questions import lines, wrong

Place = tuple[str, int | None]
ANSWERS = frozenset({"answer", "table"})


def read_cited(path: Path) -> dict[str, list[Place]]:
    """Read the right citations. Raises UsageError for an invalid line."""
    found: dict[str, list[Place]] = {}
    for number, one in lines(path):
        cited = one.get("citations")
        places = cited if isinstance(cited, list) else [None]
        is_whole = all(isinstance(place, dict) and isinstance(place.get("file"), str) for place in places)
        if not isinstance(one.get("id"), str) or not is_whole:
            raise wrong(path, number, 'right citations are {"id": "...", "citations": [{"file": "...", "page": 1}]}')
        found[one["id"]] = [(place["file"], place.get("page")) for place in one["citations"]]
    return found


@dataclass
class Agreement:
    """Counts of given citations, right citations, and right ones that were given."""

    given: int = 0
    right: int = 0
    given_right: int = 0
    right_given: int = 0

    def add(self, given: Sequence[Place], right: Sequence[Place], *, pages: bool) -> None:
        """Add citations. A right citation without a page is matched by any page of its file."""
        own = {(file, page if pages else None) for file, page in given}
        wanted = {(file, page if pages else None) for file, page in right}
        self.given += len(own)
        self.right += len(wanted)
        self.given_right += sum((file, page) in wanted or (file, None) in wanted for file, page in own)
        self.right_given += sum(any(_meets(one, two) for two in own) for one in wanted)

    def as_data(self) -> dict[str, float | None]:
        precision = self.given_right / self.given if self.given else None
        recall = self.right_given / self.right if self.right else None
        both = (precision or 0.0) + (recall or 0.0)
        f1 = 2 * (precision or 0.0) * (recall or 0.0) / both if both else 0.0
        return {"precision": precision, "recall": recall, "f1": f1}


def _meets(wanted: Place, given: Place) -> bool:
    return wanted[0] == given[0] and wanted[1] in (None, given[1])


@dataclass
class CitationReport:
    """Citations over all answers of an evaluation. `gold`: the right citations, if there are any."""

    gold: Mapping[str, Sequence[Place]]
    answers: int = 0
    cited: int = 0
    citations: int = 0
    judged: int = 0
    by_file: Agreement = field(default_factory=Agreement)
    by_page: Agreement = field(default_factory=Agreement)

    def add(self, line: Mapping[str, Any]) -> None:
        """Add an answer in the answers format. Declined answers count as citing nothing, which is right if gold has
        none."""
        is_answer = line.get("outcome") in ANSWERS
        given = [(one["file"], one.get("page")) for one in line.get("citations", ())] if is_answer else []
        if is_answer:
            self.answers += 1
            self.cited += bool(given)
            self.citations += len(given)
        right = self.gold.get(str(line.get("id")))
        if right is not None:
            self.judged += 1
            self.by_file.add(given, right, pages=False)
            self.by_page.add(given, right, pages=True)

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {"answers": self.answers, "cited": self.cited, "citations": self.citations}
        if self.judged:
            data |= {"judged": self.judged, "files": self.by_file.as_data(), "pages": self.by_page.as_data()}
        return data

    def lines(self) -> Iterator[str]:
        """Yield the report as lines of text."""
        if self.answers:
            yield f"{self.cited:,} of {self.answers:,} answers have citations, {self.citations:,} in all."
        for what, one in (("files", self.by_file), ("pages", self.by_page)) if self.judged else ():
            shown = {name: "-" if value is None else f"{value:.2f}" for name, value in one.as_data().items()}
            yield f"cited {what}: precision {shown['precision']}, recall {shown['recall']}, F1 {shown['f1']}"
