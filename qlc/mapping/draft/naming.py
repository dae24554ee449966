"""Names for a drafted catalog: what fields and entities may be called, and how YAML writes it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from qlc.mapping.findings import RESERVED

_PLAIN = re.compile(r"[A-Za-z][\w./ -]*(?<! )")
_YAML_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


def short_names(paths: Iterable[str], own: str | None = None) -> dict[str, str]:
    """A short name for each path: its end in snake case, with as much of what is before it as tells paths apart.

    An `id` is that of the document itself only where its path is `own`: others are called after what they identify.
    """
    paths = list(paths)
    words = {path: [snake(part) for part in path.split(".")] for path in paths}
    lengths = {path: 2 if own and path != own and words[path][-1] == "id" else 1 for path in paths}
    while True:
        names = {path: "_".join(words[path][-lengths[path] :]) for path in paths}
        takers: dict[str, list[str]] = {}
        for path, name in names.items():
            takers.setdefault(name.replace("_", ""), []).append(path)
        unclear = {path for same in takers.values() if len(same) > 1 for path in same}
        unclear |= {path for path, name in names.items() if name in RESERVED}
        longer = [path for path in unclear if lengths[path] < len(words[path])]
        if not longer:
            return numbered(names)
        for path in longer:
            lengths[path] += 1


def numbered(names: Mapping[str, str]) -> dict[str, str]:
    """Names that only a number can tell apart, and names of one reserved word, get one."""
    taken: set[str] = set()
    result = {}
    for path, name in names.items():
        number, one = 1, name
        while one.replace("_", "") in taken or one in RESERVED:
            number += 1
            one = f"{name}_{number}"
        taken.add(one.replace("_", ""))
        result[path] = one
    return result


def without_id(names: Mapping[str, str], references: Iterable[str]) -> dict[str, str]:
    """The names with those of references called after what they point at: `assignee_id` is `assignee`.

    A name that is taken already, or that is nothing but an id, stays as it is.
    """
    result = dict(names)
    for path in references:
        stem, _, end = names[path].rpartition("_")
        shorter = {"id": stem, "ids": plural_of(stem)}.get(end, "")
        if shorter and shorter not in RESERVED and shorter not in result.values():
            result[path] = shorter
    return result


def snake(part: str) -> str:
    """`sizeInBytes` is `size_in_bytes`, `@timestamp` is `timestamp`, `2fa` is `n2fa`."""
    spaced = re.sub(r"([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3_\2\4", part)
    name = re.sub(r"[^a-z0-9]+", "_", spaced.lower()).strip("_")
    return name if name[:1].isalpha() else f"n{name}"


def words_of(path: str) -> list[str]:
    """The words of the last part of a path."""
    return snake(path.rsplit(".", 1)[-1]).split("_")


def names_beside(paths: Iterable[str]) -> dict[str, str]:
    """The path of the name that belongs to each id: `ownerName` to `ownerAccountId`, `author.name` to `author.id`.

    A full name is a name too: `buyer_full_name` belongs to `buyer_id`.
    """
    names: dict[tuple[str, str], str] = {}
    ids: dict[str, list[str]] = {}
    for path in paths:
        folder = path.rpartition(".")[0]
        *stem, kind = words_of(path)
        if kind == "name" and (stem or folder):
            names[folder, "_".join(stem)] = path
        elif kind == "id" and (stem or folder):
            ids[path] = stem
    found = {}
    for path, stem in ids.items():
        folder = path.rpartition(".")[0]
        beginnings = ["_".join(stem[:length]) for length in range(len(stem), 0, -1)] if stem else [""]
        beginnings += [f"{one}_full" for one in beginnings]
        name = next((names[folder, one] for one in beginnings if (folder, one) in names), None)
        if name is not None:
            found[path] = name
    return found


def entity_names(index: str) -> tuple[str, str]:
    """What one document of an index may be called, and several: `flights` are flights; else they are entries."""
    plural = snake(re.split(r"[*,]", index)[0])
    singular = _singular_of(plural)
    return ("entry", "entries") if singular is None else (singular, plural)


def kind_names(values: Iterable[str]) -> dict[str, tuple[str, str]]:
    """What one document of each kind may be called, and several, by the stored value: `SUPPLIERS` are suppliers."""
    singular = numbered({value: _singular_of(snake(value)) or snake(value) for value in values})
    return {value: (name, plural_of(name)) for value, name in singular.items()}


def is_word(value: str) -> bool:
    """Whether a value may be what something is called, and is no code: `SUPPLIERS`, `line item`, not `A` or `T2`."""
    return re.fullmatch(r"[^\W\d_]{3,}([ _-]?[^\W\d_]+)*", value) is not None


def pattern_of(ids: Iterable[str]) -> str | None:
    """A regular expression of ids that are the same letters before a number: `T-[0-9]{5}`; None where they are not."""
    parts = [re.fullmatch(r"(\D*)(\d+)", one) for one in ids]
    prefixes = {None if part is None else part[1] for part in parts}
    prefix = prefixes.pop() if len(prefixes) == 1 else None
    if prefix is None:
        return None
    lengths = {len(part[2]) for part in parts if part is not None}
    return re.escape(prefix).replace(r"\-", "-") + "[0-9]" + (f"{{{lengths.pop()}}}" if len(lengths) == 1 else "+")


def _singular_of(plural: str) -> str | None:
    """None where a word does not look like a plural."""
    if re.fullmatch(r"[a-z_]{2,}ies", plural):
        return plural[:-3] + "y"
    if re.fullmatch(r"[a-z_]{2,}(x|ch|sh|ss)es", plural):
        return plural[:-2]
    return plural[:-1] if re.fullmatch(r"[a-z_]{2,}[^siu]s", plural) else None


def plural_of(singular: str) -> str:
    if re.search(r"[^aeiou]y$", singular):
        return singular[:-1] + "ies"
    return singular + ("es" if re.search(r"(s|x|ch|sh)$", singular) else "s")


def scalar(text: str) -> str:
    """A text as YAML: plain where it reads the same, in double quotes elsewhere."""
    if _PLAIN.fullmatch(text) and text.lower() not in _YAML_WORDS:
        return text
    return json.dumps(text, ensure_ascii=False)


def listed(values: Iterable[str]) -> str:
    return f"[{', '.join(map(scalar, values))}]"
