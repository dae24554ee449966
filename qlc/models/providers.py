"""A model by its name: `openai:NAME` is behind an OpenAI-compatible server, any other name is one of Anthropic's."""

from __future__ import annotations

import os

from qlc.models.client_model import ClientModel

_OPENAI = "openai:"


def model_named(name: str, base_url: str | None = None) -> ClientModel:
    """The model. `base_url` is its server. Raises UsageError where its key or its extra is missing."""
    if name.startswith(_OPENAI):
        from qlc.models.openai_model import OpenAIModel

        return OpenAIModel(name.removeprefix(_OPENAI), base_url=base_url)
    from qlc.models.anthropic_model import AnthropicModel

    return AnthropicModel(name, base_url=base_url)


def is_configured(name: str, base_url: str | None = None) -> bool:
    """Whether there is what the model is reached with."""
    if name.startswith(_OPENAI):
        return bool(base_url) or any(map(_is_set, ("OPENAI_API_KEY", "OPENAI_BASE_URL")))
    return _is_set("ANTHROPIC_API_KEY")


def _is_set(variable: str) -> bool:
    return bool(os.environ.get(variable, "").strip())
