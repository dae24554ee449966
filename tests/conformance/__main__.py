"""Records what a real Elasticsearch answers, and reports where another engine answers otherwise."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from elasticsearch import Elasticsearch

from tests.conformance import corpus
from tests.conformance.answers import StaleAnswerError, recorded, write
from tests.conformance.asking import Answer, ask
from tests.conformance.cases import Case, cases
from tests.conformance.comparing import differences
from tests.conformance.engines import embedded_client
from tests.servers import ElasticsearchServer


def main(arguments: list[str]) -> int:
    """Run one command and give the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    record_command = commands.add_parser("record", help="ask a real server and keep its answers")
    record_command.add_argument("major", type=int, choices=[8, 9], nargs="?", default=8)
    report_command = commands.add_parser("report", help="write where the embedded engine differs from the record")
    report_command.add_argument("--to", type=Path, default=Path(".cache/differences.md"))
    for command in (record_command, report_command):
        command.add_argument("--topic", choices=sorted({case.topic for case in cases()}))
    options = parser.parse_args(arguments)
    chosen = [case for case in cases() if options.topic in (None, case.topic)]
    if options.command == "record":
        with ElasticsearchServer(options.major) as server, Elasticsearch(server.url) as client:
            return _record(client, options.major, chosen)
    return _report(chosen, options.to)


def _record(client: Elasticsearch, major: int, chosen: list[Case]) -> int:
    refused = corpus.load(client)
    if refused:
        raise ValueError(f"documents were refused: {refused}")
    for topic in sorted({case.topic for case in chosen}):
        answers = [(case, ask(client, case)) for case in chosen if case.topic == topic]
        failed = [case.key for case, found in answers if any(answer["status"] >= 500 for answer in found)]
        if major != 8:
            answers = [pair for pair in answers if differences(recorded(pair[0]), pair[1], pair[0].tolerance)]
        write(topic, major, answers)
        sys.stdout.write(f"{topic}: {len(answers)} recorded; server errors: {failed}\n")
    return 0


def _report(chosen: list[Case], path: Path) -> int:
    unlike = refused = alike = 0
    lines: list[str] = []
    with embedded_client() as client:
        lines += [f"- refused: {line}" for line in corpus.load(client)]
        for case in chosen:
            try:
                expected = recorded(case)
            except StaleAnswerError:
                continue
            got = _ask_or_say(client, case)
            found = list(_unlike(case, expected, got))
            alike += not found
            refused += bool(found) and _is_refusal(expected, got)
            unlike += bool(found) and not _is_refusal(expected, got)
            lines += found
            corpus.remove_scratch(client)
    head = f"{alike} cases alike, {unlike} unlike, {refused} refused as not implemented\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"# {head}\n" + "\n".join(lines), encoding="utf-8")
    sys.stdout.write(head)
    return int(unlike > 0)


def _ask_or_say(client: Elasticsearch, case: Case) -> list[Answer]:
    try:
        return ask(client, case)
    except Exception as error:  # noqa: BLE001 a crash of the engine is a finding like any other
        return [{"status": None, "body": f"{type(error).__name__}: {error}"[:500]}]


def _is_refusal(expected: list[Answer], got: list[Answer]) -> bool:
    pairs = zip(expected, got, strict=False)
    first = next((right for left, right in pairs if differences(left, right)), None)
    return first is not None and "not implemented" in json.dumps(first["body"])


def _unlike(case: Case, expected: list[Answer], got: list[Answer]) -> Iterator[str]:
    if not differences(expected, got, case.tolerance):
        return
    yield f"## {case.topic} / {case.key}\n"
    for step, request in enumerate(case.requests):
        left = expected[step]
        right = got[step] if step < len(got) else {"status": None, "body": "not asked"}
        found = differences(left, right, case.tolerance)
        if found:
            yield f"`{request.method} {request.path}` `{json.dumps(request.body, ensure_ascii=False)}`\n"
            yield f"- expected {_short(left)}\n- got {_short(right)}"
            yield from (f"  - {line[:400]}" for line in found[:8])
            yield ""


def _short(answer: Answer) -> str:
    return json.dumps(answer, ensure_ascii=False)[:600]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
