"""YAML as the catalog uses it: data, and the place of each part in the text.

Plain scalars stay text (`no`, `12:30`, `007` and `2024-03-05`); only `null`, `~` and an empty value mean no value. The
key decides whether a value is a number or a switch. Keys must be unique.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from qlc.base.diagnostics import Diagnostic, Span
from qlc.base.errors import reason_of
from qlc.base.texts import half_of
from qlc.mapping.errors import CatalogError

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_MERGE = "<<"

Key = str | int
"""One step into the data: a key of a mapping or an index of a list."""

LONGEST = 2_000_000
"""Most characters of a catalog."""
MOST_VALUES = 200_000
"""Most values in a catalog, counting repetitions by aliases."""
MAX_DEPTH = 30
"""Most levels of a catalog; six are in use."""
_HINT = "names and values with ':', '#', '@', quotes or brackets in them need quotes; indent with spaces, not tabs"

_PLAIN_WORDS = {
    "mapping values are not allowed in this context": "there is a colon where no key can be",
    "did not find expected key": "a key is expected here",
    "did not find expected ',' or ']'": "a list in brackets is not closed",
    "did not find expected ',' or '}'": "a mapping in braces is not closed",
    "found character that cannot start any token": "this character needs quotes around the value",
    "found unexpected end of stream": "a quote is not closed",
    "did not find expected '-' indicator": "every item of a list begins with '-' at the same indentation",
    "found undefined alias": "this '*name' has no '&name' before it",
    "could not find expected ':'": "a key needs ':' after it",
}


def yaml_text(path: Path, code: str) -> str:
    """Read a file. Raises CatalogError with a finding of this code."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        wrong = f"cannot be read: {reason_of(error)}" if isinstance(error, OSError) else "is not UTF-8 text"
        finding = Diagnostic(code, f"{path} {wrong}", hint="give the path of a YAML file in UTF-8")
        raise CatalogError([finding], "", str(path)) from None


class YamlSource:
    """A YAML text with its data. `diagnostics` are syntax errors, duplicate keys and keys that are not text. There is
    no data if the text is too large, too deep, or grows too large by its aliases."""

    def __init__(self, text: str) -> None:
        self.text = text.removeprefix("\ufeff")
        self.diagnostics: list[Diagnostic] = []
        self.data: Any = None
        self._root: yaml.Node | None = None
        self._built: dict[int, Any] = {}
        self._root = self._composed()
        if self._root is not None and self._is_bounded(self._root):
            self.data = self._value(self._root)

    def _composed(self) -> yaml.Node | None:
        half = half_of(self.text)
        if half >= 0:
            span = Span(half, half + 1)
            self._report("catalog-syntax", "this is an unpaired surrogate", span, "write the text in UTF-8")
            return None
        if len(self.text) > LONGEST:
            message = f"the catalog is longer than {LONGEST:,} characters"
            self._report("catalog-syntax", message, Span(0, 1), "make a catalog for each index")
            return None
        try:
            return yaml.compose(self.text, Loader=_LOADER)
        except yaml.YAMLError as error:
            self.diagnostics.append(_syntax_error(error, self.text))
        except (ValueError, OverflowError, RecursionError) as error:  # raised by yaml without the C library
            problem = "exceeded maximum nesting depth" if isinstance(error, RecursionError) else str(error)
            self._report("catalog-syntax", f"this is not YAML: {problem}", Span(0, 1), _HINT)
        return None

    def _is_bounded(self, root: yaml.Node) -> bool:
        """Whether the number of values, counting aliases as often as they are used, and of levels is within limits.

        A few lines of aliases to aliases can expand beyond any memory.
        """
        sizes: dict[int, int] = {}
        left: list[tuple[yaml.Node, int, bool]] = [(root, 0, False)]
        while left:
            node, depth, is_counted = left.pop()
            if id(node) in sizes and not is_counted:
                continue
            if depth > MAX_DEPTH:
                self._report("catalog-syntax", f"this is nested more than {MAX_DEPTH} levels deep", _span(node), "")
                return False
            inner = list(_inner(node))
            if is_counted:
                sizes[id(node)] = 1 + sum(sizes[id(one)] for one in inner)
                if sizes[id(node)] > MOST_VALUES:
                    message = f"this stands for more than {MOST_VALUES:,} values, as often as aliases repeat it"
                    self._report("catalog-syntax", message, _span(node), "write out what is meant, without aliases")
                    return False
            else:
                sizes[id(node)] = 1  # an alias inside what it stands for
                left.append((node, depth, True))
                left += [(one, depth + 1, False) for one in inner]
        return True

    def span(self, location: Sequence[Key], *, key: bool = False) -> Span:
        """Return the span of the value at a location, or of its key; if it does not exist, of the nearest part around
        it."""
        if self._root is None:
            return Span(0, 0)
        node, found = self._root, Span(0, 0)
        for depth, step in enumerate(location):
            pair = _child(node, step)
            if pair is None:
                return found
            name, node = pair
            last = depth == len(location) - 1
            # A block runs to the end of its last line: its key says better where it is.
            is_block = isinstance(node, yaml.CollectionNode) and node.end_mark.line > node.start_mark.line
            found = _span(name) if name is not None and ((key and last) or is_block) else _span(node)
        return found

    def location(self, at: int) -> tuple[Key, ...]:
        """Return the keys and positions that lead to the innermost part around an offset: the inverse of `span`."""
        found: list[Key] = []
        node = self._root
        while isinstance(node, yaml.CollectionNode):
            pairs: list[tuple[yaml.Node, yaml.Node, Key]] = (
                [(name, item, name.value) for name, item in node.value] if isinstance(node, yaml.MappingNode)
                else [(item, item, place) for place, item in enumerate(node.value)]
            )  # fmt: skip
            around = [(item, step) for first, item, step in pairs if first.start_mark.index <= at < item.end_mark.index]
            if not around:
                break
            node, step = around[0]
            found.append(step)
        return tuple(found)

    def _value(self, node: yaml.Node) -> Any:
        if id(node) in self._built:
            return self._built[id(node)]
        self._built[id(node)] = None  # an alias inside what it stands for has no value
        value: Any
        if isinstance(node, yaml.ScalarNode):
            value = None if not node.style and node.value in _NULLS else node.value
            if value is not None and half_of(value) >= 0:
                self._report("catalog-syntax", "this is an unpaired surrogate", _span(node), "write it whole")
        elif isinstance(node, yaml.SequenceNode):
            value = [self._value(item) for item in node.value]
        else:
            value = self._mapping(node)
        self._built[id(node)] = value
        return value

    def _mapping(self, node: yaml.Node) -> dict[str, Any]:
        values: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for name, item in node.value:
            if not isinstance(name, yaml.ScalarNode):
                self._report("catalog-syntax", "a key is a text, not a list or map", _span(name), "put it in quotes")
            elif name.value == _MERGE and not name.style:
                for part in _merged_nodes(item):
                    merged = {**(self._value(part) or {}), **merged}
            elif name.value in values:
                message = f"the key '{name.value}' occurs twice in one mapping"
                self._report("catalog-duplicate", message, _span(name), "the first would be lost: join the two, or "
                             "remove one")
            else:
                values[name.value] = self._value(item)
        return {**merged, **values} if merged else values

    def _report(self, code: str, message: str, span: Span, hint: str) -> None:
        self.diagnostics.append(Diagnostic(code, message, span, hint))


def _inner(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.SequenceNode):
        yield from node.value
    elif isinstance(node, yaml.MappingNode):
        for pair in node.value:
            yield from pair


def _merged_nodes(node: yaml.Node) -> list[yaml.Node]:
    parts = node.value if isinstance(node, yaml.SequenceNode) else [node]
    return [part for part in parts if isinstance(part, yaml.MappingNode)]


def _child(node: yaml.Node, step: Key) -> tuple[yaml.Node | None, yaml.Node] | None:
    """Return the key node (of a mapping) and the value node one step further in."""
    if isinstance(node, yaml.SequenceNode):
        inside = isinstance(step, int) and 0 <= step < len(node.value)
        return (None, node.value[step]) if inside else None
    left, seen = [node], set()
    while left:  # follow merge keys (`<<`), also inside merged mappings
        one = left.pop(0)
        if isinstance(one, yaml.MappingNode) and id(one) not in seen:
            seen.add(id(one))
            for name, item in one.value:
                if name.value == step:
                    return name, item
            left += [part for name, item in one.value if name.value == _MERGE for part in _merged_nodes(item)]
    return None


def _span(node: yaml.Node) -> Span:
    return Span(node.start_mark.index, node.end_mark.index)


def _syntax_error(error: yaml.YAMLError, text: str) -> Diagnostic:
    if isinstance(error, yaml.MarkedYAMLError):
        problem = str(error.problem)
        # An unclosed bracket or quote is reported where it was opened.
        unclosed = error.context_mark and problem.startswith(("did not find expected ','", "found unexpected"))
        mark = error.context_mark if unclosed else error.problem_mark or error.context_mark
        at = min(mark.index, len(text)) if mark else 0
        if text[at : at + 1] == "\t":
            problem = "a line is indented with a tab"
    else:
        problem = "a control character has no place in YAML"
        at = int(getattr(error, "position", 0) or 0)
    return Diagnostic(
        "catalog-syntax", f"this is not YAML: {_PLAIN_WORDS.get(problem, problem)}", Span(at, at + 1), _HINT
    )
