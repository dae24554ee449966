"""Which fields name a document itself: the `name` of its supplier does not."""

from __future__ import annotations

from collections.abc import Mapping

from qlc.mapping.draft.naming import NAME_WORDS, names_beside, words_of
from qlc.mapping.draft.sample import Sample
from qlc.mapping.fields import MappedField

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
    called = [path for path in exact if _words(path)[-1] in NAME_WORDS]
    plain = [path for path in called if len(_words(path)) == 1]
    own = [path for path in plain if not _folder(path)] or [path for path in plain if _tells_apart(path, sample)]
    longer = [path for path in called if len(_words(path)) > 1]
    return own or [path for path in longer if "_".join(_words(path)[:-1]) == entity or _tells_apart(path, sample)]


def _tells_apart(path: str, sample: Sample) -> bool:
    """Whether most documents have a value at a path, and most of the values are different ones."""
    seen = sample.at(path)
    return 2 * seen.filled > sample.read and 2 * len(set(map(str, seen.values))) > len(seen.values)


def _words(path: str) -> list[str]:
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
