"""Clients of both engines, as for rows."""

from tests.rows.conftest import client

__all__ = ["client"]
