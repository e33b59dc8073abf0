"""A push service of our own: it checks who sends, and reads what arrives with the keys of the browsers that it serves.

Written from RFC 8291 and RFC 8292, without anything of the server's own code.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()


def to_text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def from_text(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """The keys of one subscription, which never leave the browser."""

    def __init__(self) -> None:
        self.key, self.auth = ec.generate_private_key(CURVE), os.urandom(16)
        self.name = to_text(os.urandom(12))

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def opened(self, body: bytes) -> bytes:
        """RFC 8291, section 3.4, from the receiver's side; of one record."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        point, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size, "more than one record"
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
        shared = self.key.exchange(ec.ECDH(), theirs)
        info = b"WebPush: info\0" + self.point + point
        secret = expand(extract(self.auth, shared), info, 32)
        pseudo_random = extract(salt, secret)
        key = expand(pseudo_random, b"Content-Encoding: aes128gcm\0", 16)
        nonce = expand(pseudo_random, b"Content-Encoding: nonce\0", 12)
        text, end, padding = AESGCM(key).decrypt(nonce, sealed, None).rpartition(b"\x02")
        assert end
        assert not padding.strip(b"\0")
        return text


def extract(salt: bytes, secret: bytes) -> bytes:
    return hmac.new(salt, secret, hashlib.sha256).digest()


def expand(secret: bytes, info: bytes, length: int) -> bytes:
    return hmac.new(secret, info + b"\x01", hashlib.sha256).digest()[:length]


class Push(NamedTuple):
    """What has arrived for a browser."""

    browser: str
    text: dict[str, Any]
    headers: dict[str, str]
    key: str  # of who sent it
    claims: dict[str, Any]


def signed_by(authorization: str) -> tuple[str, dict[str, Any]]:
    """RFC 8292: the key, and what was signed with it."""
    scheme, _, rest = authorization.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    head, claims, signature = parts["t"].split(".")
    assert json.loads(from_text(head))["alg"] == "ES256"
    both = from_text(signature)
    public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, from_text(parts["k"]))
    numbers = (int.from_bytes(both[:32], "big"), int.from_bytes(both[32:], "big"))
    signed = f"{head}.{claims}".encode()
    public.verify(encode_dss_signature(*numbers), signed, ec.ECDSA(hashes.SHA256()))
    return parts["k"], json.loads(from_text(claims))


class PushService:
    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self.browsers: dict[str, Browser] = {}
        self.arrived: list[Push] = []
        self.answers: list[int] = []  # to the next ones; 201 when there are no more
        self.calls: list[str] = []  # for which browser, whatever was answered
        self.faults: list[str] = []

    def subscription(self) -> dict[str, Any]:
        """As a browser gives it to its page."""
        browser = Browser()
        self.browsers[browser.name] = browser
        keys = {"p256dh": to_text(browser.point), "auth": to_text(browser.auth)}
        return {"endpoint": f"{self.url}/push/{browser.name}", "keys": keys}

    def take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        name = path.removeprefix("/push/")
        self.calls.append(name)
        key, claims = signed_by(headers["authorization"])
        assert claims["aud"] == self.url
        assert time.time() < claims["exp"] < time.time() + 86_400
        assert headers["content-encoding"] == "aes128gcm"
        assert int(headers["ttl"]) > 0
        if self.answers:
            return self.answers.pop(0)
        text = json.loads(self.browsers[name].opened(body))
        self.arrived.append(Push(name, text, headers, key, claims))
        return 201


@contextmanager
def push_service() -> Iterator[PushService]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                status = service.take(self.path, headers, body)
            except Exception as fault:  # said by the test that asks for it
                service.faults.append(repr(fault))
                status = 400
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service = PushService(server)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()
    assert not service.faults
