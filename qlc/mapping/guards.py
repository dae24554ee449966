"""Who may reach a path of an index: the one place that knows by which paths what is confidential can be read.

A field that the catalog calls `sensitive` keeps its secret under every path that holds its values: an alias, a
multi-field, the field that the index copies it to (`copy_to`), the root of a flattened field, a runtime field whose
script reads it, the name that is stored beside an id, and the same path in another entity of the same documents.
Programs, pasted requests, completion, vocabulary, prompts and notes ask here, or see the answer as `Field.guards`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from qlc.mapping.fields import IndexMapping, MappedField

Names = frozenset[str]
"""Names of sensitive fields, as a caller's context permits them."""

NOBODY: Names = frozenset()


def permits(guards: Names, permitted: Names | None) -> bool:
    """Whether a caller may see what is guarded. `permitted` are the sensitive fields of the context; None: all."""
    return permitted is None or guards <= permitted


@dataclass(frozen=True, slots=True)
class Secret:
    """A path that holds the values of the sensitive field `name`. `how` it comes to hold them; empty: by itself."""

    path: str
    name: str
    how: str = ""


@dataclass(frozen=True, slots=True)
class Guards:
    """What is confidential in the documents of one entity, by path."""

    secrets: tuple[Secret, ...] = ()
    _by_path: dict[str, Names] = field(default_factory=dict, init=False, repr=False, compare=False)

    def of(self, path: str, mapping: IndexMapping) -> Names:
        """The names that a caller needs for a leaf, by its own path or an alias: of what lies at, around or in it."""
        if not self.secrets:
            return NOBODY
        found = self._by_path.get(path)
        if found is None:
            found = frozenset(one.name for one in self._at(path, mapping))
            if path in mapping.fields:  # a flattened field has as many keys as anybody can write
                self._by_path[path] = found
        return found

    def around(self, path: str) -> Names:
        """The names that a caller needs for a list or an object whose elements are guarded by themselves."""
        return frozenset(one.name for one in self.secrets if is_in(path, one.path))

    def holds(self, secret: Secret) -> bool:
        """Whether a path is guarded at least as another entity guards it."""
        return any(is_in(secret.path, one.path) and one.name == secret.name for one in self.secrets)

    def why(self, path: str, mapping: IndexMapping) -> Secret | None:
        """A secret that a path leads to; what leads there by itself before what only comes to hold it."""
        return min(self._at(path, mapping), key=lambda one: bool(one.how), default=None)

    def _at(self, path: str, mapping: IndexMapping) -> list[Secret]:
        mapped = mapping.at(path)
        paths = {path} if mapped is None else {path, *value_paths(mapped, mapping)}
        return [one for one in self.secrets for each in paths if touches(each, one.path)]


NOTHING_GUARDED = Guards()


def value_paths(mapped: MappedField, mapping: IndexMapping) -> Iterator[str]:
    """Every path that holds the values of a field: itself, what it is a multi-field of, and its own multi-fields."""
    yield mapped.path
    yield from (path for path in (mapped.exact, mapped.analysed) if path is not None)
    parent = mapped.path.rpartition(".")[0]
    if mapped.path in mapping.sub_fields and parent in mapping.fields:
        yield parent


def is_in(path: str, outer: str) -> bool:
    """Whether a path is another one, or lies in it."""
    return path == outer or path.startswith(outer + ".")


def touches(path: str, secret: str) -> bool:
    """Whether a path lies at, in or around another one."""
    return is_in(path, secret) or is_in(secret, path)
