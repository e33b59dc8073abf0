"""An observation by places, in the form that was wished for."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from bullpen.deck import Deck
from bullpen.envs.layouts import Layout, Observation
from bullpen.envs.rows import rows_length, rows_of

FAR = 400.0  # more than any number by rows: the largest are points, of which an entry holds 327 hundred


def in_form(form: str, layout: Layout, deck: Deck, seen: Observation) -> NDArray[Any]:
    """[..., length] of any number of games."""
    if form == "planes":
        return layout.planes(seen)
    return rows_of(layout, deck, seen) if form == "rows" else seen


def observation_box(layout: Layout, form: str) -> spaces.Box:
    """The Gymnasium space of such observations."""
    if form == "places":
        return spaces.Box(layout.low, layout.high, dtype=np.int16)
    if form == "rows":
        return spaces.Box(-FAR, FAR, (rows_length(layout),), np.float32)
    most = layout.planes(layout.high)
    most[: layout.planes_length - (layout.length - layout.cards)] = 1.0
    return spaces.Box(layout.planes(layout.low), most, dtype=np.float32)
