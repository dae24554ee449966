"""Analysis: texts to terms, as Lucene's analysers do it."""

from qlc_engine.analysis.analyzers import Analyzer, Token
from qlc_engine.analysis.registry import AnalysisRegistry

__all__ = ["AnalysisRegistry", "Analyzer", "Token"]
