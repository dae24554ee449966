"""Sorted term dictionaries: all distinct terms of a field in one run of bytes, readable from a mapped file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

#: of the longest term that an index can have
MAX_TERM_BYTES = 32_766

#: Ends each term; no UTF-8 text contains it.
SEPARATOR = b"\xff"

#: With more than one lookup for so many terms it costs less to go through all terms once.
_TERMS_PER_LOOKUP = 64

#: Lookups that a dictionary remembers.
_REMEMBERED = 256


#: Half of a surrogate pair: a character to Python and to Java, and none to UTF-8.
_HALF = re.compile("[\ud800-\udfff]")


def whole_text(text: str) -> str:
    """U+FFFD for each half of a surrogate pair, as Lucene's `UnicodeUtil` writes terms."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def encode_term(term: str) -> bytes:
    """UTF-8."""
    try:
        return term.encode()
    except UnicodeEncodeError:
        return whole_text(term).encode()


class TermDictionary(Sequence[str]):
    """Distinct terms in the order of their UTF-8 bytes; the index of a term is its ordinal.

    `blob` holds the terms, each followed by `SEPARATOR`; `offsets[i]` is where term `i` begins, `offsets[-1]` the end.
    """

    __slots__ = ("_folded", "_found", "_text", "blob", "offsets")

    def __init__(self, blob: bytes | memoryview, offsets: NDArray[np.int64]) -> None:
        self.blob = blob
        self.offsets = offsets
        self._text = blob if isinstance(blob, bytes) else None
        self._folded: bytes | None = None
        #: ordinals of terms that were looked up of late: a query asks for each of its terms several times
        self._found: dict[bytes, int] = {}

    @classmethod
    def from_sorted(cls, terms: list[bytes]) -> TermDictionary:
        lengths = np.fromiter(map(len, terms), np.int64, len(terms))
        offsets = np.zeros(len(terms) + 1, np.int64)
        np.cumsum(lengths + 1, out=offsets[1:])
        return cls(SEPARATOR.join(terms) + SEPARATOR if terms else b"", offsets)

    @classmethod
    def from_texts(cls, terms: list[str]) -> TermDictionary | None:
        """Of ascending texts, encoded all at once; None where some have a line break or a lone surrogate."""
        joined = "\n".join(terms)
        if not terms or joined.count("\n") != len(terms) - 1:
            return None
        try:
            blob = joined.encode().replace(b"\n", SEPARATOR) + SEPARATOR
        except UnicodeEncodeError:
            return None
        offsets = np.zeros(len(terms) + 1, np.int64)
        offsets[1:] = np.flatnonzero(np.frombuffer(blob, np.uint8) == SEPARATOR[0]) + 1
        return cls(blob, offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self.bytes_at(index).decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole().decode("utf-8", "surrogateescape").split("\udcff")[:-1])

    def bytes_at(self, ordinal: int) -> bytes:
        return bytes(self.blob[self.offsets.item(ordinal) : self.offsets.item(ordinal + 1) - 1])

    def _whole(self) -> bytes:
        """The blob in memory; of a mapped file it is read once and kept, for searches through all terms."""
        if self._text is None:
            self._text = bytes(self.blob)
        return self._text

    def as_bytes(self) -> list[bytes]:
        """All terms; not kept, as a million of them would fill a hundred megabytes."""
        return bytes(self.blob).split(SEPARATOR)[:-1]

    def lower_bound(self, term: bytes) -> int:
        """The ordinal of the first term that is not below `term`."""
        low, high = 0, len(self)
        offsets, blob = self.offsets, self.blob
        while low < high:
            middle = (low + high) // 2
            if bytes(blob[offsets.item(middle) : offsets.item(middle + 1) - 1]) < term:
                low = middle + 1
            else:
                high = middle
        return low

    def find(self, term: bytes) -> int:
        """The ordinal of a term, -1 if it is not there."""
        found = self._found.get(term)
        if found is None:
            at = self.lower_bound(term)
            found = at if at < len(self) and self.bytes_at(at) == term else -1
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            self._found[term] = found
        return found

    def find_all(self, terms: Iterable[bytes]) -> list[int]:
        """The ordinals of those of the terms that are there."""
        wanted = set(terms)
        if len(wanted) * _TERMS_PER_LOOKUP > len(self):
            return [at for at, term in enumerate(self.as_bytes()) if term in wanted]
        return [at for term in wanted if (at := self.find(term)) >= 0]

    def prefix_range(self, prefix: bytes) -> tuple[int, int]:
        """The ordinals [low, high) of the terms that begin with `prefix`."""
        return self.lower_bound(prefix), self.lower_bound(prefix + SEPARATOR)

    def folded(self) -> bytes:
        """The blob with ASCII letters in lower case: what `case_insensitive` compares, as in Lucene. Kept."""
        if self._folded is None:
            self._folded = self._whole().lower()
        return self._folded

    def matching(self, pattern: re.Pattern[bytes] | None, *, literal: bytes = b"", folded: bool = False) -> list[int]:
        """Ordinals of the terms that the pattern fits whole (None: any that contains the literal), ascending.

        `literal` is a run of bytes that each such term contains: only terms with it are tried. With `folded` terms are
        compared in ASCII lower case (pattern and literal are expected to be so).
        """
        text = self.folded() if folded else self._whole()
        if pattern is None:
            return list(self._candidates(text, literal))
        return [at for at in self._candidates(text, literal) if pattern.fullmatch(text, *self._bounds(at))]

    def folded_to(self, folded: bytes) -> list[int]:
        """Ordinals of the terms that are these bytes in ASCII lower case, ascending."""
        text, whole = self.folded(), folded + SEPARATOR
        starts = [0] if text.startswith(whole) else []
        at = text.find(SEPARATOR + whole)
        while at >= 0:
            starts.append(at + 1)
            at = text.find(SEPARATOR + whole, at + 1)
        found: list[int] = np.searchsorted(self.offsets, starts).tolist() if starts else []
        return found

    def _bounds(self, ordinal: int) -> tuple[int, int]:
        return self.offsets.item(ordinal), self.offsets.item(ordinal + 1) - 1

    def _candidates(self, text: bytes, literal: bytes) -> Iterable[int]:
        if not literal:
            return range(len(self))
        hits: list[int] = []
        at = text.find(literal)
        while at >= 0:
            hits.append(at)
            at = text.find(literal, at + 1)
        ordinals = np.searchsorted(self.offsets, np.array(hits, np.int64), side="right") - 1
        found: list[int] = np.unique(ordinals).tolist()
        return found


EMPTY_DICTIONARY = TermDictionary(b"", np.zeros(1, np.int64))
