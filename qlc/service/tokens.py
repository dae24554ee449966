"""Verification of signed tokens (JWT), shared by all surfaces, and their claims."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from qlc.base.beside import beside
from qlc.base.errors import UsageError, reason_of

log = logging.getLogger("qlc.tokens")

LEEWAY: Final = 30
"""Most seconds that the clocks of two machines may differ."""
SHORTEST_SECRET: Final = 32
KEPT: Final = 300.0
"""Seconds for which an issuer's keys are cached; a withdrawn key is trusted at most so long."""
PAUSE: Final = 10.0
"""Least seconds between two readings of the keys, which tokens with unknown keys could otherwise trigger at will."""
READING: Final = 5.0
"""Most seconds for reading the keys."""
_BY_SECRET: Final = ("HS256", "HS384", "HS512")
_BY_KEY: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")


class TokenRefused(Exception):
    """Raised for a token that is not trusted, with the message for the caller as its text."""


class ClaimMissing(Exception):
    """Raised for a token without a claim that the access rules need, with the message for the caller as its text."""


class KeysUnavailable(Exception):
    """Raised if the keys for verification cannot be read, with the message for the caller as its text."""


class Tokens:
    """Verifies tokens by a secret, by a public key (PEM), or by the keys at an https address (JWKS).

    A token is trusted only if its signature, `exp` and `sub` are right, and also `iss` and `aud` as they are given.
    Whoever has a key pair issues tokens for many services, so both must be given for one.
    """

    def __init__(
        self,
        key: str | bytes,
        algorithms: Sequence[str] = (),
        *,
        issuer: str | None = None,
        audience: str | None = None,
    ) -> None:
        """`algorithms` are the accepted signature algorithms (default: all that fit the key). Raises UsageError for an
        invalid key or algorithm."""
        text = (key.decode("utf-8", "replace") if isinstance(key, bytes) else key).strip()
        is_set, is_pem = text.startswith("https://"), text.startswith("-----BEGIN")
        # Either a secret or a key pair: a public key that is taken for a secret would let everybody sign.
        known = _BY_KEY if is_set or is_pem else _BY_SECRET
        if isinstance(algorithms, str) or set(algorithms) - set(known):
            raise UsageError(f"the algorithms of tokens that are verified by {_kind(is_set, is_pem)} are some of "
                             f"{', '.join(known)}")  # fmt: skip
        if (is_set or is_pem) and not (issuer and audience):
            raise UsageError(f"tokens that are verified by {_kind(is_set, is_pem)} can be meant for another service: "
                             "say which issuer and which audience they must have")  # fmt: skip
        self._algorithms = list(algorithms or known)
        self._issuer, self._audience = issuer, audience
        self._keys = _KeySet(text) if is_set else None
        self._key: Any = key
        if is_pem:
            self._key, self._algorithms = _public(text, self._algorithms)
        elif not is_set and len(text) < SHORTEST_SECRET:
            raise UsageError(f"tokens are verified by a secret of {SHORTEST_SECRET} characters or more, a public key "
                             "(PEM), or the https address of a key set (JWKS)")  # fmt: skip

    async def claims(self, token: str) -> Mapping[str, Any]:
        """Return the claims of a token. Raises TokenRefused; KeysUnavailable if it cannot be verified now."""
        import jwt

        required = ["exp", "sub", *(["aud"] if self._audience else []), *(["iss"] if self._issuer else [])]
        options: Any = {"require": required, "verify_aud": self._audience is not None}
        try:
            key = self._key if self._keys is None else await self._keys.key(jwt.get_unverified_header(token).get("kid"))
            claims: Mapping[str, Any] = jwt.decode(
                token, key, self._algorithms, options, audience=self._audience, issuer=self._issuer, leeway=LEEWAY
            )
        except jwt.ExpiredSignatureError:
            raise TokenRefused("The token has expired.") from None
        except (jwt.PyJWTError, ValueError, TypeError, ArithmeticError, RecursionError):
            raise TokenRefused("The token is not valid here.") from None
        if not claims["sub"]:
            raise TokenRefused("The token does not say whose it is.")
        return claims


def key_of(text: str) -> str:
    """Return the key for an option: the address of a key set, or the content of a file. Raises UsageError."""
    try:
        return text if text.startswith("https://") else Path(text).read_text(encoding="utf-8").strip()
    except OSError as problem:
        raise UsageError(f"the key for tokens is a file or an https address, and '{text}' cannot be read: "
                         f"{reason_of(problem)}") from None  # fmt: skip


def context_of(claims: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return the context of a caller: `names` maps each name in it to a claim, an inner one with dots. Raises
    ClaimMissing if a claim is missing or unusable in access rules."""
    found = {}
    for name, path in names.items():
        value: Any = claims
        for part in [path] if path in claims else path.split("."):  # the name of a claim may be an address
            value = value.get(part) if isinstance(value, Mapping) else None
        parts = value if isinstance(value, list) else [value]
        if not parts or value == "" or not all(isinstance(one, str | int | float | bool) for one in parts):
            raise ClaimMissing(f"Access here depends on the claim '{path}', and the token has none.")
        found[name] = value
    return found


def _kind(is_set: bool, is_pem: bool) -> str:
    return "a key set" if is_set else "a public key" if is_pem else "a secret"


def _public(text: str, algorithms: Sequence[str]) -> tuple[Any, list[str]]:
    """Return a public key, and the algorithms for keys of its kind."""
    import jwt
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    if "PRIVATE KEY" in text.partition("\n")[0]:
        raise UsageError("the key that verifies tokens is the public one, and this is a private key")
    try:
        key: Any = load_pem_public_key(text.encode())
    except ValueError:
        raise UsageError("the key that verifies tokens is no public key (PEM)") from None

    def fits(name: str) -> bool:
        try:
            jwt.get_algorithm_by_name(name).prepare_key(key)
        except (jwt.PyJWTError, ValueError, TypeError, NotImplementedError):
            return False
        return True

    if not (fitting := [one for one in algorithms if fits(one)]):
        raise UsageError(f"the public key that verifies tokens is none for {', '.join(algorithms)}")
    return key, fitting


class _KeySet:
    """The keys of an issuer by id, read when a token needs one, by one reader at a time and not too often."""

    def __init__(self, address: str) -> None:
        import jwt

        self._client = jwt.PyJWKClient(address, cache_jwk_set=False, timeout=READING)
        self._keys: dict[str, Any] = {}
        self._read_at = self._tried_at = -KEPT
        self._reading: asyncio.Task[None] | None = None

    async def key(self, id: str | None) -> Any:
        """Return a key. Raises KeysUnavailable; InvalidKeyError if the issuer does not have it."""
        import jwt

        is_reading = self._reading is not None and not self._reading.done()
        if not (self._is_fresh() and id in self._keys) and (is_reading or time.monotonic() - self._tried_at >= PAUSE):
            await self._read()
        if not self._is_fresh():
            raise KeysUnavailable("The keys that tokens are verified by cannot be read at the moment. Try again later.")
        if id not in self._keys:
            raise jwt.InvalidKeyError
        return self._keys[id]

    def _is_fresh(self) -> bool:
        return time.monotonic() - self._read_at < KEPT

    async def _read(self) -> None:
        """Read the keys, or wait for another reader; a hanging reading is waited for, not repeated."""
        if self._reading is None or self._reading.done():
            self._tried_at = time.monotonic()
            self._reading = asyncio.create_task(self._refresh())
        await asyncio.wait({self._reading}, timeout=READING)

    async def _refresh(self) -> None:
        import jwt

        try:
            found = await beside(self._client.get_signing_keys)
        except (jwt.PyJWTError, ValueError, OSError, RecursionError) as problem:
            log.warning("the keys that tokens are verified by cannot be read: %s", problem)
            return
        self._keys, self._read_at = {one.key_id: one.key for one in found}, time.monotonic()
