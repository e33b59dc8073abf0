"""An authenticator of our own, as a browser would ask it: it keeps keys and signs, and does nothing else."""

from __future__ import annotations

import hashlib
import json
import os
from base64 import urlsafe_b64encode
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

Json = dict[str, Any]
PRESENT, VERIFIED, ATTESTED = 1, 4, 64


def text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class Authenticator:
    """One passkey, for one site."""

    def __init__(self, origin: str, host: str = "localhost") -> None:
        self.origin, self.host, self.count = origin, host, 0
        self.step = 1  # 0: it does not count, as those that are shared among devices
        self.id, self.key = os.urandom(32), ec.generate_private_key(ec.SECP256R1())

    def _said(self, kind: str, challenge: str) -> bytes:
        said = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(said).encode()

    def _data(self, flags: int) -> bytes:
        self.count += self.step
        site = hashlib.sha256(self.host.encode()).digest()
        return site + bytes([flags]) + self.count.to_bytes(4, "big")

    def makes(self, options: Json) -> Json:
        numbers = self.key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big")}
        key[-3] = numbers.y.to_bytes(32, "big")
        length = len(self.id).to_bytes(2, "big")
        data = self._data(PRESENT | VERIFIED | ATTESTED)
        data += bytes(16) + length + self.id + cbor2.dumps(key)
        made = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        said = self._said("webauthn.create", options["challenge"])
        return self._credential({"attestationObject": text(made)}, said)

    def signs(self, options: Json) -> Json:
        said = self._said("webauthn.get", options["challenge"])
        data = self._data(PRESENT | VERIFIED)
        signed = data + hashlib.sha256(said).digest()
        signature = self.key.sign(signed, ec.ECDSA(hashes.SHA256()))
        answer = {"authenticatorData": text(data), "signature": text(signature)}
        return self._credential(answer, said)

    def _credential(self, response: Json, said: bytes) -> Json:
        named = {"id": text(self.id), "rawId": text(self.id), "type": "public-key"}
        response = {**response, "clientDataJSON": text(said)}
        return {**named, "response": response, "clientExtensionResults": {}}
