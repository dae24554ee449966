"""Words to programs by a language model: any model after a small protocol, one of them Anthropic's."""

from qlc.models.budgets import PRICES, Budget, Price, Usage
from qlc.models.doubles import FunctionModel, ScriptedModel
from qlc.models.exchange import Model, ModelFailed, ModelReply, ModelRequest, ToolUse
from qlc.translator.model.translator import ModelTranslator

__all__ = [
    "PRICES",
    "Budget",
    "FunctionModel",
    "Model",
    "ModelFailed",
    "ModelReply",
    "ModelRequest",
    "ModelTranslator",
    "Price",
    "ScriptedModel",
    "ToolUse",
    "Usage",
]
