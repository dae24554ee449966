"""Who calls: the claims of a verified token become the context that access rules go by. A missing claim refuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import jwt
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken

from qlc.errors import UsageError

_BY_SECRET: Final = ("HS256", "HS384", "HS512")
_BY_PUBLIC_KEY: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
SHORTEST_SECRET: Final = 32


class Refused(Exception):
    """The token does not say what the access rules need. It is the message for the caller."""


def context_of(given: Mapping[str, Any], claims: Mapping[str, str]) -> dict[str, Any]:
    """The context of a call: what is `given` for all callers, and the claims of this one. `claims` maps the names of
    claims to names of the context; an inner claim is named with dots. Raises Refused."""
    if not claims:
        return dict(given)
    token = get_access_token()
    held = token.claims or {} if token is not None else {}
    return {**given, **{name: _claim(held, path) for path, name in claims.items()}}


def _claim(held: Mapping[str, Any], path: str) -> Any:
    value: Any = held
    for part in [path] if path in held else path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
        if value is None:
            raise Refused(f"This server needs the claim '{path}' in the caller's token, which is not there.")
    return value


class JwtVerifier:
    """Verifies signed tokens (JWT) by a shared secret or a public key in PEM.

    A token is taken only if its signature, `exp`, `iss` and `aud` are right. Raises UsageError for a key that is none.
    """

    def __init__(self, key: str, *, issuer: str, audience: str) -> None:
        self._key, self._issuer, self._audience = key.strip(), issuer, audience
        is_public = self._key.startswith("-----BEGIN")
        if is_public and "PRIVATE KEY" in self._key.partition("\n")[0]:
            raise UsageError("tokens are verified with the public key, and this is a private key")
        if not is_public and len(self._key) < SHORTEST_SECRET:
            raise UsageError(f"a secret that verifies tokens has {SHORTEST_SECRET} characters or more")
        # Either or: a public key that is taken for a secret would let everybody sign.
        self._algorithms: Sequence[str] = _BY_PUBLIC_KEY if is_public else _BY_SECRET

    @classmethod
    def of_file(cls, path: str | Path, *, issuer: str, audience: str) -> JwtVerifier:
        return cls(Path(path).read_text("utf-8"), issuer=issuer, audience=audience)

    async def verify_token(self, token: str) -> AccessToken | None:
        """None for a token that is not to be trusted."""
        try:
            claims: dict[str, Any] = jwt.decode(
                token, self._key, algorithms=list(self._algorithms), issuer=self._issuer, audience=self._audience,
                options={"require": ["exp", "iss", "aud"]},
            )  # fmt: skip
        except (jwt.PyJWTError, ValueError, TypeError):
            return None
        scopes = claims.get("scope", "")
        subject = str(claims["sub"]) if claims.get("sub") is not None else None
        return AccessToken(
            token=token,
            client_id=str(claims.get("client_id") or claims.get("azp") or subject or ""),
            scopes=scopes.split() if isinstance(scopes, str) else [],
            expires_at=int(claims["exp"]),
            subject=subject,
            claims=claims,
        )
