"""Every tool call of a model is validated against the schema that was published with the tool, within bounds."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from qlc import Asker, Compiler
from qlc.answers.model import forms
from qlc.corpus.extraction import request_of
from qlc.corpus.values.fields import Wanted
from qlc.corpus.values.model import Excerpt, ForModel
from qlc.language.quantities import Style
from qlc.models.doubles import ScriptedModel
from qlc.models.excess import MOST_CHARACTERS, MOST_LEVELS, MOST_VALUES
from qlc.models.exchange import ModelReply, Tool, ToolUse
from qlc.models.tool_input import WrongUse, used_tool
from qlc.translator.model import ModelTranslator, narrator, proposals
from qlc.translator.model.prompt import FIND_FIELDS, TOOLS

from .conftest import NOW

WANTED = [Wanted("party", "name"), Wanted("items", "rows", columns=(Wanted("what", "text"),))]
EXTRACTION = request_of(WANTED, ForModel((Excerpt(1, 0, "x"),), Style(), True)).tools
ALL = (*TOOLS, FIND_FIELDS, narrator.TOOL, proposals._TOOL, forms.ROUTE, forms.PLAN, forms.WRITE, forms.JUDGE,
       *forms.SEARCHING, *EXTRACTION)  # fmt: skip
SAMPLES: dict[str, Any] = {"string": "text", "integer": 1, "number": 1.5, "boolean": True, "null": None}


def problem(given: Any, tool: Tool, *others: Tool) -> str:
    with pytest.raises(WrongUse) as wrong:
        used_tool(ModelReply((ToolUse(tool.name, given),)), (tool, *others))
    return str(wrong.value)


def resolved(part: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    return schema["$defs"][part["$ref"].rpartition("/")[2]] if "$ref" in part else part


def sample(part: dict[str, Any], schema: dict[str, Any]) -> Any:
    """A value of a schema: of the forms that tools use, the smallest."""
    part = resolved(part, schema)
    if "enum" in part:
        return part["enum"][0]
    if "const" in part:
        return part["const"]
    if "anyOf" in part:
        return sample(part["anyOf"][0], schema)
    kind = part.get("type", "string")
    kind = kind if isinstance(kind, str) else kind[0]
    if kind == "object":
        return {name: sample(one, schema) for name, one in part["properties"].items()}
    if kind == "array":
        return [sample(part["items"], schema)] * max(1, part.get("minItems", 1))
    return max(SAMPLES[kind], part["minimum"]) if "minimum" in part else SAMPLES[kind]


def places(part: dict[str, Any], schema: dict[str, Any], path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of all parts of a sample that have a type."""
    part = resolved(part, schema)
    if part.get("type") == "object":
        for name, one in part["properties"].items():
            if one.keys() & {"type", "enum", "$ref", "const"}:
                yield (*path, name)
                yield from places(one, schema, (*path, name))
    elif part.get("type") == "array":
        yield from places(part["items"], schema, (*path, 0))


def schema_of(tool: Tool) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(dict(tool.schema)))
    return found


@pytest.mark.parametrize("tool", ALL, ids=lambda tool: tool.name)
def test_a_schema_is_valid_and_refers_to_itself_only(tool: Tool) -> None:
    Draft202012Validator.check_schema(schema_of(tool))
    references = [part["$ref"] for part in _parts(schema_of(tool)) if "$ref" in part]
    assert [one for one in references if not one.startswith("#/$defs/")] == []


def _parts(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
    for one in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _parts(one)


@pytest.mark.parametrize("tool", ALL, ids=lambda tool: tool.name)
def test_an_input_that_fits_is_returned(tool: Tool) -> None:
    given = sample(schema_of(tool), schema_of(tool))
    assert used_tool(ModelReply((ToolUse(tool.name, given),)), (tool,)).input is given


WRONG = [(tool, path) for tool in ALL for path in places(schema_of(tool), schema_of(tool))]


@pytest.mark.parametrize(("tool", "path"), WRONG, ids=[f"{tool.name}-{path}" for tool, path in WRONG])
def test_a_wrong_value_is_reported_with_its_path(tool: Tool, path: tuple[Any, ...]) -> None:
    given = json.loads(json.dumps(sample(schema_of(tool), schema_of(tool))))
    at = given
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = {"not": "that"}
    where = "$" + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
    assert problem(given, tool).startswith(f"the input of {tool.name} is wrong at {where}: {{'not': 'that'}} is ")


@pytest.mark.parametrize("tool", ALL, ids=lambda tool: tool.name)
def test_what_is_required_is_reported_by_name(tool: Tool) -> None:
    for name in tool.schema["required"]:
        given = sample(schema_of(tool), schema_of(tool))
        del given[name]
        assert problem(given, tool) == f"the input of {tool.name} is wrong at $: '{name}' is a required property"


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (ModelReply(text="No."), "there was no use of a tool; answer with one of: submit_query, decline"),
        (ModelReply((ToolUse("run", {}),)), "there is no tool 'run'; the tools are: submit_query, decline"),
        (ModelReply((ToolUse("find_fields", {"words": "x"}),)), "there is no tool 'find_fields'"),
        (ModelReply((ToolUse("decline", {"reason": "unclear"}),), stop="max_tokens"), "the answer was cut off"),
        (ModelReply((ToolUse("submit_query", "text"),)), "wrong at $: 'text' is not of type 'object'"),
    ],
)
def test_a_reply_without_a_use_of_a_published_tool_is_reported(reply: ModelReply, told: str) -> None:
    tools = [tool for tool in TOOLS if tool.name in ("submit_query", "decline")]
    with pytest.raises(WrongUse, match=told.replace("$", r"\$")):
        used_tool(reply, tools)


def nested(levels: int) -> Any:
    value: Any = 1
    for number in range(levels):
        value = [value] if number % 2 else {"a": value}
    return value


HOSTILE = {
    "deep": (nested(200_000), f"more than {MOST_LEVELS} levels"),
    "wide": ({"program": [1] * 2_000_000}, f"more than {MOST_VALUES} keys"),
    "many keys": ({str(n): n for n in range(200_000)}, f"more than {MOST_VALUES} keys"),
    "wide and deep": ([[[1] * 50] * 50] * 50, f"more than {MOST_VALUES} keys"),
    "half a character": ({"program": "find \ud800"}, "not valid Unicode"),
    "a long text": ({"program": "x" * 5_000_000}, f"more than {MOST_CHARACTERS} characters"),
    "a long key": ({"program": "x", "y" * 5_000_000: 1}, f"more than {MOST_CHARACTERS} characters"),
    "a long program": ({"program": "x" * 30_000}, "is too long"),
    "many wrong items": ({"question": "?", "options": [7] * 15_000}, "wrong at $.options"),
    "unknown keys": ({"program": "x", **{f"k{n}": 1 for n in range(9_000)}}, "wrong at $: Additional properties"),
    "an enormous number": ({"program": 10**4_000}, "is not of type 'string'"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_input_is_refused_in_a_short_sentence(name: str) -> None:
    given, told = HOSTILE[name]
    used = "ask_user" if "items" in name else "submit_query"
    found = problem(given, next(tool for tool in TOOLS if tool.name == used))
    assert told in found
    assert len(found) < 500


def test_the_errors_that_are_compared_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the wrong values of a list has an error of its own."""
    made = 0
    error = Draft202012Validator.VALIDATORS["type"]

    def counted(*arguments: Any) -> Iterator[Any]:
        nonlocal made
        for one in error(*arguments):
            made += 1
            yield one

    monkeypatch.setitem(Draft202012Validator.VALIDATORS, "type", counted)
    problem({"entities": [7] * 490, "fields": [7] * 490, "conditions": [], "examples": []}, proposals._TOOL)
    assert 0 < made <= 100


def test_the_repair_round_sends_the_error_back(compiler: Compiler) -> None:
    good = {"program": "find books where long", "label": "Long"}
    wrong = ToolUse("ask_user", {"question": "?", "options": [good, {**good, "label": 7}]})
    model = ScriptedModel([ModelReply((wrong,)), "find books where long"])
    assert Asker(compiler, (ModelTranslator(model),)).ask("thick", read_as="words", now=NOW).ids == ["B0"]
    told = json.loads(model.requests[1].messages[-1]["content"][0]["content"])
    assert told == {
        "accepted": False, "problem": "the input of ask_user is wrong at $.options[1].label: 7 is not of type 'string'"
    }  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_input_costs_a_round_and_is_not_sent_back(compiler: Compiler, name: str) -> None:
    model = ScriptedModel([ModelReply((ToolUse("submit_query", HOSTILE[name][0]),)), "find books where long"])
    assert Asker(compiler, (ModelTranslator(model),)).ask("thick", read_as="words", now=NOW).ids == ["B0"]
    sent = model.requests[1].messages[1]["content"][0]["input"]
    assert sent == {} or "more than" not in HOSTILE[name][1]
