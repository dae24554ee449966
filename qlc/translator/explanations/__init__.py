"""Explanations of queries that were run, without a model: what was asked for, by which filters, why nothing came."""

from qlc.translator.explanations.explaining import Explaining, explanation, why_not_run
from qlc.translator.explanations.reading import About, What, asked_about

__all__ = ["About", "Explaining", "What", "asked_about", "explanation", "why_not_run"]
