"""The response to a bulk request: one item for each action, written as JSON at once."""

from __future__ import annotations

from json.encoder import encode_basestring
from typing import Any

from qlc_engine.json_output import RawJson, dump_json

#: The keys of an item that neither failed nor says more than usual, in the order in which they are answered.
_USUAL = ("_index", "_id", "_version", "result", "_shards", "_seq_no", "_primary_term", "status")


class BulkAnswer:
    """Collects items as text: thousands of objects that wait for the end would keep the garbage collector busy."""

    def __init__(self, *, as_text: bool) -> None:
        """`as_text`: the answer becomes JSON, and nothing is filtered out of it."""
        self._as_text = as_text
        self._texts: list[str] = []
        self._items: list[dict[str, Any]] = []

    def add(self, action: str, item: dict[str, Any]) -> None:
        if self._as_text:
            self._texts.append(item_text(action, item))
        else:
            self._items.append({action: item})

    def body(self, *, errors: bool, took: int) -> Any:
        """The body of the answer; `took` in milliseconds."""
        if not self._as_text:
            return {"errors": errors, "took": took, "items": self._items}
        head = dump_json({"errors": errors, "took": took})[:-1]
        return RawJson(b'%b,"items":[%b]}' % (head, ",".join(self._texts).encode("utf-8", "surrogatepass")))


def item_text(action: str, item: dict[str, Any]) -> str:
    """The item as JSON, as `dump_json` writes it; nearly all have the same keys, which costs a fraction of that."""
    if tuple(item) != _USUAL:
        return dump_json({action: item}).decode("utf-8", "surrogatepass")
    index, doc_id, version, result, shards, seq_no, term, status = item.values()
    return (
        f'{{"{action}":{{"_index":{encode_basestring(index)},"_id":{encode_basestring(doc_id)},"_version":{version},'
        f'"result":"{result}","_shards":{{"total":{shards["total"]},"successful":{shards["successful"]},'
        f'"failed":{shards["failed"]}}},"_seq_no":{seq_no},"_primary_term":{term},"status":{status}}}}}'
    )
