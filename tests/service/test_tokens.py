"""Tokens that are not right are refused whatever is in them, and the keys of an issuer are read within bounds."""

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

import qlc
from qlc.service import tokens
from qlc.service.tokens import ClaimMissing, KeysUnavailable, TokenRefused, Tokens, context_of

SECRET = "a secret of the tests, of 32 bytes"
ADDRESS = "https://login.example/keys"
FOR_US = {"issuer": "https://login.example", "audience": "qlc"}
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC = ec.generate_private_key(ec.SECP256R1())


def pem(key: Any) -> str:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return str(key.public_key().public_bytes(serialization.Encoding.PEM, form).decode())


def claims(**changes: Any) -> dict[str, Any]:
    given = {"sub": "dana", "exp": int(time.time()) + 60, "iss": FOR_US["issuer"], "aud": "qlc", **changes}
    return {name: value for name, value in given.items() if value is not None}


def signed(key: Any = RSA, algorithm: str = "RS256", kid: str | None = None, **changes: Any) -> str:
    return jwt.encode(claims(**changes), key, algorithm, headers={"kid": kid} if kid else None)


def written(head: str, body: str, secret: bytes = b"") -> str:
    """A token with any text as its header, signed by a secret."""
    parts = [base64.urlsafe_b64encode(one).decode().rstrip("=") for one in (head.encode(), body.encode())]
    signature = hmac.new(secret, ".".join(parts).encode(), hashlib.sha256).digest()
    return ".".join([*parts, base64.urlsafe_b64encode(signature).decode().rstrip("=")])


DEEP = '{"alg":"RS256","kid":' + "[" * 20_000 + "]" * 20_000 + "}"
HOSTILE = {
    "empty": "",
    "dots": "..",
    "letters of other scripts": "é.ü.ß",
    "not signed": jwt.encode(claims(), None, "none"),
    "not signed, in other letters": written('{"alg":"nOnE"}', json.dumps(claims())),
    "of another key": signed(OTHER),
    "of another key, with an id": signed(OTHER, kid="one"),
    "with a public key as secret": written('{"alg":"HS256"}', json.dumps(claims()), pem(RSA).encode()),
    "expired": signed(kid="one", exp=int(time.time()) - 600),
    "without an end": signed(kid="one", exp=None),
    "of nobody": signed(kid="one", sub=None),
    "of no name": signed(kid="one", sub=""),
    "not yet": signed(kid="one", nbf=int(time.time()) + 600),
    "of another issuer": signed(kid="one", iss="https://login.example.evil"),
    "of no issuer": signed(kid="one", iss=None),
    "for another audience": signed(kid="one", aud=["other"]),
    "for no audience": signed(kid="one", aud=None),
    "a header that is too deep": written(DEEP, "{}"),
    "a list as algorithm": written('{"alg":["RS256"],"kid":"one"}', "{}"),
    "a number as id": written('{"alg":"RS256","kid":1}', "{}"),
    "an algorithm that is not allowed": signed(EC, "ES256", kid="one"),
    "critical": jwt.encode(claims(), RSA, "RS256", headers={"kid": "one", "crit": ["exp"], "exp": 1}),
    "endless": signed(kid="one", exp=float("inf")),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_what_is_not_right_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Issuer(monkeypatch, one=RSA)
    for verifying in (Tokens(pem(RSA), **FOR_US), Tokens(ADDRESS, ["RS256"], **FOR_US), Tokens(SECRET, **FOR_US)):
        with pytest.raises(TokenRefused):
            await verifying.claims(HOSTILE[name])


async def test_what_is_right_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    Issuer(monkeypatch, one=RSA, two=EC)
    for verifying, token in (
        (Tokens(pem(RSA), **FOR_US), signed()),
        (Tokens(pem(EC), **FOR_US), signed(EC, "ES256")),
        (Tokens(ADDRESS, **FOR_US), signed(kid="one")),
        (Tokens(ADDRESS, **FOR_US), signed(EC, "ES256", kid="two")),
        (Tokens(SECRET), signed(SECRET, "HS256", iss=None, aud=None)),
        (Tokens(SECRET, **FOR_US), signed(SECRET, "HS256", aud=["other", "qlc"])),
    ):
        assert (await verifying.claims(token))["sub"] == "dana"


class Issuer:
    """The keys that the address gives, by id; how often they were read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **keys: Any) -> None:
        self.keys: Mapping[str, Any] = keys
        self.reads, self.seconds, self.is_down = 0, 0.0, False
        monkeypatch.setattr(jwt.PyJWKClient, "fetch_data", lambda _: self._fetched())

    def _fetched(self) -> dict[str, Any]:
        self.reads += 1
        time.sleep(self.seconds)
        if self.is_down:
            raise jwt.PyJWKClientConnectionError("no route")
        listed = []
        for kid, key in self.keys.items():
            kind = jwt.algorithms.RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else jwt.algorithms.ECAlgorithm
            listed.append({**kind.to_jwk(key.public_key(), as_dict=True), "kid": kid, "use": "sig"})
        return {"keys": listed}


async def test_keys_that_change_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    issuer = Issuer(monkeypatch, one=RSA)
    verifying = Tokens(ADDRESS, **FOR_US)
    for _ in range(3):
        await verifying.claims(signed(kid="one"))
    assert issuer.reads == 1
    issuer.keys = {"two": OTHER}
    for _ in range(3):  # tokens of keys that nobody knows do not make it read them again and again
        with pytest.raises(TokenRefused):
            await verifying.claims(signed(OTHER, kid="two"))
    assert issuer.reads == 1
    monkeypatch.setattr(tokens, "PAUSE", 0.0)
    await verifying.claims(signed(OTHER, kid="two"))
    with pytest.raises(TokenRefused):  # the issuer withdrew it
        await verifying.claims(signed(kid="one"))


async def test_keys_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    issuer = Issuer(monkeypatch, one=RSA)
    verifying = Tokens(ADDRESS, **FOR_US)
    await verifying.claims(signed(kid="one"))
    issuer.is_down = True
    monkeypatch.setattr(tokens, "PAUSE", 0.0)
    await verifying.claims(signed(kid="one"))
    with pytest.raises(TokenRefused):
        await verifying.claims(signed(OTHER, kid="two"))
    monkeypatch.setattr(tokens, "KEPT", 0.0)
    with pytest.raises(KeysUnavailable):
        await verifying.claims(signed(kid="one"))
    issuer.is_down = False
    monkeypatch.setattr(tokens, "KEPT", 300.0)
    await verifying.claims(signed(kid="one"))


async def test_an_issuer_that_hangs_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    issuer = Issuer(monkeypatch, one=RSA)
    issuer.seconds = 0.3
    monkeypatch.setattr(tokens, "READING", 0.02)
    verifying = Tokens(ADDRESS, **FOR_US)
    ended = await asyncio.gather(*(verifying.claims(signed(kid="one")) for _ in range(20)), return_exceptions=True)
    assert {type(one) for one in ended} == {KeysUnavailable}
    assert issuer.reads == 1
    await asyncio.sleep(0.4)  # what came late is there for those who ask again
    await verifying.claims(signed(kid="one"))
    assert issuer.reads == 1


@pytest.mark.parametrize("answer", [{}, {"keys": []}, {"keys": [{"kty": "oct", "k": "c2Vj" * 11, "kid": "one"}]}, [1]])
async def test_an_address_that_gives_no_public_keys(answer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jwt.PyJWKClient, "fetch_data", lambda _: answer)
    for token in (signed(kid="one"), jwt.encode(claims(), b"sec" * 11, "HS256", headers={"kid": "one"})):
        with pytest.raises((KeysUnavailable, TokenRefused)):
            await Tokens(ADDRESS, **FOR_US).claims(token)


@pytest.mark.parametrize(
    ("key", "algorithms", "given", "message"),
    [
        ("short", [], {}, "32 characters"),
        (SECRET, ["none"], {}, "HS256"),
        (SECRET, ["HS256", "RS256"], {}, "HS256"),
        (SECRET, "HS256", {}, "HS256"),
        (pem(RSA), ["HS256"], FOR_US, "RS256"),
        (pem(RSA), ["ES256"], FOR_US, "none for ES256"),
        (pem(RSA), [], {"issuer": "https://login.example"}, "which audience"),
        (ADDRESS, [], {"audience": "qlc"}, "which issuer"),
        ("-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----", [], FOR_US, "no public key"),
        ("-----BEGIN PRIVATE KEY-----\nx", [], FOR_US, "private key"),
    ],
)
def test_keys_that_do_not_fit(key: str, algorithms: Any, given: Any, message: str) -> None:
    with pytest.raises(qlc.UsageError, match=message):
        Tokens(key, algorithms, **given)


@pytest.mark.parametrize("held", [{}, {"org": "red"}, {"org": {}},
                                  *({"org": {"team": one}} for one in (None, "", {"a": 1}, [], [None]))])  # fmt: skip
def test_a_claim_that_is_missing(held: Any) -> None:
    with pytest.raises(ClaimMissing, match=r"'org\.team'"):
        context_of(held, {"team": "org.team"})


def test_claims_become_the_context() -> None:
    held = {"org": {"team": ["red"]}, "https://example.org/level": 0, "sub": "dana"}
    names = {"team": "org.team", "level": "https://example.org/level"}
    assert context_of(held, names) == {"team": ["red"], "level": 0}
