"""Guards of paths: the only module that knows by which paths confidential values can be read.

A field that the catalog calls `sensitive` has its values under several paths: an alias, a multi-field, the target of
`copy_to`, the root of a flattened field, a runtime field whose script reads it, the name stored beside an id, and the
same path in another entity of the same documents. Programs, pasted requests, completion, vocabulary, prompts and notes
ask this module, or use its answer in `Field.guards`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from qlc.mapping.fields import IndexMapping, MappedField

Names = frozenset[str]
"""Names of sensitive fields that a caller's context permits."""

NOBODY: Names = frozenset()


def permits(guards: Names, permitted: Names | None) -> bool:
    """Whether a caller may see a guarded field. `permitted` are the sensitive fields of the context; None: all."""
    return permitted is None or guards <= permitted


@dataclass(frozen=True, slots=True)
class Secret:
    """A path that holds the values of the sensitive field `name`. `how` they get there; empty for the field itself."""

    path: str
    name: str
    how: str = ""


@dataclass(frozen=True, slots=True)
class Guards:
    """The confidential paths in the documents of one entity."""

    secrets: tuple[Secret, ...] = ()
    _by_path: dict[str, Names] = field(default_factory=dict, init=False, repr=False, compare=False)

    def of(self, path: str, mapping: IndexMapping) -> Names:
        """Return the names that a caller needs for a leaf, by its own path or an alias: of secrets at, around or in
        it."""
        if not self.secrets:
            return NOBODY
        found = self._by_path.get(path)
        if found is None:
            found = frozenset(one.name for one in self._at(path, mapping))
            if path in mapping.fields:  # a flattened field has as many keys as anybody can write
                self._by_path[path] = found
        return found

    def around(self, path: str) -> Names:
        """Return the names that a caller needs for a list or object whose elements have guards of their own."""
        return frozenset(one.name for one in self.secrets if is_in(path, one.path))

    def holds(self, secret: Secret) -> bool:
        """Whether a path is guarded at least as strictly as another entity guards it."""
        return any(is_in(secret.path, one.path) and one.name == secret.name for one in self.secrets)

    def why(self, path: str, mapping: IndexMapping) -> Secret | None:
        """Return a secret that a path reveals; one that is there by itself before one that is copied there."""
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
