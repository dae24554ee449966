"""`qlc lsp`, asked through the protocol as an editor does, and the extension for VS Code."""

import json
import re
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import BaseLanguageClient

from qlc import catalogs
from qlc.cli.lsp_programs import programs_in
from scripts import textmate
from tests.docs.pages import ROOT, blocks
from tests.tables import rows


class Editor(BaseLanguageClient):
    """An editor with one file: it keeps what the server says of it."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.found: dict[str, list[types.Diagnostic]] = {}

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(given: types.PublishDiagnosticsParams) -> None:
            self.found[given.uri] = list(given.diagnostics)

    def write(self, path: Path, text: str) -> types.TextDocumentIdentifier:
        path.write_text(text, encoding="utf-8")
        uri = path.as_uri()
        self.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "qlc", 1, text)))
        return types.TextDocumentIdentifier(uri)


@pytest.fixture
async def editor(tmp_path: Path) -> AsyncIterator[Editor]:
    shutil.copy(catalogs.path("drive"), tmp_path / "drive.yaml")
    editor = Editor()
    await editor.start_io(sys.executable, "-m", "qlc", "lsp", "--catalog", str(tmp_path / "drive.yaml"), "--mapping",
                          str(catalogs.mapping_path("drive")), cwd=str(ROOT))  # fmt: skip
    await editor.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))
    yield editor
    await editor.shutdown_async(None)
    editor.exit(None)
    assert editor._server is not None
    assert await editor._server.wait() == 0
    await editor.stop()


def applied(text: str, edits: Any) -> str:
    lines = text.split("\n")

    def offset(at: types.Position) -> int:
        before = sum(len(line) + 1 for line in lines[: at.line])
        units = lines[at.line].encode("utf-16-le")[: 2 * at.character]
        return before + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda one: offset(one.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


async def said_of(editor: Editor, file: types.TextDocumentIdentifier) -> list[types.Diagnostic]:
    """Return the diagnostics of a file: a request after it opened is answered after they were sent."""
    await editor.text_document_formatting_async(types.DocumentFormattingParams(file, types.FormattingOptions(4, True)))
    return editor.found[file.uri]


@pytest.mark.parametrize(("name", "text", "column"), rows(__file__, "MISTAKES"))
async def test_a_mistake_has_its_place_and_its_fix(
    editor: Editor, tmp_path: Path, name: str, text: str, column: int
) -> None:
    file = editor.write(tmp_path / name, text)
    (found,) = await said_of(editor, file)
    assert (found.code, found.message) == ("unknown-field", "documents have no field 'tpye'; did you mean 'type'?")
    assert (found.range.start, found.range.end) == (types.Position(1, column), types.Position(1, column + 4))  # UTF-16
    context = types.CodeActionContext([found])
    actions = await editor.text_document_code_action_async(types.CodeActionParams(file, found.range, context))
    assert actions is not None
    repaired = {applied(text, one.edit.changes[file.uri]) for one in actions}  # type: ignore[union-attr, index]
    assert text.replace("tpye", "type") in repaired
    assert len({one.title for one in actions}) == len(actions)


async def test_completion_hover_formatting_and_definition(editor: Editor, tmp_path: Path) -> None:
    text = "find   documents where typ"
    file = editor.write(tmp_path / "a.qlc", text)
    end = types.Position(0, len(text))
    items: Any = await editor.text_document_completion_async(types.CompletionParams(file, end))
    assert items[0].label == "type"
    assert applied(text, [items[0].text_edit]) == "find   documents where type"

    text = 'find   documents where type = "Invoice"'
    file = editor.write(tmp_path / "b.qlc", text)
    place = types.Position(0, text.index("type") + 2)
    hover: Any = await editor.text_document_hover_async(types.HoverParams(file, place))
    for part in ("**type** (field)", "one of a list of values: What kind of document it is", '"Receipt"'):
        assert part in hover.contents.value
    edits = await editor.text_document_formatting_async(
        types.DocumentFormattingParams(file, types.FormattingOptions(4, True)))  # fmt: skip
    assert applied(text, edits) == 'find documents where type = "Invoice"\n'
    catalog = (tmp_path / "drive.yaml").read_text("utf-8").splitlines()
    for word in ("type", "documents"):
        at = types.Position(0, text.index(word) + 1)
        found: Any = await editor.text_document_definition_async(types.DefinitionParams(file, at))
        assert found.uri == (tmp_path / "drive.yaml").as_uri()
        line = catalog[found.range.start.line]
        assert line.strip().startswith("type:" if word == "type" else "document:")


async def test_what_is_inserted_does_not_end_a_string_of_python(editor: Editor, tmp_path: Path) -> None:
    text = 'from qlc import compile_and_run as ask\nqlc.compile_and_run("find documents where type = ", compiler)\n'
    file = editor.write(tmp_path / "a.py", text)
    place = types.Position(1, text.splitlines()[1].index('", compiler'))
    items: Any = await editor.text_document_completion_async(types.CompletionParams(file, place))
    assert applied(text, [items[0].text_edit]).splitlines()[1].startswith(f'{text.splitlines()[1][:49]}\'')
    hover: Any = await editor.text_document_hover_async(
        types.HoverParams(file, types.Position(1, text.splitlines()[1].index("type"))))  # fmt: skip
    assert "**type** (field)" in hover.contents.value


async def test_programs_of_cases_go_by_their_own_catalog(editor: Editor, tmp_path: Path) -> None:
    text = blocks("docs/testing.md", "yaml")[0].replace("price > 4", "prise > 4")
    file = editor.write(tmp_path / "things.qlc.yaml", text)
    (found,) = await said_of(editor, file)
    line = text.splitlines()[found.range.start.line]
    assert line[found.range.start.character : found.range.end.character] == "prise"
    assert "did you mean 'price'" in found.message


async def test_a_file_that_cannot_be_used_says_why(editor: Editor, tmp_path: Path) -> None:
    text = "catalog: none.yaml\ndata: store\ncases:\n  - {run: count things, value: 1}\n"
    file = editor.write(tmp_path / "bad.qlc.yaml", text)
    (found,) = await said_of(editor, file)
    assert "none.yaml" in found.message


def test_only_programs_of_cases_are_read() -> None:
    text = ("index: a\ncases:\n  - {run: 'count a', value: 1}\n"
            "  - question: x\n    answer: \"count b\"\n    program: count c\n")  # fmt: skip
    found = programs_in("x.qlc.yaml", text)
    assert [one.text for one in found] == ["count a", "count b", "count c"]
    assert all(text.startswith(one.text, one.start) for one in found)
    assert programs_in("x.qlc.yaml", "cases: [") == programs_in("x.qlc", " \n") == []


@pytest.mark.parametrize(("code", "found"), rows(__file__, "IN_PYTHON"))
def test_programs_in_python_are_strings_that_qlc_is_given(code: str, found: list[str]) -> None:
    source = f"import re, qlc\n{code}\n"
    programs = programs_in("x.py", source)
    assert [one.text if one.is_certain else "perhaps " + one.text for one in programs] == found
    assert all(source.startswith(one.text, one.start) for one in programs)
    assert programs_in("x.py", source.replace(", qlc", "")) == []


def test_the_highlighting_is_that_of_the_grammar() -> None:
    """If not: python scripts/textmate.py"""
    found = json.loads(textmate.PATH.read_text("utf-8"))
    assert found == textmate.grammar()
    scopes = {one["name"]: re.compile(one["match"]) for one in found["patterns"]}
    for name, text in (("keyword.other.qlc", "find"), ("string.quoted.qlc", '"a"'), ("constant.numeric.qlc", "5"),
                       ("comment.line.double-dash.qlc", "-- why"), ("variable.parameter.qlc", "$me")):  # fmt: skip
        assert scopes[name].match(text), name


def test_the_extension_names_files_that_exist() -> None:
    folder = ROOT / "editors/vscode"
    package = json.loads((folder / "package.json").read_text("utf-8"))
    (language,), (grammar,) = package["contributes"]["languages"], package["contributes"]["grammars"]
    for name in (package["main"], language["configuration"], grammar["path"]):
        assert (folder / name).is_file()
    assert package["contributes"]["configuration"]["properties"]["qlc-lsp.command"]["default"] == ["qlc", "lsp"]
