"""Names for a drafted catalog: what fields and entities may be called, and how YAML writes it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from textwrap import wrap

from qlc.base.texts import UNPRINTED
from qlc.grammar.tree import RESERVED
from qlc.language.nouns import index_words, nouns_of, plural_of, singular_of, snake
from qlc.mapping.draft.other_words import nouns_for
from qlc.mapping.draft.sample import Sample
from qlc.mapping.fields import MappedField

_WIDTH = 108
_PLAIN = re.compile(r"[A-Za-z][\w./ -]*(?<! )")
NAME_WORDS = frozenset({"name", "title", "label", "subject"})
"""The last words of fields that hold the name of something."""

REFERRING = frozenset({"id", "ids", "ref", "refs"})
"""The last words of fields that hold the ids of other documents."""

KIND_WORDS = frozenset({"type", "kind", "class"})
ID_WORDS = frozenset({"id", "ref", "uuid", "guid", "key", "number", "num", "no", "nr", "code"})

_YAML_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


_NO_NAMES = frozenset(
    [
        "on", "by", "at", "in", "to", "from", "of", "for", "with", "via", "per", "off", "out", "until", "till", "since",
        "before", "after", "is", "was", "has", "no", "nr", "num", "who", "when", "where", "what", "how", "why",
    ]
)  # fmt: skip
"""Last words of paths that say nothing without what is before them."""


def short_names(paths: Iterable[str], own: str | None = None, of_others: Collection[str] = ()) -> dict[str, str]:
    """A short name for each path: its end in snake case, with as much of what is before it as tells paths apart.

    An `id` is that of the document itself only where its path is `own`: others are called after what they identify, and
    the names `of_others` after what they name. What says nothing alone is never a name: `on` of `felled.on`.
    """
    paths = list(paths)
    words = {path: [snake(part) for part in path.split(".")] for path in paths}
    foreign = {path for path in paths if own and path != own and words[path][-1] == "id"} | set(of_others)
    foreign |= {path for path in paths if words[path][-1] in _NO_NAMES}
    lengths = {path: min(2, len(words[path])) if path in foreign else 1 for path in paths}
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


def without_id(
    names: Mapping[str, str], references: Iterable[str], labels: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The names with those of references called after what they point at: `assignee_id` is `assignee`, and an
    `ownerAccountId` beside an `ownerName` (of `labels`) the `owner`.

    A name that is taken already, or that is nothing but an id, stays as it is.
    """
    result = dict(names)
    for path in references:
        stem, _, end = names[path].rpartition("_")
        shorter = stem if end in ("id", "ref") else plural_of(stem) if end in REFERRING else ""
        if labels and path in labels:
            shorter = "_".join(word for word in words_of(labels[path]) if word not in ("full", "name")) or shorter
        if shorter and shorter not in RESERVED and shorter not in result.values():
            result[path] = shorter
    return result


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
        elif kind in ("id", "ref") and (stem or folder):
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


_VERSIONS = frozenset({"native", "local", "original", "default"})
"""What a name is in, besides a language: `name.native`."""

_CODE = 2
"""Letters of the code of a language: `name.en`, `title_de`."""


def own_names(entity: str, identity: str | None, fields: Mapping[str, MappedField], sample: Sample) -> list[str]:
    """The paths of what names a document, best first.

    A `name` or `title` of the document is one. One in an object is the object's, unless most documents have another;
    of longer words (`full_name`) that holds too, and `product_name` names products.
    """
    of_ids = {name for path, name in names_beside(fields).items() if path != identity}
    exact = (path for path, one in fields.items() if one.exact and path not in of_ids)
    called = [path for path in exact if _spoken(path)[-1] in NAME_WORDS]
    plain = [path for path in called if len(_spoken(path)) == 1]
    own = [path for path in plain if not _folder(path)] or [path for path in plain if _distinguishes(path, sample)]
    longer = [path for path in called if len(_spoken(path)) > 1]
    return own or [path for path in longer if "_".join(_spoken(path)[:-1]) == entity or _distinguishes(path, sample)]


def _distinguishes(path: str, sample: Sample) -> bool:
    """Whether most documents have a value at a path, and most of the values are different ones."""
    seen = sample.at(path)
    return 2 * seen.filled > sample.read and 2 * len(set(map(str, seen.values))) > len(seen.values)


def _spoken(path: str) -> list[str]:
    """The words of what a field is called, without the language that it is in."""
    if _is_version(path):
        return words_of(path.rpartition(".")[0])
    words = words_of(path)
    in_language = len(words) > 1 and len(words[-1]) == _CODE and words[-2] in NAME_WORDS
    return words[:-1] if in_language else words


def _folder(path: str) -> str:
    """The object that a field is in; `name` is none, if languages are in it."""
    folder = path.rpartition(".")[0]
    return folder.rpartition(".")[0] if _is_version(path) else folder


def _is_version(path: str) -> bool:
    """Whether a field is a name in one of several languages: `name.en`."""
    folder, _, last = path.rpartition(".")
    return bool(folder) and (len(last) == _CODE or last in _VERSIONS) and words_of(folder)[-1] in NAME_WORDS


def entity_names(index: str, itself: Iterable[str] = ()) -> tuple[str, str]:
    """What one document of an index may be called, and several: as the index is called where that is a plural, else
    what the documents say that they are (`itself`); entries where nothing tells."""
    words, nouns = _own_words(index), nouns_of(_own_words(index))
    if nouns is not None and says_what_is_in_it(index):
        return free_nouns(*nouns)
    said = [snake(one) for one in itself]
    if words != index_words(index) and words[-1] not in _SAYING_NOTHING:
        said.append("_".join(words))
    for one in said:
        if one not in _SAYING_NOTHING and one not in RESERVED and plural_of(one) not in _SAYING_NOTHING:
            singular = singular_of(one) or one
            return singular, plural_of(singular)
    return free_nouns(*nouns) if nouns else ("entry", "entries")


def free_nouns(singular: str, plural: str) -> tuple[str, str]:
    """Return nouns that the language has no other meaning for: `not`, `nots` -> `not_entry`, `not_entries`."""
    is_free = RESERVED.isdisjoint((singular, plural))
    return (singular, plural) if is_free else (f"{singular}_entry", f"{singular}_entries")


def other_nouns(name: str, paths: Collection[str]) -> tuple[str, ...]:
    """What else documents are called, in singular and plural: `work order` and `order` for `workorder`, where a word of
    a field says that it is two (`order_kind`), and what such things are called by others."""
    known = {word for path in paths for word in words_of(path)}
    lasts = [word for word in known if name.endswith(word) and min(len(word), len(name) - len(word)) >= _PART]
    last = max(lasts, key=len, default="")
    nouns = (f"{name.removesuffix(last)} {last}", last) if last else ()
    return (*(form for noun in nouns for form in (noun, plural_of(noun))), *nouns_for(name, known))


_PART = 4
"""Letters of the shortest word that another is made with."""


def without_the_kind(path: str, kind: str, beside: Iterable[str]) -> str:
    """What users say of a field that begins with what the documents are: `type` of `permit_type`, `kind` of the
    `order_kind` of a `workorder`. Empty where it does not, or where another field is called so."""
    first, *rest = words_of(path)
    short = "_".join(rest)
    taken = any(words_of(one)[-len(rest) :] == rest for one in beside if one != path)
    return short if rest and kind.endswith(first) and len(first) >= _PART and not taken else ""


def says_what_is_in_it(index: str) -> bool:
    """Whether the name of an index is a plural that says what its documents are."""
    nouns = nouns_of(_own_words(index))
    return nouns is not None and nouns[1] not in _SAYING_NOTHING


def _own_words(index: str) -> tuple[str, ...]:
    words = index_words(index)
    while len(words) > 1 and words[-1] in _OF_INDICES:
        words = words[:-1]
    return words


def id_of_what(path: str) -> str:
    """`order` of `order_id`, `FlightNum` or `order.id`; empty where an id says nothing of the kind."""
    *stem, end = words_of(path)
    if end not in ID_WORDS:
        return ""
    return "_".join(stem or words_of(path.rpartition(".")[0]))


def noun_of_an_id(path: str) -> str:
    """`lot` of an id that is called `lot`; empty where it says no more than that it is one."""
    word = snake(path)
    plain = word.isalpha() and len(word) >= _NOUN and not {word} & (ID_WORDS | NAME_WORDS | _NO_NOUNS)
    return word if plain and singular_of(word) is None else ""


_NOUN = 3
_NO_NOUNS = frozenset(
    [
        "slug", "hash", "url", "uri", "path", "email", "mail", "login", "username", "isbn", "ean", "gtin", "iban",
        "doi", "token", "vin", "imei", "serial", "identifier", "handle", "address", "phone", "timestamp", "date",
    ]
)  # fmt: skip
"""What tells things apart and is not what they are called."""


def noun_in_an_id(path: str, names: Iterable[str], paths: Iterable[str], values: Iterable[str]) -> tuple[str, ...]:
    """`job` and `jobs` of a `job_no`, for documents that are called otherwise (`names`). Empty where the noun is of
    something else: one of the `values`, or a field or an object that is at one of the `paths`."""
    numbered = "." not in path and words_of(path)[-1] in _OF_NUMBERS
    noun = noun_of_an_id(id_of_what(path)) if numbered else ""
    forms = (noun, plural_of(noun))
    lasts = {snake(part).rpartition("_")[2] for one in paths if one != path for part in one.split(".")}
    others = {*lasts, *map(str.casefold, values)}
    said = noun in _ON_THINGS or any(one.endswith(forms) for one in names) or not others.isdisjoint(forms)
    return forms if noun and not said else ()


_OF_NUMBERS = frozenset({"id", "no", "nr", "number", "num", "ref"})
_ON_THINGS = frozenset(
    [
        "tag", "badge", "card", "chip", "plate", "license", "licence", "registration", "tracking", "tail", "passport",
        "record", "doc", "document", "file", "row", "line", "entry", "system", "internal", "external", "legacy",
        "source", "unique", "short", "account", "tax", "vat", "barcode", "index", "sequence", "seq", "running",
    ]
)  # fmt: skip
"""What has a number that a thing goes by, and is no word for the thing: a dog is no tag."""


_OF_INDICES = frozenset(
    [
        "index", "idx", "data", "dataset", "db", "prod", "production", "dev", "test", "staging",
        "live", "sample", "all", "archive", "store", "docs", "documents", "records", "entries",
        "list", "read", "write", "current", "latest", "search",
    ]
)  # fmt: skip
"""What the name of an index ends with that is not what its documents are."""

_SAYING_NOTHING = frozenset(
    [
        "documents", "docs", "entries", "records", "rows", "objects", "data", "items", "entities",
        "things", "elements", "nodes", "hits", "n", "sources", "externals", "internals", "uniques",
        "globals", "system", "systems", "results",
    ]
)  # fmt: skip
"""Plurals that anything is called."""


def names_beside_others(indices: Sequence[tuple[str, ...]]) -> list[tuple[str, str]]:
    """What one document of each of several indices may be called, and several, by the words of their names without
    those that all begin with: the documents of `shop-orders` and `shop-customers` are orders and customers."""
    shared = 0
    while len({words[shared] for words in indices}) == 1 and all(len(words) > shared + 1 for words in indices):
        shared += 1
    own = [words[shared:] for words in indices]
    found = [nouns_of(words) or ("_".join(words), plural_of("_".join(words))) for words in own]
    singular = numbered({str(n): one for n, (one, _) in enumerate(found)})
    return [(singular[str(n)], several) for n, (_, several) in enumerate(found)]


def kind_names(values: Iterable[str]) -> dict[str, tuple[str, str]]:
    """What one document of each kind may be called, and several, by the stored value: `SUPPLIERS` are suppliers."""
    singular = numbered({value: singular_of(snake(value)) or snake(value) for value in values})
    return {value: (name, plural_of(name)) for value, name in singular.items()}


def is_word(value: str) -> bool:
    """Whether a value may be what something is called, and is no code: `SUPPLIERS`, `line item`, not `A` or `T2`."""
    return re.fullmatch(r"[^\W\d_]{3,}([ _-][^\W\d_]+)*", value) is not None


def pattern_of(ids: Iterable[str]) -> str | None:
    """A regular expression of ids that are alike: the same marks and letters, or as many of them, around numbers
    (`T-[0-9]+`, `[A-Z]{3}-[0-9]+`). None where they are not."""
    runs = [re.findall(r"\d+|[A-Z]+|[^\dA-Z]+", one) for one in ids]
    if not runs or len({len(one) for one in runs}) > 1:
        return None
    pattern = [_pattern_of_runs(set(places)) for places in zip(*runs, strict=True)]
    numbered = "[0-9]+" in pattern and (len(pattern) == 1 or not runs[0][0].isdecimal())
    return "".join(map(str, pattern)) if numbered and None not in pattern else None


def _pattern_of_runs(runs: set[str]) -> str | None:
    if all(one.isdecimal() for one in runs):
        return "[0-9]+"
    if len(runs) == 1:
        return re.escape(runs.pop()).replace(r"\-", "-")
    length = min(map(len, runs))
    alike = length > 1 and all(len(one) == length and one.isupper() for one in runs)
    return f"[A-Z]{{{length}}}" if alike else None


def scalar(text: str) -> str:
    """A text as YAML: plain where it reads the same, in double quotes elsewhere."""
    if _PLAIN.fullmatch(text) and text.lower() not in _YAML_WORDS:
        return text
    return UNPRINTED.sub(_as_codes, json.dumps(text, ensure_ascii=False))


def _as_codes(found: re.Match[str]) -> str:
    return "".join(f"\\u{ord(one):04x}" for one in found[0])


def listed(values: Iterable[str]) -> str:
    return f"[{', '.join(map(scalar, values))}]"


def folded(line: str, indent: str) -> list[str]:
    """A line, or several where it is too long to be read; a blank that counts stays where it is."""
    body, mark, why = line.partition("  # ? ")
    if len(line) <= _WIDTH or "  " in body:
        return [indent + line]
    lines = wrap(body, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [*(indent + one for one in lines[:-1]), indent + lines[-1] + mark + why]
