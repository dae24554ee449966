"""`qlc corpus`: makes corpora of folders of files, adds files, searches them, and shows the known values."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qlc.base.errors import UsageError
from qlc.cli import render, settings
from qlc.cli.exits import exit_of
from qlc.cli.meter import Meter
from qlc.cli.target import corpus_target, open_corpus, options_of
from qlc.cli.waiting import doing
from qlc.outcome import Hits
from qlc.outcome.amounts import several

if TYPE_CHECKING:
    from qlc.corpus.adding import Report
    from qlc.corpus.corpus import Corpus
    from qlc.corpus.extraction import Extraction
    from qlc.corpus.schema import CorpusSchema
    from qlc.corpus.status import FieldCoverage, Place
    from qlc.outcome import Outcome

_MOST_SHOWN = 20
"""Entries of a list; --json lists all."""
_MOST_FILES = 3


def _open(options: settings.OfCorpus, *, writes: bool = False, embedder: str | None = None) -> Corpus:
    from qlc.corpus.corpus import Corpus

    target, connection = corpus_target(options.corpus, options)
    with doing(f"opening the corpus {options.corpus}"):
        return Corpus.open(target, read_only=not writes, embedder=embedder, **connection)


def _made(options: settings.CreateCorpus | settings.AddFiles, schema: CorpusSchema | None = None) -> Corpus:
    from qlc.corpus.corpus import Corpus

    target, connection = corpus_target(options.corpus, options)
    shards = options.shards if isinstance(options, settings.CreateCorpus) else 1
    made = Corpus.create(target, schema or options.schema, shards=shards, **connection)
    if isinstance(options, settings.AddFiles):
        print(f"qlc: created the corpus '{options.corpus}'", file=sys.stderr)
    return made


def _made_by_draft(options: settings.AddFiles) -> Corpus:
    """Make a corpus with drafted fields, for a folder without a corpus.yaml."""
    from qlc.corpus.schema import read_schema

    schema = read_schema(_drafted(options))
    made = _made(options, schema)
    fields = sum(len(bucket.fields) for bucket in schema.file.buckets.values())
    if fields:
        known = f"the corpus has the {several(fields, 'field')} that its files seem to have. To see and change them"
        print(f"qlc: there is no corpus.yaml, so {known}:\n{_draft_commands(options)}", file=sys.stderr)
    return made


def _draft_commands(options: settings.AddFiles) -> str:
    paths = " ".join(shlex.quote(path) for path in options.paths)
    paths += f" --metadata {shlex.quote(options.metadata)}" if options.metadata else ""
    paths += " --follow-links" if options.follow_links else ""
    return (
        f"  qlc corpus draft {paths} > corpus.yaml\n"
        f"  qlc corpus add {shlex.quote(options.corpus)} {paths} --schema corpus.yaml"
    )


def _say(options: settings.Status, data: Any, text: str) -> int:
    print(json.dumps(data, ensure_ascii=False) if options.json else text)
    return 0


def _list(head: str, entries: Sequence[str]) -> None:
    """Print the first of some entries below a head; nothing if there are none."""
    if not entries:
        return
    print(f"{head}:")
    for one in entries[:_MOST_SHOWN]:
        print(f"  {one}")
    if len(entries) > _MOST_SHOWN:
        print(f"  and {len(entries) - _MOST_SHOWN:,} more (--json lists all)")


def create(options: settings.CreateCorpus) -> int:
    with _made(options) as made:
        buckets = [*made.schema.file.buckets]
    named = f": {', '.join(buckets)}" if buckets else ". Without a corpus.yaml each folder added is a bucket"
    text = f"Created the corpus '{options.corpus}' with {several(len(buckets), 'bucket')}{named}."
    return _say(options, {"corpus": options.corpus, "buckets": buckets}, text)


def _check_paths(options: settings.DraftCorpus) -> None:
    for path in options.paths:
        if not Path(path).exists():
            raise UsageError(f"there is no file or folder '{path}'")


def add(options: settings.AddFiles) -> int:
    read_files(options)
    return 0


def read_files(options: settings.AddFiles) -> Report:
    """Add files to a corpus, which is made if there is none, and print what became of them."""
    from qlc.corpus.corpus import Corpus
    from qlc.corpus.limits import Limits

    _check_paths(options)
    target, connection = corpus_target(options.corpus, options)
    if Corpus.exists(target, **connection):
        opened = _open(options, writes=True)
    else:
        opened = _made(options) if options.schema else _made_by_draft(options)
    meter = Meter("files")
    with opened:
        extract = _extraction(options)
        if options.schema:
            opened.set_schema(options.schema)
        try:
            report = opened.add(
                options.paths,
                prune=options.prune,
                processes=options.processes,
                limits=Limits(seconds=float(options.seconds), memory_bytes=options.memory * 1024 * 1024),
                extract=extract,
                progress=meter.of_files,
                metadata=options.metadata,
                follow_links=options.follow_links,
                passed_over=options.passed_over,
            )
        finally:
            meter.end()
    if options.json:
        print(json.dumps(asdict(report), ensure_ascii=False))
    else:
        _print_report(report)
        if not opened.schema.file.buckets:
            print("It has no corpus.yaml yet, so documents are found by words and not by fields such as a date or an "
                  f"amount. To propose one and use it:\n{_draft_commands(options)}")  # fmt: skip
    return report


def _extraction(options: settings.AddFiles) -> Extraction | None:
    if not options.extract:
        return None
    from qlc.corpus.extraction import Extraction
    from qlc.models.budgets import Budget

    return Extraction(options.model, Budget(rounds=1, seconds=90.0, tokens=options.tokens))


def prompt(options: settings.PromptForFile) -> int:
    from qlc.cli.prompt import print_request

    with _open(options) as opened:
        print_request(opened.model_request(options.path), None, as_json=options.json)
    return 0


def _print_report(report: Report) -> None:
    counts = {
        "added": report.added,
        "of them with the same content as another": report.same_content,
        "attached to these": report.attached,
        "unchanged": report.unchanged,
        "replacing an older version": report.replaced,
        "dropped": report.removed,
    }
    done = [f"{count:,} {what}" for what, count in counts.items() if count or what == "added"]
    print(f"Files: {', '.join(done)}.")
    if report.by_model or report.by_rules:
        print(f"{several(report.by_model, 'document')} read by the model.{_dropped_text(report.dropped)}")
    _print_unread([(one.file, one) for one in report.by_rules], [(one.file, one) for one in report.problems])
    unused = report.unused_metadata
    _list(f"{several(len(unused), 'file')} of metadata not used", [f"{one.file}: {one.message}" for one in unused])


def _dropped_text(dropped: int) -> str:
    return f" {several(dropped, 'value')} dropped: not in the document where it said." if dropped else ""


def _print_unread(by_rules: Sequence[tuple[str, Any]], problems: Sequence[tuple[str, Any]]) -> None:
    """Print the files that the model did not read, and the files without text."""
    head = f"{several(len(by_rules), 'file')} read by rules alone, not by the model"
    _list(head, [f"{file}: {one.message}" for file, one in by_rules])
    _list(f"{several(len(problems), 'file')} without text",
          [f"{file}: {one.message} ({one.reason})" for file, one in problems])  # fmt: skip


def status(options: settings.Status) -> int:
    with _open(options) as opened:
        status = opened.status()
    if options.json:
        return _say(options, asdict(status), "")
    embedded = f", {status.embedded:,} of them with a vector" if status.embedded else ""
    print(f"{several(status.documents, 'document')}, {several(status.passages, 'passage')}{embedded}.")
    for name, bucket in status.buckets.items():
        ready = "" if bucket.ready == bucket.documents else f", {bucket.ready:,} with text"
        print(f"{name}: {several(bucket.documents, 'document')}{ready}")
        for field, coverage in bucket.fields.items():
            disputed = f", left out in {coverage.disputed:,}" if coverage.disputed else ""
            print(f"  {field}: known in {coverage.known:,} of {bucket.ready:,}{disputed}{_lacking_text(coverage)}")
    if status.by_model:
        in_part = f", {status.in_part:,} of them in part, as they are long" if status.in_part else ""
        dropped = _dropped_text(status.dropped)
        print(f"{several(status.by_model, 'document')} read by a model{in_part}.{dropped}")
    _list(f"{several(len(status.disputes), 'document')} with values that are left out",
          ["\n  ".join(f"{one.files[0]}: {_place_text(place)}" for place in one.places)
           for one in status.disputes])  # fmt: skip
    _list(f"{several(len(status.orders), 'file')} with orders to language models, which are left out", status.orders)
    unread, problems = ([(", ".join(one.files), one) for one in some] for some in (status.by_rules, status.problems))
    _print_unread(unread, problems)
    return 0


def _lacking_text(coverage: FieldCoverage) -> str:
    if not 0 < coverage.lacking <= coverage.known:  # a field that few have tells nothing about those without
        return ""
    named = ", ".join(coverage.files[:_MOST_FILES])
    more = f" and {coverage.lacking - _MOST_FILES:,} more" if coverage.lacking > _MOST_FILES else ""
    return f"; not in {named}{more}"


def _place_text(place: Place) -> str:
    quote = " ".join(place.quote.split())
    by = {"model": ", by a model", "meaning": ", by its meaning"}.get(place.by, "")
    where = f"page {place.page}, {json.dumps(quote, ensure_ascii=False)}{by}" if place.page else "given"
    doubt = f", left out: {place.why}" if place.is_disputed else ""
    return f"{place.field}: {place.value} ({where}){doubt}"


def show(options: settings.ShowFile) -> int:
    with _open(options) as opened:
        found = opened.document(options.file)
    if found is None:
        print(f"There is no file '{options.file}' in the corpus.", file=sys.stderr)
        return 4
    if options.json:
        return _say(options, asdict(found), "")
    pages = f", {several(found.pages, 'page')}" if found.pages else ""
    print(f"{found.title} ({found.bucket}, {found.state.replace('_', ' ')}{pages})")
    for place in found.places:
        print(f"  {_place_text(place)}")
    return 0


def labels(options: settings.ProposeLabels) -> int:
    from qlc.corpus.proposing import with_labels

    with _open(options) as opened:
        found = opened.label_proposals()
    clear = [one for one in found if not one.or_else]
    if options.json:
        _say(options, [asdict(one) for one in found], "")
    else:
        for at, one in enumerate(found):
            if not at or (one.bucket, one.field) != (found[at - 1].bucket, found[at - 1].field):
                print(f"{one.bucket}.{one.field}:")
            print(f"  {one.text}")
    if options.accept and clear:
        path = Path(options.accept)
        path.write_text(with_labels(path.read_text("utf-8"), clear), "utf-8")
        again = f"qlc corpus add {shlex.quote(options.corpus)} FILES --schema {shlex.quote(options.accept)}"
        print(f"qlc: wrote {several(len(clear), 'label')} into {path}. To use them: {again}", file=sys.stderr)
    elif not found:
        print("qlc: no label of the files fits a field that they lack", file=sys.stderr)
    return 0


def draft(options: settings.DraftCorpus) -> int:
    _check_paths(options)
    print(_drafted(options), end="")
    return 0


def _drafted(options: settings.DraftCorpus) -> str:
    from qlc.corpus.drafting import draft_of
    from qlc.corpus.files import files_below

    if not any(True for _ in files_below([Path(path) for path in options.paths], follow_links=options.follow_links)):
        raise UsageError(f"'{options.paths[0]}' has no files: name a folder of documents")
    meter = Meter("files")
    try:
        return draft_of(
            [Path(path) for path in options.paths],
            progress=meter.of_files,
            most=options.most,
            metadata=Path(options.metadata) if options.metadata else None,
            follow_links=options.follow_links,
            passed_over=options.passed_over,
        )
    finally:
        meter.end()


def catalog(options: settings.OfCorpus) -> int:
    with _open(options) as opened:
        print(opened.catalog(), end="")
    return 0


def embed(options: settings.Embed) -> int:
    if options.endpoint and not options.url:
        raise UsageError("--endpoint is of a server with --url: in a folder, qlc makes the vectors itself")
    meter = Meter("passages")
    with _open(options, writes=True, embedder=options.endpoint) as opened:
        try:
            with doing("making the vectors of passages"):
                count = opened.embed(meter.show)
        finally:
            meter.end()
    return _say(options, {"embedded": count}, f"{several(count, 'passage')} embedded.")


def remove(options: settings.RemoveFiles) -> int:
    if options.all == bool(options.patterns):
        raise UsageError("name the files to remove, or give --all for the whole corpus")
    with _open(options, writes=True) as opened:
        if options.all:
            count = opened.status().documents
            opened.delete()
        else:
            count = opened.remove(*options.patterns)
    whole = f"The corpus '{options.corpus}' with its {several(count, 'document')} is deleted."
    none = "The corpus has no such file: nothing is removed."
    some = f"{several(count, 'file')} removed." if count else none
    _say(options, {"removed": count}, whole if options.all else some)
    return 0 if count or options.all else 4


def search(options: settings.SearchCorpus) -> int:
    if not options.text.strip():
        raise UsageError("say what to search for: the text is empty")
    with open_corpus(options) as opened:
        found = opened.search(
            options.text,
            by=options.by,
            where=options.where,
            limit=options.limit,
            per_document=options.per_document,
            **options_of(options),
        )
    if options.json:
        print(found.model_dump_json(indent=2))
    else:
        print(_passages(found, _program(found, options)))
    return exit_of(found)


def _program(found: Outcome, options: settings.SearchCorpus) -> str:
    """Return the program that the places in diagnostics refer to."""
    from qlc.corpus.searching import search_program, where_program

    if options.where.strip() and found.kind == "invalid":
        return where_program(options.where)
    return found.query or search_program(options.text, options.by, options.where)


def _passages(found: Outcome, source: str) -> str:
    """Return each passage below its place."""
    style = render.Style.of(sys.stdout)
    if not isinstance(found, Hits) or not found.hits:
        return render.outcome(found, source, style)
    parts = []
    for number, hit in enumerate(found.hits, 1):
        section = " > ".join(dict.fromkeys(hit.values.get("section") or ()))
        place = f"{', '.join(hit.values['file'])}, page {hit.values['page']}"
        parts.append(style.paint(f"{number}. {place}{f' - {section}' if section else ''}", render.BOLD))
        parts += [f"   {line}" for line in hit.values["text"].splitlines() if line.strip()]
    return "\n".join([*parts, *(f"Note: {note}" for note in found.notes)])
