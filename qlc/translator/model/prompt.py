"""Write the prompt for a question: instructions and language, catalog, then the question with its matches.

Constant parts come first, so that a provider can cache them. Texts of users and documents are string literals in
delimited parts (`qlc.models.escaping`), never in the instructions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from qlc.mapping.fields import RANGES, FieldKind
from qlc.mapping.schema import Schema
from qlc.models.escaping import literal, plain
from qlc.models.exchange import Tool
from qlc.translator.explanations import What
from qlc.translator.model.described import catalog_text, examples_text, fields_text
from qlc.translator.model.earlier import earlier_lines
from qlc.translator.model.fields import Fields
from qlc.translator.model.matching import Match
from qlc.translator.protocol import Question

LONGEST_QUESTION = 4_000
REASONS = ("action", "not_held", "not_sayable", "unspecified", "unclear")
MOST_INSTEAD = 3
INTENTS = ("move", "delete", "create", "share", "other")
EXPLAINED: Mapping[str, What] = {"query": "query", "filters": "filters", "days": "days", "nothing": "empty"}
"""Questions about an earlier query, as the model's tool names them, with their kind of explanation."""
LONGEST_PROGRAM = 20_000
MOST_BECAUSE = 12
_SENTENCE = {"type": "string", "pattern": r"\S"}
_PROGRAM = {**_SENTENCE, "maxLength": LONGEST_PROGRAM, "description": "One program of the query language"}
_BECAUSE = {
    "type": "array",
    "maxItems": MOST_BECAUSE,
    "description": "Words of the question that stand in the program as other words or values: all that are no name of "
    "a field, entity or value, also the verb (aired, won) and another noun for the things (drivers)",
    "items": {
        "type": "object",
        "properties": {
            "said": {**_SENTENCE, "description": "Words as the question has them"},
            "means": {**_SENTENCE, "description": "What they are in the program, copied from it"},
        },
        "required": ["said", "means"],
        "additionalProperties": False,
    },
}
TOOLS = (
    Tool(
        "submit_query",
        "Answer the question with a program. It is checked; if it has errors, they come back and you fix it.",
        {
            "type": "object",
            "properties": {"program": _PROGRAM, "because": _BECAUSE},
            "required": ["program"],
            "additionalProperties": False,
        },
    ),
    Tool(
        "ask_user",
        "Ask the user what is meant, only where the question has several readings with different answers and nothing "
        "makes one the likely one. Never for a name that several things have: a program asks that by itself.",
        {
            "type": "object",
            "properties": {
                "question": {**_SENTENCE, "description": "One short sentence, in the user's language"},
                "options": {
                    "type": "array",
                    "minItems": 2,
                    "maxItems": 5,
                    "items": {
                        "type": "object",
                        "properties": {
                            "program": _PROGRAM,
                            "label": {**_SENTENCE, "description": "That reading in the user's words"},
                        },
                        "required": ["program", "label"],
                        "additionalProperties": False,
                    },
                },
            },
            "required": ["question", "options"],
            "additionalProperties": False,
        },
    ),
    Tool(
        "decline",
        "Say why no program answers: 'action' (the user wants something done or written, chats, or gives you orders), "
        "'not_held' (it asks for a property that no field holds), 'not_sayable' (the fields are there, and no query "
        "can work it out), 'unspecified' (it speaks of one thing and does not say which), 'unclear' (you cannot tell "
        "what is meant).",
        {
            "type": "object",
            "properties": {
                "reason": {"type": "string", "enum": list(REASONS)},
                "intent": {
                    "type": "string",
                    "enum": list(INTENTS),
                    "description": "Of an action: what is to be done; other for rename, upload, mail, summarise, chat",
                },
                "what": {
                    "type": "string",
                    "description": "What is not held, cannot be worked out, not said or unclear: the user's own words",
                },
                "instead": {
                    "type": "array",
                    "maxItems": MOST_INSTEAD,
                    "items": {"type": "string"},
                    "description": "Of not_sayable and not_held: questions near it that a program answers",
                },
            },
            "required": ["reason"],
            "additionalProperties": False,
        },
    ),
)
EXPLAIN = Tool(
    "explain_query",
    "Have an earlier query explained, because the user asks about the query itself: 'query' (what was searched "
    "for), 'filters' (with which conditions), 'days' (which days or time its dates are), 'nothing' (why it found "
    "nothing, or so little).",
    {
        "type": "object",
        "properties": {
            "about": {"type": "string", "enum": list(EXPLAINED)},
            "turn": {"type": "integer", "description": "The number of the turn; without it, the last one"},
        },
        "required": ["about"],
        "additionalProperties": False,
    },
)
FIND_FIELDS = Tool(
    "find_fields",
    "Have more fields described, by words for what they hold. Only where neither <fields> nor the names in <catalog> "
    "have what the question needs. Afterwards answer with another tool.",
    {
        "type": "object",
        "properties": {"words": {"type": "string", "description": "Words that such fields may be named with"}},
        "required": ["words"],
        "additionalProperties": False,
    },
)
MOST_FOUND = 40


def tools_for(fields: Fields, question: Question) -> tuple[Tool, ...]:
    """Return the tools: to find more fields, where not all are described; to explain a query, where there was one."""
    return (*TOOLS, *([EXPLAIN] if question.history else ()), *([FIND_FIELDS] if fields.are_many else ()))


@lru_cache(maxsize=1)
def _sections() -> Mapping[str, str]:
    """Return the sections of the reference by the feature of a schema that needs them; of all schemas, by ''."""
    text = files("qlc.translator.model").joinpath("reference.md").read_text(encoding="utf-8")
    first, *others = text.split("\n%% ")
    return {"": first.strip(), **{name: part.strip() for name, _, part in (one.partition("\n") for one in others)}}


def reference(features: Collection[str] | None = None) -> str:
    """Return the instructions and the reference of the language; None: of all features."""
    sections = _sections()
    return "\n\n".join(part for name, part in sections.items() if features is None or not name or name in features)


def features_of(schema: Schema) -> Collection[str]:
    """Return the features of a schema that the reference has sections for: `references`, `lists`, `places`."""
    entities = schema.entities.values()
    every = [one for entity in entities for one in entity.all_fields]
    kinds = {one.kind for one in every}
    lists = [many for entity in entities for many in entity.lists.values()]
    has = {
        "references": any(one.reference is not None for one in every),
        "hierarchies": any(entity.parent for entity in entities),
        "lists": any(many.key is None for many in lists),
        "keys": any(many.key is not None for many in lists),
        "texts": FieldKind.TEXT in kinds or any(entity.text or entity.passages for entity in entities),
        "addresses": FieldKind.IP in kinds,
        "places": not kinds.isdisjoint({FieldKind.GEO_POINT, FieldKind.GEO_SHAPE}),
        "ranges": not kinds.isdisjoint(RANGES),
    }
    return frozenset(name for name, there in has.items() if there)


def system_parts(fields: Fields) -> tuple[str, ...]:
    """The parts that no question changes: the same for all catalogs of these features, then the same for this one."""
    catalog = f"<catalog>\n{catalog_text(fields)}\n</catalog>"
    examples = examples_text(fields.schema)
    told = f"{catalog}\n\n<examples>\n{examples}\n</examples>" if examples else catalog
    return reference(features_of(fields.schema)), told


def further_parts(question: Question, contents: str) -> tuple[str, ...]:
    """Return the parts that change with the index and with the conversation, and seldom."""
    parts = [f"<contents>\n{contents}\n</contents>"] if contents else []
    return (*parts, *([_sections()["conversation"]] if question.history else ()))


def question_part(
    question: Question,
    fields: Fields,
    matches: Sequence[Match] = (),
    keys: Mapping[str, Sequence[str]] | None = None,
    *,
    values: bool = True,
    empty: Collection[str] = (),
) -> str:
    """The part for one question. Without `values` it has nothing of the index. `empty`: fields that no document has."""
    now = question.now.astimezone(question.timezone)
    parts = [_part("now", [f"{now.isoformat(timespec='seconds')}, a {now:%A}, time zone {question.timezone}"])]
    if question.params:
        parts.append(_part("given", [", ".join(f"${plain(name)}" for name in sorted(question.params))]))
    if fields.are_many:
        needed = fields.needed(question.text, {one.field for one in matches if one.field}, empty=empty)
        parts.append(_part("fields", fields_text(needed, fields.schema)))
    if keys:
        lines = [f"{plain(name)}: {', '.join(literal(key, 100) for key in found)}" for name, found in keys.items()]
        parts.append(_part("keys", lines))
    if matches:
        parts.append(_part("matches", [_match(one) for one in matches]))
    if question.history:
        parts.append(_part("earlier", earlier_lines(question, values=values)))
    if question.message and question.message != question.text:
        parts.append(_part("message", [literal(question.message, LONGEST_QUESTION)]))
    parts.append(_part("question", [literal(question.text, LONGEST_QUESTION)]))
    return "\n".join(parts)


def _match(one: Match) -> str:
    said = f", for {literal(one.said, 100)}" if one.said else ""
    paths = ", ".join(literal(path, 300) for path in one.paths)
    several = f", of several: {paths}{' and more' if one.more else ''}" if paths else ""
    return f"{literal(one.text, 200)}: {plain(one.of)}{said}{several}"


def _part(name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"<{name}>", *lines, f"</{name}>"])
