"""Analysis: texts to terms, as Lucene's analysers do it."""

from qlc.engine.analysis.analyzers import Analyzer, Token
from qlc.engine.analysis.registry import AnalysisRegistry

__all__ = ["AnalysisRegistry", "Analyzer", "Token"]
