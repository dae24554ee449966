"""`qlc explain --share`: a record for an issue, with the structure and types of what happened and without its values.

Only what is known to be harmless is kept: words of the language and of English grammar, names of the schema, kinds,
codes and numbers of things. Everything else is a placeholder, the same for the same word.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Any

from qlc.base.version import VERSION
from qlc.grammar.lark_parser import words
from qlc.mapping.fields import FieldKind
from qlc.pipeline.explain import Record
from qlc.telemetry.content import IsKnown, without_values
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import Phrases

_TOKEN = re.compile(
    r"""(?P<quoted>"[^"]*"?|“[^”]*”?|(?<!\w)'[^']*'(?!\w))
      | (?P<word>\w+(?:[.,:/@'’-]\w+)*) | (?P<space>\s+) | (?P<mark>[?!.,;:()-]) | .""",
    re.DOTALL | re.VERBOSE,
)
_STRUCTURE = frozenset(["entity", "field", "fields", "function", "which", "unit", "order", "direction", "relation"])
"""Keys of a typed query or a step below which a word may be kept, if it is one of the schema or the language."""
_KINDS = frozenset([*(kind.value for kind in FieldKind), "reference", "to", "list"])


def shared(record: Record, is_known: IsKnown) -> Record:
    """Return what may be shown of an explain record. `W2s of Ann` -> `word1 of word2`."""
    masked = _Masked(is_known)
    outcome = record.get("outcome") or {}
    return {
        "versions": {"qlc": VERSION, "python": platform.python_version(), "elasticsearch": version("elasticsearch")},
        "question": masked.text(record["source"]),
        "translation": [
            {"by": step["by"], "what": step["what"],
             "readings": [[masked.program(text), cost] for text, cost in step.get("readings", ())]}
            for step in record.get("translation", ())
        ],
        "query": masked.program(record["canonical"]) if "canonical" in record else None,
        "typed": masked.tree(record.get("typed")),
        "levels": [len(level) for level in record.get("plan", ())],
        "diagnostics": [one["code"] for one in record.get("diagnostics", ())],
        "requests": [{"round trip": one.get("round trip", one.get("level")), "milliseconds": one.get("milliseconds")}
                     for one in record.get("requests", ())],
        "milliseconds": record.get("milliseconds"),
        "outcome": {
            **{name: outcome[name] for name in ("kind", "reason", "code") if isinstance(outcome.get(name), str)},
            **{name: len(one) for name, one in outcome.items() if isinstance(one, list | dict)},
            "words": [masked.text(word) for word in outcome.get("words", ())],
            "suggestions": [masked.text(one) for one in outcome.get("suggestions", ())],
        },
        "failure": re.findall(r"\b[A-Z]\w*(?:Error|Exception)\b", record.get("failure", "")),
    }  # fmt: skip


class _Masked:
    """Replaces words by placeholders, the same for the same word."""

    def __init__(self, is_known: IsKnown) -> None:
        self._is_known = is_known
        self._numbers: dict[str, int] = {}

    def text(self, text: str) -> str:
        """Mask a text in words: `W2s of Ann in May` -> `word1 of word2 in word3`."""

        def hidden(part: re.Match[str]) -> str:
            match part.lastgroup:
                case "space":
                    return " "
                case "mark":
                    return part[0]
                case "word" if part[0].lower() in _GRAMMAR or self._is_known(part[0].lower(), False):
                    return part[0].lower()
                case _:
                    return self._placeholder(part[0])

        return _TOKEN.sub(hidden, text)

    def program(self, text: str) -> str:
        return without_values(text, self._is_known)

    def tree(self, node: Any, key: str = "") -> Any:
        """Mask the leaves of a typed query by their types; keys are names of its classes and their fields."""
        if isinstance(node, Mapping):
            return {name: self.tree(one, name) for name, one in node.items()}
        if isinstance(node, list | tuple):
            return [self.tree(one, key) for one in node]
        if isinstance(node, bool) or node is None:
            return node
        if not isinstance(node, str) or key not in _STRUCTURE:
            return f"<{type(node).__name__}>"
        name, colon, kind = node.partition(": ")
        kinds = [word for word in kind.partition(" at ")[0].split() if word in _KINDS]
        return self.program(name) + (f"{colon}{' '.join(kinds)}" if colon else "")

    def _placeholder(self, word: str) -> str:
        number = self._numbers.setdefault(word.lower(), len(self._numbers) + 1)
        kind = "number" if word[0].isdigit() else "word" if word[0].isalpha() else "text"
        return f"{kind}{number}"


def _grammar_words() -> frozenset[str]:
    """Return the words that the rules know of English itself, without any that names a thing."""
    found = (word for name, one in vars(english).items() if name.isupper() for word in _strings(one))
    return (frozenset(word for word in found if word.isalpha()) | words()) - english.MONTHS.keys()


def _strings(one: Any) -> Iterator[str]:
    if isinstance(one, str):
        yield one
    elif isinstance(one, tuple | list | frozenset | Mapping | Phrases):
        for part in one:
            yield from _strings(part)


_GRAMMAR = _grammar_words()
