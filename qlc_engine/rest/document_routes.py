"""Documents: _doc, _create, _update, _bulk."""

from __future__ import annotations

import re
import time
from typing import Any

from qlc_engine.core import EngineCore
from qlc_engine.documents import (
    LONGEST_ID,
    PRIMARY_TERM,
    WriteBatch,
    check_id,
    check_update,
    is_text,
)
from qlc_engine.errors import EngineError, illegal_argument, index_not_found, not_implemented, parsing_error
from qlc_engine.index import Index
from qlc_engine.indices import INDICES_OPTIONS
from qlc_engine.json_input import json_token
from qlc_engine.json_output import RawJson
from qlc_engine.reading import reading
from qlc_engine.rest.bulk_answer import BulkAnswer
from qlc_engine.rest.request import Request, Response, parse_json
from qlc_engine.search.request import parse_source_option

WRITE_PARAMETERS = frozenset({"refresh"})
EXPECTING_PARAMETERS = WRITE_PARAMETERS | {"if_seq_no", "if_primary_term"}
UPDATE_PARAMETERS = EXPECTING_PARAMETERS | {"retry_on_conflict"}
"""One process writes, so that an update is never tried again: `retry_on_conflict` changes nothing."""
DELETING_PARAMETERS = INDICES_OPTIONS | {"refresh", "conflicts"}


def _refresh_policy(params: dict[str, str]) -> bool:
    given = params.get("refresh")
    if given not in (None, "", "true", "false", "wait_for"):
        raise illegal_argument(f"Unknown value for refresh: [{given}].")
    return given in ("", "true", "wait_for")


def _forced(params: dict[str, str], item: dict[str, Any]) -> dict[str, Any]:
    return {**item, "forced_refresh": True} if params.get("refresh") in ("", "true") else item


def index_document(engine: EngineCore, request: Request) -> Response:
    return _index(engine, request, create=False)


def create_document(engine: EngineCore, request: Request) -> Response:
    return _index(engine, request, create=True)


def _index(engine: EngineCore, request: Request, *, create: bool) -> Response:
    refresh = _refresh_policy(request.params)
    if not request.body.strip():
        raise EngineError("parse_exception", "request body is required")
    with engine.writing() as batch:
        index = engine.index_for_write(request.index)
        _check_unchanged(batch, index, request)
        status, item = batch.index(index, request.names.get("id"), request.body, create=create)
    engine.after_write([index], refresh=refresh)
    return Response(status, _forced(request.params, item))


def _check_unchanged(batch: WriteBatch, index: Index, request: Request, *, may_be_missing: bool = False) -> None:
    """Raise EngineError unless the document is as its writer has read it: `if_seq_no`, `if_primary_term`."""
    given = {key: request.params[key] for key in ("if_seq_no", "if_primary_term") if key in request.params}
    for key, text in given.items():
        if not text.isdecimal():
            raise illegal_argument(f"Failed to parse long parameter [{key}] with value [{text}]")
    if len(given) == 1:
        raise _invalid("ifSeqNo is set, but primary term is [0]" if "if_seq_no" in given else
                       f"ifSeqNo is unassigned, but primary term is [{given['if_primary_term']}]")  # fmt: skip
    if given:
        seq_no, term = map(int, given.values())
        batch.check_unchanged(index, request.names["id"], seq_no, term, may_be_missing=may_be_missing)


def _invalid(reason: str) -> EngineError:
    return EngineError("action_request_validation_exception", f"Validation Failed: 1: {reason};")


def update_document(engine: EngineCore, request: Request) -> Response:
    refresh = _refresh_policy(request.params)
    body = request.json_object()
    with engine.writing() as batch:
        index = engine.index_for_write(request.index)
        if "if_seq_no" in request.params and ("upsert" in body or body.get("doc_as_upsert")):
            raise _invalid("compare and write operations can not be used with upsert")
        _check_unchanged(batch, index, request, may_be_missing=True)
        status, item = batch.update(index, request.names["id"], body)
    engine.after_write([index], refresh=refresh)
    return Response(status, _forced(request.params, item) if item["result"] != "noop" else item)


def delete_document(engine: EngineCore, request: Request) -> Response:
    refresh = _refresh_policy(request.params)
    with engine.writing() as batch:
        index = engine.indices.aliased(request.index)
        if index is None:
            raise index_not_found(request.index)
        _check_unchanged(batch, index, request)
        status, item = batch.delete(index, request.names["id"])
    engine.after_write([index], refresh=refresh)
    return Response(status, _forced(request.params, item))


_BULK_KEYS = frozenset({"_index", "_id"})
_ACTIONS = ("index", "create", "update", "delete")


def bulk(engine: EngineCore, request: Request) -> Response:
    """Each item succeeds or fails by itself; those that succeed are stored together."""
    started = time.perf_counter()
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
    at = 0
    while at < len(lines) - 1:
        line = lines[at].strip()
        at += 1
        if not line:
            continue
        action, header = usual_action(line) or action_of(line, at)
        header.setdefault("_index", request.index)
        if not isinstance(header["_index"], str):
            found = f"expected the name of an index but found [{json_token(header['_index'])}]"
            raise illegal_argument(f"Malformed action/metadata line [{at}], {found}")
        if not header["_index"]:
            raise _invalid("index is missing")
        source = b""
        if action != "delete":
            if at >= len(lines) - 1 and not (at < len(lines) and lines[at].strip()):
                raise _invalid("no requests added")
            source = lines[at]
            at += 1
            if action == "update":
                check_update(parse_json(source))
        actions.append((action, header, source))
    if not actions:
        raise _invalid("no requests added")
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
    action, before, doc_id, after = found.groups()
    if (before and after) or len(doc_id) > LONGEST_ID:
        return None
    header = {"_id": doc_id.decode()}
    if before or after:
        header["_index"] = (before or after).decode()
    return action.decode(), header


def action_of(line: bytes, number: int) -> tuple[str, dict[str, Any]]:
    """Parse an action line; return the action and its metadata."""
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
    for key in header:
        if key not in _BULK_KEYS:
            raise not_implemented(f"bulk parameter [{key}] of line [{number}]")
    given = header.get("_id")
    if isinstance(given, dict | list):
        raise illegal_argument(
            f"Malformed action/metadata line [{number}], expected a simple value for field [_id] but found "
            f"[{json_token(given)}]"
        )
    if isinstance(given, str) and given:
        check_id(given)
    return action, header


def _prefetch(engine: EngineCore, batch: WriteBatch, actions: list[tuple[str, dict[str, Any], bytes]]) -> None:
    ids: dict[str, list[str]] = {}
    for _, header, _ in actions:
        if header.get("_id") is not None:
            ids.setdefault(header["_index"], []).append(str(header["_id"]))
    for name, wanted in ids.items():
        index = engine.indices.get(name)
        if index is not None:
            batch.prefetch(index, wanted)


def _bulk_item(
    engine: EngineCore, batch: WriteBatch, action: str, header: dict[str, Any], source: bytes, touched: dict[str, Index]
) -> tuple[int, dict[str, Any]]:
    name, doc_id = str(header["_index"]), header.get("_id")
    doc_id = None if doc_id is None else str(doc_id)
    try:
        if action == "delete":
            target = engine.indices.aliased(name)
            if target is None:
                raise index_not_found(name)
            index = target
        else:
            index = engine.index_for_write(name)
        touched[index.name] = index
        if action in ("index", "create"):
            return batch.index(index, doc_id, source, create=action == "create")
        if doc_id is None:
            raise _invalid("id is missing")
        if action == "delete":
            return batch.delete(index, doc_id)
        body = parse_json(source)
        if not isinstance(body, dict):
            raise parsing_error(f"Expected [START_OBJECT] but found [{json_token(body)}]")
        return batch.update(index, doc_id, body)
    except EngineError as error:
        return error.status, {"_index": name, "_id": doc_id, "error": error.to_dict()}


@reading("[_mget]")
def multi_get(engine: EngineCore, request: Request) -> Response:
    """The documents as they were last written, each by its index and id."""
    body = request.json_object()
    wanted = [*({"_id": one} for one in body.pop("ids", [])), *body.pop("docs", [])]
    for key in body:
        raise parsing_error(f"unknown key [{key}] for a START_ARRAY, expected [docs] or [ids]")
    if not wanted:
        raise _invalid("no documents to get")
    docs = [_one_of_several(engine, {"_index": request.index, **one}) for one in wanted]
    return Response(200, {"docs": docs})


def _one_of_several(engine: EngineCore, wanted: dict[str, Any]) -> dict[str, Any]:
    for key, called in (("_index", "index"), ("_id", "id")):
        if wanted.get(key) in (None, ""):
            raise _invalid(f"{called} is missing")
    name, doc_id = str(wanted.pop("_index")), str(wanted.pop("_id"))
    option = parse_source_option(wanted.pop("_source", None))
    for key in wanted:
        raise not_implemented(f"[{key}] of a document in [_mget]")
    index = engine.indices.aliased(name)
    if index is None:
        return {"_index": name, "_id": doc_id, "error": index_not_found(name).to_dict()}
    out = _read(engine, index, doc_id)
    if out["found"] and not option.whole:
        source = parse_json(out.pop("_source").source)
        out |= {"_source": option.of(source)} if option.enabled else {}
    return out


def delete_by_query(engine: EngineCore, request: Request) -> Response:
    """Delete the documents that a search finds. One that has been written since is a conflict."""
    started, body = time.perf_counter(), request.json_object()
    query = body.pop("query", None)
    if query is None:
        raise _invalid("query is missing")
    for key in body:
        raise not_implemented(f"[{key}] in [_delete_by_query]")
    conflicts = request.params.get("conflicts", "abort")
    if conflicts not in ("abort", "proceed"):
        raise illegal_argument(f"conflicts may only be \"proceed\" or \"abort\" but was [{conflicts}]")
    touched: dict[str, Index] = {}
    failures: list[dict[str, Any]] = []
    found = [*engine.matching(request.index, query, ignore_unavailable=request.flag("ignore_unavailable"))]
    with engine.writing() as batch:
        for index, doc_id, seq_no in found:
            try:
                batch.check_unchanged(index, doc_id, seq_no)
            except EngineError as conflict:
                cause = {**conflict.to_dict(), "index": index.name, "shard": "0"}
                failures.append({"index": index.name, "id": doc_id, "cause": cause, "status": conflict.status})
            else:
                batch.delete(index, doc_id)
                touched[index.name] = index
    engine.after_write(list(touched.values()), refresh=request.flag("refresh"))
    shown = failures if conflicts == "abort" else []
    answer = {
        "took": int((time.perf_counter() - started) * 1000), "timed_out": False, "total": len(found),
        "deleted": len(found) - len(failures), "batches": -(-len(found) // 1000), "version_conflicts": len(failures),
        "noops": 0, "retries": {"bulk": 0, "search": 0}, "throttled_millis": 0, "requests_per_second": -1.0,
        "throttled_until_millis": 0, "failures": shown,
    }  # fmt: skip
    return Response(409 if shown else 200, answer)


def get_source(engine: EngineCore, request: Request) -> Response:
    answer = get_document(engine, request)
    if answer.status == 404:
        reason = f"Document not found [{request.index}]/[{request.names['id']}]"
        raise EngineError("resource_not_found_exception", reason, status=404)
    return Response(200, answer.body["_source"])


def get_document(engine: EngineCore, request: Request) -> Response:
    """The document as it was last written."""
    index, doc_id = engine.indices.aliased(request.index), request.names["id"]
    if index is None:
        raise index_not_found(request.index)
    out = _read(engine, index, doc_id)
    return Response(200 if out["found"] else 404, out)


def _read(engine: EngineCore, index: Index, doc_id: str) -> dict[str, Any]:
    doc = engine.store.get(index.record.id, doc_id) if is_text(doc_id) else None
    out: dict[str, Any] = {"_index": index.name, "_id": doc_id}
    if doc is None:
        return {**out, "found": False}
    out.update({"_version": doc.version, "_seq_no": doc.seq_no, "_primary_term": PRIMARY_TERM, "found": True})
    return {**out, "_source": RawJson(doc.source)}
