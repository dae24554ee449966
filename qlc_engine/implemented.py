"""Lists the implemented features by name, from the tables by which requests are handled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from qlc_engine.aggregations import implemented_aggregations
from qlc_engine.analysis.registry import built_in_analysis
from qlc_engine.dates.formats import named_formats
from qlc_engine.effective_settings import FLAGS, WHOLE
from qlc_engine.mapping_parameters import (
    NESTED_PARAMETERS,
    OBJECT_PARAMETERS,
    PARAMETERS,
    ROOT_PARAMETERS,
    WITHOUT_EFFECT,
)
from qlc_engine.painless import GRAMMAR
from qlc_engine.queries.parse import implemented_queries
from qlc_engine.rest.routes import ROUTES


def queries() -> list[str]:
    return implemented_queries()


def aggregations() -> list[str]:
    return implemented_aggregations()


def scripts() -> str:
    """Return the grammar of scripts, in the notation of Lark."""
    return GRAMMAR.strip()


def field_types() -> Mapping[str, list[str]]:
    """The parameters of each type in a mapping."""
    leaves: dict[str, Iterable[str]] = dict(PARAMETERS)
    objects: dict[str, Iterable[str]] = {"object": OBJECT_PARAMETERS, "nested": NESTED_PARAMETERS}
    return {kind: sorted(set(names) - {"type"}) for kind, names in sorted({**leaves, **objects}.items())}


def parameters_without_effect() -> list[str]:
    """Return parameters of fields that are stored and printed, but change no search."""
    return sorted(WITHOUT_EFFECT)


def mapping_parameters() -> list[str]:
    """Return the parameters of a mapping besides its fields."""
    return sorted(ROOT_PARAMETERS)


def settings() -> list[str]:
    """Return the settings of an index that change its responses."""
    return sorted({*WHOLE, *FLAGS, "analysis", "refresh_interval", "query.default_field"})


def analysis() -> Mapping[str, list[str]]:
    """Analysers, tokenizers, token filters and normalizers."""
    return built_in_analysis()


def date_formats() -> list[str]:
    return named_formats()


def routes() -> list[tuple[str, str, list[str]]]:
    """Path, methods and URL parameters."""
    return sorted((route.path, ", ".join(route.methods.split()), sorted(route.parameters)) for route in ROUTES)
