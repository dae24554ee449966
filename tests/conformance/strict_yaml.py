"""YAML with the scalars of JSON: no dates, no `yes`, no octal or sexagesimal numbers; all else is a string."""

import re
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any

import yaml


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = {key for key in keys if keys.count(key) > 1}
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"written twice: {sorted(twice)}", node.start_mark)
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("null", "null|~|", "n~\0"),
    ("bool", "true|false", "tf"),
    ("int", "-?(0|[1-9][0-9]*)", "-0123456789"),
    ("float", r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?", "-0123456789"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), [*_first, ""])


def load_all(path: Path) -> Iterator[Any]:
    """The YAML documents of a file."""
    with path.open(encoding="utf-8") as stream:
        yield from yaml.load_all(stream, Loader=_Loader)
