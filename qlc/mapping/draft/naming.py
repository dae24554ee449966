"""Names of fields and entities in a drafted catalog, and how YAML writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from textwrap import wrap

from qlc.base.texts import UNPRINTED
from qlc.grammar.tree import RESERVED
from qlc.language.field_words import word_set
from qlc.language.nouns import index_words, nouns_of, plural_of, singular_of, snake
from qlc.mapping.draft.other_words import nouns_for
from qlc.mapping.draft.sample import Sample
from qlc.mapping.fields import FieldKind, MappedField

_WIDTH = 108
_PLAIN = re.compile(r"[A-Za-z][\w./ -]*(?<! )")
NAME_WORDS = frozenset({"name", "title", "label", "subject"})
"""Last words of paths of names."""

_NAMES_ELSEWHERE = word_set(
    "bezeichnung titel nom désignation libellé titre nombre título nome titolo naam namn navn nazwa 品名 名前 名称 שם"
)
"""`name` and `title` in other languages."""

REFERRING = frozenset({"id", "ids", "ref", "refs"})
"""Last words of paths of references."""

KIND_WORDS = frozenset({"type", "kind", "class"})
ID_WORDS = frozenset({"id", "ref", "uuid", "guid", "key", "number", "num", "no", "nr", "code"})

_YAML_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


_NO_NAMES = word_set(
    "on by at in to from of for with via per off out until till since before after is was has no nr num who when where "
    "what how why"
)
"""Last words of paths that mean nothing without the words before them."""


def short_names(paths: Iterable[str], own: str | None = None, of_others: Collection[str] = ()) -> dict[str, str]:
    """Return a short name for each path: its end in snake case, with as much before it as makes it unique.

    An `id` is the document's own only at the path `own`: others are named after what they identify, and names
    `of_others` after what they name. A word without meaning of its own is never a name: `on` of `felled.on`.
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


def named_by_kind(names: Mapping[str, str], fields: Mapping[str, MappedField]) -> dict[str, str]:
    """Rename the fields whose name is a reserved word: a date `last` -> `last_date`."""
    found = dict(names)
    for path, name in names.items():
        plain = name.rstrip("_0123456789")
        longer = f"{plain}_{_KINDS[fields[path].kind]}" if path in fields and fields[path].kind in _KINDS else ""
        if plain in RESERVED and plain == "_".join(words_of(path)) and longer and longer not in names.values():
            found[path] = longer
    return found


_KINDS = {
    FieldKind.DATE: "date", FieldKind.WHOLE_NUMBER: "number", FieldKind.NUMBER: "number", FieldKind.KEYWORD: "value",
    FieldKind.BOOLEAN: "flag",
}  # fmt: skip


def numbered(names: Mapping[str, str]) -> dict[str, str]:
    """Number names that are equal, or that are a reserved word."""
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
    """Name references after their targets: `assignee_id` -> `assignee`, `ownerAccountId` beside `ownerName` (of
    `labels`) -> `owner`.

    A name that is taken already, or that is only `id`, is unchanged.
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
    """Map the path of each id to the path of its name: `ownerAccountId` -> `ownerName`, `author.id` -> `author.name`.

    A full name counts as a name: `buyer_id` -> `buyer_full_name`.
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
"""Last parts of names other than languages: `name.native`."""

_CODE = 2
"""Letters of a language code: `name.en`, `title_de`."""


def own_names(entity: str, identity: str | None, fields: Mapping[str, MappedField], sample: Sample) -> list[str]:
    """Return the paths of a document's names, best first.

    A `name` or `title` of the document qualifies. One inside an object names the object, unless most documents have
    distinct ones. Else a `product_name` names products, or the field that is called as the documents are: the
    `station` of stations, or a `full_name` that most documents have for themselves. Other longer words do if nearly all
    documents have distinct ones: the `country_name` of cities does not.
    """
    of_ids = {name for path, name in names_beside(fields).items() if path != identity}
    exact = [path for path, one in fields.items() if one.kind is FieldKind.KEYWORD and path not in of_ids]
    called = [path for path in exact if _spoken(path)[-1] in NAME_WORDS]
    plain = [path for path in called if len(_spoken(path)) == 1]
    own = [path for path in plain if not _folder(path)] or [path for path in plain if _distinguishes(path, sample)]
    nouns = {*entity.split("_")[-1:], entity}  # the `station` of stations, the `désignation` of anything
    texts = [path for path in exact if not _folder(path)]
    itself = [path for path in texts if "_".join(words_of(path)) in nouns or words_of(path)[0] in _NAMES_ELSEWHERE]
    longer = [path for path in called if len(_spoken(path)) > 1]
    return (
        own
        or [path for path in longer if "_".join(_spoken(path)[:-1]) == entity]
        or [path for path in itself if _distinguishes(path, sample)]
        or [path for path in longer if _spoken(path)[:-1] in _WHOLE and _distinguishes(path, sample)]
        or [path for path in longer if _distinguishes(path, sample, _NEARLY_ALL)]
    )


_NEARLY_ALL = 0.9
_WHOLE = (["full"], ["display"], ["legal"], ["common"])
"""In front of `name` they say that it is the whole name, and not whose."""


def _distinguishes(path: str, sample: Sample, share: float = 0.5) -> bool:
    """Whether most documents have a value at a path, and a share of the values differ, by default most."""
    seen = sample.at(path)
    return 2 * seen.filled > sample.read and len(set(map(str, seen.values))) > share * len(seen.values)


def _spoken(path: str) -> list[str]:
    """Return the words of a field's name without its language."""
    if _is_version(path):
        return words_of(path.rpartition(".")[0])
    words = words_of(path)
    in_language = len(words) > 1 and len(words[-1]) == _CODE and words[-2] in NAME_WORDS
    return words[:-1] if in_language else words


def _folder(path: str) -> str:
    """Return the object that a field is in; a `name` that holds languages does not count as an object."""
    folder = path.rpartition(".")[0]
    return folder.rpartition(".")[0] if _is_version(path) else folder


def _is_version(path: str) -> bool:
    """Whether a field is a name in one of several languages: `name.en`."""
    folder, _, last = path.rpartition(".")
    return bool(folder) and (len(last) == _CODE or last in _VERSIONS) and words_of(folder)[-1] in NAME_WORDS


def entity_names(index: str, itself: Iterable[str] = (), *, is_table: bool = False) -> tuple[str, str]:
    """Return the singular and plural for documents of an index: `rivers` -> `river`, `rivers`.

    A name without a plural comes after `itself`, nouns found in the documents: `shop` with orders -> `order`, `orders`.
    That of a table comes before them, since it was called so by people: `city` -> `city`, `cities`.
    """
    words = _own_words(index)
    if is_table and _ONLY_NUMBERS.fullmatch("_".join(words)):
        return "record", "records"
    nouns = nouns_of(words)
    if nouns is not None and says_what_is_in_it(index):
        return free_nouns(*nouns)
    name = "_".join(words) if nouns is None and not _says_nothing(words[-1]) and _is_long("".join(words)) else ""
    found = [snake(one) for one in itself if not (is_table and name)]
    for one in found:
        if one not in RESERVED and not _says_nothing(one):
            singular = singular_of(one) or one
            return singular, plural_of(singular)
    if name:
        return free_nouns(name, plural_of(name))
    return free_nouns(*nouns) if nouns and nouns[1] not in _NO_NOUN else ("record", "records")


_ONLY_NUMBERS = re.compile(r"n(?:\d+_?)+")
"""A name that begins with a digit has an `n` before it: `2025` -> `n2025`."""


def _says_nothing(word: str) -> bool:
    word = word.rstrip("0123456789")
    return word in _SAYING_NOTHING or plural_of(word) in _SAYING_NOTHING


FUNCTION_WORDS = word_set(
    "all any are around as at be been both by can could did do does each every for from had has have if in into is it "
    "last may might more most must next no non none of on one or other our over should some than that the this to "
    "under us was were will with would you"
)
"""Words that mean nothing alone."""
_OF_QUESTIONS = word_set(
    "and count find get how my not show sort what when where which who whose why your"
)
"""Further words of questions and programs."""
_SHORTEST_NOUN = 3


def _is_long(name: str) -> bool:
    """Whether a name can be recognized in a question: `o` cannot."""
    return len(name) >= _SHORTEST_NOUN or not name.isascii()


def free_nouns(singular: str, plural: str) -> tuple[str, str]:
    """Return nouns that neither the language nor English has another meaning for, and that can be recognized in a
    question: `not`, `nots` -> `not_entry`, `not_entries`; `a`, `as` -> `a_entry`, `a_entries`."""
    is_free = RESERVED.isdisjoint((singular, plural)) and singular not in FUNCTION_WORDS | _OF_QUESTIONS
    is_noun = is_free and _is_long(singular) and plural not in FUNCTION_WORDS
    return (singular, plural) if is_noun else (f"{singular}_entry", f"{singular}_entries")


def other_nouns(name: str, paths: Collection[str]) -> tuple[str, ...]:
    """Return other nouns for an entity, in singular and plural: `work order` and `order` for `workorder`, if a field
    shows that it is two words (`order_kind`), and common synonyms."""
    known = {word for path in paths for word in words_of(path)}
    lasts = [word for word in known if name.endswith(word) and min(len(word), len(name) - len(word)) >= _PART]
    last = max(lasts, key=len, default="")
    nouns = (f"{name.removesuffix(last)} {last}", last) if last else ()
    return (*(form for noun in nouns for form in (noun, plural_of(noun))), *nouns_for(name, known))


_PART = 4
"""Letters of the shortest part of a compound word."""


def without_the_kind(path: str, kind: str, beside: Iterable[str]) -> str:
    """Return the name of a field without the kind of document it begins with: `permit_type` -> `type`, `order_kind` of
    a `workorder` -> `kind`. Empty if it does not begin so, or another field has that name."""
    first, *rest = words_of(path)
    short = "_".join(rest)
    taken = any(words_of(one)[-len(rest) :] == rest for one in beside if one != path)
    return short if rest and kind.endswith(first) and len(first) >= _PART and not taken else ""


def says_what_is_in_it(index: str) -> bool:
    """Whether an index is named with a plural for its documents."""
    nouns = nouns_of(_own_words(index))
    return nouns is not None and nouns[1] not in _SAYING_NOTHING


def _own_words(index: str) -> tuple[str, ...]:
    words = index_words(index)
    while len(words) > 1 and words[-1] in _OF_INDICES:
        words = words[:-1]
    return words


def id_of_what(path: str) -> str:
    """Return the noun before an id: `order_id`, `order.id` -> `order`, `FlightNum` -> `flight`; empty without a
    noun."""
    *stem, end = words_of(path)
    if end not in ID_WORDS:
        return ""
    return "_".join(stem or words_of(path.rpartition(".")[0]))


def noun_of_an_id(path: str) -> str:
    """Return the noun that is itself the name of an id, `lot` -> `lot`; empty for a word that only means an id."""
    word = snake(path)
    plain = word.isalpha() and len(word) >= _NOUN and not {word} & (ID_WORDS | NAME_WORDS | _NO_NOUNS)
    return word if plain and singular_of(word) is None else ""


_NOUN = 3
_NO_NOUNS = word_set(
    "slug hash url uri path email mail login username isbn ean gtin iban doi token vin imei serial identifier handle "
    "address phone timestamp date"
)
"""Words for identifiers that are not nouns for documents."""


def noun_in_an_id(path: str, names: Iterable[str], paths: Iterable[str], values: Iterable[str]) -> tuple[str, ...]:
    """Return singular and plural of the noun in an id, `job_no` -> `job`, `jobs`, `accession` -> `accession`,
    `accessions`, for documents with other `names`.

    Empty if the noun belongs to something else: one of the `values`, or a field or object at one of the `paths`.
    """
    forms = forms_in_an_id(path)
    lasts = {snake(part).rpartition("_")[2] for one in paths if one != path for part in one.split(".")}
    others = {*lasts, *map(str.casefold, values)}
    said = not _ON_THINGS.isdisjoint(forms) or any(one.endswith(forms) for one in names) or not others.isdisjoint(forms)
    return () if said else forms


def forms_in_an_id(path: str) -> tuple[str, ...]:
    """Return singular and plural of the noun in an id, whatever else is called so; empty if it has none."""
    numbered = words_of(path)[-1] in _OF_NUMBERS
    noun = noun_of_an_id(id_of_what(path) if numbered else path) if "." not in path else ""
    return (noun, plural_of(noun)) if noun else ()


_OF_NUMBERS = frozenset({"id", "no", "nr", "number", "num", "ref"})
_ON_THINGS = word_set(
    "tag badge card chip plate license licence registration tracking tail passport record doc document file row line "
    "entry system internal external legacy source unique short account tax vat barcode index sequence seq running "
    "year month week day time rank position place title label key"
)
"""Nouns for a numbered object that a document has rather than is: a dog has a tag."""


_OF_INDICES = word_set(
    "index idx data dataset db prod production dev test staging live sample all archive store docs documents records "
    "entries list read write current latest search"
)
"""Last words of index names that do not name the documents."""

_SAYING_NOTHING = word_set(
    "documents docs entries records rows objects data items entities things elements nodes hits n sources externals "
    "internals uniques globals system systems results tables sheets exports imports files datas dumps"
)
"""Plurals for anything."""

_NO_NOUN = frozenset({"n", "entries"})
"""Plurals that never name documents."""


def names_beside_others(indices: Sequence[tuple[str, ...]]) -> list[tuple[str, str]]:
    """Return singular and plural for several indices, without the words that all their names begin with: `shop-orders`,
    `shop-customers` -> `order`, `customer`."""
    shared = 0
    while len({words[shared] for words in indices}) == 1 and all(len(words) > shared + 1 for words in indices):
        shared += 1
    own = [words[shared:] for words in indices]
    found = [_nouns_beside_others(words) for words in own]
    singular = numbered({str(n): one for n, (one, _) in enumerate(found)})
    return [
        (singular[str(n)], several if singular[str(n)] == one else plural_of(singular[str(n)]))
        for n, (one, several) in enumerate(found)
    ]


def _nouns_beside_others(words: tuple[str, ...]) -> tuple[str, str]:
    name = "_".join(words)
    if _ONLY_NUMBERS.fullmatch(name):
        return "record", "records"
    return free_nouns(*(nouns_of(words) or (name, plural_of(name))))


def kind_names(values: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return singular and plural for each kind, by its stored value: `SUPPLIERS` -> `supplier`, `suppliers`."""
    singular = numbered({value: singular_of(snake(value)) or snake(value) for value in values})
    return {value: (name, plural_of(name)) for value, name in singular.items()}


def is_word(value: str) -> bool:
    """Whether a value can be a noun rather than a code: `SUPPLIERS` and `line item` are, `A` and `T2` are not."""
    return re.fullmatch(r"[^\W\d_]{3,}([ _-][^\W\d_]+)*", value) is not None


def pattern_of(ids: Iterable[str]) -> str | None:
    """Return a regular expression for ids of one form, with numbers between fixed marks and letters: `T-[0-9]+`,
    `[A-Z]{3}-[0-9]+`. None if they differ."""
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
    """Write a text in YAML: plain if it reads the same, else in double quotes."""
    if _PLAIN.fullmatch(text) and text.lower() not in _YAML_WORDS:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return UNPRINTED.sub(lambda found: "".join(f"\\u{ord(one):04x}" for one in found[0]), quoted)


def listed(values: Iterable[str]) -> str:
    return f"[{', '.join(map(scalar, values))}]"


def folded(line: str, indent: str) -> list[str]:
    """Break a long line into several; a significant blank stays where it is."""
    body, mark, why = line.partition("  # ? ")
    if len(line) <= _WIDTH or "  " in body:
        return [indent + line]
    lines = wrap(body, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [*(indent + one for one in lines[:-1]), indent + lines[-1] + mark + why]
