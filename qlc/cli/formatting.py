"""`qlc fmt`. It is run on each save of an editor, so it loads the grammar and nothing else."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from qlc.base.errors import UsageError
from qlc.cli.settings import Format
from qlc.cli.target import source_of


def fmt(options: Format) -> int:
    from qlc.grammar import SyntaxProblem, format_source

    path = Path(options.query)
    is_file = options.query != "-" and len(options.query) < 256 and "\n" not in options.query and path.is_file()
    if options.write and not is_file:
        raise UsageError("--write needs a file")
    source = path.read_text(encoding="utf-8") if is_file else source_of(options.query)
    try:
        text = format_source(source, width=options.width)
    except SyntaxProblem as problem:
        from qlc.cli import render
        from qlc.pipeline.present import note

        if options.json:
            found = note(problem.diagnostic).model_dump(mode="json")
            print(json.dumps({"diagnostics": [found]}, ensure_ascii=False))
        else:
            print(render.diagnostic(problem.diagnostic, source, render.Style.of(sys.stderr)), file=sys.stderr)
        return 1
    if options.write:
        path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    else:
        print(json.dumps({"text": text}, ensure_ascii=False) if options.json else text.rstrip("\n"))
    return 0
