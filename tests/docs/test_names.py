"""Pages and messages name only existing modules, classes, commands and options."""

import argparse
import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import qlc
from qlc.answers.trace import Checked
from qlc.cli.main import parser
from qlc.conversation.working import Joined
from qlc.mapping.catalog_model import EntityPart
from qlc.outcome import Note
from qlc.telemetry import names as reported
from tests.docs.pages import ROOT, text

SOURCE = Path(qlc.__file__).parent
PAGES = ["README.md", "CHANGELOG.md", *(f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md")))]
REPORTED = {one for one in vars(reported).values() if isinstance(one, str)} | reported.METRICS.keys()
LOGGERS = {"qlc.model", "qlc.turn", "qlc.yaml", *(one for one in REPORTED if one.startswith("qlc."))}
"""Names that look like modules: of a log, a span, an attribute, a metric, or the end of a file name."""

DEEPER = ("qlc.base", "qlc.cli", "qlc.models", "qlc.translator.", "qlc.conversation.stores.", "qlc.corpus")
"""Packages that a page imports by their full name."""

# Only packages are imported anew for each name: what binds a module to its package is their doing, and takes no time.
RESOLVE = f"""
import importlib, sys
for dotted in sys.argv[1:]:
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "qlc" and hasattr(module, "__path__"):
            del sys.modules[name]
    import qlc
    try:
        found = qlc
        for part in dotted.split(".")[1:]:
            known = hasattr(found, part) or not dotted.startswith({DEEPER!r})
            found = getattr(found, part) if known else importlib.import_module(found.__name__ + "." + part)
    except (AttributeError, ImportError) as problem:
        print(dotted, problem)
"""


def dotted_names() -> list[str]:
    """The names that the pages write with dots, of those with the same beginning the longest."""
    found = {one for page in PAGES for one in re.findall(r"\bqlc(?:\.[A-Za-z_]+)+", text(page))}
    found -= {*LOGGERS, "qlc.lark"}
    return sorted(one for one in found if not any(other.startswith(f"{one}.") for other in found))


def unresolved(names: list[str]) -> str:
    """Return the names that do not exist after a plain import, each with the reason."""
    return python(RESOLVE, *dict.fromkeys(names))


def python(code: str, *arguments: str) -> str:
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True).stdout


def test_what_pages_name_is_there_after_a_plain_import() -> None:
    assert unresolved(dotted_names()) == ""


def test_and_the_import_loads_nothing_of_it() -> None:
    code = "import sys, qlc; print([name for name in sys.modules if name.startswith('qlc')])"
    few = ["qlc.base", *(f"qlc.base.{name}" for name in ("import_path", "lazy", "old_paths", "version"))]
    assert python(code).strip() == str([*few, "qlc_search", "qlc"])


def test_what_is_not_there_is_an_error() -> None:
    for place, name in ((qlc, "outcomes"), (qlc.mapping, "draught"), (qlc.pasted, "doors")):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
            getattr(place, name)


# --- words -----------------------------------------------------------------------------------------------------------

READ = [*PAGES, "ARCHITECTURE.md", "qlc_engine/README.md", "benchmarks/README.md"]
COINED = re.compile(
    r"(?<![\w/-])(?:doors?|endings?|slips?|mend(?:s|ed|ing)?|habits?|rungs?|ladders?|helpdesk|look-ups?|behind|told"
    r"|stands?(?! for\b)|stood|back-quotes?|ask(?:s|ed)? back|questions? back"
    r"|(?<!there )(?:is|are) no (?!longer)[a-z]+)(?![\w-])",
    re.IGNORECASE,
)
"""Words that the field has another one for: entry point, error outcome, typo, fix, name resolution, lookup, after,
backtick, clarification, is not a."""

PROMPTS = re.compile(r"answers/model/|translator/model/|corpus/extraction")
"""Files with prompts. Their wording is measured with language models, and not read by people."""


def prose(page: str) -> str:
    """The page without code, and without messages, which it quotes."""
    written, _, _ = text(page).partition("\n## Reading the text\n")
    without_blocks = re.sub(r"^```.*?^```$|^    [^\n]*$", "", written, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"(`+).*?\1", "", without_blocks, flags=re.DOTALL)


@pytest.mark.parametrize("page", READ)
def test_a_page_has_the_words_of_the_field(page: str) -> None:
    assert [line for line in prose(page).splitlines() if COINED.search(line)] == []


ALLOWED = {"mended", "stands", "ending", "_endings", "_ENDINGS", "_DAY_ENDINGS"}
"""Old public names, which stay for one version, and endings of words and phrases."""


DEFINED = re.compile(r"^ *(?:async def|def|class) (\w+)|^(?: {4})?(\w+): |^(\w+) = ", re.MULTILINE)


@cache
def defined() -> dict[str, str]:
    """Return the names that the code defines (functions, classes, constants, attributes), each with one of its
    files."""
    files = sorted(one for top in (SOURCE, ROOT / "qlc_engine") for one in top.rglob("*.py"))
    return {
        name: str(file.relative_to(ROOT)) for file in files for found in DEFINED.findall(file.read_text("utf-8"))
        for name in found if name
    }


def test_the_code_has_the_words_of_the_field() -> None:
    parts = {name: re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name) for name in defined().keys() - ALLOWED}
    assert {name: defined()[name] for name, words in parts.items() if any(map(COINED.fullmatch, words))} == {}


def test_old_names_are_read() -> None:
    note = Note.model_validate({"code": "x", "severity": "error", "message": "x", "mended": "find books"})
    assert note.fixed == note.mended == "find books"
    assert "mended" not in note.model_dump()
    checked = Checked.model_validate({"claim": "x", "file": "x", "page": 1, "quote": "x", "stands": True})
    assert checked.is_verified
    assert checked.stands
    assert EntityPart.model_validate({"rungs": ["near"]}).match_steps == ("near",)
    assert Joined.model_validate({"text": "x", "told": [0]}).covered == (0,)


# --- hints -----------------------------------------------------------------------------------------------------------


@cache
def messages() -> list[tuple[str, str]]:
    """Return the texts in the code, without docstrings, each with its place."""
    found: list[tuple[str, str]] = []
    for file in sorted(SOURCE.rglob("*.py")):
        if file.name == "_tables.py":
            continue
        tree = ast.parse(file.read_text("utf-8"))
        alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                parts = [one.value if isinstance(one, ast.Constant) else "X" for one in node.values]
                found.append((f"{file.relative_to(SOURCE)}:{node.lineno}", "".join(map(str, parts))))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
                found.append((f"{file.relative_to(SOURCE)}:{node.lineno}", node.value))
    return found


def test_a_message_has_the_words_of_the_field() -> None:
    """Sentences; words of English that the rules know are in tables, in small letters or with bars."""
    sentences = [
        (place, message) for place, message in messages()
        if re.match(r"['A-Z{$]", message) and message.count(" ") >= 3 and "|" not in message
    ]
    assert [one for one in sentences if COINED.search(one[1]) and not PROMPTS.match(one[0])] == []


def commands() -> dict[str, set[str]]:
    """The commands with their options: `index`, `catalog check`."""
    found: dict[str, set[str]] = {}

    def walk(name: str, one: argparse.ArgumentParser) -> None:
        found[name] = set(one._option_string_actions)
        for action in one._actions:
            if isinstance(action, argparse._SubParsersAction):
                for word, below in action.choices.items():
                    walk(f"{name} {word}".strip(), below)

    walk("", parser())
    return found


COMMANDS = commands()
ALL_OPTIONS = set().union(*COMMANDS.values())
OF_CURL = "pasted/curl.py"


def test_no_message_names_a_command_that_there_is_not() -> None:
    wrong = []
    for place, message in messages():
        for found in re.finditer(r"['\"`/]qlc ([a-z]+)((?: [^'\"`\n]*)?)", message):
            words = [found[1], *found[2].split()]
            names = [" ".join(words[:length]) for length in (2, 1) if " ".join(words[:length]) in COMMANDS]
            has_actions = any(name.startswith(f"{found[1]} ") for name in COMMANDS)
            if not names or (has_actions and len(words) > 1 and " " not in names[0]):
                wrong.append(f"{place}: {found[0]}")
                continue
            options = {one.partition("=")[0] for one in words if one.startswith("--")}
            if options - COMMANDS[names[0]]:
                wrong.append(f"{place}: {found[0]}")
    assert wrong == []


def test_no_message_names_an_option_that_there_is_not() -> None:
    wrong = [
        f"{place}: {option}"
        for place, message in messages()
        if not place.startswith((OF_CURL, "testing/"))  # options of pytest
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", message)
        if option not in ALL_OPTIONS
    ]
    assert wrong == []


def test_no_message_names_a_part_of_the_api_that_there_is_not() -> None:
    """`qlc.connect`, `load()` and `read_only=True` in a sentence: with a space somewhere, as names alone have none."""
    wrong, named = [], list[str]()
    public = {name: getattr(qlc, name) for name in qlc.__all__}
    methods = {name for one in public.values() for name in dir(one)} | set(public)
    for place, message in messages():
        if " " not in message.strip():
            continue
        named += set(re.findall(r"\bqlc(?:\.[a-zA-Z_]+)+", message)) - LOGGERS
        wrong += [
            f"{place}: {name}()" for name in re.findall(r"(?<=')\.?([a-z_]+)\(\)", message) if name not in methods
        ]
    assert wrong == []
    assert unresolved(named) == ""


def test_the_collectors_see_what_they_are_for() -> None:
    found = dict.fromkeys(message for _, message in messages())
    assert any("'qlc index FILE --data X'" in message for message in found)
    assert any("qlc.CircuitBreaker" in message for message in found)
    assert {"catalog check", "conversation list", "index"} <= COMMANDS.keys()
    assert {"--data", "--choose"} <= ALL_OPTIONS
