"""Highlights of one hit: the fields that are asked for, their texts, and what the query matched in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Any

from qlc_engine.docset import DocSet
from qlc_engine.errors import MalformedValueError, illegal_argument
from qlc_engine.highlight.matching import Matcher, TextToken, tokens_of
from qlc_engine.highlight.options import HighlightOptions, HighlightRequest
from qlc_engine.highlight.unified import unified
from qlc_engine.leaf import Leaf
from qlc_engine.mapping import Field
from qlc_engine.queries.base import Query
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.parse import parse_query
from qlc_engine.search.fetch_fields import holders
from qlc_engine.source_filter import values_at
from qlc_engine.value_parsers import text_of, utf16_length


@dataclass(frozen=True)
class Highlighter:
    """Bound to the query of a search on one shard."""

    request: HighlightRequest
    query: Query | None
    context: QueryContext
    #: `highlight_query` by the identity of its options, which live as long as `request`
    _parsed: dict[int, Query] = attribute(default_factory=dict)
    _documents: dict[tuple[int, int], tuple[Query, DocSet]] = attribute(default_factory=dict)

    def of(self, leaf: Leaf, doc: int, source: dict[str, Any]) -> dict[str, list[str]]:
        """The fragments of each field that has some."""
        out: dict[str, list[str]] = {}
        for pattern, options in self.request.fields:
            for name in self._names(pattern):
                fragments = self._of_field(name, options, leaf, doc, source)
                if fragments:
                    out[name] = fragments
        return out

    def _names(self, pattern: str) -> list[str]:
        if "*" not in pattern:
            return [pattern] if self.context.field(pattern) is not None else []
        found = []
        for name in self.context.mapping.expand(pattern):
            field = self.context.field(name)
            if field is not None and field.type in ("text", "keyword", "match_only_text"):
                found.append(name)
        return found

    def _of_field(
        self, name: str, options: HighlightOptions, leaf: Leaf, doc: int, source: dict[str, Any]
    ) -> list[str]:
        field = self.context.field(name)
        query = self._query_of(options)
        if field is None or query is None:
            return []
        values = self._values(name, field, source)
        if not values:
            return []
        self._check_length(name, values, options)
        whole = options.require_field_match
        accepts: Callable[[str], bool] = {field.path}.__contains__ if whole else _any_field
        tokens = self._tokens(field, values, query)
        hits = Matcher(tokens, accepts, leaf, doc, whole=whole, loose=not whole, documents=self._documents).hits(query)
        for other in self._matched_beside(field, options):
            # the same text, cut into tokens as the other field does
            tokens = self._tokens(other, values, query)
            found = Matcher(tokens, {other.path}.__contains__, leaf, doc, whole=True).hits(query)
            hits = sorted([*hits, *(hit for hit in found if hit not in hits)], key=lambda hit: (hit.start, hit.end))
        if options.max_analyzed_offset is not None:
            hits = [hit for hit in hits if hit.start <= options.max_analyzed_offset]
        return unified(values, hits, options)

    def _query_of(self, options: HighlightOptions) -> Query | None:
        if options.query is None:
            return self.query
        if id(options) not in self._parsed:
            self._parsed[id(options)] = parse_query(options.query, self.context)
        return self._parsed[id(options)]

    def _matched_beside(self, field: Field, options: HighlightOptions) -> list[Field]:
        found = [self.context.field(name) for name in options.matched_fields if name != field.path]
        return [other for other in found if other is not None]

    def _tokens(self, field: Field, values: Sequence[str], query: Query) -> list[TextToken]:
        analysis = self.context.analysis
        analyzer = analysis.analyzer(field.analyzer) if field.is_text else None
        return tokens_of(analyzer, lambda text: analysis.normalize(field.normalizer, text), values, query)

    def _values(self, name: str, field: Field, source: dict[str, Any]) -> list[str]:
        mapping = self.context.mapping
        out: list[str] = []
        for holder in holders(mapping.aliases.get(name, name), field, mapping):
            for value in values_at(source, holder.split(".")):
                if value is None or isinstance(value, dict):
                    continue
                try:
                    text = text_of(value)
                except MalformedValueError:
                    continue
                if field.ignore_above is None or utf16_length(text) <= field.ignore_above:
                    out.append(self.context.analysis.normalize(field.normalizer, text))
        return out

    def _check_length(self, name: str, values: Sequence[str], options: HighlightOptions) -> None:
        length = sum(map(len, values)) + len(values) - 1
        most = self.context.settings.whole("highlight.max_analyzed_offset")
        if length > most and options.max_analyzed_offset is None:
            raise illegal_argument(
                f"The length [{length}] of field [{name}] in doc/index exceeds the [index.highlight."
                f"max_analyzed_offset] limit [{most}]. To avoid this error, set the query parameter "
                f"[max_analyzed_offset] to a value less than index setting [{most}] and this will tolerate "
                "long field values by truncating them."
            )


def _any_field(path: str) -> bool:
    return True
