"""Libraries that are not loaded before a call needs them: by imports, by the objects of the API, by a small command."""

import re
import subprocess
import sys

import pytest

from tests.docs.pages import ROOT
from tests.tables import table

LATER = (
    "PIL", "docx", "fastapi", "jsonschema", "jwt", "langchain_core", "langgraph", "langsmith", "limits", "mcp",
    "mcp_types", "onnxruntime", "openai", "openpyxl", "pint", "pptx", "pypdfium2", "qlc.service",
    "selectolax", "starlette", "tokenizers", "uvicorn",
)  # fmt: skip
PROGRAM = table(__file__, "PROGRAM")


def test_what_only_later_calls_need_is_imported() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout == "count x\n[]\n"


OF_EXTRAS = {
    "corpus": ("docx", "markdown_it", "openpyxl", "pint", "pptx", "pypdfium2", "selectolax"),
    "chart": ("rich",), "semantic": ("onnxruntime", "tokenizers"), "tables": ("pyarrow", "python_calamine"),
    "ocr": ("PIL",), "lsp": ("pygls",),
    "openai": ("openai",), "anthropic": ("anthropic",), "mcp": ("mcp",), "langgraph": ("langgraph", "langchain_core"),
}  # fmt: skip
SERVICE = table(__file__, "SERVICE")


def test_the_service_and_the_command_line_need_no_other_extra() -> None:
    blocked = " ".join(one for modules in OF_EXTRAS.values() for one in modules)
    ended = subprocess.run([sys.executable, "-c", SERVICE, blocked], capture_output=True, text=True, timeout=120,
                           check=False)  # fmt: skip
    assert (ended.returncode, ended.stdout) == (0, "1\n"), ended.stderr


@pytest.mark.parametrize("package", ["", "mapping", "outcome", "pasted", "pipeline", "service", "store"])
def test_a_type_checker_does_not_take_any_name_of_a_package_for_there(package: str) -> None:
    """A `__getattr__` that checkers see lets `from qlc.outcome import Aggregate` pass, which fails when it runs."""
    source = (ROOT / "qlc" / package / "__init__.py").read_text("utf-8")
    assert re.search(r"^(def )?__getattr__", source, re.MULTILINE) is None
