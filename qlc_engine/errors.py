"""Refusals of the engine, in the shape in which Elasticsearch prints them.

An answer that is not a success has the body `{"error": {"root_cause": [...], "type", "reason", ...}, "status"}`.
Nothing is wrapped: what a server tells inside a `search_phase_execution_exception` is there by itself.
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
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(reason)
        self.type = type
        self.reason = reason
        self.status = status
        self.caused_by = caused_by
        #: further keys that this type prints (`index`, `line`, `resource.id`...)
        self.details = details or {}

    def to_dict(self) -> dict[str, Any]:
        """The exception as it is in `caused_by`, in `root_cause` and in a bulk item's `error`."""
        out: dict[str, Any] = {"type": self.type, "reason": self.reason, **self.details}
        if self.caused_by is not None:
            out["caused_by"] = self.caused_by.to_dict()
        return out

    def to_body(self) -> dict[str, Any]:
        """The whole body of the HTTP answer."""
        return {"error": {"root_cause": [self.to_dict()], **self.to_dict()}, "status": self.status}


class MalformedValueError(Exception):
    """A value that the field's type does not take; `cause` is what Elasticsearch prints as `caused_by`."""

    def __init__(self, cause: EngineError) -> None:
        super().__init__(cause.reason)
        self.cause = cause


def illegal_argument(reason: str) -> EngineError:
    return EngineError("illegal_argument_exception", reason)


def parsing_error(reason: str) -> EngineError:
    """A request body with an unknown key or the wrong kind of value."""
    return EngineError("parsing_exception", reason)


def query_shard_error(reason: str) -> EngineError:
    """A query that does not fit the mapping."""
    return EngineError("query_shard_exception", reason)


def index_not_found(name: str) -> EngineError:
    return EngineError(
        "index_not_found_exception",
        f"no such index [{name}]",
        status=404,
        details={"resource.type": "index_or_alias", "resource.id": name, "index_uuid": "_na_", "index": name},
    )


def no_scripts(what: str) -> EngineError:
    """Return the error for a request that needs a script, as from a server without a scripting language."""
    reason = f"script_lang not supported [painless]: {what} is not implemented in the embedded engine"
    return illegal_argument(reason)


def not_implemented(what: str) -> EngineError:
    """Return the error for a feature of Elasticsearch that this engine lacks. It is refused by name, never ignored."""
    return illegal_argument(f"{what} is not implemented in the embedded engine")
