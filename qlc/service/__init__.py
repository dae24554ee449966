"""The library as an HTTP service: `qlc serve`, and `create_app` to mount it in an application. Needs the extra `serve`.

The service adds nothing to the answers: each is an outcome of the library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qlc.base.extras import need

if TYPE_CHECKING:
    from .app import create_app
    from .auth import ApiKeys, Authenticator, BearerTokens, Caller
    from .settings import Settings

__all__ = ["ApiKeys", "Authenticator", "BearerTokens", "Caller", "Settings", "create_app"]

_HOMES = {"create_app": "app", "Settings": "settings"} | dict.fromkeys(
    ("ApiKeys", "Authenticator", "BearerTokens", "Caller"), "auth"
)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from importlib import import_module

    need("serve", "the service")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
