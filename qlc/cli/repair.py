"""`qlc repair`: a folder of the embedded engine checked and mended, or its readable documents taken over."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

from qlc.clients import folder_errors
from qlc.errors import UsageError


def repair(options: Namespace) -> int:
    """0 if nothing is wrong or all of it is mended, else 1."""
    folder = Path(options.folder)
    if not folder.is_dir():
        raise UsageError(f"there is no folder '{folder}'")
    if options.check and options.into:
        raise UsageError("give --check or --into, not both")
    return _salvage(folder, options) if options.into else _mend(folder, options)


def _mend(folder: Path, options: Namespace) -> int:
    from qlc.engine.repair import Report, check_folder, repair_folder

    with folder_errors(folder):
        report = Report(check_folder(str(folder))) if options.check else repair_folder(str(folder))
    if options.json:
        print(json.dumps({"findings": report.findings, "mended": report.mended}, ensure_ascii=False))
    else:
        for finding in report.findings:
            print(finding)
        print(_verdict(folder, bool(report.findings), mended=report.mended, checked=options.check))
    return 1 if report.findings and not report.mended else 0


def _verdict(folder: Path, damaged: bool, *, mended: bool, checked: bool) -> str:
    if not damaged:
        return f"{folder}: fine"
    if mended:
        return f"{folder}: mended"
    if checked:
        return f"{folder}: damaged; 'qlc repair {folder}' mends what can be mended"
    return f"{folder}: not mended; 'qlc repair {folder} --into FOLDER' takes over the documents that can be read"


def _salvage(folder: Path, options: Namespace) -> int:
    from qlc.engine.salvage import salvage_folder

    with folder_errors(folder):
        taken = salvage_folder(str(folder), options.into)
    if options.json:
        print(json.dumps({"documents": taken.documents, "losses": taken.losses}, ensure_ascii=False))
    else:
        for loss in taken.losses:
            print(loss)
        for name, count in taken.documents.items():
            print(f"{count:,} document{'' if count == 1 else 's'} of '{name}' taken over into '{options.into}'")
    return 1 if taken.losses else 0
