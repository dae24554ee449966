"""JSON for clients of `elasticsearch` that take an engine's answers as objects."""

from __future__ import annotations

from json.encoder import c_make_encoder, encode_basestring  # type: ignore[attr-defined]
from typing import Any

from elasticsearch.serializer import JsonSerializer

from qlc_engine.json_output import Handed


class HandingSerializer(JsonSerializer):
    """JSON for a client over nodes that hand answers over as objects (`takes_objects`)."""

    def __init__(self) -> None:
        # `JSONEncoder` makes this anew for each text, which takes as long as writing a small document
        self._parts_of = c_make_encoder(None, self.default, encode_basestring, None, ":", ",", False, False, True)

    def json_dumps(self, data: Any) -> bytes:
        try:
            return "".join(self._parts_of(data, 0)).encode("utf-8", "surrogatepass")
        except RecursionError:
            raise ValueError("Circular reference detected") from None

    def loads(self, data: Any) -> Any:
        return data.body if isinstance(data, Handed) else super().loads(data)
