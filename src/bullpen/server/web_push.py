"""What a push service is sent: encrypted for one browser (RFC 8291), in the name of this server (RFC 8292).

The service hands it on and can read nothing of it.  The arithmetic is that of `cryptography`; who we are is signed by
`py-vapid`.
"""

from __future__ import annotations

import binascii
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import NamedTuple

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

CURVE = ec.SECP256R1()
POINT_BYTES, AUTH_BYTES, SALT_BYTES = 65, 16, 16
RECORD = 4096  # bytes: all of it is one record
LAST_RECORD = b"\x02"
SIGNED_SECONDS = 12 * 3600  # that a signature is good for; services refuse more than a day
SIGNED_AGAIN = 3600  # seconds before its end


class Receiver(NamedTuple):
    """The keys of one browser's subscription."""

    public: bytes
    auth: bytes


def unpacked(text: str) -> bytes:
    """Base64 as browsers write it; raises ValueError."""
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error as error:
        raise ValueError(text) from error


def packed(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def receiver(p256dh: str, auth: str) -> Receiver:
    """Checked: raises ValueError where nothing could be encrypted for it."""
    found = Receiver(unpacked(p256dh), unpacked(auth))
    if len(found.public) != POINT_BYTES or len(found.auth) != AUTH_BYTES:
        raise ValueError(p256dh)
    ec.EllipticCurvePublicKey.from_encoded_point(CURVE, found.public)
    return found


# -- Encrypted ----------------------------------------------------------------------------------


def encrypted(text: bytes, to: Receiver) -> bytes:
    """With a key that is used once."""
    return sealed(text, to, ec.generate_private_key(CURVE), os.urandom(SALT_BYTES))


def sealed(text: bytes, to: Receiver, own: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    point = point_of(own.public_key())
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, to.public)
    shared = own.exchange(ec.ECDH(), theirs)
    secret = derived(shared, to.auth, b"WebPush: info\0" + to.public + point, 32)
    key = derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(point)]) + point
    return head + AESGCM(key).encrypt(nonce, text + LAST_RECORD, None)


def derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


# -- Signed -------------------------------------------------------------------------------------


def new_key() -> str:
    """A private one, as text."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return packed(number.to_bytes(32, "big"))


class Sender:
    """This server, as push services know it."""

    def __init__(self, private: str, contact: str) -> None:
        self.vapid = Vapid02.from_raw(private.encode())
        self.vapid.conf = {"no-strict": True}  # a site with a port is a contact, too
        self.contact = contact
        self.public = packed(point_of(self.vapid.public_key))
        self.signed: dict[str, tuple[float, str]] = {}  # by service: until when, and the signature

    def authorization(self, service: str) -> str:
        """For a service, by its scheme and host."""
        now = time.time()
        until, known = self.signed.get(service, (0.0, ""))
        if now < until - SIGNED_AGAIN:
            return known
        self.signed = {one: kept for one, kept in self.signed.items() if kept[0] > now}
        end = int(now) + SIGNED_SECONDS
        claims = {"aud": service, "exp": end, "sub": self.contact}
        header: str = self.vapid.sign(claims)["Authorization"]
        self.signed[service] = (float(end), header)
        return header
