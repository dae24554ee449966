"""`qlc repair`: a folder of the embedded engine checked and repaired, or its readable documents taken over."""

from __future__ import annotations

import json
from pathlib import Path

from qlc.base.errors import UsageError
from qlc.cli.settings import Repair
from qlc.outcome.amounts import several
from qlc.store.clients import check_folder, repair_folder, salvage_folder


def repair(options: Repair) -> int:
    """Repair a folder. Return 0 if it was intact or is repaired completely, else 1."""
    folder = Path(options.folder)
    if not folder.is_dir():
        raise UsageError(f"there is no folder '{folder}'")
    if options.check and options.into:
        raise UsageError("give --check or --into, not both")
    return _salvage(folder, options.into, options) if options.into else _repair(folder, options)


def _repair(folder: Path, options: Repair) -> int:
    findings, repaired = (check_folder(folder), False) if options.check else repair_folder(folder)
    if options.json:
        print(json.dumps({"findings": findings, "repaired": repaired}, ensure_ascii=False))
    else:
        for finding in findings:
            print(finding)
        print(_verdict(folder, bool(findings), repaired=repaired, checked=options.check))
    return 1 if findings and not repaired else 0


def _verdict(folder: Path, damaged: bool, *, repaired: bool, checked: bool) -> str:
    if not damaged:
        return f"{folder}: fine"
    if repaired:
        return f"{folder}: repaired"
    if checked:
        return f"{folder}: damaged; 'qlc repair {folder}' repairs what can be repaired"
    return f"{folder}: not repaired; 'qlc repair {folder} --into FOLDER' copies the readable documents"


def _salvage(folder: Path, into: str, options: Repair) -> int:
    documents, losses = salvage_folder(folder, into)
    if options.json:
        print(json.dumps({"documents": documents, "losses": losses}, ensure_ascii=False))
    else:
        for loss in losses:
            print(loss)
        for name, count in documents.items():
            print(f"{several(count, 'document')} of '{name}' copied into '{into}'")
    return 1 if losses else 0
