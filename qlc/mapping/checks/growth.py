"""Limits the size of named conditions after expansion.

`c1: c0 and c0`, `c2: c1 and c1`, ... doubles with each line: 30 lines would be a billion conditions in one search.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from qlc.base.limits import MOST_CONDITIONS, MOST_LEVELS
from qlc.mapping.checks.findings import Findings
from qlc.mapping.effective import EntityDefinition

_Key = tuple[str, str]
"""An entity and the name of one of its conditions."""

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_WORD = re.compile(r"\w+")
_JOINED = re.compile(r"\b(?:and|or)\b", re.IGNORECASE)


def check_growth(findings: Findings) -> None:
    """Report conditions that expand to too many others, or through too many levels."""
    definitions = {name: one for name, one in findings.definitions.items() if not one.virtual}
    sizes = _sizes(definitions)
    for one in definitions.values():
        for name, (_, place) in one.conditions.items():
            size, depth = sizes[one.name, name]
            if size > MOST_CONDITIONS:
                message = f"the condition '{name}' stands for more than {MOST_CONDITIONS:,}, with those that it names"
            elif depth > MOST_LEVELS:
                message = f"the condition '{name}' names one that names another, and so on, over {MOST_LEVELS} times"
            else:
                continue
            findings.report("catalog-condition", message, (*place, "means"),
                            "write what it means with fields, or let it name fewer conditions")


def _sizes(definitions: Mapping[str, EntityDefinition]) -> dict[_Key, tuple[int, int]]:
    """Return the expanded size and the nesting depth of each condition, both capped just above their limits.

    A condition that names itself is reported where it is used.
    """
    called = {called: one for one in definitions.values() for called in (one.name, one.plural)}
    named = {(one.name, name): _named(part.means, one, called)
             for one in definitions.values() for name, (part, _) in one.conditions.items()}  # fmt: skip
    sizes: dict[_Key, tuple[int, int]] = {}
    opened: set[_Key] = set()
    waiting = [(key, False) for key in named]
    while waiting:
        key, has_inner = waiting.pop()
        own, inner = named[key]
        if has_inner:
            below = [(*sizes.get(one, (1, 0)), times) for one, times in inner.items()]
            size = own + sum(one * times for one, _, times in below)
            depth = 1 + max((one for _, one, _ in below), default=0)
            sizes[key] = min(size, MOST_CONDITIONS + 1), min(depth, MOST_LEVELS + 1)
        elif key not in opened:
            opened.add(key)
            waiting += [(key, True), *((one, False) for one in inner if one not in opened)]
    return sizes


def _named(text: str, one: EntityDefinition, called: Mapping[str, EntityDefinition]) -> tuple[int, dict[_Key, int]]:
    """Count the conditions in a text, and how often it names others: of its entity, and of entities of its
    sub-queries."""
    plain = _QUOTED.sub("", text)
    words = _WORD.findall(plain)
    entities = {id(other): other for other in (one, *(called[word] for word in words if word in called))}
    found = Counter((other.name, word) for word in words for other in entities.values() if word in other.conditions)
    return 1 + len(_JOINED.findall(plain)), found
