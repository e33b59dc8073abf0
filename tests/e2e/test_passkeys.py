"""Passkeys in Chromium, with an authenticator of its own: made on one device, used on another; hidden where they cannot work."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.e2e.table import PHONE, Visit
from tests.e2e.test_accessible import faults
from tests.e2e.test_ratings import START

pytestmark = pytest.mark.e2e

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def with_authenticator(page: Page) -> tuple[CDPSession, str]:
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return session, made["authenticatorId"]


def test_a_passkey_of_one_device_brings_its_player_to_another(visit: Visit) -> None:
    visit.url = visit.url.replace("127.0.0.1", "localhost")  # which has a name
    laptop, phone = visit("/", PHONE, name="Anna"), visit("/me", PHONE)
    session, keeper = with_authenticator(laptop)
    table: str = laptop.evaluate(START)
    laptop.goto(f"{visit.url}/me")
    laptop.get_by_role("button", name="Make a passkey").click()
    expect(laptop.get_by_text("The passkey is made.")).to_be_visible()
    expect(laptop.get_by_text("Passkey 1, since")).to_be_visible()
    assert faults(laptop) == []

    found: dict[str, Any] = session.send("WebAuthn.getCredentials", {"authenticatorId": keeper})
    (credential,) = found["credentials"]
    other, its = with_authenticator(phone)
    other.send("WebAuthn.addCredential", {"authenticatorId": its, "credential": credential})
    phone.get_by_role("button", name="I have played here before").click()
    expect(phone.get_by_text("Welcome back, Anna.")).to_be_visible()
    phone.goto(f"{visit.url}/mine")
    expect(phone.get_by_role("region", name="In progress")).to_contain_text("6 nimmt!")
    running = phone.evaluate("async () => (await fetch('/api/mine/running')).json()")
    assert [one["table"] for one in running] == [table]

    laptop.reload()
    laptop.get_by_role("button", name="Remove: 1").click()
    expect(laptop.get_by_text("Passkey 1, since")).to_have_count(0)


def test_at_an_address_in_figures_it_is_said_why_there_are_none(visit: Visit) -> None:
    page = visit("/me", PHONE)
    expect(page.get_by_text("Passkeys do not work here")).to_be_visible()
    expect(page.get_by_role("button", name="I have played here before")).to_have_count(0)
