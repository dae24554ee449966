"""Documents: _doc, _create, _update, _bulk, get, _mget, _source."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from qlc_engine.documents import (
    LONGEST_ID,
    PRIMARY_TERM,
    Conditions,
    WriteBatch,
    check_id,
    check_update,
    is_text,
    version_conflict,
)
from qlc_engine.errors import EngineError, illegal_argument, index_not_found, not_implemented, parsing_error
from qlc_engine.index import Index
from qlc_engine.json_input import json_token
from qlc_engine.json_output import RawJson
from qlc_engine.reading import reading
from qlc_engine.rest.bulk_answer import BulkAnswer
from qlc_engine.rest.request import Request, Response, parse_json
from qlc_engine.search.fetch_fields import stored_values
from qlc_engine.search.request import SourceOption, parse_source_option
from qlc_engine.store import StoredDocument

if TYPE_CHECKING:
    from qlc_engine.engine import Engine

_WRITE = frozenset(
    {
        "refresh", "timeout", "wait_for_active_shards", "if_seq_no", "if_primary_term", "op_type", "require_alias",
        "include_source_on_error", "require_data_stream", "pipeline", "routing", "version", "version_type",
    }
)  # fmt: skip
_SOURCE = frozenset({"_source", "_source_includes", "_source_excludes"})
INDEX_PARAMETERS = _WRITE
DELETE_PARAMETERS = _WRITE
UPDATE_PARAMETERS = _WRITE | _SOURCE | {"retry_on_conflict", "lang"}
BULK_PARAMETERS = _WRITE | _SOURCE | {"list_executed_pipelines"}
GET_PARAMETERS = _SOURCE | {"realtime", "refresh", "preference", "routing", "stored_fields", "version", "version_type"}

_UNSUPPORTED = ("pipeline", "routing")
_VERSION_TYPES = ("internal", "external", "external_gt", "external_gte")


def _refuse_unsupported(params: dict[str, str]) -> None:
    for name in _UNSUPPORTED:
        if name in params:
            raise not_implemented(f"parameter [{name}]")


@reading("the version")
def _conditions(params: dict[str, Any], op_type: str = "index") -> Conditions:
    try:
        if_seq_no = None if params.get("if_seq_no") is None else int(params["if_seq_no"])
        if_term = None if params.get("if_primary_term") is None else int(params["if_primary_term"])
        version = None if params.get("version") is None else int(params["version"])
    except ValueError as error:
        raise illegal_argument(f"Failed to parse long parameter: {error}") from None
    op_type = str(params.get("op_type", op_type))
    if op_type not in ("index", "create"):
        raise illegal_argument(f"opType must be 'create' or 'index', found: [{op_type}]")
    if (if_seq_no is None) != (if_term is None):
        given, lacking = (
            ("ifSeqNo is set", "primary term is [0]")
            if if_term is None
            else ("ifSeqNo is unassigned", f"primary term is [{if_term}]")
        )
        raise EngineError("action_request_validation_exception", f"Validation Failed: 1: {given}, but {lacking};")
    if if_seq_no is not None and if_seq_no < 0:
        raise illegal_argument(f"sequence numbers must be non negative. got [{if_seq_no}].")
    if if_seq_no is not None and op_type == "create":
        reason = "create operations do not support compare and set. use index instead"
        raise EngineError("action_request_validation_exception", f"Validation Failed: 1: {reason};")
    version_type = str(params.get("version_type", "internal"))
    if version_type not in _VERSION_TYPES:
        raise illegal_argument(f"No version type match [{version_type}]")
    if version_type == "internal" and version is not None:
        reason = (
            "internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and "
            "`if_primary_term` instead"
        )
        raise EngineError("action_request_validation_exception", f"Validation Failed: 1: {reason};")
    if version is None and version_type != "internal":
        reason = f"illegal version value [-3] for version type [{version_type.upper()}]"
        raise EngineError("action_request_validation_exception", f"Validation Failed: 1: {reason};")
    return Conditions(op_type, if_seq_no, if_term, version, version_type == "external_gte")


def _refresh_policy(params: dict[str, str]) -> bool:
    given = params.get("refresh")
    if given not in (None, "", "true", "false", "wait_for"):
        raise illegal_argument(f"Unknown value for refresh: [{given}].")
    return given in ("", "true", "wait_for")


def _forced(params: dict[str, str], item: dict[str, Any]) -> dict[str, Any]:
    return {**item, "forced_refresh": True} if params.get("refresh") in ("", "true") else item


def index_document(engine: Engine, request: Request) -> Response:
    return _index(engine, request, "index")


def create_document(engine: Engine, request: Request) -> Response:
    return _index(engine, request, "create")


def _index(engine: Engine, request: Request, op_type: str) -> Response:
    _refuse_unsupported(request.params)
    conditions = _conditions(request.params, op_type)
    refresh = _refresh_policy(request.params)
    if not request.body.strip():
        raise EngineError("parse_exception", "request body is required")
    with engine.writing() as batch:
        index = engine.index_for_write(request.index, require_alias=request.flag("require_alias"))
        status, item = batch.index(index, request.names.get("id"), request.body, conditions)
    engine.after_write([index], refresh=refresh)
    return Response(status, _forced(request.params, item), {"Location": f"/{index.name}/_doc/{item['_id']}"})


def update_document(engine: Engine, request: Request) -> Response:
    _refuse_unsupported(request.params)
    refresh = _refresh_policy(request.params)
    body = request.json_object()
    option = _source_of_url(request.params)
    if option is not None and option.enabled:
        body.setdefault("_source", True if option.whole else list(option.includes))
    with engine.writing() as batch:
        index = engine.index_for_write(request.index, require_alias=request.flag("require_alias"))
        status, item = batch.update(index, request.names["id"], body, _conditions(request.params))
    engine.after_write([index], refresh=refresh)
    return Response(status, _forced(request.params, item) if item["result"] != "noop" else item)


def delete_document(engine: Engine, request: Request) -> Response:
    _refuse_unsupported(request.params)
    refresh = _refresh_policy(request.params)
    with engine.writing() as batch:
        index = engine.indices.write_target(request.index)
        if index is None:
            raise index_not_found(request.index)
        status, item = batch.delete(index, request.names["id"], _conditions(request.params))
    engine.after_write([index], refresh=refresh)
    return Response(status, _forced(request.params, item))


_BULK_KEYS = frozenset(
    {
        "_index", "_id", "if_seq_no", "if_primary_term", "require_alias", "retry_on_conflict", "_source",
        "dynamic_templates", "routing", "version", "version_type", "pipeline", "op_type", "require_data_stream",
        "list_executed_pipelines",
    }
)  # fmt: skip
_PLAIN_BULK_KEYS = frozenset({"_index", "_id"})
_CONDITIONS = frozenset({"if_seq_no", "if_primary_term", "version", "version_type"})
_UNCONDITIONAL = {op_type: Conditions(op_type) for op_type in ("index", "create")}
_ACTIONS = ("index", "create", "update", "delete")


def bulk(engine: Engine, request: Request) -> Response:
    """Each item stands or fails by itself; those that stand are stored together."""
    started = time.perf_counter()
    _refuse_unsupported(request.params)
    refresh = _refresh_policy(request.params)
    actions = _bulk_actions(request)
    answer = BulkAnswer(as_text=not (request.takes_objects or "filter_path" in request.params))
    touched: dict[str, Index] = {}
    failed = False
    with engine.writing() as batch:
        _prefetch(engine, batch, actions)
        for action, header, source in actions:
            status, item = _bulk_item(engine, batch, action, header, source, touched)
            failed = failed or "error" in item
            if "error" not in item and (action == "update" or item["result"] != "noop"):
                item = _forced(request.params, item)
            item["status"] = status
            answer.add(action, item)
    engine.after_write(list(touched.values()), refresh=refresh)
    took = int((time.perf_counter() - started) * 1000)
    return Response(200, answer.body(errors=failed, took=took), as_objects=request.takes_objects)


@reading("the bulk request")
def _bulk_actions(request: Request) -> list[tuple[str, dict[str, Any], bytes]]:
    if not request.body:
        raise EngineError("parse_exception", "request body is required")
    lines = request.body.split(b"\n")
    if lines[-1].strip():
        raise illegal_argument("The bulk request must be terminated by a newline [\\n]")
    actions: list[tuple[str, dict[str, Any], bytes]] = []
    defaults: dict[str, Any] = {}
    if request.flag("require_alias"):
        defaults["require_alias"] = True
    option = _source_of_url(request.params)
    if option is not None:
        defaults["_source"] = option.enabled and (option.whole or list(option.includes))
    at = 0
    while at < len(lines) - 1:
        line = lines[at].strip()
        at += 1
        if not line:
            continue
        action, header = usual_action(line) or action_of(line, at)
        if defaults:
            header = {**defaults, **header}
        header.setdefault("_index", request.index)
        if not isinstance(header["_index"], str):
            found = f"expected the name of an index but found [{json_token(header['_index'])}]"
            raise illegal_argument(f"Malformed action/metadata line [{at}], {found}")
        if not header["_index"]:
            raise EngineError("action_request_validation_exception", "Validation Failed: 1: index is missing;")
        source = b""
        if action != "delete":
            if at >= len(lines) - 1 and not (at < len(lines) and lines[at].strip()):
                raise EngineError("action_request_validation_exception", "Validation Failed: 1: no requests added;")
            source = lines[at]
            at += 1
            if action == "update":
                check_update(parse_json(source))
        actions.append((action, header, source))
    if not actions:
        raise EngineError("action_request_validation_exception", "Validation Failed: 1: no requests added;")
    return actions


#: The line that the clients' bulk helpers write. Reading it as JSON costs three times as much.
_USUAL_ACTION = re.compile(
    rb'\{"(index|create)":\{(?:"_index":"([\w.-]+)",)?"_id":"([ !#-\[\]-~]+)"(?:,"_index":"([\w.-]+)")?\}\}'
)


def usual_action(line: bytes) -> tuple[str, dict[str, Any]] | None:
    """As `action_of`; None for a line of another form."""
    found = _USUAL_ACTION.fullmatch(line)
    if found is None:
        return None
    action, before, doc_id, behind = found.groups()
    if (before and behind) or len(doc_id) > LONGEST_ID:
        return None
    header = {"_id": doc_id.decode()}
    if before or behind:
        header["_index"] = (before or behind).decode()
    return action.decode(), header


def action_of(line: bytes, number: int) -> tuple[str, dict[str, Any]]:
    """The action that the line with that number asks for, and what it says of it."""
    parsed = parse_json(line)
    if not isinstance(parsed, dict) or not parsed or not isinstance(next(iter(parsed.values())), dict):
        raise illegal_argument(
            f"Malformed action/metadata line [{number}], expected START_OBJECT or END_OBJECT but found [VALUE_STRING]"
        )
    action, header = next(iter(parsed.items()))
    if action not in _ACTIONS:
        raise illegal_argument(
            f"Malformed action/metadata line [{number}], expected field [create], [delete], [index] or [update] but "
            f"found [{action}]"
        )
    if not _PLAIN_BULK_KEYS.issuperset(header):
        _check_bulk_keys(header, number)
    if action == "index" and header.get("op_type") == "create":
        action = "create"
    given = header.get("_id")
    if isinstance(given, dict | list):
        raise illegal_argument(
            f"Malformed action/metadata line [{number}], expected a simple value for field [_id] but found "
            f"[{json_token(given)}]"
        )
    if isinstance(given, str) and given:
        check_id(given)
    return action, header


def _check_bulk_keys(header: dict[str, Any], line: int) -> None:
    for key in header:
        if key not in _BULK_KEYS:
            raise illegal_argument(f"Action/metadata line [{line}] contains an unknown parameter [{key}]")
        if key in ("routing", "pipeline", "dynamic_templates"):
            raise not_implemented(f"bulk parameter [{key}]")


def _prefetch(engine: Engine, batch: WriteBatch, actions: list[tuple[str, dict[str, Any], bytes]]) -> None:
    ids: dict[str, list[str]] = {}
    for _, header, _ in actions:
        if header.get("_id") is not None:
            ids.setdefault(header["_index"], []).append(str(header["_id"]))
    for name, wanted in ids.items():
        index = engine.indices.get(name)
        if index is not None:
            batch.prefetch(index, wanted)


def _bulk_item(
    engine: Engine, batch: WriteBatch, action: str, header: dict[str, Any], source: bytes, touched: dict[str, Index]
) -> tuple[int, dict[str, Any]]:
    name, doc_id = str(header["_index"]), header.get("_id")
    doc_id = None if doc_id is None else str(doc_id)
    try:
        op_type = "create" if action == "create" else "index"
        if _CONDITIONS.isdisjoint(header):
            conditions = _UNCONDITIONAL[op_type]
        else:
            conditions = _conditions({key: header[key] for key in header.keys() & _CONDITIONS}, op_type)
        if action == "delete":
            target = engine.indices.write_target(name)
            if target is None:
                raise index_not_found(name)
            index = target
        else:
            index = engine.index_for_write(name, require_alias=header.get("require_alias") in (True, "true"))
        touched[index.name] = index
        if action in ("index", "create"):
            return batch.index(index, doc_id, source, conditions)
        if doc_id is None:
            raise EngineError("action_request_validation_exception", "Validation Failed: 1: id is missing;")
        if action == "delete":
            return batch.delete(index, doc_id, conditions)
        body = parse_json(source)
        if not isinstance(body, dict):
            raise parsing_error(f"Expected [START_OBJECT] but found [{json_token(body)}]")
        if "_source" in header:
            body.setdefault("_source", header["_source"])
        return batch.update(index, doc_id, body, conditions)
    except EngineError as error:
        return error.status, {"_index": name, "_id": doc_id, "error": error.to_dict()}


def get_document(engine: Engine, request: Request) -> Response:
    index = engine.indices.single(request.index)
    stored = _stored(request.params.get("stored_fields"))
    option = _with_stored(_source_of_url(request.params), stored)
    body = _found(engine, index, request.names["id"], option, stored, realtime=request.flag("realtime", True))
    wanted = request.params.get("version")
    if wanted is not None and body["found"] and str(body["_version"]) != wanted:
        found = f"current version [{body['_version']}] is different than the one provided [{wanted}]"
        raise version_conflict(index, request.names["id"], found)
    return Response(200 if body["found"] else 404, body)


def get_source(engine: Engine, request: Request) -> Response:
    index = engine.indices.single(request.index)
    index.effective.check_blocks(index.name, "read")
    doc = _document(engine, index, request.names["id"], realtime=request.flag("realtime", True))
    if doc is None:
        reason = f"Document not found [{index.name}]/[{request.names['id']}]"
        raise EngineError("resource_not_found_exception", reason, status=404)
    option = _source_of_url(request.params) or SourceOption()
    return Response(200, RawJson(doc.source) if option.whole else option.of(json.loads(doc.source)))


def _source_of_url(params: dict[str, str]) -> SourceOption | None:
    """`_source` and its includes and excludes in the URL; None: nothing is said."""
    if "_source_includes" in params or "_source_excludes" in params:
        includes = params.get("_source_includes", "")
        excludes = params.get("_source_excludes", "")
        return SourceOption(True, tuple(filter(None, includes.split(","))), tuple(filter(None, excludes.split(","))))
    given = params.get("_source")
    if given is None:
        return None
    return parse_source_option(given if given in ("true", "false") else given.split(","))


def _found(
    engine: Engine, index: Index, doc_id: str, option: SourceOption, stored: Sequence[str] = (), *, realtime: bool
) -> dict[str, Any]:
    index.effective.check_blocks(index.name, "read")
    doc = _document(engine, index, doc_id, realtime=realtime)
    out: dict[str, Any] = {"_index": index.name, "_id": doc_id}
    if doc is None:
        return {**out, "found": False}
    out.update({"_version": doc.version, "_seq_no": doc.seq_no, "_primary_term": PRIMARY_TERM, "found": True})
    if option.enabled:
        out["_source"] = RawJson(doc.source) if option.whole else option.of(json.loads(doc.source))
    if stored:
        fields = stored_values(json.loads(doc.source), stored, index.mapping, index.analysis)
        if fields:
            out["fields"] = fields
    return out


def _document(engine: Engine, index: Index, doc_id: str, *, realtime: bool) -> StoredDocument | None:
    """The document as it was last written, or as searches see it."""
    if not is_text(doc_id):
        return None
    if realtime:
        return engine.store.get(index.record.id, doc_id)
    for segment in index.snapshot.segments:
        at = segment.identities.find(doc_id)
        if at >= 0 and (segment.space.live is None or segment.space.live[at]):
            seq_no, version = segment.identities.seq_nos.item(at), segment.identities.versions.item(at)
            source = engine.store.sources(index.record.id, [seq_no])[seq_no]
            return StoredDocument(doc_id, seq_no, version, source)
    return None


def _stored(given: Any) -> list[str]:
    if given is None:
        return []
    return [str(name) for name in given] if isinstance(given, list) else str(given).split(",")


def _with_stored(option: SourceOption | None, stored: Sequence[str]) -> SourceOption:
    """With fields that are kept beside it the source is returned only where it is asked for."""
    if option is not None:
        return option
    return SourceOption(enabled=not stored or "_source" in stored)


def _check_wanted(entry: dict[str, Any]) -> None:
    for key in entry:
        if key in ("version", "version_type"):
            raise not_implemented(f"[{key}] in a request for several documents")
        if key not in ("_index", "_id", "_source", "stored_fields", "routing"):
            raise EngineError("parse_exception", f"failed to parse multi get request. unknown field [{key}]")


def multi_get(engine: Engine, request: Request) -> Response:
    if not request.body.strip():
        raise EngineError("parse_exception", "request body or source parameter is required")
    body = request.json_object()
    docs, ids = body.pop("docs", None), body.pop("ids", None)
    for key in body:
        raise EngineError("parsing_exception", f"unknown key [{key}] for a START_ARRAY, expected [docs] or [ids]")
    if not isinstance(ids, list | None):
        raise parsing_error(f"unknown key [ids] for a {json_token(ids)}, expected [docs] or [ids]")
    wanted = [{"_id": doc_id} for doc_id in ids] if ids is not None else docs or []
    if not wanted:
        raise EngineError("action_request_validation_exception", "Validation Failed: 1: no documents to get;")
    if not isinstance(wanted, list) or not all(isinstance(entry, dict) for entry in wanted):
        raise parsing_error("unexpected token in [docs], expected [START_OBJECT]")
    problems = [
        f"{part} is missing for doc {at}"
        for at, entry in enumerate(wanted)
        for part, given in (("index", entry.get("_index") or request.index), ("id", entry.get("_id")))
        if given in (None, "")
    ]
    if problems:
        listed = "".join(f"{number}: {problem};" for number, problem in enumerate(problems, start=1))
        raise EngineError("action_request_validation_exception", f"Validation Failed: {listed}")
    default, realtime = _source_of_url(request.params), request.flag("realtime", True)
    out: list[dict[str, Any]] = []
    for entry in wanted:
        _check_wanted(entry)
        name = str(entry.get("_index", request.index))
        stored = _stored(entry.get("stored_fields", request.params.get("stored_fields")))
        option = _with_stored(parse_source_option(entry["_source"]) if "_source" in entry else default, stored)
        try:
            index = engine.indices.single(name)
            out.append(_found(engine, index, str(entry["_id"]), option, stored, realtime=realtime))
        except EngineError as error:
            shown = {"root_cause": [error.to_dict()], **error.to_dict()}
            out.append({"_index": name, "_id": str(entry["_id"]), "error": shown})
    return Response(200, {"docs": out})
