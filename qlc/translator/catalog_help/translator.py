"""Catalog help as a translator: it answers questions about what can be asked, and leaves all others to the next."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from qlc.outcome import Explain, ValueOut
from qlc.translator.catalog_help.forms import Asked, FieldsOf, HowToPage, MeaningOf, Overview, ValuesOf, asked
from qlc.translator.catalog_help.texts import PAGES, Handbook, Help
from qlc.translator.protocol import Explained, Need, Question, Step, Translating, Translator, Try
from qlc.translator.rules.lexicon.lexemes import ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.translator import RuleTranslator
from qlc.translator.rules.words.tokens import tokenize


class CatalogHelpTranslator:
    """Answers from the catalog, and leaves to `then` what asks for the data.

    Words are found by the lexicon of `rules`, which is kept there.
    """

    def __init__(self, rules: RuleTranslator, then: Translator | None = None) -> None:
        self.rules = rules
        self.then = then or rules

    def forget(self) -> None:
        self.rules.forget()

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        lexicon = yield from self.rules.lexicon(question)
        parse = Parse(tokenize(question.text), lexicon, question.now, question.text)
        what = asked(parse, follows=bool(question.history))
        if what is None:
            return (yield from self.then.translate(question, steps))
        steps.append(Step("catalog help", type(what).__name__))
        said = yield from _answer(Handbook(lexicon), what)
        return Explained(
            Explain(message=said.message, about="help", notes=list(said.notes), suggestions=list(said.suggestions))
        )


def _answer(book: Handbook, what: Asked) -> Generator[Need, Any, Help]:
    match what:
        case Overview():
            return book.overview()
        case HowToPage():
            return PAGES
        case FieldsOf(thing=ValueWord() as kind):
            return book.fields_of(kind, (yield from _filled(book, kind)))
        case FieldsOf(thing=thing):
            return book.fields_of(thing)
        case MeaningOf(thing=thing):
            return book.meaning_of(thing)
        case ValuesOf(field=field):
            return book.meaning_of(field)


def _filled(book: Handbook, kind: ValueWord) -> Generator[Need, Any, frozenset[str] | None]:
    """The fields that some document of this kind has; None where that was not counted."""
    entity, measures = book.asks_what_is_filled(kind)
    where = book.where(kind.ref, kind.text)
    outcome = yield Try(f"{', '.join(measures.values())} of {entity.plural} where {where}")
    value = outcome.value if isinstance(outcome, ValueOut) else None
    if not isinstance(value, dict):
        return None
    return frozenset(name for name, measure in measures.items() if value.get(measure))
