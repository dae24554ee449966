"""Names of the sample document store: what `tests/reference/cases_drive_names.py` does not ask."""

import os
from collections import defaultdict
from typing import Any

import pytest

from tests.names.world import World

Documents = list[dict[str, Any]]


def name(document: dict[str, Any]) -> str:
    return str(document["commonAttributes"]["name"])


def named(documents: Documents, text: str) -> set[str]:
    return {one["_id"] for one in documents if name(one).casefold() == text.casefold()}


def test_every_name_is_found_by_itself(drive: World, drive_documents: Documents) -> None:
    """One name in 200, one in 40 that have punctuation, and every one with other signs; in `make soak` more."""
    names = sorted({name(one) for one in drive_documents})
    odd = [text for text in names if not text.isascii() or set(text) & set("\"'*?[]{}\\<>:;%&+|/")]
    assert len(odd) > 200
    every, odd_every = (5, 1) if os.environ.get("QLC_NAMES") == "more" else (400, 80)
    for text in [*names[::every], *odd[::odd_every], *[text for text in odd if not set(text) <= set("'& ") | _plain()]]:
        assert drive.ids("entry", text) == named(drive_documents, text), text
        assert drive.ids("entry", text.swapcase()) == named(drive_documents, text), text


def _plain() -> set[str]:
    return set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.()")


def test_documents_by_path(drive: World, drive_documents: Documents) -> None:
    paths = defaultdict(set)
    for one in drive_documents:
        if one["entityType"] == "DOCUMENT":
            paths[f"{one['organizationAttributes']['folderPath']}/{name(one)}"].add(one["_id"])
    for text in sorted(paths)[::150]:
        found = drive.find("document", text)
        assert found.step == "path", text
        assert {one.id for one in found.candidates} >= paths[text], text


def test_names_that_hold_separators(drive: World, drive_documents: Documents) -> None:
    for text in ("find(DOCUMENT).where(size>0).txt", "<script>alert(1)</script>.html"):
        assert drive.find("document", text).step == "exact"
        for path in (f"Miscellaneous/{text}", f"root > Miscellaneous > {text}"):
            found = drive.find("document", path)
            assert found.step == "path"
            assert {one.id for one in found.candidates} == named(drive_documents, text)


def test_an_entry_does_not_lie_below_itself(drive: World) -> None:
    assert drive.find("folder", "Contoso/Contoso").step is None


def test_the_note_of_a_path_says_where(drive: World) -> None:
    (note,) = drive.find("folder", "Clients/Contoso").notes
    assert note.endswith("; used 'Contoso' at root/Archive/Old Clients/Contoso (a name with all its words).")


def test_the_lexicon_is_read_once(drive: World) -> None:
    drive.find("folder", "Tax Docments")
    drive.find("folder", "Insurrance")
    assert [request.purpose for request in drive.requests] == [
        "find the folder 'Insurrance'",
        "find the folder 'Insurrance'",
    ]
    drive.find("folder", "Insurrance")
    assert drive.requests == []


def test_by_id(drive: World, drive_documents: Documents) -> None:
    document = next(one for one in drive_documents if one["entityType"] == "DOCUMENT")
    found = drive.find("document", document["_id"])
    assert (found.step, [one.id for one in found.candidates]) == ("id", [document["_id"]])
    wrong = drive.find("folder", document["_id"])
    assert (wrong.reason, wrong.other_kinds) == ("other-kind", ("document",))
    unknown = drive.find("document", "00000000-0000-0000-0000-000000000000")
    assert (unknown.reason, unknown.suggestions) == ("no-such-id", ())


def test_the_values_that_are_wanted(drive: World, drive_documents: Documents) -> None:
    document = next(one for one in drive_documents if len(one["commonAttributes"].get("tags", [])) > 1)
    shares = [one["principalId"] for one in document["sharing"].get("permissions", [])]
    (found,) = drive.find("document", document["_id"], "tags", "created", "shares.who", "due", "size").candidates
    assert found.values == {
        "tags": tuple(document["commonAttributes"]["tags"]), "created": (document["systemAttributes"]["createDate"],),
        "shares.who": tuple(shares), "due": (), "size": (document["commonAttributes"]["sizeInBytes"],),
    }


def test_several_are_distinguished(drive: World, drive_documents: Documents) -> None:
    found = drive.find("document", "notes.txt")
    assert {one.id for one in found.candidates} == named(drive_documents, "notes.txt")
    labels = [one.label for one in found.candidates]
    assert labels[0] == "notes.txt (root/Archive/Not Filed, created 2021-07-17, owner Tom Baker)"
    assert len(set(labels)) == 6


@pytest.mark.parametrize(
    ("kind", "text", "suggestions"),
    [
        ("folder", "Cryptocurrency", ()), ("folder", "Tax Docs", ("Tax Documents", "Tax")),
        ("folder", "OBrien and sons", ("O'Brien & Sons",)), ("person", "Omer", ("Omar Haddad",)), ("folder", "", ()),
        ("folder", "???", ()), ("folder", ">", ()), ("folder", "\ud800", ()),
    ],
)
def test_not_found(drive: World, kind: str, text: str, suggestions: tuple[str, ...]) -> None:
    found = drive.find(kind, text)
    assert (found.candidates, found.step, found.reason, found.other_kinds) == ((), None, "no-such-name", ())
    assert found.suggestions == suggestions


def test_completion(drive: World, drive_documents: Documents) -> None:
    folders = {name(one) for one in drive_documents if one["entityType"] == "FOLDER"}
    begun = sorted({one for one in folders if one.casefold().startswith("re")}, key=str.casefold)
    assert drive.like("folder", "re", 5) == begun[:5]
    assert drive.like("folder", "emi") == ["Émigré Archive"]
    assert drive.like("person", "Wash") == ["D'Andre Washington"]
    assert drive.like("folder", "zzz") == []
