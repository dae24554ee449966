"""Names of the sample document store, against plain predicates over its documents."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from tests.names.world import World

Documents = list[dict[str, Any]]


def name(document: dict[str, Any]) -> str:
    return str(document["commonAttributes"]["name"])


def named(documents: Documents, text: str, kind: str | None = None) -> set[str]:
    return {
        one["_id"] for one in documents if name(one).casefold() == text.casefold() and kind in (None, one["entityType"])
    }


def at(documents: Documents, *names: str) -> set[str]:
    """The entries called as the last name, somewhere below entries called as the others, in their order."""
    called = {one["_id"]: name(one) for one in documents}
    found = set()
    for one in documents:
        above = [called[key] for key in one["organizationAttributes"]["folderPathIds"] if key in called]
        rest = iter(above)
        if name(one) == names[-1] and all(part in rest for part in names[:-1]):
            found.add(one["_id"])
    return found


@pytest.mark.parametrize(
    "text", ["Invoices", "2024", "tax documents", "AND", "C++ Course", "Émigré Archive", '{"match_all":{}}']
)
def test_folders_by_whole_name(drive: World, drive_documents: Documents, text: str) -> None:
    found = drive.find("folder", text)
    assert found.rung == "exact"
    assert {one.id for one in found.candidates} == named(drive_documents, text, "FOLDER") != set()
    assert len(drive.requests) == 1


def test_every_name_is_found_by_itself(drive: World, drive_documents: Documents) -> None:
    """One name in fifty, and every one that is not plain letters, digits and common punctuation."""
    names = sorted({name(one) for one in drive_documents})
    odd = [text for text in names if not text.isascii() or set(text) & set("\"'*?[]{}\\<>:;%&+|/")]
    assert len(odd) > 200
    for text in [*names[::50], *odd[::10], *[text for text in odd if not set(text) <= set("'& ") | _plain()]]:
        assert drive.ids("entry", text) == named(drive_documents, text), text
        assert drive.ids("entry", text.swapcase()) == named(drive_documents, text), text


def _plain() -> set[str]:
    return set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.()")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("archive/receipts", ("Archive", "Receipts")),
        ("Shared with Accountant > Questions", ("Shared with Accountant", "Questions")),
        ("O'Brien & Sons > Invoices", ("O'Brien & Sons", "Invoices")),
        ("Kowalski Bakery / Receipts", ("Kowalski Bakery", "Receipts")),
        ("Business>Payroll/2024", ("Business", "Payroll", "2024")),
        ("Business/2024", ("Business", "2024")),
        ("root/Business/Payroll/2024", ("Business", "Payroll", "2024")),
        ("ROOT > Business > 2024", ("Business", "2024")),
        ("/Old Clients/Contoso", ("Old Clients", "Contoso")),
        ("Board/Payroll", ("Board", "Payroll")),
        ("Tax Documents/", ("Tax Documents",)),
        ("root/Invoices", ("Invoices",)),
    ],
)
def test_folders_by_path(drive: World, drive_documents: Documents, text: str, names: tuple[str, ...]) -> None:
    found = drive.find("folder", text)
    expected = at(drive_documents, *names)
    assert {one.id for one in found.candidates} == expected
    assert found.rung == ("path" if expected else None)
    assert found.notes == ()
    assert len(drive.requests) == 1 or not expected


def test_documents_by_path(drive: World, drive_documents: Documents) -> None:
    paths = defaultdict(set)
    for one in drive_documents:
        if one["entityType"] == "DOCUMENT":
            paths[f"{one['organizationAttributes']['folderPath']}/{name(one)}"].add(one["_id"])
    for text in sorted(paths)[::150]:
        found = drive.find("document", text)
        assert found.rung == "path", text
        assert {one.id for one in found.candidates} >= paths[text], text


def test_names_that_hold_separators(drive: World, drive_documents: Documents) -> None:
    for text in ("find(DOCUMENT).where(size>0).txt", "<script>alert(1)</script>.html"):
        assert drive.find("document", text).rung == "exact"
        for path in (f"Miscellaneous/{text}", f"root > Miscellaneous > {text}"):
            found = drive.find("document", path)
            assert found.rung == "path"
            assert {one.id for one in found.candidates} == named(drive_documents, text)


def test_an_entry_does_not_lie_below_itself(drive: World) -> None:
    assert drive.find("folder", "Contoso/Contoso").rung is None


@pytest.mark.parametrize(
    ("kind", "text", "rung", "name"),
    [
        ("folder", "Unit 3B - Harbor View", "folded", "Unit 3B – Harbor View"),
        ("folder", "Muller GmbH", "folded", "Müller GmbH"),
        ("folder", "Q3 '24 - close", "folded", "Q3 ’24 – Close"),
        ("folder", "Ete a Nice", "folded", "Été à Nice"),
        ("folder", "Lon & Skat", "folded", "Løn & Skat"),
        ("folder", "Quoted Folder", "folded", '"Quoted" Folder'),
        ("document", "Resume - Zoe Kowalski.pdf", "folded", "Résumé – Zoë Kowalski.pdf"),
        ("document", "R&D budget forecast (v1.2)", "extension", "R&D budget + forecast (v1.2).xlsx"),
        ("document", "Budget_2024", "extension", "Budget_2024.xlsx"),
        ("document", "resume zoe kowalski", "extension", "Résumé – Zoë Kowalski.pdf"),
        ("document", "harvest grant", "words", "Harvest Grant Application.docx"),
        ("folder", "Tax Docments", "near", "Tax Documents"),
        ("folder", "Insurence", "near", "Insurance"),
        ("folder", "Kowalsky Bakry", "near", "Kowalski Bakery"),
        ("folder", "Archive/Recepits", "near", "Receipts"),
        ("folder", "Archve > Receipts", "near", "Receipts"),
        ("folder", "Emigre  archive", "folded", "Émigré Archive"),
        ("document", "Miscelaneous/Resume - Zoe Kowalski", "near", "Résumé – Zoë Kowalski.pdf"),
        ("document", "Miscellaneous/Resume - Zoe Kowalski.pdf", "folded", "Résumé – Zoë Kowalski.pdf"),
    ],
)
def test_lower_rungs_are_told(drive: World, kind: str, text: str, rung: str, name: str) -> None:
    found = drive.find(kind, text)
    assert (found.rung, [one.name for one in found.candidates]) == (rung, [name])
    (note,) = found.notes
    assert note.startswith(f"No {kind} is called exactly '{text}'; used '{name}' ")


def test_the_note_of_a_near_spelling(drive: World) -> None:
    assert drive.find("folder", "Tax Docments").notes == (
        "No folder is called exactly 'Tax Docments'; used 'Tax Documents' (a near spelling).",
    )


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
    assert (found.rung, [one.id for one in found.candidates]) == ("id", [document["_id"]])
    wrong = drive.find("folder", document["_id"])
    assert (wrong.reason, wrong.other_kinds) == ("other-kind", ("document",))
    unknown = drive.find("document", "00000000-0000-0000-0000-000000000000")
    assert (unknown.reason, unknown.suggestions) == ("no-such-id", ())


def test_the_values_that_are_wanted(drive: World, drive_documents: Documents) -> None:
    document = next(one for one in drive_documents if len(one["commonAttributes"].get("tags", [])) > 1)
    shares = [one["principalId"] for one in document["sharing"].get("permissions", [])]
    (found,) = drive.find("document", document["_id"], "tags", "created", "shares.who", "due", "size").candidates
    assert found.values == {
        "tags": tuple(document["commonAttributes"]["tags"]),
        "created": (document["systemAttributes"]["createDate"],),
        "shares.who": tuple(shares),
        "due": (),
        "size": (document["commonAttributes"]["sizeInBytes"],),
    }


def test_several_are_told_apart(drive: World, drive_documents: Documents) -> None:
    found = drive.find("document", "notes.txt")
    assert {one.id for one in found.candidates} == named(drive_documents, "notes.txt")
    labels = [one.label for one in found.candidates]
    assert labels[0] == "notes.txt (root/Archive/Not Filed, created 2021-07-17, owner Tom Baker)"
    assert len(set(labels)) == 6


@pytest.mark.parametrize(
    ("kind", "text", "reason", "others", "suggestions"),
    [
        ("folder", "Cryptocurrency", "no-such-name", (), ()),
        ("folder", "Antarctica Expedition", "no-such-name", (), ()),
        ("folder", "Company Handbook.pdf", "other-kind", ("document",), ()),
        ("document", "Brand Assets", "other-kind", ("folder",), None),
        ("folder", "find(DOCUMENT).where(size>0)", "no-such-name", (), ()),
        ("folder", "Tax Docs", "no-such-name", (), ("Tax Documents", "Tax")),
        ("folder", "OBrien and sons", "no-such-name", (), ("O'Brien & Sons",)),
        ("person", "Gandalf Grey", "no-such-name", (), ()),
        ("person", "Omer", "no-such-name", (), ("Omar Haddad",)),
        ("folder", "", "no-such-name", (), ()),
        ("folder", "???", "no-such-name", (), ()),
        ("folder", ">", "no-such-name", (), ()),
        ("folder", "\ud800", "no-such-name", (), ()),
    ],
)
def test_not_found(
    drive: World, kind: str, text: str, reason: str, others: tuple[str, ...], suggestions: tuple[str, ...] | None
) -> None:
    found = drive.find(kind, text)
    assert (found.candidates, found.rung, found.reason, found.other_kinds) == ((), None, reason, others)
    assert suggestions is None or found.suggestions == suggestions


def people(documents: Documents) -> dict[str, str]:
    """Ids and names of everyone that owns, creates, edits, shares or comments."""
    pairs = {}
    for one in documents:
        system = one["systemAttributes"]
        pairs[system["owner"]["ownerAccountId"]] = system["owner"]["ownerName"]
        pairs[system["creatorMetadata"]["creatorUserId"]] = system["creatorMetadata"]["creatorName"]
        pairs[system["modifierMetadata"]["modifierUserId"]] = system["modifierMetadata"]["modifierName"]
        for share in one.get("sharing", {}).get("permissions", []):
            pairs[share["principalId"]] = share["principalName"]
        for comment in one.get("comments", []):
            pairs[comment["authorId"]] = comment["authorName"]
    return pairs


def test_every_person_by_name_and_by_id(drive: World, drive_documents: Documents) -> None:
    for one, text in people(drive_documents).items():
        by_name, by_id = drive.find("person", text.upper()), drive.find("person", one)
        assert (by_name.rung, [(c.id, c.name) for c in by_name.candidates]) == ("exact", [(one, text)])
        assert (by_id.rung, [(c.id, c.name) for c in by_id.candidates]) == ("id", [(one, text)])


@pytest.mark.parametrize(
    ("text", "rung", "names"),
    [
        ("Omar", "words", ["Omar Haddad"]),
        ("dana", "words", ["Dana Ortiz", "Dana Whitfield"]),
        ("Mei Ling Chen", "folded", ["Mei-Ling Chen"]),
        ("Sean OBrien", "folded", ["Seán O'Brien"]),
        ("Jose Alvares", "near", ["José Álvarez"]),
    ],
)
def test_people_on_lower_rungs(drive: World, text: str, rung: str, names: list[str]) -> None:
    found = drive.find("person", text)
    assert (found.rung, [one.name for one in found.candidates]) == (rung, names)


def test_completion(drive: World, drive_documents: Documents) -> None:
    folders = {name(one) for one in drive_documents if one["entityType"] == "FOLDER"}
    begun = sorted({one for one in folders if one.casefold().startswith("re")}, key=str.casefold)
    assert drive.like("folder", "re", 5) == begun[:5]
    assert drive.like("folder", "emi") == ["Émigré Archive"]
    assert drive.like("person", "Wash") == ["D'Andre Washington"]
    assert drive.like("folder", "zzz") == []
