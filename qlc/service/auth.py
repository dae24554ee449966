"""Who is asking: API keys and JSON Web Tokens, and the `context` that each of them stands for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

import yaml
from starlette.datastructures import Headers

from qlc.beside import beside
from qlc.errors import UsageError

from .problems import Problem

LEEWAY = 30
"""Seconds that the clocks of two machines may differ."""
_HMAC = frozenset({"HS256", "HS384", "HS512"})
_SHORTEST_SECRET = 32


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is asking. `name` is whose conversations are read, and whose requests are counted; `context` is that of the
    runs, which the access rules of the catalog use. `rate` is the caller's own limit."""

    name: str
    context: Mapping[str, Any] = field(default_factory=dict)
    rate: str | None = None


class Authenticator(Protocol):
    """One way to say who is asking. `scheme` is its security scheme in OpenAPI."""

    name: ClassVar[str]
    scheme: ClassVar[Mapping[str, str]]

    async def caller(self, headers: Headers) -> Caller | None:
        """None where the request has no credentials of this kind. Raises Problem where they are refused."""
        ...


class ApiKeys:
    """Keys in the header `X-API-Key`. Only their hashes are kept: the SHA-256 of a key as hexadecimal digits."""

    name: ClassVar[str] = "apiKey"
    scheme: ClassVar[Mapping[str, str]] = {"type": "apiKey", "in": "header", "name": "X-API-Key"}

    def __init__(self, callers: Mapping[str, Caller]) -> None:
        """`callers` are by the hashes of their keys. Raises UsageError for what is no hash."""
        wrong = [one for one in callers if len(one) != 64 or set(one) - set("0123456789abcdef")]
        if wrong or not callers:
            raise UsageError("an API key is given by its SHA-256: 64 hexadecimal digits, in small letters")
        for one in callers.values():
            if one.rate is not None:
                check_rate(one.rate)
        self._callers = dict(callers)

    @classmethod
    def load(cls, path: str | Path) -> ApiKeys:
        """Read a YAML file: a list of `name`, `sha256`, and where they are needed `context` and `rate`."""
        try:
            listed = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
            callers = {
                str(one["sha256"]): Caller(f"key:{one['name']}", dict(one.get("context") or {}), one.get("rate"))
                for one in listed
            }
        except (OSError, yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError):
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

    `key` is the secret of an HMAC, a public key (PEM), or the https address of a key set (JWKS). `claims` maps names of
    the context to claims; `organisation.id` is a claim within another. A token that lacks one of them is refused. Each
    token needs `exp` and `sub`; with `audience` and `issuer` also these.
    """

    name: ClassVar[str] = "bearer"
    scheme: ClassVar[Mapping[str, str]] = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}

    def __init__(
        self,
        key: str | bytes,
        algorithms: Sequence[str],
        *,
        claims: Mapping[str, str] | None = None,
        audience: str | None = None,
        issuer: str | None = None,
    ) -> None:
        """Raises UsageError for algorithms and keys that do not fit each other."""
        import jwt

        known = set(jwt.algorithms.get_default_algorithms()) - {"none"}
        if isinstance(algorithms, str) or not algorithms or set(algorithms) - known:
            raise UsageError(f"the algorithms of tokens are some of {', '.join(sorted(known))}")
        if 0 < len(_HMAC & set(algorithms)) < len(set(algorithms)):
            # A public key could be used as the secret of an HMAC.
            raise UsageError("tokens are signed by a secret (HS256, HS384, HS512) or by a key pair, not by both")
        is_hmac = bool(_HMAC & set(algorithms))
        if is_hmac and len(key) < _SHORTEST_SECRET:
            raise UsageError(f"the secret of tokens has at least {_SHORTEST_SECRET} bytes")
        self._keys: jwt.PyJWKClient | None = None
        if isinstance(key, str) and key.startswith("https://") and not is_hmac:
            self._keys = jwt.PyJWKClient(key, timeout=5)
        elif not is_hmac:
            _check_public(key, algorithms[0])
        self._key, self._algorithms = key, list(algorithms)
        self._claims, self._audience, self._issuer = dict(claims or {}), audience, issuer

    async def caller(self, headers: Headers) -> Caller | None:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        claims = await self._verified(token.strip())
        context = {}
        for name, path in self._claims.items():
            value = _claim(claims, path)
            if not _is_usable(value):
                detail = f"Access here depends on the claim '{path}', and the token has none."
                raise Problem(403, "claim-missing", detail)
            context[name] = value
        return Caller(f"jwt:{json.dumps([claims.get('iss'), claims['sub']])}", context)

    async def _verified(self, token: str) -> Mapping[str, Any]:
        import jwt

        required = ["exp", "sub", *(["aud"] if self._audience else []), *(["iss"] if self._issuer else [])]
        options: Any = {"require": required, "verify_aud": self._audience is not None}
        try:
            key: Any = self._key
            if self._keys is not None:
                key = (await beside(self._keys.get_signing_key_from_jwt, token)).key
            claims: Mapping[str, Any] = jwt.decode(
                token, key, self._algorithms, options, audience=self._audience, issuer=self._issuer, leeway=LEEWAY
            )
        except jwt.PyJWKClientConnectionError:
            raise Problem(503, "keys-unavailable", "The keys that tokens are checked by cannot be read at the moment. "
                          "Try again later.", headers={"Retry-After": "5"}) from None  # fmt: skip
        except jwt.ExpiredSignatureError:
            raise unauthorized("The token has expired.") from None
        except (jwt.PyJWTError, ValueError):
            raise unauthorized("The token is not valid here.") from None
        if not claims["sub"]:
            raise unauthorized("The token does not say whose it is.")
        return claims


def _check_public(key: str | bytes, algorithm: str) -> None:
    import jwt

    try:
        jwt.get_algorithm_by_name(algorithm).prepare_key(key)
    except (jwt.PyJWTError, ValueError, TypeError, NotImplementedError):
        message = f"the key of tokens is neither a public key for {algorithm} (PEM) nor the https address of a key set"
        raise UsageError(message) from None


def _claim(claims: Mapping[str, Any], path: str) -> Any:
    """A claim by its whole name, which may be an address; else by its path."""
    if path in claims:
        return claims[path]
    found: Any = claims
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _is_usable(value: Any) -> bool:
    """Whether access rules can use a value: a text, a number, a boolean, or a list of these."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(one, str | int | float | bool) for one in value)
    return isinstance(value, str | int | float | bool) and value != ""


def check_rate(rate: str) -> Any:
    """What a rate means to the package `limits`. Raises UsageError."""
    import limits

    try:
        return limits.parse(rate)
    except (ValueError, TypeError):
        raise UsageError(f"a rate is a number and a period, such as 120/minute, and not {rate!r}") from None


def unauthorized(detail: str) -> Problem:
    return Problem(401, "unauthorized", detail, headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})


async def caller_of(headers: Headers, authenticators: Sequence[Authenticator]) -> Caller | None:
    """Who is asking; None where nobody has to say so. Raises Problem where no credentials are given or they are
    refused."""
    if not authenticators:
        return None
    for one in authenticators:
        if (found := await one.caller(headers)) is not None:
            return found
    names = " or ".join("the header X-API-Key" if one.name == "apiKey" else "a bearer token" for one in authenticators)
    raise Problem(401, "unauthorized", f"This address needs {names}.", headers={"WWW-Authenticate": "Bearer"})
