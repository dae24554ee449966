"""Refusals of the engine, in the shape in which Elasticsearch prints them.

An answer that is not a success has the body `{"error": {"root_cause": [...], "type", "reason", ...}, "status"}`.
Errors that a shard finds while it rewrites or runs a query come wrapped in a `search_phase_execution_exception`.
"""

from __future__ import annotations

from typing import Any


class EngineError(Exception):
    """One Elasticsearch exception: HTTP status, type name, reason and the further keys its type prints."""

    def __init__(
        self,
        type: str,
        reason: str | None,
        *,
        status: int = 400,
        caused_by: EngineError | None = None,
        on_shard: bool = False,
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(reason)
        self.type = type
        self.reason = reason
        self.status = status
        self.caused_by = caused_by
        #: found by a shard during a search: printed inside `search_phase_execution_exception`
        self.on_shard = on_shard
        #: further keys that this type prints (`index`, `line`, `resource.id`...)
        self.details = details or {}

    def to_dict(self) -> dict[str, Any]:
        """The exception as it stands in `caused_by`, in `root_cause` and in a bulk item's `error`."""
        out: dict[str, Any] = {"type": self.type, "reason": self.reason, **self.details}
        if self.caused_by is not None:
            out["caused_by"] = self.caused_by.to_dict()
        return out

    def _root(self) -> dict[str, Any]:
        """The innermost of Elasticsearch's own exceptions; those of Java below it do not count."""
        error = self
        while error.caused_by is not None and error.caused_by.type not in _NOT_OWN:
            if error.caused_by.type == _OF_PARSER != error.type:
                # to Elasticsearch's own exceptions this one is Java's, except below itself
                break
            error = error.caused_by
        return {"type": error.type, "reason": error.reason, **error.details}

    def to_body(self, index: str | None = None) -> dict[str, Any]:
        """The whole body of the HTTP answer."""
        if not self.on_shard:
            return {"error": {"root_cause": [self._root()], **self.to_dict()}, "status": self.status}
        root = self._root()
        failure: dict[str, Any] = {"shard": 0, "index": index, "node": "embedded", "reason": self.to_dict()}
        error: dict[str, Any] = {
            "root_cause": [root],
            "type": "search_phase_execution_exception",
            "reason": "all shards failed",
            "phase": "query",
            "grouped": True,
            "failed_shards": [failure],
        }
        if self.type in _REPEATED_AS_CAUSE:
            cause = self.to_dict()
            inner = dict(cause)
            inner.pop("caused_by", None)
            error["caused_by"] = {**inner, "caused_by": cause}
        return {"error": error, "status": self.status}


_OF_PARSER = "x_content_parse_exception"

_NOT_OWN = frozenset(
    {
        "illegal_argument_exception", "number_format_exception", "illegal_state_exception", "x_content_e_o_f_exception",
        "named_object_not_found_exception", "date_time_parse_exception", "null_pointer_exception",
        "not_x_content_exception", "json_parse_exception", "date_time_exception", "zone_rules_exception",
    }
)  # fmt: skip

#: Exceptions that are not Elasticsearch's own are printed a second time below the wrapper.
_REPEATED_AS_CAUSE = frozenset({"illegal_argument_exception", "number_format_exception", "illegal_state_exception"})


class MalformedValueError(Exception):
    """A value that the field's type does not take; `cause` is what Elasticsearch prints as `caused_by`."""

    def __init__(self, cause: EngineError) -> None:
        super().__init__(cause.reason)
        self.cause = cause


def illegal_argument(reason: str, *, on_shard: bool = False, caused_by: EngineError | None = None) -> EngineError:
    return EngineError("illegal_argument_exception", reason, on_shard=on_shard, caused_by=caused_by)


def parsing_error(reason: str, *, caused_by: EngineError | None = None) -> EngineError:
    """A request body with an unknown key or the wrong kind of value (`parsing_exception`).

    The server adds the line and column of its parser; the engine works on parsed JSON and prints the first.
    """
    return EngineError("parsing_exception", reason, caused_by=caused_by, details={"line": 1, "col": 1})


def xcontent_error(reason: str, *, caused_by: EngineError | None = None) -> EngineError:
    """The refusal of an object parser (`x_content_parse_exception`)."""
    return EngineError("x_content_parse_exception", reason, caused_by=caused_by)


def query_shard_error(reason: str, *, index: str | None = None, caused_by: EngineError | None = None) -> EngineError:
    """A query that does not fit the mapping, found by the shard."""
    details = None if index is None else {"index": index}
    return EngineError("query_shard_exception", reason, on_shard=True, caused_by=caused_by, details=details)


def index_not_found(name: str) -> EngineError:
    return EngineError(
        "index_not_found_exception",
        f"no such index [{name}]",
        status=404,
        details={"resource.type": "index_or_alias", "resource.id": name, "index_uuid": "_na_", "index": name},
    )


def no_scripts(what: str, *, on_shard: bool = True) -> EngineError:
    """What needs a script, refused as by a server without a scripting language."""
    reason = f"script_lang not supported [painless]: {what} is not implemented in the embedded engine"
    return illegal_argument(reason, on_shard=on_shard)


def not_implemented(what: str) -> EngineError:
    """What Elasticsearch has and this engine has not: refused by name, never ignored."""
    return illegal_argument(f"{what} is not implemented in the embedded engine")
