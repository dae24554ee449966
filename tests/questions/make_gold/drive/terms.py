"""The document store in the words of its questions: tests on a row, to be joined by `and` (`docs(a, b)` is both)."""

import functools
from collections.abc import Callable
from typing import Any

from tests.reference import model
from tests.reference.case import total
from tests.reference.model import Row, by_id, document, documents, entries, folders, person

from ..table import Answer, Test, accept, buckets, clarify, did_you_mean, hits, none_of, these, value, which_person
from ..table import count as count_rows
from ..words import both_of, by, eq, mean

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


def called(name: str) -> Callable[[], list[Row]]:
    """The folders of this name."""
    return lambda: [row for row in folders() if row.name.lower() == name.lower()]


def files_called(name: str) -> Callable[[], list[Row]]:
    return lambda: [row for row in documents() if row.name.lower() == name.lower()]


# ---- tests -------------------------------------------------------------------------------------------------------


def inside(*names: str) -> Test:
    """Lies directly in one of these folders; `/` is the top level."""
    return lambda row: row.folder in {"root" if name == "/" else F(name).id for name in names}


def under(*names: str) -> Test:
    """Lies in one of these folders or anywhere below it."""
    return lambda row: any(F(name).id in row.ancestors for name in names)


def typed(*types: str) -> Test:
    return eq("type", *types)


def ext(*extensions: str) -> Test:
    return eq("extension", *extensions)


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


def docs(*tests: Test, **more: Any) -> Answer:
    return hits(documents, both_of(*tests), **more)


def dirs(*tests: Test, **more: Any) -> Answer:
    return hits(folders, both_of(*tests), **more)


def both(*tests: Test, **more: Any) -> Answer:
    return hits(entries, both_of(*tests), **more)


def the_folder(name: str) -> Answer:
    return these(lambda: F(name))


def the_file(name: str) -> Answer:
    return these(lambda: D(name))


def no_docs(*tests: Test) -> Answer:
    return none_of(documents, both_of(*tests))


def no_dirs(*tests: Test) -> Answer:
    return none_of(folders, both_of(*tests))


def fuzzy_folder(name: str, answer: Answer) -> Answer:
    """The name is not written exactly: asking back is accepted."""
    return accept(answer, did_you_mean(lambda: F(name)))


def fuzzy_file(name: str, answer: Answer) -> Answer:
    return accept(answer, did_you_mean(lambda: D(name)))


def fuzzy_person(name: str, answer: Answer) -> Answer:
    return accept(answer, which_person(name))


def with_or_without(name: str, *tests: Test) -> Answer:
    """ "Same as X": X itself may be listed or not."""
    return accept(docs(*tests, other_than(name)), docs(*tests))


def same(field: str, name: str) -> Test:
    """The same value as the document of this name has."""
    return lambda row: row[field] is not None and row[field] == D(name)[field]


def which_folder(name: str) -> Answer:
    return clarify(called(name))


def count(*tests: Test) -> Answer:
    return count_rows(documents, both_of(*tests))


def count_folders(*tests: Test) -> Answer:
    return count_rows(folders, both_of(*tests))


def per(key: Test | str, *tests: Test, **more: Any) -> Answer:
    return buckets(documents, both_of(*tests), keyed(key), **more)


def keyed(key: Test | str) -> Test:
    return key if callable(key) else lambda row: row[key]


def per_person(role: str, *tests: Test, **more: Any) -> Answer:
    """Groups by a person: labelled by name, by id as well accepted."""
    return accept(per(role + "_name", *tests, **more), per(role, *tests, **more))


def per2(first: str, second: str, *tests: Test) -> Answer:
    return buckets(documents, both_of(*tests), keyed(first), keyed(second))


def by_name(row: Row) -> str:
    return str(row.name).lower()


def sum_of(field: str, *tests: Test) -> Callable[[], Any]:
    return lambda: total(field)(found(*tests))


def mean_of(field: str, *tests: Test) -> Callable[[], Any]:
    return lambda: mean(field)(found(*tests))


def found(*tests: Test) -> list[Row]:
    return [row for row in documents() if both_of(*tests)(row)]


@functools.cache
def highest(field: str, *tests: Test) -> Row:
    """The document with the largest value; named tests are found once."""
    return max((row for row in found(*tests) if row[field] is not None), key=by(field))


@functools.cache
def folders_of(*tests: Test) -> frozenset[str]:
    """The ids of the folders that hold such documents."""
    return frozenset(row.folder for row in found(*tests))


def person_is(row: Callable[[], Row], role: str) -> Answer:
    """The name or the id of a person; the entry itself as well, since it shows them."""
    return accept(value(lambda: [row()[role + "_name"], row()[role]]), these(row))


def told(row: Callable[[], Row], *any_of: Any) -> Answer:
    """A plain value of an entry; the entry itself as well."""
    return accept(value(*any_of), these(row))


def parent(row: Row) -> Row | None:
    return by_id().get(row.folder)


def yes_no(row: Callable[[], Row], yes: bool, *words: str) -> Answer:
    return told(row, *(("yes", "true") if yes else ("no", "false", "not")), *words)
