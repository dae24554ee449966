"""Files that somebody made to be followed, believed or waited for: they are left and told, and the others are read."""

import os
import pkgutil
import socket
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from qlc.base.errors import UsageError
from qlc.cli.main import main
from qlc.corpus import adding, work
from qlc.corpus.adding import Report
from qlc.corpus.corpus import Corpus
from qlc.corpus.document import Reader, Task
from qlc.corpus.drafting import draft_of
from qlc.corpus.errors import Unreadable
from qlc.corpus.files import ListedFile, files_below, opened
from qlc.corpus.limits import Limits
from qlc.corpus.records import _unhyphenated
from qlc.corpus.values.labels import words
from qlc.language.quantities import Style, quantities
from tests.corpora import written

from . import files

SCHEMA = """version: 1
buckets:
  papers:
    files: ['**']
    fields: {tenant: name}
"""
SECRET = "The password of the vault is Heron seven.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    written(tmp_path / "outside", {"secret.md": SECRET})
    return written(tmp_path / "files", {"a/lease.md": "The tenant of Mill Lane is Ada Byron.\n"})


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    (tmp_path / "corpus.yaml").write_text(SCHEMA, "utf-8")
    with Corpus.create(tmp_path / "library", tmp_path / "corpus.yaml") as corpus:
        yield corpus


def told(report: Report) -> dict[str, str]:
    return {one.file: one.reason for one in report.problems}


def has(corpus: Corpus, word: str) -> bool:
    return corpus.compiler().run(f'count passages where mentions "{word}"').message != "0 passages."


# --- links, pipes, devices -------------------------------------------------------------------------------------------


def socket_at(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        before = os.getcwd()
        os.chdir(path.parent)  # the path of a socket is short
        try:
            made.bind(path.name)
        finally:
            os.chdir(before)


LEFT: dict[str, tuple[Callable[[Path], None], str]] = {
    "to a file outside": (lambda path: path.symlink_to("../../outside/secret.md"), "link"),
    "to a folder outside": (lambda path: path.symlink_to("../../outside"), "link"),
    "to a file of another folder within": (lambda path: path.symlink_to("../b/other.md"), "link"),
    "to its own folder": (lambda path: path.symlink_to("."), "link"),
    "to itself": (lambda path: path.symlink_to(path.name), "link"),
    "to nothing": (lambda path: path.symlink_to("nothing"), "link"),
    "to a device": (lambda path: path.symlink_to("/dev/zero"), "link"),
    "a pipe": (lambda path: os.mkfifo(path), "not_a_file"),
    "a socket": (socket_at, "not_a_file"),
}
NAMES = ("one.md", "metadata.csv", "metadata.json")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", LEFT)
def test_what_is_no_file_of_the_folder_is_left_and_told(corpus: Corpus, folder: Path, kind: str, name: str) -> None:
    make, reason = LEFT[kind]
    make(folder / "a" / name)
    make(folder / name)
    report = corpus.add(folder, processes=1)
    assert (report.added, told(report)) == (1, {f"a/{name}": reason, name: reason})
    assert not has(corpus, "Heron")
    assert has(corpus, "Byron")
    assert "papers" not in draft_of([folder], processes=1)  # it comes to an end


def test_files_behind_links_are_read_by_who_wants_them(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    (folder / "b").mkdir()
    (folder / "b/file.md").symlink_to(tmp_path / "outside/secret.md")
    (folder / "out").symlink_to(tmp_path / "outside")
    (folder / "again").symlink_to(tmp_path / "outside")
    (tmp_path / "outside/back").symlink_to(folder)
    (tmp_path / "outside/up").symlink_to(tmp_path)
    (folder / "round").symlink_to(".")
    (folder / "zero").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "outside/pipe")
    report = corpus.add(folder, processes=1, follow_links=True)
    assert has(corpus, "Heron")
    assert report.added >= 2
    files = {one.name for one in files_below([folder], follow_links=True) if isinstance(one, ListedFile)}
    assert {"a/lease.md", "b/file.md", "again/secret.md"} <= files
    assert "out/secret.md" not in files  # the folder was read already
    assert not any(name.startswith("round/") for name in files)
    assert {name: told(report)[name] for name in ("round", "out", "zero", "again/pipe")} == {
        "round": "link", "out": "link", "zero": "not_a_file", "again/pipe": "not_a_file",
    }  # fmt: skip


@pytest.mark.parametrize("place", ["the file", "a folder above it"])
def test_a_link_that_takes_the_place_of_a_file_after_the_listing_is_not_followed(
    corpus: Corpus, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Once before the content is hashed, and once between that and the reading."""

    def swap() -> None:
        if place == "the file":
            (folder / "a/lease.md").unlink()
            (folder / "a/lease.md").symlink_to(tmp_path / "outside/secret.md")
        else:
            (tmp_path / "outside/lease.md").write_text(SECRET, "utf-8")
            (folder / "a").rename(tmp_path / "away")
            (folder / "a").symlink_to(tmp_path / "outside")

    hashed = adding.Adding._hashed
    monkeypatch.setattr(adding.Adding, "_hashed", lambda run, found: (swap(), hashed(run, found))[1])
    assert told(corpus.add(folder, processes=1)) == {"a/lease.md": "link"}
    monkeypatch.undo()
    assert not has(corpus, "Heron")
    with pytest.raises(Unreadable, match="is a link"):
        Reader()(Task(folder / "a/lease.md", "a/lease.md", "papers", below=folder), Limits())


def test_a_device_is_not_read_even_where_links_are_followed(tmp_path: Path) -> None:
    for place in ("/dev/zero", "/dev/tty", str(tmp_path)):
        with pytest.raises((Unreadable, OSError)), opened(Path(place)) as file:
            file.read_bytes()


def test_a_file_of_terabytes_that_takes_no_room_costs_nothing(corpus: Corpus, folder: Path) -> None:
    with (folder / "sparse.txt").open("wb") as file:
        file.truncate(1 << 42)
    assert told(corpus.add(folder, processes=1)) == {"sparse.txt": "too_large"}
    assert told(corpus.add(folder, processes=1)) == {"sparse.txt": "too_large"}
    assert has(corpus, "Byron")


@pytest.fixture
def deep(folder: Path) -> Iterator[Path]:
    """A folder in a folder, a thousand times. It is taken away here: pytest's own clean-up is recursive."""
    here, levels = os.getcwd(), 1_200
    try:
        os.chdir(folder)
        for _ in range(levels):
            os.mkdir("d")
            os.chdir("d")
        yield folder
    finally:
        for _ in range(levels):
            os.chdir("..")
            os.rmdir("d")
        os.chdir(here)


def test_folders_nested_deeper_than_the_stack_are_walked(deep: Path) -> None:
    assert [one.name for one in files_below([deep])] == ["a/lease.md"]


def test_the_command_names_what_it_left(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "link.md").symlink_to(tmp_path / "outside/secret.md")
    add = ["corpus", "add", str(tmp_path / "new"), str(folder), "--processes", "1"]
    assert main(add) == 0
    assert "link.md: It is a link. Links are not followed; --follow-links" in capsys.readouterr().out
    assert main([*add, "--follow-links"]) == 0
    assert "1 added" in capsys.readouterr().out


# --- metadata --------------------------------------------------------------------------------------------------------

GOOD = "file,tenant\na/lease.md,north\n"
BAD = {
    "of something else": ("csv", "id,label\n1,cat\n", "no column 'file'"),
    "two of one file": ("csv", GOOD + "a/lease.md,south\n", "there twice"),
    "nested": ("json", "[" * 200_000, "nested too deeply"),
    "cut off": ("json", '{"a/lease.md": {', "cannot be read"),
    "no object": ("json", "[]", "not a JSON object"),
    "not text": ("csv", "file,tenant\n\udcff", "not UTF-8"),
    "huge": ("csv", GOOD + "x" * 21_000_000, "may have 20,000,000"),
    "a cell that is huge": ("csv", GOOD + "x" * 200_000 + ",y\n", "field larger"),
    "a number that is huge": ("json", '{"a/lease.md": {"tenant": ' + "9" * 5_000 + "}}", "cannot be read"),
}


@pytest.mark.parametrize("kind", BAD)
def test_metadata_that_cannot_be_used_are_told_and_the_files_are_read(
    corpus: Corpus, folder: Path, tmp_path: Path, kind: str
) -> None:
    ending, text, message = BAD[kind]
    path = folder / f"metadata.{ending}"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    report = corpus.add(folder, processes=1)
    ((file, reason, why),) = [(one.file, one.reason, one.message) for one in report.unused_metadata]
    assert (file, reason) == (path.name, "metadata")
    assert message in why
    assert has(corpus, "Byron")
    with pytest.raises(UsageError, match="cannot be used"):
        corpus.add(folder, processes=1, metadata=path)


def tenants(corpus: Corpus, tenant: str) -> str:
    return str(corpus.compiler().run(f'find papers where file = "a/lease.md" and tenant = "{tenant}"').message)


def test_only_one_file_at_the_top_gives_values(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    (folder / "metadata.csv").write_text(GOOD, "utf-8")
    for name in ("csv", "json"):
        text = "file,tenant\nlease.md,south\n../a/lease.md,south\n"
        (folder / f"a/metadata.{name}").write_text(text if name == "csv" else '{"lease.md": {"tenant": "south"}}')
    report = corpus.add(folder, processes=1)
    assert tenants(corpus, "north") == "1 paper: lease."
    assert tenants(corpus, "south") == "No papers found."
    assert [one.file for one in report.unused_metadata] == ["a/metadata.csv", "a/metadata.json"]
    assert report.added == 3  # they are papers as any other

    named = tmp_path / "given.json"
    named.write_text('{"a/lease.md": {"tenant": "east", "other": {"x": [[1]]}}}', "utf-8")
    report = corpus.add(folder, processes=1, metadata=named)
    assert tenants(corpus, "east") == "1 paper: lease."
    assert tenants(corpus, "north") == "No papers found."
    assert len(report.unused_metadata) == 3

    (folder / "metadata.json").write_text("{}", "utf-8")
    report = corpus.add(folder, processes=1)
    assert tenants(corpus, "north") == "No papers found."
    assert {one.file for one in report.unused_metadata} >= {"metadata.csv", "metadata.json"}


@pytest.mark.usefixtures("files_are_read_apart")
def test_metadata_are_read_within_the_limits_of_a_reader(
    corpus: Corpus, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a process of its own that may be ended: what reads it here is never called."""
    monkeypatch.setattr("qlc.corpus.metadata._csv", lambda text: pytest.fail("read by the main process"))
    (folder / "metadata.csv").write_text(GOOD, "utf-8")
    corpus.add(folder, processes=1)
    assert tenants(corpus, "north") == "1 paper: lease."
    limits = Limits(seconds=7.0)
    started: list[Limits] = []
    start = work._started
    monkeypatch.setattr(work, "_started", lambda job, limits: (started.append(limits), start(job, limits))[1])
    corpus.add(folder, processes=1, limits=limits)
    assert started == [limits]  # for the metadata: no other file is new


# --- bombs -----------------------------------------------------------------------------------------------------------


def aliases(levels: int = 9) -> str:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]" for n in range(levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "front",
    [aliases(), f"title: &t {'x' * 50_000}\ntenant: [{', '.join(['*t'] * 9_000)}]", "b: &b [*b]",
     "tenant: " + "[" * 300 + "]" * 300, "- " * 40_000 + "x", "x: &a {}\n<<: *a"],
    ids=["aliases of aliases", "a long text", "itself", "brackets", "dashes", "merged"],
)  # fmt: skip
def test_front_matter_stands_for_no_more_than_it_writes(corpus: Corpus, folder: Path, front: str) -> None:
    (folder / "bomb.md").write_text(f"---\n{front}\n---\n\nText of the bomb.\n", "utf-8")
    assert told(corpus.add(folder, processes=1)) == {"bomb.md": "metadata"}
    assert has(corpus, "Byron")


@pytest.mark.parametrize("unit", ["", " kg", " EUR", " weeks"])
@pytest.mark.parametrize("digits", [99, 101, 400, 5_000])
def test_a_number_that_no_index_holds_is_no_amount(corpus: Corpus, folder: Path, digits: int, unit: str) -> None:
    (folder / "number.md").write_text(f"Weight: {'9' * digits}{unit}\n\nTotal: {unit} {'9' * digits}\n", "utf-8")
    assert corpus.add(folder, processes=1).added >= 1
    assert has(corpus, "Byron")


ENTITIES = (
    '<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "aaaaaaaaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 16}">' for n in range(9))
    + "]>"
)
OUTER = '<?xml version="1.0"?><!DOCTYPE b [<!ENTITY j SYSTEM "file:///etc/passwd">]>'


def packed(path: Path, like: Path, part: str, change: Callable[[str], str]) -> Path:
    with zipfile.ZipFile(like) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, change(data.decode()).encode() if name == part else data)
    return path


@pytest.mark.parametrize("head", [ENTITIES, OUTER], ids=["expanded", "outer"])
@pytest.mark.parametrize(
    ("kind", "part", "text"),
    [("docx", "word/document.xml", "Wait 15"), ("pptx", "ppt/slides/slide1.xml", "The results"),
     ("xlsx", "xl/sharedStrings.xml", "Part 7<"), ("xlsx", "xl/worksheets/sheet1.xml", "<v>0")],
)  # fmt: skip
def test_entities_of_an_office_file_are_not_expanded(
    tmp_path: Path, kind: str, part: str, text: str, head: str
) -> None:
    make = {"docx": files.word, "pptx": files.slides, "xlsx": files.sheet}[kind]
    good = make(tmp_path / f"good.{kind}")

    def change(xml: str) -> str:
        assert text in xml
        body = xml.partition("?>")[2] if xml.startswith("<?xml") else xml
        return head + body.replace(text, f"{text[:-1]}&j;{text[-1]}", 1)

    bomb = packed(tmp_path / f"bomb.{kind}", good, part, change)
    found = work._result(Reader(), Task(bomb, bomb.name, "papers"), Limits(characters=100_000))
    texts = [] if isinstance(found, Unreadable) else [one.text for one in found.passages]
    assert not any("root:" in one or "aaaa" in one for one in texts)


DEAR = {
    "elements in elements": ("html", "<html>" + "<div>" * 50_000 + "deep", "too_long"),
    "many addressees": ("eml", f"From: a@b.org\nTo: {'a@b.org, ' * 50_000}\nSubject: Roof\nDate: x\n\nNew.\n", ""),
    "a long date": ("eml", f"From: a@b.org\nTo: c@d.org\nSubject: Roof\nDate: {'(' * 50_000}\n\nIt is new.\n", ""),
}


@pytest.mark.parametrize("kind", DEAR)
def test_what_a_parser_takes_minutes_for_is_not_given_to_it(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending, text, reason = DEAR[kind]
    path = tmp_path / f"a.{ending}"
    path.write_text(text, "utf-8")
    monkeypatch.setattr("qlc.corpus.readers.web.LexborHTMLParser", bounded("qlc.corpus.readers.web.LexborHTMLParser"))
    for name in ("get_address_list", "parse_mime_version", "get_unstructured"):
        place = f"email._header_value_parser.{name}"
        monkeypatch.setattr(place, bounded(place))
    found = work._result(Reader(), Task(path, path.name, "papers"), Limits())
    assert getattr(found, "reason", "") == reason


def bounded(place: str) -> Callable[[str], object]:
    """A parser that fails the test where it is given much."""
    parser = pkgutil.resolve_name(place)

    def parse(text: str) -> object:
        assert len(text) < 50_000
        return parser(text)

    return parse


LONG = {
    "a word in a passage": lambda: _unhyphenated("a" * 2_000_000) == "",
    "a word in a label": lambda: words("a" * 2_000_000) == ("a" * 2_000_000,),
    "numbers in a line": lambda: len(quantities("12, " * 50_000, Style())) == 50_000,
}


@pytest.mark.parametrize("name", LONG)
def test_the_time_for_a_long_text_grows_as_its_length(name: str) -> None:
    """Each of them would take hours if every character was compared with every other."""
    assert LONG[name]()


REPEATED: dict[str, Callable[[int], str]] = {
    "heading.md": lambda size: f"# {'h ' * size}\n\n" + "A sentence that is long enough to count.\n\n" * size,
    "heads.html": lambda size: f"<table><tr><th>{'name ' * size}<th>b</tr>{'<tr><td>1<td>2</tr>' * size}</table>",
}


@pytest.mark.parametrize("name", REPEATED)
def test_a_long_first_line_is_not_kept_with_every_passage(tmp_path: Path, name: str) -> None:
    def kept(size: int) -> int:
        (tmp_path / name).write_text(REPEATED[name](size), "utf-8")
        found = work._result(Reader(), Task(tmp_path / name, name, "papers"), Limits())
        return sum(len(one.text) + len(one.head) + sum(map(len, one.section)) for one in found.passages)

    assert kept(4_000) < 3 * kept(2_000)
