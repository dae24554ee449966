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

if not TYPE_CHECKING:  # a type checker would take it that every name is there

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
        need("serve", "the service")
        from . import app, auth, settings

        return getattr({"create_app": app, "Settings": settings}.get(name, auth), name)
