"""Libraries that are not loaded before a call needs them: by imports, by the objects of the API, by a small command."""

import subprocess
import sys

LATER = (
    "PIL", "docx", "fastapi", "jsonschema", "jwt", "langchain_core", "langgraph", "langsmith", "limits", "mcp",
    "mcp_types", "onnxruntime", "openai", "openpyxl", "pint", "pptx", "pypdfium2", "qlc.service",
    "selectolax", "starlette", "tokenizers", "uvicorn",
)  # fmt: skip
PROGRAM = f"""
import sys
import qlc, qlc.agents.mcp, qlc.answers.corpora, qlc.answers.model.forms, qlc.cli.main, qlc.conversation
import qlc.corpus.extraction, qlc.outcome.export, qlc.outcome.reply, qlc.translator.model.proposals
from qlc.models.openai_model import OpenAIModel
qlc.Compiler, qlc.Conversation, qlc.Corpus, qlc.AsyncCorpus
qlc.cli.main.parser()
qlc.cli.main.main(["fmt", "count x"])
OpenAIModel("small", base_url="http://localhost:1/v1")
print([name for name in {LATER} if name in sys.modules])
"""


def test_what_only_later_calls_need_is_imported() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout == "count x\n[]\n"
