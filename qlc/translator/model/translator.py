"""The model as a translator: one call, its program checked, its errors sent back, then an honest end."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal
from weakref import WeakKeyDictionary

from qlc.base.diagnostics import NO_SPAN, Diagnostic
from qlc.compiler.periods import Clock
from qlc.grammar import parse as parsed
from qlc.mapping.schema import Schema
from qlc.models.budgets import Budget, Ledger, Usage
from qlc.models.exchange import Call, Model, ModelFailed, ModelReply, ModelRequest, Tool, resumed, usage_of
from qlc.outcome import Outcome, answer_key, has_answer
from qlc.translator.explanations import About, explanation
from qlc.translator.model.accounting import left_out
from qlc.translator.model.contents import ranges_of
from qlc.translator.model.counts import repeated_values, with_ties
from qlc.translator.model.described import fields_text
from qlc.translator.model.earlier import numbered
from qlc.translator.model.fields import Fields
from qlc.translator.model.matching import Match, Matcher, with_paths
from qlc.translator.model.narrator import Narrates, may_be_shown
from qlc.translator.model.prompt import EXPLAINED, MOST_FOUND, further_parts, question_part, system_parts, tools_for
from qlc.translator.model.replies import Asked, Declined, Explains, Finds, Submitted, Unusable, read_answer
from qlc.translator.model.sensitivity import as_for_anybody, redacted, redacted_message
from qlc.translator.model.votes import decided
from qlc.translator.protocol import (
    AskBack,
    CallModel,
    CannotSay,
    Diagnose,
    Explained,
    Fact,
    FindValues,
    Narrating,
    Need,
    NotHeld,
    Question,
    Refusal,
    Step,
    Translated,
    Translating,
    Translation,
    Try,
)
from qlc.translator.rules.accounting import Said
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.unspecified import unspecified
from qlc.translator.rules.translator import REFUSALS, RuleTranslator

log = logging.getLogger("qlc.model")
MAX_TOKENS = 2_000  # tokens of an answer at most
MOST_KEPT = 8
FAILED = "The language model could not be asked ({reason})."
REFUSED = "The language model would not answer this."
SPENT = "The budget of this question for the language model is used up."
NOT_SAYABLE = "No query can work out '{what}' exactly."
REST = " Ask for the values that it is computed from, in several questions."
WHICH = "What do you mean by '{what}'? Name it in the question."
DECIDED = "The language model decided what '{}' means."
NOTHING_FOUND = "{} (nothing is found)"
NOT_FIXED = "The language model found no correct query for this."
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
Logged = Literal["nothing", "redacted"]


class ModelTranslator:
    """Keeps the texts that are the same for many questions. Safe under threads.

    model: any `Model`. budget: what one question may cost. votes: how often the model is asked; where its programs have
    different answers, the user is asked. values: whether names and values of the index that match a question are sent
    (False: nothing of the index leaves; the catalog still does). rules: the rules that come before, whose lexicon is
    shared. logged: `redacted` writes prompts and answers to the log `qlc.model` without any text of
    users or of the index; `nothing` only how many calls and tokens there were.

    Raises ConfigurationError where the budget has a cost and no price is known.
    """

    def __init__(
        self,
        model: Model,
        *,
        votes: int = 1,
        budget: Budget | None = None,
        values: bool = True,
        rules: RuleTranslator | None = None,
        logged: Logged = "nothing",
    ) -> None:
        self.model = model
        self.budget = budget or Budget()
        self.budget.price(model.name)
        self._values = values
        self._rules = rules or RuleTranslator()
        self._logged = logged
        self._votes = votes
        self._schemas: OrderedDict[str, tuple[Fields, tuple[str, ...]]] = OrderedDict()
        self._matchers: WeakKeyDictionary[Lexicon, Matcher] = WeakKeyDictionary()
        self._spent = Usage()
        self._lock = threading.Lock()

    @property
    def spent(self) -> Usage:
        """Tokens of all questions so far."""
        return self._spent

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        request, ledger = (yield from self.request(question)), question.ledger or Ledger()
        said: list[Translation] = []
        while len(said) < self._votes:
            said += [(yield from self._answered(question, request, ledger, steps))]
        return said[0] if len(said) == 1 else (yield from decided(said, question, steps))

    def _answered(self, question: Question, request: ModelRequest, ledger: Ledger, steps: list[Step]) -> Translating:
        """One answer of the model: its reply, and the corrections that it is asked for."""
        name = self.model.name
        deadline = self.budget.deadline(name, ledger, question.deadline)
        doubtful: Translation | None = None
        """A program that leaves out words: the model was asked about them, once."""
        for number in range(1, self.budget.rounds + 1):
            spent, seconds = ledger.spent(name)
            allowed = self.budget.allows(name, spent, request.characters, request.max_tokens)
            if not allowed or seconds >= self.budget.seconds:
                steps.append(Step("model", "budget used up", {"round": number, "tokens": spent.tokens}))
                return doubtful or CannotSay(notes=(SPENT,), failed=True)
            began = time.monotonic()
            reply = yield CallModel(Call(self.model, request, deadline, self.budget.price(name)))
            ledger.add(name, usage_of(reply, request), time.monotonic() - began)
            if isinstance(reply, ModelFailed):
                log.warning("%s: %s (%s)", self.model.name, reply.reason, reply.detail)
                steps.append(Step("model", "failed", {"round": number, "reason": reply.reason}))
                return doubtful or CannotSay(notes=(FAILED.format(reason=reply.reason),), failed=True)
            self._count(request, reply, number)
            if reply.stop == "refusal":
                steps.append(Step("model", "refused", {"round": number}))
                return doubtful or CannotSay(notes=(REFUSED,), failed=True)
            may_ask = doubtful is None and number < self.budget.rounds
            answer, wrong = yield from self._judged(reply, request.tools, question, number, steps, may_ask)
            if answer is not None and not wrong:
                return answer
            doubtful = answer or doubtful
            request = resumed(request, reply, wrong, is_error="fields" not in wrong)
        return doubtful or CannotSay(notes=(NOT_FIXED if self.budget.rounds > 0 else SPENT,), failed=True)

    def narrate(self, facts: Sequence[Fact], question: Question, steps: list[Step]) -> Narrating:
        """One text over those answers that may be reported. Nothing where no value of the index is to leave."""
        covered = [n for n, fact in enumerate(facts) if self._values and may_be_shown(fact, question.schema)]
        if not covered:
            return None
        narrates = Narrates(self.model, self.budget, self._count)
        narrated = yield from narrates.narrate([facts[n] for n in covered], question, steps)
        return replace(narrated, covered=tuple(covered)) if narrated is not None else None

    def request(self, question: Question) -> Generator[Need, Any, ModelRequest]:
        """The first call for a question."""
        fields, system = self._stable(question.schema)
        matches: Sequence[Match] = ()
        keys: Mapping[str, Sequence[str]] = {}
        empty: Collection[str] = ()
        contents = ""
        if self._values:
            lexicon = yield from self._rules.lexicon(question)
            matcher = self._matcher(lexicon)
            unread, many_valued = matcher.unread(question.text), matcher.many_valued
            found = (yield FindValues(unread, many_valued)) if unread and many_valued else ()
            matches = (*matcher.found(found), *matcher.matches(question.text))
            matches = yield from with_paths(matches, question.schema)
            keys, empty, contents = matcher.keys(), matcher.empty, matcher.contents(fields)
        content = question_part(question, fields, matches, keys, values=self._values, empty=empty)
        system += further_parts(question, contents)
        tools = tools_for(fields, question)
        return ModelRequest(system, ({"role": "user", "content": content},), tools, MAX_TOKENS)

    def _judged(
        self, reply: ModelReply, tools: Sequence[Tool], question: Question, number: int, steps: list[Step],
        may_ask: bool,
    ) -> Generator[Need, Any, tuple[Translation | None, Mapping[str, Any]]]:  # fmt: skip
        """Return the translation, or what is wrong with it; both if words are left out and may be asked about."""
        answer = read_answer(reply, tools)
        detail = {"round": number, "tokens": reply.usage.tokens}
        match answer:
            case Submitted():
                found, text = yield from _checked(answer.program, question)
                codes = [one.code for one in found if one.severity == "error"]
                steps.append(Step("model", "submitted", {**detail, "program": answer.program, "errors": codes}))
                if codes:
                    return None, _findings(answer.program, found)
                parse = yield from self._rules.parsed(question)
                left = left_out(parse, text, answer.because, question.history, self._values)
                if left.doubtful:
                    steps.append(Step("model", "leaves out", {"words": left.words, "constants": left.constants}))
                if self._logged == "redacted":
                    log.info("accepted: %s", redacted(text))
                text = yield from with_ties(text)
                pointed = None if question.history else unspecified(parse)
                notes = (DECIDED.format(pointed.said),) if pointed is not None and pointed.is_pronoun else ()
                repeated = yield from repeated_values(text, parse)
                done = Translated(text, (*notes, *left.notes, *(yield from _of_nothing(text, parse)), *repeated))
                return done, left.problem if left.doubtful and may_ask else {}
            case Asked():
                return (yield from self._asked(answer, question, detail, steps))
            case Declined():
                steps.append(Step("model", "declined", {**detail, "reason": answer.reason}))
                return _ended(answer), {}
            case Explains():
                return (yield from self._explained(answer, question, detail, steps))
            case Finds():
                steps.append(Step("model", "asked for fields", {**detail, "words": answer.words}))
                fields, _ = self._stable(question.schema)
                return None, {"fields": fields_text(fields.needed(answer.words, most=MOST_FOUND), question.schema)}
            case Unusable():
                return _not_usable(answer.problem, detail, steps)

    def _asked(
        self, answer: Asked, question: Question, detail: Mapping[str, Any], steps: list[Step]
    ) -> Generator[Need, Any, tuple[Translation | None, Mapping[str, Any]]]:
        """Every reading that a user may choose is a program that ran; those that found nothing say so."""
        options: dict[str, str] = {}
        for program, label in answer.options:
            problems, text = yield from _checked(program, question)
            if any(one.severity == "error" for one in problems):
                steps.append(Step("model", "asked with a wrong program", {**detail, "program": program}))
                return None, _findings(program, problems)
            options.setdefault(text, label)
        found: dict[str, Outcome] = {}
        for text in options:
            found[text] = yield Try(text)
        steps.append(Step("model", "asked back", {**detail, "programs": list(options)}))
        if len(set(map(answer_key, found.values()))) == 1 or len(options) == 1:
            return Translated(next(iter(options))), {}
        labels = [label if has_answer(found[text]) else NOTHING_FOUND.format(label) for text, label in options.items()]
        return AskBack(answer.question, tuple(zip(options, labels, strict=True))), {}

    def _explained(self, answer: Explains, question: Question, detail: Mapping[str, Any],
                   steps: list[Step]) -> Generator[Need, Any, tuple[Translation | None, Mapping[str, Any]]]:
        """Explain an earlier query without the model, which only chose the turn and the kind of explanation."""
        asked = [turn for number, turn in numbered(question.history) if turn.program and answer.turn in (number, None)]
        if not asked:
            return _not_usable("no earlier turn of that number has a query; use another tool", detail, steps)
        steps.append(Step("model", "explains", {**detail, "about": answer.about}))
        clock = Clock(question.now, question.timezone, question.schema.week_start)
        about = About(EXPLAINED[answer.about], asked[-1])
        return Explained((yield from explanation(about, question.schema, clock))), {}

    def _stable(self, schema: Schema) -> tuple[Fields, tuple[str, ...]]:
        with self._lock:
            kept = self._schemas.get(schema.version)
        if kept is None:
            fields = Fields(schema)
            kept = fields, system_parts(fields)
            with self._lock:
                self._schemas[schema.version] = kept
                while len(self._schemas) > MOST_KEPT:
                    self._schemas.popitem(last=False)
        return kept

    def _matcher(self, lexicon: Lexicon) -> Matcher:
        with self._lock:
            return self._matchers.setdefault(lexicon, Matcher(lexicon))

    def _count(self, request: ModelRequest, reply: ModelReply, number: int) -> None:
        with self._lock:
            self._spent += reply.usage
        usage = reply.usage
        log.info(
            "%s: round %d, %d tokens in, %d from the cache, %d out", self.model.name, number,
            usage.input + usage.written, usage.read, usage.output,
        )  # fmt: skip
        if self._logged == "redacted":
            log.info("sent: %s", redacted_message(request.messages[-1]["content"]))
            log.info("got: %s", [use.name for use in reply.uses])


def _of_nothing(program: str, parse: Parse) -> Generator[Need, Any, tuple[str, ...]]:
    """Return what an answer with nothing in it tells of the dates that were asked for."""
    said = Said(parsed(program).statement, parse.schema)
    ranges = ranges_of(said, parse.lexicon.values)
    return () if not ranges or has_answer((yield Try(program))) else ranges


def _not_usable(problem: str, detail: Mapping[str, Any], steps: list[Step]) -> tuple[None, Mapping[str, Any]]:
    steps.append(Step("model", "no usable answer", {**detail, "problem": problem}))
    return None, {"accepted": False, "problem": problem}


def _checked(program: str, question: Question) -> Generator[Need, Any, tuple[tuple[Diagnostic, ...], str]]:
    """Return the diagnostics and the canonical text of a program. A parameter without a value is an error here."""
    diagnosis = yield Diagnose(program)
    found = diagnosis.diagnostics
    if not diagnosis.failed:
        hint = "use a parameter of <given> only; where the question needs another one, decline it as unclear"
        found += tuple(Diagnostic("missing-parameter", f"${name} has no value", hint=hint)
                       for name in sorted(_parameters(diagnosis.text, question.schema) - question.params))
        return found, diagnosis.text
    return as_for_anybody(program, question.schema, found), diagnosis.text


def _parameters(program: str, schema: Schema) -> set[str]:
    """The parameters of a canonical program, those of the catalog's conditions in it too."""
    bare = _LITERAL.sub('""', program)
    for entity in schema.entities.values():
        for name, condition in entity.conditions.items():
            if "$" in condition and re.search(rf"(?<![.\w]){re.escape(name)}\b", bare):
                bare += " " + _LITERAL.sub('""', condition)
    return set(re.findall(r"\$(\w+)", bare))


def _ended(answer: Declined) -> Translation:
    match answer.reason:
        case "action":
            return Refusal(answer.intent, REFUSALS[answer.intent])
        case "unspecified":
            return AskBack(WHICH.format(what=answer.what or "that"), ())
        case "not_held" if answer.what:
            return NotHeld(answer.what, answer.instead)
        case "not_sayable" if answer.what:
            ways = "" if answer.instead else REST
            return CannotSay(suggestions=answer.instead, cannot_be=NOT_SAYABLE.format(what=answer.what) + ways)
        case _:
            return CannotSay((answer.what,) if answer.what else ())


def _findings(program: str, found: Sequence[Diagnostic]) -> Mapping[str, Any]:
    """Diagnostics as data. `nearest` are names or values that may have been meant, `fixed` a program that runs."""
    return {"accepted": False, "program": program, "diagnostics": [_finding(program, one) for one in found]}


def _finding(program: str, one: Diagnostic) -> Mapping[str, Any]:
    # What a name leads to may be confidential by its name already.
    message = one.message if one.code != "not-permitted" else "this is confidential"
    record: dict[str, Any] = {"code": one.code, "severity": one.severity, "message": message}
    if one.span != NO_SPAN:
        record["span"] = list(one.span)
        record["at"] = program[one.span.start : one.span.end]
    if one.hint:
        record["hint"] = one.hint
    if one.suggestions:
        record["nearest"] = list(one.suggestions)
    if one.fixed is not None:
        record["fixed"] = one.fixed
    return record
