"""The fields of a PDF form (AcroForm; ISO 32000-1, 12.7), whose values are not in the text of a page."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pypdfium2
from pypdfium2 import raw

from .runs import Box, Run

TICKED, NOT_TICKED = "☒", "☐"
"""Check boxes and radio buttons as characters."""
_UNSEEN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
_HEIGHT = 12.0
"""Height in points of a filled line without text beside the field."""
Turned = Callable[[float, float, float, float], Box]


def open_form(document: pypdfium2.PdfDocument) -> None:
    """Prepare the form of a document before its first page is loaded. A broken form is ignored."""
    try:
        document.init_forms()
    except pypdfium2.PdfiumError:
        document.formenv = None


def form_runs(
    document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, turned: Turned, near: Sequence[Run]
) -> list[Run]:
    """Return the values of a page's form fields, at their places: `Ada`, ☒, ☐. `near` is the text around them.

    Hidden fields and passwords are left out, since they are not shown.
    """
    if document.formenv is None:
        return []
    form, box = document.formenv.raw, raw.FS_RECTF()
    runs: list[Run] = []
    for at in range(raw.FPDFPage_GetAnnotCount(page)):
        field = raw.FPDFPage_GetAnnot(page, at)
        if not field:
            continue
        is_field = raw.FPDFAnnot_GetSubtype(field) == raw.FPDF_ANNOT_WIDGET
        if is_field and not raw.FPDFAnnot_GetFlags(field) & _UNSEEN and raw.FPDFAnnot_GetRect(field, box):
            text = _shown(form, field)
            runs += _lines(text, turned(box.left, box.bottom, box.right, box.top), near)
        raw.FPDFPage_CloseAnnot(field)
    return runs


def _shown(form: Any, field: Any) -> str:
    """Return the value of a field as the page shows it: for a list, the labels of the chosen options."""
    kind = raw.FPDFAnnot_GetFormFieldType(form, field)
    if kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON):
        return TICKED if raw.FPDFAnnot_IsChecked(form, field) else NOT_TICKED
    if kind in (raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
        options = range(max(raw.FPDFAnnot_GetOptionCount(form, field), 0))
        chosen = [one for one in options if raw.FPDFAnnot_IsOptionSelected(form, field, one)]
        labels = [
            _text(lambda into, size, at=one: raw.FPDFAnnot_GetOptionLabel(form, field, at, into, size))  # type: ignore[misc]
            for one in chosen
        ]
        return ", ".join(labels) or _value(form, field)
    is_secret = raw.FPDFAnnot_GetFormFieldFlags(form, field) & raw.FPDF_FORMFLAG_TEXT_PASSWORD
    return _value(form, field) if kind == raw.FPDF_FORMFIELD_TEXTFIELD and not is_secret else ""


def _value(form: Any, field: Any) -> str:
    return _text(lambda into, size: raw.FPDFAnnot_GetFormFieldValue(form, field, into, size))


def _text(read: Callable[[Any, int], int]) -> str:
    """Read a text of PDFium, which returns the number of bytes of UTF-16 that it needs."""
    size = read(None, 0)
    into = ctypes.create_string_buffer(size)
    read(ctypes.cast(into, ctypes.POINTER(raw.FPDF_WCHAR)), size)
    return into.raw[: max(size - 2, 0)].decode("utf-16-le", errors="replace")


def _lines(text: str, box: Box, near: Sequence[Run]) -> Iterator[Run]:
    """Yield the lines of a value, the first at the height of the text beside the field, mostly its label."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    lines = [line for line in lines if line]
    left, bottom, right, top = box
    beside = [run for run in near if bottom <= run.middle <= top]
    label = min(beside, key=lambda run: abs(run.right - left), default=None)
    height = min(_HEIGHT, (top - bottom) / max(len(lines), 1)) if label is None else label.top - label.bottom
    above = top if len(lines) > 1 else (top + bottom + height) / 2
    above = above if label is None else label.top
    for at, line in enumerate(lines):
        level = above - at * height
        end = max(left + 1, min(right, left + 0.6 * height * len(line)))
        yield Run(left, level - height, end, level, line, height * 0.85 if label is None else label.size, False)
