"""Records what a real Elasticsearch answers, and reports where another engine answers otherwise."""

import argparse
import json
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from elasticsearch import Elasticsearch

from tests.conformance import corpus
from tests.conformance.answers import recorded, write
from tests.conformance.asking import Answer, ask
from tests.conformance.cases import Case, cases
from tests.conformance.comparing import differences
from tests.conformance.engines import embedded_client
from tests.conformance.left_out import is_refusal, line_of, refused_indices
from tests.conformance.left_out import write as write_left_out
from tests.servers import ElasticsearchServer


def main(arguments: list[str]) -> int:
    """Run one command and give the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    record_command = commands.add_parser("record", help="ask a real server and keep its answers")
    record_command.add_argument("major", type=int, choices=[8, 9], nargs="?", default=8)
    report_command = commands.add_parser("report", help="write where the embedded engine differs from the record")
    report_command.add_argument("--to", type=Path, default=Path(".cache/differences.md"))
    report_command.add_argument("--accept-left-out", action="store_true", help="list what is not implemented")
    for command in (record_command, report_command):
        command.add_argument("--topic", choices=sorted({case.topic for case in cases()}))
    options = parser.parse_args(arguments)
    if options.command == "report" and options.accept_left_out and options.topic:
        parser.error("the list of what is left out is written for all topics at once")
    chosen = [case for case in cases() if options.topic in (None, case.topic)]
    if options.command == "record":
        with ElasticsearchServer(options.major) as server, Elasticsearch(server.url) as client:
            return _record(client, options.major, chosen)
    return _report(chosen, options.to, options.accept_left_out)


def _record(client: Elasticsearch, major: int, chosen: list[Case]) -> int:
    refused = corpus.load(client)
    if refused:
        raise ValueError(f"documents were refused: {refused}")
    for topic in sorted({case.topic for case in chosen}):
        answers = [(case, _ask_and_tidy(client, case)) for case in chosen if case.topic == topic]
        failed = [case.key for case, found in answers if any(answer["status"] >= 500 for answer in found)]
        if major != 8:
            answers = [pair for pair in answers if differences(recorded(pair[0]), pair[1], pair[0].tolerance)]
        write(topic, major, answers)
        sys.stdout.write(f"{topic}: {len(answers)} recorded; server errors: {failed}\n")
    return 0


def _ask_and_tidy(client: Elasticsearch, case: Case) -> list[Answer]:
    try:
        return ask(client, case)
    finally:
        if any(corpus.SCRATCH in request.path for request in case.requests):
            corpus.remove_scratch(client)


def _report(chosen: list[Case], path: Path, accept_left_out: bool) -> int:
    counts: Counter[str] = Counter()
    patterns: Counter[str] = Counter()
    lines: list[str] = []
    left_out: list[Case] = []
    with embedded_client() as client:
        refused = corpus.load(client)
        missing = refused_indices(refused)
        lines += [f"- refused while the corpus was loaded: {line}" for line in refused]
        for case in chosen:
            expected = recorded(case)
            got = _ask_or_say(client, case)
            found = differences(expected, got, case.tolerance)
            if not found:
                counts["alike"] += 1
                continue
            if is_refusal(expected, got, missing):
                left_out.append(case)
                counts["left out"] += 1
                continue
            counts["unlike"] += 1
            patterns.update({re.sub(r"[0-9]+", "N", line)[:100] for line in found})
            lines += _told(case, expected, got)
    head = ", ".join(f"{number} {what}" for what, number in counts.items()) + "\n"
    common = [f"- {number} cases: {pattern}" for pattern, number in patterns.most_common(20) if number > 3]
    left_out_text = [f"- {line_of(case)}" for case in left_out]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([f"# {head}", *common, "", *lines, "\n## Left out\n", *left_out_text]), encoding="utf-8")
    sys.stdout.write(head)
    if accept_left_out:
        write_left_out(left_out)
    return int(counts["unlike"] > 0)


def _ask_or_say(client: Elasticsearch, case: Case) -> list[Answer]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return _ask_and_tidy(client, case)
    except Exception as error:  # noqa: BLE001 a crash of the engine is a finding like any other
        return [{"status": None, "body": f"{type(error).__name__}: {error}"[:500]}]


def _told(case: Case, expected: list[Answer], got: list[Answer]) -> Iterator[str]:
    yield f"\n## {case.topic} / {case.key}\n"
    for step, request in enumerate(case.requests):
        left = expected[step]
        right = got[step] if step < len(got) else {"status": None, "body": "not asked"}
        found = differences(left, right, case.tolerance)
        if not found:
            continue
        yield f"`{request.method} {request.path}` `{json.dumps(request.body, ensure_ascii=False)}`\n"
        if left["status"] != right["status"]:
            yield f"- expected {_short(left)}\n- got {_short(right)}"
        else:
            yield from (f"- {line[:300]}" for line in found[:6])


def _short(answer: Answer) -> str:
    return json.dumps(answer, ensure_ascii=False)[:400]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
