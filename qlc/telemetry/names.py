"""Names of spans, attributes and metrics: those of OpenTelemetry, and qlc's own.

`gen_ai.*` is from the OpenTelemetry GenAI semantic conventions 0.1.0 (status: development), `error.type` from the
semantic conventions 1.45.0. `db.*` is missing, since the Elasticsearch client makes those spans itself.
"""

from __future__ import annotations

ERROR_TYPE = "error.type"

# --- GenAI: attributes -----------------------------------------------------------------------------------------------

OPERATION = "gen_ai.operation.name"
CHAT, RETRIEVAL = "chat", "retrieval"
PROVIDER = "gen_ai.provider.name"
MODEL = "gen_ai.request.model"
MAX_TOKENS = "gen_ai.request.max_tokens"
FINISH_REASONS = "gen_ai.response.finish_reasons"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
"""Includes cached tokens, as in the conventions."""
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
CACHE_READ = "gen_ai.usage.cache_read.input_tokens"
CACHE_WRITE = "gen_ai.usage.cache_write.input_tokens"
DATA_SOURCE = "gen_ai.data_source.id"
CONVERSATION = "gen_ai.conversation.id"
EVALUATION = "gen_ai.evaluation.result"
EVALUATION_NAME = "gen_ai.evaluation.name"
EVALUATION_LABEL = "gen_ai.evaluation.score.label"
EVALUATION_EXPLANATION = "gen_ai.evaluation.explanation"

# --- GenAI: metrics --------------------------------------------------------------------------------------------------

MODEL_DURATION = "gen_ai.client.inference.duration"
USED_INPUT = "gen_ai.client.inference.usage.input_tokens"
USED_OUTPUT = "gen_ai.client.inference.usage.output_tokens"
USED_CACHE_READ = "gen_ai.client.inference.usage.cache_read.input_tokens"
USED_CACHE_WRITE = "gen_ai.client.inference.usage.cache_write.input_tokens"

# --- qlc: spans ------------------------------------------------------------------------------------------------------

TURN = "qlc.turn"
ASK = "qlc.ask"
RUN = "qlc.run"
TRANSLATE = "qlc.translate"
COMPILE = "qlc.compile"
SEARCH = "qlc.search"
LINK = "qlc.answer.link"
COMPOSE = "qlc.answer.compose"
MODEL_ANSWER = "qlc.answer.model"
VERIFY = "qlc.answer.verify"

# --- qlc: attributes of spans, events and metrics --------------------------------------------------------------------

KIND = "qlc.outcome.kind"
CAUSE = "qlc.outcome.cause"
ROUTE = "qlc.route"
TRANSLATOR = "qlc.translator"
PROGRAM = "qlc.program"
QUESTION = "qlc.question"
CACHE = "qlc.cache.name"
COUNT_SEARCHES = "qlc.searches"
COUNT_ROUND_TRIPS = "qlc.round_trips"
COUNT_HITS = "qlc.cache.hits"
COUNT_CALLS = "qlc.model.calls"
COUNT_FOUND = "qlc.found"
COST = "qlc.model.cost"
DURATION = "qlc.duration"
STAGES = "qlc.stages"
RIGHT_PROGRAM = "qlc.feedback.program"
VERSION_OF_QLC = "qlc.version"

# --- qlc: metrics ----------------------------------------------------------------------------------------------------

METRICS: dict[str, tuple[str, str, str]] = {
    "qlc.questions": ("counter", "{question}", "Questions by outcome, route and translator."),
    "qlc.question.duration": ("histogram", "s", "Time to answer a question."),
    "qlc.searches": ("counter", "{search}", "Searches that were sent, those of the translation too."),
    "qlc.clarifications": ("counter", "{question}", "Questions answered with a clarifying question."),
    "qlc.declines": ("counter", "{question}", "Questions without an answer, by cause."),
    "qlc.cache.hits": ("counter", "{hit}", "Searches and compilations that a cache made unnecessary."),
    COST: ("counter", "{USD}", "Cost of language models, where their price is known."),
    MODEL_DURATION: ("histogram", "s", "Duration of a call of a language model."),
    USED_INPUT: ("counter", "{token}", "Input tokens, cached ones included."),
    USED_OUTPUT: ("counter", "{token}", "Output tokens."),
    USED_CACHE_READ: ("counter", "{token}", "Input tokens read from the provider's cache."),
    USED_CACHE_WRITE: ("counter", "{token}", "Input tokens written to the provider's cache."),
}
"""Instrument, unit and description by name."""
