"""Opens the translators of a command: the compiler with the rules, and with a model if one is configured."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING

from qlc.base.errors import UsageError
from qlc.cli.settings import Asking, DraftCatalog, Taught
from qlc.cli.target import open_compiler

if TYPE_CHECKING:
    from qlc.models.budgets import Budget
    from qlc.models.exchange import Model
    from qlc.translator.entry import Asker
    from qlc.translator.forms.file import Forms
    from qlc.translator.protocol import Translator


def open_asker(options: Asking, source: str = "") -> Asker:
    """Open the compiler with its translators. If the words in `source` go by a drafted catalog, say so.

    Raises UsageError if a model is asked for that cannot be used.
    """
    from qlc.translator.entry import Asker
    from qlc.translator.recognise import looks_like_program

    asker = Asker(open_compiler(options), translators(options))
    if source and not looks_like_program(source) and asker.drafts:
        url, index = options.url, shlex.quote(asker.compiler.schema.index)
        where = f"--{'url' if url else 'data'} {shlex.quote(url or options.data or '')} " if url or options.data else ""
        print(f"No catalog: using a draft of one. To store and correct it: qlc catalog draft {index} {where}> "
              f"catalog.yaml; then add --catalog catalog.yaml.", file=sys.stderr)  # fmt: skip
        if hidden := _taken_for_confidential(asker):
            print(f"Taken for confidential by name, and not shown: {', '.join(hidden)}. To show one, delete its line "
                  f"'sensitive: true' in catalog.yaml.", file=sys.stderr)  # fmt: skip
    return asker


def _taken_for_confidential(asker: Asker) -> list[str]:
    """Return the names of the fields that a drafted catalog keeps back; who runs the command has the data itself."""
    entities = asker.compiler.schema.entities.values()
    return list(dict.fromkeys(field.name for one in entities for field in one.all_fields
                              if field.sensitive and not field.calculation))  # fmt: skip


def translators(options: Asking) -> tuple[Translator, ...]:
    """Return the translators of words. Raises UsageError if a model is asked for that cannot be used."""
    from qlc.translator.by_rules import ByRules

    rules = ByRules(_forms(options))
    model, budget = model_of(options), budget_of(options)
    if model is None:
        return (rules,)
    from qlc.translator.model import ModelTranslator

    return rules, ModelTranslator(model, rules=rules.rules, budget=budget, votes=options.votes)


def _forms(options: Taught) -> Forms | None:
    """Return the taught forms: of the file that `--forms` names, which must exist, or of the one beside the catalog."""
    from qlc.cli.teach import forms_path

    path = forms_path(options)
    if options.forms and path is not None and not path.is_file():
        raise UsageError(f"--forms names '{path}', which does not exist; 'qlc teach' creates it")
    if path is None or not path.is_file():
        return None
    from qlc.translator.forms.file import Forms

    return Forms(path)


def budget_of(options: Asking) -> Budget | None:
    """Return the limits of `--budget`; None without the option. Raises UsageError."""
    from qlc.models.budgets import Budget

    given: dict[str, float] = {}
    for pair in filter(None, options.budget.split(",")):
        name, _, number = pair.partition("=")
        try:
            given[name.strip()] = float(number) if name.strip() in ("seconds", "cost") else int(number)
            if not given[name.strip()] > 0:
                raise ValueError(number)
        except ValueError:
            raise UsageError(f"--budget takes NAME=NUMBER, such as seconds=20,cost=0.05, not '{pair}'") from None
    names = [name for name in Budget.__dataclass_fields__ if name != "prices"]
    if wrong := [name for name in given if name not in names]:
        raise UsageError(f"a budget has no '{wrong[0]}'; it has {', '.join(names)}")
    return Budget(**given) if given else None  # type: ignore[arg-type]


def model_of(options: Asking | DraftCatalog) -> Model | None:
    """Return the model for words that the rules do not surely understand; None, without imports, if there is none."""
    replies = options.record or options.replay if isinstance(options, Asking) else None
    if not replies:
        return _model_of(options)
    from qlc.models.recorded import RecordedModel

    assert isinstance(options, Asking)
    if options.replay:
        return None if options.rules_only else RecordedModel(replies)
    model = _model_of(options)
    if model is None:
        raise UsageError("--record needs a language model: name one with --model (or $QLC_MODEL), and give its key")
    return RecordedModel(replies, model)


def _model_of(options: Asking | DraftCatalog) -> Model | None:
    name = options.model or os.environ.get("QLC_MODEL", "").strip()
    url = options.model_url if isinstance(options, Asking) else None
    if url and not url.startswith(("http://", "https://")):
        raise UsageError(f"--model-url is an address such as http://localhost:11434/v1, not '{url}'")
    if url and not name:
        raise UsageError("--model-url needs the name of a model there: --model openai:NAME")
    if (isinstance(options, Asking) and options.rules_only) or not name:
        return None
    from qlc.models.permission import SWITCH, forbidden
    from qlc.models.providers import is_configured, model_named

    is_there = is_configured(name, url)
    if options.model and forbidden():
        raise UsageError(f"models are forbidden here: ${SWITCH} is set")
    if options.model and not is_there:
        needed = "a key: set $ANTHROPIC_API_KEY. For another server: --model openai:NAME --model-url URL"
        if name.startswith("openai:"):
            needed = "a server or a key: give --model-url, or set $OPENAI_BASE_URL or $OPENAI_API_KEY"
        raise UsageError(f"--model needs {needed}")
    if forbidden() or not is_there:
        return None
    return model_named(name, url)
