"""Proposes labels for fields: which labels of a corpus's files may be a field that these files lack.

A label may be a field if its values are of the field's type, and it stands in documents without the field and hardly in
others: `Handed over: 3 May 2024` in eight of the ten leases without a `start_date`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from qlc.language.quantities import Style, quantities
from qlc.mapping.shapes import searched

from .index import DOCUMENT, placed_fields
from .pages import Span
from .schema import CorpusSchema
from .values.fields import label_score
from .values.labelled import Labelled
from .values.labels import vocabulary
from .values.typed import Wanted, typed

_MOST_DOCUMENTS = 5_000
_FEWEST = 2
_SHARE = 0.1
"""A label is proposed if at least this share of the documents without the field have it, and at most this share of the
documents with it have the field."""
_OF_TYPE = 0.9
"""Least share of a label's values that are of the field's type."""
_ASSIGNED = 0.5
"""Similarity from which on a label is a field's already."""
_MOST_EXAMPLES, _MOST_LABELS, _MOST_WORDS = 3, 5, 6
_PLAIN = ("name", "text")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A label that may be a field: in how many of the documents without it, some of its values, other such fields."""

    bucket: str
    field: str
    label: str
    documents: int
    lacking: int
    examples: tuple[str, ...]
    or_else: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        shown = ", ".join(f'"{one}"' for one in self.examples)
        others = f"; or {' or '.join(self.or_else)}" if self.or_else else ""
        return f"'{self.label}' in {self.documents:,} of {self.lacking:,} documents without it: {shown}{others}"


def proposals(client: Any, index: str, schema: CorpusSchema) -> list[Proposal]:
    """Return which labels may be which fields, those of most documents first."""
    found: list[Proposal] = []
    for bucket in schema.file.buckets:
        records = [hit["_source"] for hit in searched(
            client, index=index, size=_MOST_DOCUMENTS, source=["id", "values", "annotations"],
            query={"bool": {"filter": [{"term": {"kind": DOCUMENT}}, {"term": {"bucket": bucket}},
                                       {"term": {"state": "ready"}}]}},
        )["hits"]["hits"]]  # fmt: skip
        hidden = {name for name, part in schema.fields(bucket).items() if part.is_confidential}
        keys = {one.name: one.path.removeprefix("values.") for one in placed_fields(schema) if one.bucket == bucket}
        known = {name: {each["id"] for each in records if key in each.get("values", {})} for name, key in keys.items()}
        wanted = [one for one in schema.wanted[bucket] if one.type != "rows" and one.name not in hidden]
        found += _of_bucket(bucket, wanted, known, records)
    return sorted(found, key=lambda one: (one.bucket, one.field, -one.documents))


def _of_bucket(
    bucket: str, wanted: Sequence[Wanted], known: Mapping[str, set[str]], records: Sequence[Mapping[str, Any]]
) -> Iterator[Proposal]:
    values: dict[str, dict[str, str]] = defaultdict(dict)  # of each label, by document
    for record in records:
        for one in record.get("annotations", ()):
            values[one["label"].strip(" :")].setdefault(record["id"], one["text"])
    words = vocabulary([*values, *(phrase for one in wanted for phrase in one.phrases)])
    every = {record["id"] for record in records}
    for label, texts in values.items():
        example = next(iter(texts.values()))
        labelled = Labelled(label, example, 0, Span(0, 0), Span(0, 0))
        if len(texts) < _FEWEST or any(label_score(one, labelled, words) >= _ASSIGNED for one in wanted):
            continue
        fitting = [(one, every - known[one.name]) for one in wanted if _fits(one, texts, known[one.name], every)]
        fitting.sort(key=lambda each: -len(texts.keys() & each[1]) / len(each[1]))
        for one, lacking in fitting[:1]:
            examples = tuple(dict.fromkeys(" ".join(text.split())[:40] for text in texts.values()))[:_MOST_EXAMPLES]
            others = tuple(other.name for other, _ in fitting[1:_MOST_LABELS])
            yield Proposal(bucket, one.name, label, len(texts.keys() & lacking), len(lacking), examples, others)


def _fits(one: Wanted, texts: Mapping[str, str], known: set[str], every: set[str]) -> bool:
    """Whether a label with these values, by document, may be a field that some documents have."""
    inside, lacking = texts.keys() - known, every - known
    if len(inside) < max(_FEWEST, _SHARE * len(lacking)) or len(texts.keys() & known) > _SHARE * len(texts):
        return False
    of_type = [text for text in texts.values() if _is_of_type(one, text)]
    return len(of_type) >= _OF_TYPE * len(texts)


def _is_of_type(one: Wanted, text: str) -> bool:
    """Whether a text is a value of a field, and no amount where names are meant."""
    if one.type == "number" and not one.unit and any(each.kind != "number" for each in quantities(text, Style())):
        return False
    if typed(one, text, Style(), one.unit if one.type == "number" else "") is None:
        return False
    is_plain = one.type in _PLAIN and not one.options
    return not is_plain or (len(text.split()) <= _MOST_WORDS and not (quantities(text, Style()) and not one.is_number))


# --- accepted ---------------------------------------------------------------------------------------------------------


def with_labels(text: str, accepted: Iterable[Proposal]) -> str:
    """Return the text of a corpus.yaml with more labels of fields; the rest of it stays, comments too."""
    root = yaml.compose(text)
    changes: list[tuple[int, int, str]] = []
    by_field: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in accepted:
        by_field[one.bucket, one.field].append(one.label)
    for (bucket, name), labels in by_field.items():
        part = _at(root, "buckets", bucket, "fields", name)
        held = _at(part, "labels")
        quoted = ", ".join(map(_quoted, labels))
        begin, end = part.start_mark.index, part.end_mark.index
        if held is not None:
            before = [one.value for one in held.value] if isinstance(held, yaml.SequenceNode) else [held.value]
            again = "".join(f"{_quoted(one)}, " for one in before)
            end = held.start_mark.index + len(text[held.start_mark.index : held.end_mark.index].rstrip())
            changes.append((held.start_mark.index, end, f"[{again}{quoted}]"))
        elif isinstance(part, yaml.ScalarNode):
            changes.append((begin, end, f"{{type: {text[begin:end]}, labels: [{quoted}]}}"))
        elif part.flow_style:
            changes.append((end - 1, end - 1, f", labels: [{quoted}]"))
        else:
            changes.append((begin, begin, f"labels: [{quoted}]\n{' ' * part.start_mark.column}"))
    for begin, end, new in sorted(changes, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def _quoted(label: str) -> str:
    return json.dumps(label, ensure_ascii=False)


def _at(node: Any, *path: str) -> Any:
    for step in path:
        pairs = node.value if isinstance(node, yaml.MappingNode) else ()
        node = next((value for key, value in pairs if key.value == step), None)
    return node
