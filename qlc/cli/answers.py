"""Questions to a corpus: answers with their sources, and how a question was taken apart."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING

from qlc.cli.target import corpus_target, options_of

if TYPE_CHECKING:
    from qlc.answers.corpora import Corpus
    from qlc.outcome import Outcome


def open_corpus(options: Namespace) -> Corpus:
    from qlc.answers.corpora import Corpus

    target, connection = corpus_target(options.corpus, options)
    return Corpus.open(target, read_only=True, **connection)


def ask_corpus(question: str, options: Namespace, choices: Mapping[str, str]) -> Outcome | None:
    """The answer. None where the documents do not surely tell it and a model is there, which may read the words."""
    from qlc.cli.asking import translators

    with open_corpus(options) as corpus:
        outcome = corpus.ask(question, **options_of(options), choices=choices)
    return None if outcome.kind == "declined" and len(translators(options)) > 1 else outcome


def decompose(options: Namespace) -> int:
    with open_corpus(options) as corpus:
        found = corpus.decompose(options.query, **options_of(options))
    print(found.model_dump_json(indent=2))
    return 0
