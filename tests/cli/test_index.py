"""`qlc index`: what is loaded, what is rejected, and how a load that was cut off goes on."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from qlc.cli import load
from qlc_engine import Engine
from tests.cli.conftest import MAPPING, Command


def write(path: Path, lines: list[Any]) -> Path:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def count(qlc: Command, data: Path, index: str) -> int:
    return int(qlc("run", "--json", "--data", str(data), "--index", index, "count entries").json["value"])


def progress_files(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.endswith(".qlc-progress")]


def test_rejects_are_listed_with_their_lines(qlc: Command, tmp_path: Path) -> None:
    mapping = write(tmp_path / "m.json", [MAPPING])
    lines = ['{"id": "1", "pages": 1}', "{not json", "", "[1]", '{"pages": 2}', '{"id": "5", "pages": "many"}',
             '{"id": {"a": 1}}', '"text"', '{"id": "9", "pages": 9}', '{"id": "1", "pages": 3}']  # fmt: skip
    file = write(tmp_path / "odd.ndjson", lines)
    at = ("--data", str(tmp_path / "data"), "--mapping", str(mapping), "--id", "id", "--fresh")
    ended = qlc("index", str(file), *at, "--json")
    assert ended.code == 1
    assert ended.json["index"] == "odd"
    assert [item["line"] for item in ended.json["rejected"]] == [2, 4, 5, 6, 7, 8]
    assert ended.json["loaded"] == 3  # one of them over another
    assert count(qlc, tmp_path / "data", "odd") == 2
    assert ended.json["replaced"] == 1
    text = qlc("index", str(file), *at)
    assert "3 documents in 'odd', 1 replacing one with the same id, 6 lines rejected:" in text.out
    assert "odd.ndjson:2: not JSON" in text.out
    assert progress_files(tmp_path) == []


@pytest.mark.parametrize(
    ("line", "flags"),
    [
        ({"_id": "a7", "pages": 3}, ("--id", "_id")),
        ({"_index": "old", "_id": "a7", "_score": 1, "_source": {"pages": 3}}, ()),
        ({"_id": "x", "_source": {"code": "a7", "pages": 3}}, ("--id", "code")),
    ],
)
def test_lines_as_a_server_exports_them(qlc: Command, tmp_path: Path, line: Any, flags: tuple[str, ...]) -> None:
    file, data = write(tmp_path / "old.ndjson", [line]), str(tmp_path / "data")
    assert qlc("index", str(file), "--data", data, *flags).code == 0
    found = qlc("run", "--json", "--data", data, "--index", "old", "find entries where pages = 3").json
    assert found["ids"] == ["a7"]


def test_many_rejects_are_cut_in_text_alone(qlc: Command, tmp_path: Path) -> None:
    file = write(tmp_path / "bad.ndjson", [{"id": {str(n): n}, f"f{n}": n} for n in range(25)])
    mapping = write(tmp_path / "m.json", [{"dynamic": "strict", "properties": {"id": {"type": "object"}}}])
    at = ("index", str(file), "--data", str(tmp_path / "d"), "--mapping", str(mapping))
    assert "and 5 more lines (--json lists all)" in qlc(*at).out
    assert len(qlc(*at, "--json").json["rejected"]) == 25


def test_lines_that_were_rejected_for_the_same_reason_are_reported_once(qlc: Command, tmp_path: Path) -> None:
    file = write(tmp_path / "same.ndjson", [{"n": 1}, *[{"wide" * n: 0, "other": n} for n in range(1, 5)]])
    mapping = write(tmp_path / "m.json", [{"dynamic": "strict", "properties": {"n": {"type": "long"}}}])
    ended = qlc("index", str(file), "--data", str(tmp_path / "d"), "--mapping", str(mapping))
    assert len([line for line in ended.out.splitlines() if "same.ndjson:" in line]) == 4  # four names, four reasons
    file = write(tmp_path / "same.ndjson", [{"n": 1}, *[{"n": n, "other": n} for n in range(100, 2000, 450)]])
    ended = qlc("index", str(file), "--data", str(tmp_path / "d"), "--mapping", str(mapping))
    assert [line for line in ended.out.splitlines() if "same.ndjson:" in line] == [
        ("  same.ndjson:2: mapping set to strict, dynamic introduction of [other] within [_doc] is not allowed "
        "(and 4 more)")
    ]


def test_a_mapping_that_an_existing_index_does_not_have_is_an_error(qlc: Command, tmp_path: Path) -> None:
    file = write(tmp_path / "x.ndjson", [{"n": 1, "m": "a"}, {"n": 2}])
    for_numbers = write(tmp_path / "n.json", [{"dynamic": "strict", "properties": {"n": {"type": "long"}}}])
    for_texts = write(tmp_path / "t.json", [{"properties": {"n": {"type": "keyword"}}}])
    for_both = write(tmp_path / "b.json", [{"properties": {"n": {"type": "long"}, "m": {"type": "keyword"}}}])
    at = ("index", str(file), "--data", str(tmp_path / "d"), "--mapping")
    assert "1 line rejected" in qlc(*at, str(for_numbers)).out
    refused = qlc(*at, str(for_texts))
    assert refused.code == 2
    assert "the index 'x' exists, and the mapping" in refused.err
    assert "--fresh deletes it" in refused.err
    assert qlc(*at, str(for_both)).out.startswith("2 documents in 'x'")  # what is new is added
    unknown = write(tmp_path / "u.json", [{"properties": {"n": {"type": "no_such_type"}}}])
    assert qlc(*at, str(unknown), "--fresh").code == 5
    kept = ("--data", str(tmp_path / "d"), "--index", "x", "count entries")
    assert qlc("run", *kept).out == "2 entries.\n"  # what is refused costs nothing
    assert qlc(*at, str(for_texts), "--fresh").code == 0


def test_compressed_files_and_the_lines_number_as_id(qlc: Command, tmp_path: Path) -> None:
    file = tmp_path / "Zipped.ndjson.gz"
    file.write_bytes(gzip.compress(b'{"a": 1}\n{"a": 2}\n'))
    ended = qlc("index", str(file), "--data", str(tmp_path / "d"))
    assert (ended.code, ended.out) == (0, "2 documents in 'zipped'.\n")
    found = qlc("run", "--data", str(tmp_path / "d"), "--index", "zipped", "count entries where a > 1")
    assert found.out == "1 entry.\n"


DAMAGED = [b"\x1f\x8bbroken", b"plain text", gzip.compress(b'{"a": 1}\n' * 999)[:-9]]


@pytest.mark.parametrize("content", DAMAGED, ids=["broken", "plain", "cut"])
def test_a_damaged_file_is_reported(qlc: Command, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "x.ndjson.gz"
    file.write_bytes(content)
    ended = qlc("index", str(file), "--data", str(tmp_path / "d"))
    assert ended.code == 2
    assert ended.err.startswith("qlc: ")


def test_lines_that_are_not_utf8_are_rejected_and_the_others_loaded(qlc: Command, tmp_path: Path) -> None:
    file = tmp_path / "x.ndjson"
    file.write_bytes(b'{"a": 1}\n{"a": "\xe4"}\n{"a": 3}\n\xff\xfe\n{"a": 5}\n')
    ended = qlc("index", str(file), "--data", str(tmp_path / "d"), "--json")
    assert ended.code == 1
    assert (ended.json["loaded"], [item["line"] for item in ended.json["rejected"]]) == (3, [2, 4])
    assert all("not UTF-8" in item["reason"] for item in ended.json["rejected"])


@pytest.mark.parametrize("packed", [False, True])
def test_a_byte_order_mark_costs_nothing(qlc: Command, tmp_path: Path, packed: bool) -> None:
    raw = b'\xef\xbb\xbf{"a": 1}\r\n{"a": 2}\r\n'
    file = tmp_path / ("x.ndjson.gz" if packed else "x.ndjson")
    file.write_bytes(gzip.compress(raw) if packed else raw)
    assert qlc("index", str(file), "--data", str(tmp_path / "d")).out == "2 documents in 'x'.\n"


def test_a_packed_file_that_is_cut_says_what_was_taken(qlc: Command, tmp_path: Path) -> None:
    lines = b"".join(b'{"a": %d, "t": "%032x"}\n' % (n, n * 7919**9) for n in range(5000))
    file = tmp_path / "x.ndjson.gz"
    file.write_bytes(gzip.compress(lines)[:-20_000])
    ended = qlc("index", str(file), "--data", str(tmp_path / "d"))
    assert ended.code == 2
    found = re.search(r"x\.ndjson\.gz' cannot be read to its end .*: ([\d,]+) documents of it are in 'x'", ended.err)
    taken = int(found[1].replace(",", ""))
    assert 1000 < taken < 5000
    assert count(qlc, tmp_path / "d", "x") == taken


ODD: dict[str, tuple[bytes, str]] = {
    "twice": (b'{"a": 1, "a": 2}', "Duplicate field 'a'"),
    "NaN": (b'{"a": NaN}', "NaN is not a number in JSON"),
    "Infinity": (b'{"a": -Infinity}', "-Infinity is not a number in JSON"),
    "endless digits": (b'{"a": ' + b"9" * 5000 + b"}", "not JSON"),
    "a number that no type holds": (b'{"n": 1' + b"0" * 400 + b"}", "n"),
    "nested": (b'{"a":' * 2000 + b"1" + b"}" * 2000, "nested"),
    "too long": (b'{"a": "' + b"x" * 3000 + b'"}', "longer than"),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_an_odd_line_is_rejected_with_its_reason(
    qlc: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    line, reason = ODD[name]
    monkeypatch.setattr(load, "LONGEST_LINE", 2500 if name == "too long" else 100_000)
    mapping = write(tmp_path / "m.json", [{"properties": {"n": {"type": "long"}}}])
    file = tmp_path / "x.ndjson"
    file.write_bytes(b'{"b": 1}\n' + line + b'\n{"b": 3}\n')
    ended = qlc("index", str(file), "--data", str(tmp_path / "d"), "--mapping", str(mapping), "--json")
    assert ended.code == 1
    assert (ended.json["loaded"], [item["line"] for item in ended.json["rejected"]]) == (2, [2])
    assert reason in ended.json["rejected"][0]["reason"]


def test_ids_that_no_document_can_have_are_rejected_by_line(qlc: Command, tmp_path: Path) -> None:
    ids = ["1", "x" * 513, "é" * 257, "\ud800", "", "x" * 512]
    file = tmp_path / "x.ndjson"
    file.write_bytes(b"".join(json.dumps({"id": one}).encode() + b"\n" for one in ids))
    ended = qlc("index", str(file), "--data", str(tmp_path / "d"), "--id", "id", "--json")
    assert (ended.json["loaded"], [item["line"] for item in ended.json["rejected"]]) == (2, [2, 3, 4, 5])


HALF = b'{"id": "1", "name": "a \\ud800 b", "tag": "\\udc00", "nul": "a\\u0000b", "\\ud801": 1}'


def test_halves_of_surrogate_pairs_are_taken_and_break_nothing(qlc: Command, tmp_path: Path) -> None:
    mapping = write(tmp_path / "m.json", [MAPPING])
    file = tmp_path / "x.ndjson"
    file.write_bytes(HALF + b'\n{"id": "2", "name": "fine"}\n')
    data = str(tmp_path / "d")
    ended = qlc("index", str(file), "--data", data, "--mapping", str(mapping), "--id", "id", "--json")
    assert (ended.code, ended.json["loaded"]) == (0, 2)
    with Engine.open(data) as engine:
        for target in ("/x/_flush", "/x/_forcemerge"):
            assert engine.handle("POST", target, None)[0] == 200
    with Engine.open(data) as engine:
        for body in ({}, {"query": {"match": {"name": "a"}}}, {"aggs": {"t": {"terms": {"field": "tag.keyword"}}}},
                     {"sort": ["id"]}, {"_source": ["na*"]},
                     {"query": {"term": {"tag.keyword": "\udc00"}}}):  # fmt: skip
            raw = json.dumps(body).encode()
            status, _, answered = engine.handle("POST", "/x/_search", raw)
            assert status == 200, answered
            assert json.loads(answered.decode("utf-8", "surrogatepass"))["hits"]["total"]["value"] >= 1
        assert engine.handle("GET", "/x/_mapping", None)[0] == 200
    assert qlc("repair", data).code == 0
    assert count(qlc, tmp_path / "d", "x") == 2


def test_an_empty_file(qlc: Command, tmp_path: Path) -> None:
    ended = qlc("index", str(write(tmp_path / "none.ndjson", [""])), "--data", str(tmp_path / "d"))
    assert (ended.code, ended.out) == (0, "0 documents in 'none'.\n")


def test_wrong_mappings_are_reported(qlc: Command, tmp_path: Path) -> None:
    file = write(tmp_path / "x.ndjson", [{"a": 1}])
    for text, code in (("{", 2), ("[]", 2), ('{"mappings": {"properties": {"a": {"type": "none"}}}}', 5)):
        mapping = tmp_path / "m.json"
        mapping.write_text(text, encoding="utf-8")
        ended = qlc("index", str(file), "--data", str(tmp_path / "d"), "--mapping", str(mapping))
        assert ended.code == code, ended
        assert ended.err.startswith("qlc: ")
    assert qlc("index", str(file), "--data", str(tmp_path / "d"), "--mapping", str(tmp_path / "none")).code == 2
    assert qlc("index", str(file), "--data", str(tmp_path / "d"), "--name", "_Bad*Name").code == 2


class Cut(Exception):
    pass


def test_a_load_that_was_cut_off_goes_on(qlc: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "BATCH", 10)
    file = write(tmp_path / "long.ndjson", [{"n": n} if n != 5 else "?" for n in range(35)])
    data = tmp_path / "d"
    sent: list[int] = []
    send = load._send

    def cut_off(client: Any, name: str, batch: Any, id_path: Any) -> Any:
        if len(sent) == 2:
            raise Cut
        sent.append(batch[0][0])
        return send(client, name, batch, id_path)

    monkeypatch.setattr(load, "_send", cut_off)
    with pytest.raises(Cut):
        qlc("index", str(file), "--data", str(data))
    assert len(progress_files(tmp_path)) == 1
    monkeypatch.setattr(load, "_send", send)
    ended = qlc("index", str(file), "--data", str(data), "--json")
    assert "continuing after line 20" in ended.err
    assert ended.json == {"index": "long", "lines": 35, "loaded": 34, "replaced": 0, "rejected": [
        {"line": 6, "reason": ended.json["rejected"][0]["reason"]}]}  # fmt: skip
    assert count(qlc, data, "long") == 34
    assert progress_files(tmp_path) == []


@pytest.mark.parametrize("left", ["{", "[]", '{"line": 3}', '{"index": "x", "size": 1, "line": 9}', '{"odd": 1}'])
def test_what_is_left_of_another_load_is_not_gone_on_from(qlc: Command, tmp_path: Path, left: str) -> None:
    file = write(tmp_path / "x.ndjson", [{"n": n} for n in range(5)])
    (tmp_path / ".x.ndjson.x.qlc-progress").write_text(left, encoding="utf-8")
    assert qlc("index", str(file), "--data", str(tmp_path / "d")).out == "5 documents in 'x'.\n"


def test_a_busy_server_is_asked_again_for_what_it_turned_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("qlc.cli.load.time.sleep", waited.append)

    class Client:
        def __init__(self) -> None:
            self.asked: list[list[str]] = []

        def bulk(self, index: str, operations: list[Any]) -> dict[str, Any]:
            ids = [head["index"]["_id"] for head in operations[::2]]
            self.asked.append(ids)
            busy = {"error": {"reason": "queue is full"}, "status": 429}
            wrong = {"error": {"reason": "no number"}, "status": 400}
            made: dict[str, Any] = {"status": 201, "result": "created"}
            over: dict[str, Any] = {"status": 200, "result": "updated"}
            by_id = {"1": made, "2": busy if len(self.asked) < 3 else over, "3": wrong, "4": busy}
            return {"items": [{"index": by_id[one]} for one in ids]}

    client = Client()
    replaced, rejected = load._send(client, "x", [(n, b"{}") for n in (1, 2, 3, 4)], None)
    assert client.asked == [["1", "2", "3", "4"], ["2", "4"], ["2", "4"], ["4"]]
    assert rejected == [{"line": 3, "reason": "no number"}, {"line": 4, "reason": "queue is full"}]
    assert replaced == 1
    assert len(waited) == 3


def test_a_batch_is_bounded_in_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "BATCH_BYTES", 50)
    file = write(tmp_path / "x.ndjson", [{"text": "a" * 30}] * 5)
    assert [len(batch) for batch in load._batches(file, 0)] == [2, 2, 1]
    assert [batch[0][0] for batch in load._batches(file, 2)] == [3, 5]


def test_a_folder_that_is_written_to_is_reported(qlc: Command, notes: Path, tmp_path: Path) -> None:
    """Reading goes on meanwhile; a second writer is told."""
    import qlc as package

    file = write(tmp_path / "more.ndjson", [{"n": 1}])
    with package.connect(notes):
        assert qlc("run", "--data", str(notes), "--index", "notes", "count entries").out == "3 entries.\n"
        ended = qlc("index", str(file), "--data", str(notes))
        assert ended.code == 5
        assert "is open for writing in this very process" in ended.err
    assert qlc("index", str(file), "--data", str(notes)).code == 0


def test_a_load_that_fails_as_a_whole_leaves_no_index_behind(qlc: Command, tmp_path: Path) -> None:
    wrong = write(tmp_path / "w.json", [{"properties": {"n": {"type": "lon"}}}])
    right = write(tmp_path / "r.json", [{"properties": {"n": {"type": "long"}}}])
    file = write(tmp_path / "x.ndjson", [{"n": "many"}, "nonsense"])
    at = ("--data", str(tmp_path / "d"))
    refused = qlc("index", str(file), *at, "--mapping", str(wrong))
    assert refused.code == 5
    ended = qlc("index", str(file), *at, "--mapping", str(right))
    assert ended.code == 1
    assert "no line can be loaded, so the index 'x' is not created, 2 lines rejected:" in ended.out
    (tmp_path / "x.ndjson.gz").write_bytes(b"no gzip")
    assert qlc("index", str(tmp_path / "x.ndjson.gz"), *at).code == 2
    assert "there is no index yet" in qlc("run", *at, "count entries").err


def test_an_index_that_was_there_stays(qlc: Command, tmp_path: Path) -> None:
    at = ("--data", str(tmp_path / "d"), "--name", "x")
    assert qlc("index", str(write(tmp_path / "good.ndjson", [{"n": 1}])), *at).code == 0
    assert qlc("index", str(write(tmp_path / "bad.ndjson", ["nonsense"])), *at).code == 1
    assert count(qlc, tmp_path / "d", "x") == 1


def test_a_file_that_is_no_json_is_told_from_data_with_mistakes(qlc: Command, tmp_path: Path) -> None:
    at = ("--data", str(tmp_path / "d"))
    (tmp_path / "x.pdf").write_text("%PDF-1.4\n1 0 obj\n", "utf-8")
    assert "'qlc ui FOLDER'" in qlc("index", str(tmp_path / "x.pdf"), *at).err
    (tmp_path / "x.ndjson").write_text("[1]\n", "utf-8")
    assert qlc("index", str(tmp_path / "x.ndjson"), *at).err == ""
