"""Passkeys: one more way to come back as the same player on another device, where browser and address allow it.

A passkey belongs to the name of this server as the browser knows it, and is asked for only where a page is safe: by
https, or on the machine itself.  An address in figures has no name that a passkey could belong to.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import orjson

from bullpen.server.house import device_hash
from bullpen.server.players import Players
from bullpen.server.refused import Refused
from bullpen.server.store import Store
from bullpen.server.store.passkeys import Own, Purpose
from bullpen.server.store.players import StillPlays

Json = dict[str, Any]
CHALLENGE_SECONDS = 300.0
NAME = "Bullpen"


class Site(NamedTuple):
    """Where the page stands that asks: guard.py has seen that it is one of ours."""

    origin: str
    host: str


def site_of(origin: str | None) -> Site:
    parts = urlsplit(origin or "")
    host = parts.hostname or ""
    is_local = host == "localhost" or host.endswith(".localhost")
    if not host or is_address(host) or (parts.scheme != "https" and not is_local):
        raise Refused(409, "passkeys_not_here")
    return Site(str(origin), host)


def is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


class Passkeys:
    def __init__(self, store: Store, players: Players) -> None:
        self.book, self.players = store.passkeys, players

    async def own(self, device: str | None) -> list[Own]:
        return await self.book.of(str(device_hash(device))) if device else []

    async def _challenge(self, purpose: Purpose, device: str) -> bytes:
        challenge = secrets.token_bytes(32)
        until = time.time() + CHALLENGE_SECONDS
        await self.book.challenge(hash_of(challenge), purpose, str(device_hash(device)), until)
        return challenge

    async def _answered(self, credential: Json, purpose: Purpose, device: str) -> bytes:
        """The challenge that was signed, which is good no more: also where the rest turns out to be wrong."""
        challenge = challenge_in(credential)
        if not await self.book.take_challenge(
            hash_of(challenge), purpose, str(device_hash(device))
        ):
            raise Refused(403, "passkey_refused")
        return challenge

    # -- A new one ----------------------------------------------------------------------------

    async def begin(self, device: str | None, site: Site) -> Json:
        """What the browser makes one by."""
        import webauthn
        from webauthn.helpers import base64url_to_bytes, structs

        known = await self.players.book.of(str(device_hash(device))) if device else None
        if device is None or known is None:
            raise Refused(404, "no_player")
        credentials = await self.book.credentials(str(device_hash(device)))
        options = webauthn.generate_registration_options(
            rp_id=site.host,
            rp_name=NAME,
            user_name=known.name,
            user_id=known.id.encode(),
            challenge=await self._challenge("add", device),
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=structs.ResidentKeyRequirement.REQUIRED
            ),
            exclude_credentials=[
                structs.PublicKeyCredentialDescriptor(id=base64url_to_bytes(one))
                for one in credentials
            ],
        )
        return as_json(webauthn.options_to_json(options))

    async def add(self, device: str | None, credential: Json, site: Site) -> list[Own]:
        import webauthn
        from webauthn.helpers import bytes_to_base64url

        if device is None:
            raise Refused(404, "no_player")
        challenge = await self._answered(credential, "add", device)
        try:
            made = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=site.host,
                expected_origin=site.origin,
            )
        except Exception:  # whatever is wrong with it: it comes from outside
            raise Refused(403, "passkey_refused") from None
        name, key = bytes_to_base64url(made.credential_id), made.credential_public_key.hex()
        if not await self.book.add(str(device_hash(device)), name, key, made.sign_count):
            raise Refused(409, "passkey_not_kept")
        return await self.own(device)

    async def remove(self, device: str | None, number: int) -> list[Own]:
        if device is None or not await self.book.remove(str(device_hash(device)), number):
            raise Refused(404, "no_passkey")
        return await self.own(device)

    # -- Coming back by one -------------------------------------------------------------------

    async def ask(self, device: str, site: Site, address: str) -> Json:
        """What the browser looks for one by: any of this server's that the person has."""
        import webauthn

        self.players.count_try(address)
        challenge = await self._challenge("use", device)
        options = webauthn.generate_authentication_options(rp_id=site.host, challenge=challenge)
        return as_json(webauthn.options_to_json(options))

    async def use(self, device: str, credential: Json, site: Site, address: str) -> Json:
        import webauthn

        self.players.count_try(address)
        challenge = await self._answered(credential, "use", device)
        known = await self.book.get(str(credential.get("id", ""))[:2000])
        if known is None:
            raise Refused(403, "passkey_refused")
        try:
            found = webauthn.verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=site.host,
                expected_origin=site.origin,
                credential_public_key=bytes.fromhex(known.public_key),
                credential_current_sign_count=known.sign_count,
            )
        except Exception:  # whatever is wrong with it: it comes from outside
            raise Refused(403, "passkey_refused") from None
        hashed = str(device_hash(device))
        try:
            is_theirs = await self.book.use(hashed, known.credential, found.new_sign_count)
        except StillPlays:
            raise Refused(409, "code_playing") from None
        if not is_theirs:
            raise Refused(403, "passkey_refused")
        shown = await self.players.shown(device)
        if shown is None:  # deleted in this very moment
            raise Refused(404, "no_player")
        return shown


def hash_of(challenge: bytes) -> str:
    return hashlib.sha256(challenge).hexdigest()


def challenge_in(credential: Json) -> bytes:
    """Of what the browser says that it has signed; whether it has is seen later."""
    from webauthn.helpers import base64url_to_bytes, parse_client_data_json

    try:
        said = base64url_to_bytes(str(credential["response"]["clientDataJSON"]))
        return parse_client_data_json(said).challenge
    except Exception:  # whatever is wrong with it: it comes from outside
        raise Refused(403, "passkey_refused") from None


def as_json(text: str) -> Json:
    found: Json = orjson.loads(text)
    return found
