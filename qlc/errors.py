"""Programming and configuration errors. What a user's query gets wrong never raises: it is an outcome.

QlcError
├── UsageError          the caller used the API wrongly (no index, an unknown time zone, a naive setting)
└── ConfigurationError  catalog and mapping do not fit each other, or cannot be read
"""

from __future__ import annotations


class QlcError(Exception):
    """Root of what qlc raises."""


class UsageError(QlcError):
    """The caller used the API wrongly."""


class ConfigurationError(QlcError):
    """Catalog and mapping do not fit each other, or cannot be read."""
