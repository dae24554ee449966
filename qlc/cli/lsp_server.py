"""The protocol of `qlc lsp`, by pygls: positions, and messages. The answers are made in qlc/cli/lsp_service.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from qlc.base.errors import QlcError
from qlc.cli.lsp_programs import Embedded, programs_in
from qlc.cli.lsp_service import Compilers, Service, definition_in, formatted, name_at, problem_of

T = TypeVar("T")
_OfPosition = types.CompletionParams | types.HoverParams | types.DefinitionParams
_KINDS = {
    "field": types.CompletionItemKind.Field, "entity": types.CompletionItemKind.Class,
    "value": types.CompletionItemKind.Value, "name": types.CompletionItemKind.Constant,
}  # fmt: skip


def server_of(compilers: Compilers, version: str) -> LanguageServer:
    server = LanguageServer("qlc", version)
    answers = _Answers(server, compilers)
    feature = server.feature  # it marks what it is given, which a method does not allow
    feature(types.TEXT_DOCUMENT_DID_OPEN)(partial(answers.changed))
    feature(types.TEXT_DOCUMENT_DID_CHANGE)(partial(answers.changed))
    feature(types.TEXT_DOCUMENT_DID_SAVE)(partial(answers.saved))
    by_typing = types.CompletionOptions(trigger_characters=[" ", ".", '"'])
    feature(types.TEXT_DOCUMENT_COMPLETION, by_typing)(answers.at(answers.complete))
    feature(types.TEXT_DOCUMENT_HOVER)(answers.at(answers.hover))
    fixes = types.CodeActionOptions([types.CodeActionKind.QuickFix])
    feature(types.TEXT_DOCUMENT_CODE_ACTION, fixes)(partial(answers.repair))
    feature(types.TEXT_DOCUMENT_FORMATTING)(partial(answers.lay_out))
    feature(types.TEXT_DOCUMENT_DEFINITION)(answers.at(answers.definition))
    return server


class _Answers:
    """Answers to the messages of an editor."""

    def __init__(self, server: LanguageServer, compilers: Compilers) -> None:
        self.server, self.compilers = server, compilers

    def changed(self, given: types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams) -> None:
        self._check(given.text_document.uri)

    def saved(self, given: types.DidSaveTextDocumentParams) -> None:
        self.compilers.forget(Path(self._document(given.text_document.uri).path))
        for uri in list(self.server.workspace.text_documents):
            self._check(uri)

    def at(self, answer: Callable[[TextDocument, Embedded, int], T]) -> Callable[[_OfPosition], T | None]:
        """Return a handler that gives a function the program at a position and the offset in it; None elsewhere."""

        def handler(given: _OfPosition) -> T | None:
            document = self._document(given.text_document.uri)
            offset = document.offset_at_position(given.position)
            for program in programs_in(document.path, document.source):
                if program.start <= offset <= program.start + len(program.text):
                    with suppress(QlcError):
                        return answer(document, program, offset - program.start)
            return None

        return handler

    def complete(self, document: TextDocument, program: Embedded, offset: int) -> list[types.CompletionItem]:
        candidates = self._service(document).compiler.complete(program.text, offset)
        return [
            types.CompletionItem(
                label=text, kind=_KINDS.get(one.kind, types.CompletionItemKind.Keyword), detail=one.detail or None,
                sort_text=f"{number:04}", filter_text=program.text[one.start : offset] + text,
                text_edit=types.TextEdit(_range(document, program.start + one.start, program.start + offset), text),
            )
            for number, one in enumerate(candidates) if (text := program.fitted(one.text)) is not None
        ]  # fmt: skip

    def hover(self, document: TextDocument, program: Embedded, offset: int) -> types.Hover | None:
        said = self._service(document).hover(program.text, offset)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, said)) if said else None

    def repair(self, given: types.CodeActionParams) -> list[types.CodeAction]:
        document = self._document(given.text_document.uri)
        first, last = (document.offset_at_position(one) for one in (given.range.start, given.range.end))
        return [
            types.CodeAction(title, kind=types.CodeActionKind.QuickFix, edit=types.WorkspaceEdit({
                document.uri: [types.TextEdit(_range(document, start, end), text)],
            }))
            for title, start, end, text in dict.fromkeys(self._fixes(document, first, last))
        ]  # fmt: skip

    def lay_out(self, given: types.DocumentFormattingParams) -> list[types.TextEdit]:
        document = self._document(given.text_document.uri)
        edits = []
        for program in programs_in(document.path, document.source):
            text = formatted(program.text)
            if document.path.endswith(".qlc"):
                text = text and f"{text}\n"
            elif text is not None:
                text = None if "\n" in text else program.fitted(text)
            if text is not None and text != program.text:
                edits.append(types.TextEdit(_range(document, program.start, program.start + len(program.text)), text))
        return edits

    def definition(self, document: TextDocument, program: Embedded, offset: int) -> types.Location | None:
        word, catalog = name_at(program.text, offset), self.compilers.catalog(Path(document.path))
        if word is None or catalog is None:
            return None
        shown = self._document(catalog.resolve().as_uri())
        place = definition_in(shown.source, self._service(document).declared(word[1]))
        return None if place is None else types.Location(shown.uri, _range(shown, place, place))

    def _document(self, uri: str) -> TextDocument:
        return self.server.workspace.get_text_document(uri)

    def _service(self, document: TextDocument) -> Service:
        return Service(self.compilers.of(Path(document.path)))

    def _check(self, uri: str) -> None:
        document = self._document(uri)
        found: list[types.Diagnostic] = []
        try:
            for program in programs_in(document.path, document.source):
                for one in self._service(document).diagnostics(program.text) if program.is_certain else ():
                    start, end = one.span if one.span.start >= 0 else (0, len(program.text))
                    found.append(types.Diagnostic(
                        range=_range(document, program.start + start, program.start + end), code=one.code, source="qlc",
                        message=one.message + (f"; {one.hint}" if one.hint else ""),
                        severity=_SEVERITIES.get(one.severity, types.DiagnosticSeverity.Information),
                    ))  # fmt: skip
        except QlcError as problem:
            found = [types.Diagnostic(range=_range(document, 0, 0), source="qlc", message=problem_of(problem))]
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found))

    def _fixes(self, document: TextDocument, first: int, last: int) -> Iterator[tuple[str, int, int, str]]:
        """Return the repairs of the mistakes that a range of a document touches."""
        known = self._service(document)
        for program in programs_in(document.path, document.source):
            start = program.start
            for one in known.diagnostics(program.text):
                if start + one.span.start <= last and first <= start + one.span.end:
                    for name, a, b, new in known.fixes(program.text, one):
                        if (text := program.fitted(new)) is not None:
                            yield name, start + a, start + b, text


_SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}


def _range(document: TextDocument, start: int, end: int) -> types.Range:
    return types.Range(_position(document, start), _position(document, end))


def _position(document: TextDocument, offset: int) -> types.Position:
    """Return the line and the column of an offset; columns are counted as the client does, by default in UTF-16."""
    before = document.source[:offset]
    line = before.rpartition("\n")[2]
    return types.Position(before.count("\n"), document.position_codec.client_num_units(line))
