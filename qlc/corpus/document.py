"""Extracts a file: its passages, its labelled values, the values of its bucket's fields."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path, PurePosixPath
from tempfile import mkstemp
from typing import Any

from qlc.language.qualifiers import qualifier
from qlc.language.quantities import Quantity, Style, quantities, style_of

from .errors import Unreadable
from .files import content_hash, opened
from .limits import Limits
from .metadata import front_matter
from .orders import without_orders
from .pages import About, Attached, Page, Span, without_struck
from .passages import Passage, passages
from .readers import read
from .readers.detect import MEDIA_TYPES, detect
from .values.fields import Value, Wanted, field_values, typed, unit_in
from .values.labelled import Labelled
from .values.labelling import labelled_values
from .values.model import ForModel, excerpts
from .values.series import series_labels

_LONGEST_TITLE = 300
MOST_ANNOTATIONS = 5_000
"""Most annotations of one document. An index allows 10,000 nested elements."""


@dataclass(frozen=True, slots=True)
class Task:
    """A file to be read."""

    path: Path
    name: str
    """Its path below the added folder, with `/`."""
    bucket: str
    given: Mapping[str, Any] = field(default_factory=dict)
    """Values of fields given by people."""
    below: Path | None = None
    """The folder below which links are not followed; None to follow links."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A labelled value and its rank."""

    labelled: Labelled
    amount: Quantity | None
    quote: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """The content of a file that is stored."""

    media_type: str
    about: About
    titles: tuple[str, ...]
    """Possible titles, the best first, the file name last; only one if people have given it."""
    pages: int
    passages: tuple[Passage, ...]
    annotations: tuple[Annotation, ...]
    values: tuple[Value, ...]
    quotes: tuple[str, ...]
    """For each value the text of its span; empty for a given value."""
    series: Mapping[str, str] = field(default_factory=dict)
    """For a draft: labels of rows with amounts of several periods, each with the type of these."""
    for_model: ForModel | None = None
    """The excerpts that a model is sent, if one is used."""
    attached: tuple[Unpacked, ...] = ()


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A file that was attached to another one: its name there, the place where it is kept until it is read."""

    name: str
    path: Path
    content: str
    size: int


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads files of some buckets; it is pickled for other processes."""

    wanted: Mapping[str, tuple[Wanted, ...]] = field(default_factory=dict)
    of_model: Mapping[str, tuple[Wanted, ...]] = field(default_factory=dict)
    """The fields of each bucket that a model is asked for."""
    tokens: int = 0
    """Most tokens of a document that a model is sent."""
    every_reading: bool = False
    """Whether a cell with two readings gives two annotations: as part of a row, and as a label with its value."""
    most_pages: int | None = None
    """How many pages are read of a file; None for all."""
    unpacked: Path | None = None
    """The folder where attachments are kept until they are read; None to leave them out."""

    def __call__(self, task: Task, limits: Limits) -> Extracted:
        """Read a file. Raises Unreadable."""
        with opened(task.path, task.below) as file:
            if file.size > limits.file_bytes:
                told = f"The file has {file.size:,} bytes; at most {limits.file_bytes:,} are read."
                raise Unreadable("too_large", told)
            given = {**front_matter(file), **task.given}
            file_format = detect(file)
            reading = read(file, file_format)
            read_pages = _bounded(islice(reading.pages, self.most_pages), limits.characters)
            pages = [without_orders(page) for page in read_pages]
            attached = tuple(_unpacked(reading.attached, self.unpacked)) if self.unpacked else ()
        style = style_of(page.text for page in pages)
        in_force = [without_struck(page) for page in pages]
        labelled = [*labelled_values(in_force, style)]
        wanted = self.wanted.get(task.bucket, ())
        values = [*_given(wanted, given)]
        named = {value.field for value in values}
        free = [one for one in wanted if one.name not in named]
        values += field_values(free, in_force, labelled, style, PurePosixPath(task.name).stem)
        kept = [one for one in labelled if self.every_reading or not one.is_again]
        by_number = {page.number: page for page in pages}
        return Extracted(
            MEDIA_TYPES[file_format],
            reading.about,
            tuple(_titles(given, reading.about, pages, PurePosixPath(task.name))),
            len(pages) if reading.about.has_pages else 0,
            tuple(passages(pages)),
            tuple(_annotation(one, by_number, style) for one in kept[:MOST_ANNOTATIONS]),
            tuple(values),
            tuple(by_number[value.page].of(value.span) if value.page else "" for value in values),
            series_labels(pages) if self.every_reading else {},
            excerpts(pages, asked, style, self.tokens) if (asked := self.of_model.get(task.bucket)) else None,
            attached,
        )


def _unpacked(attached: Iterable[Attached], folder: Path) -> Iterator[Unpacked]:
    """Write attachments to files with names of our own, and yield them with theirs, each once: `a.pdf`, `a (2).pdf`."""
    taken: set[str] = set()
    for one in attached:
        written = re.sub(r"[\x00-\x1f/\\\ud800-\udfff]+", "_", one.name).strip(" .")[-_LONGEST_NAME:] or "file"
        name, path = written, PurePosixPath(written)
        for number in count(2):
            if name not in taken:
                break
            name = f"{path.stem} ({number}){path.suffix}"
        taken.add(name)
        ending = re.fullmatch(r"\.[A-Za-z0-9]{1,8}", path.suffix)  # tells some formats
        descriptor, place = mkstemp(ending[0] if ending else "", dir=folder)
        with os.fdopen(descriptor, "wb") as file:
            file.write(one.data)
        yield Unpacked(name, Path(place), content_hash(one.data), len(one.data))


_LONGEST_NAME = 150
"""Most characters of an attachment's name: its last ones."""


def _given(wanted: Sequence[Wanted], given: Mapping[str, Any]) -> Iterator[Value]:
    """Convert given values to the types of their fields; values of unknown fields or of other types are skipped."""
    for one in wanted:
        if one.name in given and one.type != "rows":
            texts = given[one.name] if isinstance(given[one.name], list) else [given[one.name]]
            for text in map(str, texts):
                value = typed(one, text, Style(), one.unit)
                if value is not None:
                    yield Value(one.name, value, unit_in(one, text), 0, Span(0, 0), 1.0)


def _bounded(pages: Iterator[Page], most: int) -> Iterator[Page]:
    length = 0
    for page in pages:
        length += len(page.text)
        if length > most:
            raise Unreadable("too_long", f"The file has more than {most:,} characters of text.")
        yield page


_TIME = re.compile(r"^[A-Z][a-z]{2}, (?=\d)|,?\s*\d{1,2}:\d\d(?::\d\d)?(?:\s*[+-]\d{4})?$")
"""Parts of a mail's date header around the date."""


def _annotation(one: Labelled, pages: Mapping[int, Page], style: Style) -> Annotation:
    every = quantities(one.value, style)
    found = [amount for at, amount in enumerate(every) if not qualifier(one.value, every, at)]
    length = len(_TIME.sub("", one.value).strip())
    whole = [amount for amount in found if amount.end - amount.start >= length * 0.6]
    return Annotation(one, whole[0] if len(whole) == 1 else None, pages[one.page].of(one.span))


_NO_TITLE = re.compile(
    r"\W*$|\(?(?:untitled|anonymous|unspecified|unknown|none)\)?$|microsoft (?:word|powerpoint|excel) - |document\d*$"
    r"|slide 1$|.*\.(?:docx?|pdf|indd|qxd|tmp|rtf|xlsx?|pptx?)$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:§|article|section|\d+[.)])\s*\d*", re.IGNORECASE)
_OPENING = 8
"""Blocks of a document before which its title stands."""


def _titles(given: Mapping[str, Any], about: About, pages: list[Page], path: PurePosixPath) -> Iterator[str]:
    """Yield the given title alone; else the headings that open the document, the highest first, the title in the file's
    properties, and the file name."""
    title = given.get("title", "")
    if title != "" and not isinstance(title, list):
        yield str(title)[:_LONGEST_TITLE]
        return
    found = [(page, at, block) for page in pages[:3] for at, block in enumerate(page.blocks) if block.kind == "heading"]
    opening = [(page, block) for page, at, block in found[:1] + [one for one in found[1:] if one[1] < _OPENING]
               if page is found[0][0]]  # fmt: skip
    heads = [(block.level, " ".join(page.of(block.span).split())[:_LONGEST_TITLE]) for page, block in opening]
    names = [name for _, name in sorted(heads, key=lambda one: one[0])]
    others = [name for name in names if not _NO_TITLE.match(name) and not _NUMBERED.match(name)]
    of_file = [about.title[:_LONGEST_TITLE]] if about.title and not _NO_TITLE.match(about.title) else []
    yield from dict.fromkeys([*(others or names[:1]), *of_file, path.stem.replace("_", " ")])
