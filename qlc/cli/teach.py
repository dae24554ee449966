"""`qlc teach` and `qlc forms`: questions that need no model a second time."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from qlc.base.errors import UsageError
from qlc.base.options import Options
from qlc.cli import render
from qlc.cli.settings import DropForm, Taught, Teach
from qlc.cli.target import catalog_path, open_compiler, options_of
from qlc.outcome.amounts import several

if TYPE_CHECKING:
    from qlc.translator.forms.file import Forms


def forms_path(options: Taught) -> Path | None:
    """Return the file that `--forms` names, else the one beside the catalog; None without a catalog of the user's."""
    from qlc import catalogs
    from qlc.translator.forms.file import beside

    name = options.catalog or os.environ.get("QLC_CATALOG")
    if options.forms:
        return Path(options.forms)
    catalog = None if options.demo or name in catalogs.names() else catalog_path(name)
    return beside(catalog) if catalog is not None else None


def _opened(options: Taught) -> Forms:
    from qlc.translator.forms.file import Forms

    path = forms_path(options)
    if path is None:
        raise UsageError("say where the forms are: --forms FILE, or --catalog FILE, beside which they are kept")
    return Forms(path)


def teach(options: Teach) -> int:
    from qlc.translator.by_rules import ByRules
    from qlc.translator.entry import Asker

    forms = _opened(options)
    asker = Asker(open_compiler(options), [ByRules(forms)])
    made = asker.teach(options.question, options.program, origin=options.origin, **options_of(options))
    if made.form is None:
        for found in made.diagnostics:
            print(render.diagnostic(found, options.question, render.Style.of(sys.stdout)))
        return 1
    print(f"{made.form.id}  {made.form.question}\n          {made.form.program}")
    print(f"Kept in {forms.path}.")
    return 0


def list_forms(options: Taught) -> int:
    kept = _opened(options)
    if options.json:
        from qlc.translator.forms.file import record

        print(json.dumps([record(one) for one in kept], indent=2, ensure_ascii=False))
        return 0
    for one in kept:
        print(f"{one.id}  {one.question}\n          {one.program}\n          {one.origin}, {one.date}")
    print(f"{several(len(kept), 'form')}.")
    return 0


def test_forms(options: Taught) -> int:
    """Check all forms. Return 1 if one is not used, or gives another program than the taught one."""
    from qlc.translator.forms.teaching import failing

    kept, compiler = _opened(options), open_compiler(options)
    found = [*failing(kept.all, compiler.schema, Options.of(options_of(options)).instant)]
    if options.json:
        print(json.dumps([{"id": form.id, "problem": problem} for form, problem in found], indent=2))
    else:
        for form, problem in found:
            print(f"{form.id}  {form.question}\n          {problem}")
        wrong = len({form.id for form, _ in found})
        print(f"{several(len(kept), 'form')}, {wrong or 'none'} with problems.")
    return 1 if found else 0


def drop_forms(options: DropForm) -> int:
    print(f"Dropped: {_opened(options).drop(options.id).question}")
    return 0
