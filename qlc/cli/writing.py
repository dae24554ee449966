"""Writes the rows of an answer: to standard output, or to the file that `--export` names."""

from __future__ import annotations

import sys
from pathlib import Path

from qlc.base.errors import UsageError, reason_of
from qlc.base.options import zone_of
from qlc.cli.settings import Run
from qlc.outcome.amounts import several
from qlc.outcome.export import Format
from qlc.outcome.files import Lines, save


def write_rows(lines: Lines, options: Run) -> None:
    """Write the rows of an answer to standard output, or to the file of `--export`. Raises UsageError."""
    if options.export_to is None:
        format: Format = "ndjson" if options.export == "ndjson" else "csv"
        sys.stdout.writelines(lines(format, options.export == "csv"))
        return
    path = Path(options.export_to).expanduser()
    try:
        rows = save(path, lines, zone_of(options.tz) if options.tz else None)
    except OSError as problem:
        raise UsageError(f"'{path}' cannot be written: {reason_of(problem)}") from None
    print(f"Saved {several(rows, 'row')} in '{path}'.")
