"""Web push: whether this device is told when it is its player's turn."""

from __future__ import annotations

from fastapi import APIRouter

from bullpen.server.pushes import Pushes
from bullpen.server.requests import PushShown, PushWish
from bullpen.server.routes.parameters import REFUSALS, Device, ThePushes

api = APIRouter(prefix="/api/push", responses=REFUSALS)


async def shown(pushes: Pushes, device: str | None) -> PushShown:
    key = (await pushes.sender()).public
    return PushShown(key=key, subscribed=await pushes.is_subscribed(device))


@api.get("", summary="This server's key for web push, and whether this device wants any")
async def asked(device: Device, pushes: ThePushes) -> PushShown:
    return await shown(pushes, device)


@api.put("", summary="Tell this device when it is its player's turn at a table over days")
async def subscribe(wish: PushWish, device: Device, pushes: ThePushes) -> PushShown:
    await pushes.subscribe(device, wish.endpoint, wish.keys.p256dh, wish.keys.auth)
    return await shown(pushes, device)


@api.delete("", summary="Tell this device nothing any more")
async def unsubscribe(device: Device, pushes: ThePushes) -> PushShown:
    await pushes.unsubscribe(device)
    return await shown(pushes, device)
