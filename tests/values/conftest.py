"""Where values are compared: where rows are."""

from tests.rows.conftest import client

__all__ = ["client"]
