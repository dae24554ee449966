"""The document store in the words of its questions: tests on a row, to be joined by `and` (`docs(a, b)` is both)."""

import functools
from functools import partial
from typing import Any

from tests.reference import model
from tests.reference.model import Row, by_id, document, documents, entries, folders, person

from .answers import About, Gold, accept, clarify, did_you_mean, these, told, which_person
from .words import Test, by, eq

MB = 10**6
QUICKBOOKS = ("intuit.quickbooks.online", "intuit.quickbooks.desktop")
NEC, INT, DIV = "1099-NEC", "1099-INT", "1099-DIV"


# ---- entries by name ---------------------------------------------------------------------------------------------


@functools.cache
def F(name: str) -> Row:
    """The one folder of this name, or the one at this path (with a slash)."""
    return model.folder_at(name.strip("/")) if "/" in name else model.folder(name)


def D(name: str) -> Row:
    return document(name)


def called(name: str) -> list[Row]:
    """The folders of this name."""
    return [row for row in folders() if row.name.lower() == name.lower()]


def files_called(name: str) -> list[Row]:
    return [row for row in documents() if row.name.lower() == name.lower()]


# ---- tests -------------------------------------------------------------------------------------------------------


def inside(*names: str) -> Test:
    """Lies directly in one of these folders; `/` is the top level."""
    return lambda row: row.folder in {"root" if name == "/" else F(name).id for name in names}


def under(*names: str) -> Test:
    """Lies in one of these folders or anywhere below it."""
    return lambda row: any(F(name).id in row.ancestors for name in names)


typed = partial(eq, "type")
ext = partial(eq, "extension")


def tagged(*tags: str) -> Test:
    """Carries at least one of the tags."""
    return lambda row: any(tag in row.tags for tag in tags)


def tagged_all(*tags: str) -> Test:
    return lambda row: all(tag in row.tags for tag in tags)


def owner(*names: str) -> Test:
    return lambda row: row.owner in {person(name) for name in names}


def creator(*names: str) -> Test:
    return lambda row: row.creator in {person(name) for name in names}


def editor(*names: str) -> Test:
    return lambda row: row.editor in {person(name) for name in names}


def says(phrase: str) -> Test:
    return lambda row: model.mentions(row, phrase)


def named(part: str) -> Test:
    """The word or phrase stands in the name."""
    return lambda row: part.lower() in row.name.lower()


def shared(who: str, *roles: str) -> Test:
    return lambda row: model.shared(row, who, *roles)


def noted(key: str, *values: str) -> Test:
    return lambda row: model.attribute(row, key, *values)


def other_than(*names: str) -> Test:
    return lambda row: row.id not in {D(name).id for name in names}


# ---- answers -----------------------------------------------------------------------------------------------------


FILES, FOLDERS, ALL = About(documents), About(folders), About(entries)
docs, no_docs, count = FILES.hits, FILES.none, FILES.count
dirs, no_dirs, count_folders = FOLDERS.hits, FOLDERS.none, FOLDERS.count
both = ALL.hits
per, per2, found, sum_of, mean_of = FILES.per, FILES.per2, FILES.found, FILES.sum_of, FILES.mean_of


def the_folder(name: str) -> Gold:
    return these(F(name))


def the_file(name: str) -> Gold:
    return these(D(name))


def fuzzy_folder(name: str, answer: Gold) -> Gold:
    """The name is not written exactly: asking back is accepted."""
    return accept(answer, did_you_mean(F(name)))


def fuzzy_file(name: str, answer: Gold) -> Gold:
    return accept(answer, did_you_mean(D(name)))


def fuzzy_person(name: str, answer: Gold) -> Gold:
    return accept(answer, which_person(name))


def with_or_without(name: str, *tests: Test) -> Gold:
    """ "Same as X": X itself may be listed or not."""
    return accept(docs(*tests, other_than(name)), docs(*tests))


def same(field: str, name: str) -> Test:
    """The same value as the document of this name has."""
    return lambda row: row[field] is not None and row[field] == D(name)[field]


def which_folder(name: str) -> Gold:
    return clarify(called(name))


def per_person(role: str, *tests: Test, **more: Any) -> Gold:
    """Groups by a person: labelled by name, by id as well accepted."""
    return accept(per(role + "_name", *tests, **more), per(role, *tests, **more))


def by_name(row: Row) -> str:
    return str(row.name).lower()


@functools.cache
def highest(field: str, *tests: Test) -> Row:
    """The document with the largest value; named tests are found once."""
    return max((row for row in found(*tests) if row[field] is not None), key=by(field))


@functools.cache
def folders_of(*tests: Test) -> frozenset[str]:
    """The ids of the folders that hold such documents."""
    return frozenset(row.folder for row in found(*tests))


def person_is(row: Row, role: str) -> Gold:
    """The name or the id of a person; the entry itself as well, since it shows them."""
    return told(row, row[role + "_name"], row[role])


def parent(row: Row) -> Row | None:
    return by_id().get(row.folder)


def yes_no(row: Row, yes: bool, *words: str) -> Gold:
    return told(row, *(("yes", "true") if yes else ("no", "false", "not")), *words)
