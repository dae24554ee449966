"""Verifies callers: the claims of their token become the context of access rules. A missing claim refuses the call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from starlette.authentication import AuthenticationError

from qlc.service.tokens import KeysUnavailable, TokenRefused, Tokens, context_of


def context_of_caller(given: Mapping[str, Any], claims: Mapping[str, str]) -> dict[str, Any]:
    """Return the context of a call: `given`, the same for all callers, plus the claims of this one. `claims` maps names
    of the context to claims. Raises ClaimMissing."""
    token = get_access_token()
    return {**given, **context_of(token.claims or {} if token is not None else {}, claims)}


class JwtVerifier:
    """Verifies signed tokens (JWT) by a secret, a public key (PEM), or the https address of a key set (JWKS).

    A token is accepted only if its signature, `exp`, `sub`, `iss` and `aud` are valid.
    """

    def __init__(self, key: str, algorithms: Sequence[str] = (), *, issuer: str, audience: str) -> None:
        """`algorithms` are the accepted signature algorithms (default: all that fit the key). Raises UsageError for an
        invalid key or algorithm."""
        self._tokens = Tokens(key, algorithms, issuer=issuer, audience=audience)

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return the claims of a token; None if it is not trusted. Raises AuthenticationError if it cannot be verified
        now."""
        try:
            claims = await self._tokens.claims(token)
        except TokenRefused:
            return None
        except KeysUnavailable as problem:  # the SDK answers it with the status 400 and this text
            raise AuthenticationError(str(problem)) from None
        scopes = claims.get("scope", "")
        subject = str(claims["sub"])
        return AccessToken(
            token=token,
            client_id=str(claims.get("client_id") or claims.get("azp") or subject),
            scopes=scopes.split() if isinstance(scopes, str) else [],
            expires_at=int(claims["exp"]),
            subject=subject,
            claims=dict(claims),
        )
