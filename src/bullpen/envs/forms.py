"""An observation by places, in the form that was wished for."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from bullpen.deck import Deck
from bullpen.envs.history import History, history_length, plays_for_a_network
from bullpen.envs.layouts import MOST, Layout, Observation
from bullpen.envs.rows import rows_length, rows_of

FAR = 400.0  # more than any number by rows: the largest are points, of which an entry holds 327 hundred


def in_form(form: str, layout: Layout, deck: Deck, seen: Observation) -> NDArray[Any]:
    """[..., length] of any number of games; what stands behind the layout tells who played what and when."""
    plays = seen[..., layout.length :]
    if not plays.shape[-1]:
        return without_plays(form, layout, deck, seen)
    if form == "places":
        return seen
    rest = without_plays(form, layout, deck, seen[..., : layout.length])
    return np.concatenate([rest, plays_for_a_network(layout, plays)], axis=-1)


def without_plays(form: str, layout: Layout, deck: Deck, seen: Observation) -> NDArray[Any]:
    if form == "planes":
        return layout.planes(seen)
    return rows_of(layout, deck, seen) if form == "rows" else seen


def observation_box(layout: Layout, form: str, history: History = "none") -> spaces.Box:
    """The Gymnasium space of such observations."""
    low, high = bounds(layout, form)
    if history == "plays":
        none: NDArray[Any] = np.zeros(history_length(layout, history), np.int16)
        most: NDArray[Any] = np.repeat(np.array([layout.seats, MOST], np.int16), layout.cards)
        if form != "places":
            none, most = plays_for_a_network(layout, none), plays_for_a_network(layout, most)
            most[: layout.cards * layout.seats] = 1.0
        low, high = np.concatenate([low, none]), np.concatenate([high, most])
    return spaces.Box(low, high, dtype=low.dtype.type)


def bounds(layout: Layout, form: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """The least and the most of every number."""
    if form == "places":
        return layout.low, layout.high
    if form == "rows":
        far = np.full(rows_length(layout), FAR, np.float32)
        return -far, far
    most = layout.planes(layout.high)
    most[: layout.planes_length - (layout.length - layout.cards)] = 1.0
    return layout.planes(layout.low), most
