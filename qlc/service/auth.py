"""Authenticates callers by API keys or JSON Web Tokens, and gives each its `context`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

import yaml
from starlette.datastructures import Headers

from qlc.base.errors import UsageError, reason_of
from qlc.service.tokens import ClaimMissing, KeysUnavailable, TokenRefused, Tokens, context_of

from .problems import Problem


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of a request. `name` identifies the owner of conversations and of the rate limit; `context` has the
    values of access rules; `rate` is a limit for this caller, such as "60/minute"."""

    name: str
    context: Mapping[str, Any] = field(default_factory=dict)
    rate: str | None = None


class Authenticator(Protocol):
    """A kind of authentication. `scheme` is its security scheme in OpenAPI."""

    name: ClassVar[str]
    scheme: ClassVar[Mapping[str, str]]

    async def caller(self, headers: Headers) -> Caller | None:
        """Return the caller; None if the request has no credentials of this kind. Raises Problem if they are
        refused."""
        ...


class ApiKeys:
    """Keys in the header `X-API-Key`. Only their hashes are stored: the SHA-256 of a key as hexadecimal digits."""

    name: ClassVar[str] = "apiKey"
    scheme: ClassVar[Mapping[str, str]] = {"type": "apiKey", "in": "header", "name": "X-API-Key"}

    def __init__(self, callers: Mapping[str, Caller]) -> None:
        """`callers` maps the hash of a key to its caller. Raises UsageError for a text that is not a hash."""
        wrong = [one for one in callers if len(one) != 64 or set(one) - set("0123456789abcdef")]
        if wrong or not callers:
            raise UsageError("an API key is given by its SHA-256: 64 hexadecimal digits, in small letters")
        for one in callers.values():
            if one.rate is not None:
                check_rate(one.rate)
        self._callers = dict(callers)

    @classmethod
    def load(cls, path: str | Path) -> ApiKeys:
        """Read a YAML file: a list of objects with `name`, `sha256`, and optionally `context` and `rate`."""
        try:
            listed = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
            callers = {
                str(one["sha256"]): Caller(f"key:{one['name']}", dict(one.get("context") or {}), one.get("rate"))
                for one in listed
            }
        except OSError as problem:
            raise UsageError(f"the file '{path}' of API keys cannot be read: {reason_of(problem)}") from None
        except (yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError):
            raise UsageError(f"the file '{path}' is not a list of API keys: each has a 'name' and a 'sha256'") from None
        if len({one.name for one in callers.values()}) < len(listed):
            raise UsageError(f"the file '{path}' has a name or a key twice")
        return cls(callers)

    async def caller(self, headers: Headers) -> Caller | None:
        key = headers.get("x-api-key")
        if key is None:
            return None
        # The hash is looked up, not the key: how long that takes tells nothing of the keys that there are.
        found = self._callers.get(hashlib.sha256(key.encode("latin-1")).hexdigest())
        if found is None:
            raise unauthorized("The API key is not known here.")
        return found


class BearerTokens:
    """JSON Web Tokens in the header `Authorization: Bearer`.

    `key` is a secret, a public key (PEM), or the https address of a key set (JWKS); the last two require `audience` and
    `issuer`. `claims` maps names of the context to claims; `organisation.id` is a claim within another. A token without
    one of them is refused. Each token needs `exp` and `sub`, and the `aud` and `iss` of `audience` and `issuer`.
    """

    name: ClassVar[str] = "bearer"
    scheme: ClassVar[Mapping[str, str]] = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}

    def __init__(
        self,
        key: str | bytes,
        algorithms: Sequence[str] = (),
        *,
        claims: Mapping[str, str] | None = None,
        audience: str | None = None,
        issuer: str | None = None,
    ) -> None:
        """`algorithms` are the accepted signature algorithms (default: all that fit the key). Raises UsageError for an
        invalid key or algorithm."""
        self._tokens = Tokens(key, algorithms, issuer=issuer, audience=audience)
        self._claims = dict(claims or {})

    async def caller(self, headers: Headers) -> Caller | None:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            claims = await self._tokens.claims(token.strip())
            context = context_of(claims, self._claims)
        except TokenRefused as refused:
            raise unauthorized(str(refused)) from None
        except ClaimMissing as refused:
            raise Problem(403, "claim-missing", str(refused)) from None
        except KeysUnavailable as problem:
            raise Problem(503, "keys-unavailable", str(problem), headers={"Retry-After": "5"}) from None
        return Caller(f"jwt:{json.dumps([claims.get('iss'), claims['sub']])}", context)


def check_rate(rate: str) -> Any:
    """Parse a rate such as `120/minute`. Raises UsageError."""
    import limits

    try:
        found = limits.parse(rate)
        if found.amount < 1:
            raise ValueError("nothing would be answered")
        return found
    except (ValueError, TypeError):
        raise UsageError(f"a rate is a number and a period, such as 120/minute, and not {rate!r}") from None


def unauthorized(detail: str) -> Problem:
    return Problem(401, "unauthorized", detail, headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})


async def caller_of(headers: Headers, authenticators: Sequence[Authenticator]) -> Caller | None:
    """Return the caller; None if the service needs no credentials. Raises Problem if they are missing or refused."""
    if not authenticators:
        return None
    for one in authenticators:
        if (found := await one.caller(headers)) is not None:
            return found
    names = " or ".join("the header X-API-Key" if one.name == "apiKey" else "a bearer token" for one in authenticators)
    raise Problem(401, "unauthorized", f"This address needs {names}.", headers={"WWW-Authenticate": "Bearer"})
