"""The Gymnasium space of an observation."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from bullpen.envs.layouts import Layout


def observation_box(form_of: Layout, form: str) -> spaces.Box:
    """As codes and numbers, or as planes for a network."""
    if form == "places":
        return spaces.Box(form_of.low, form_of.high, dtype=np.int16)
    most = form_of.planes(form_of.high)
    most[: form_of.planes_length - (form_of.length - form_of.cards)] = 1.0
    return spaces.Box(form_of.planes(form_of.low), most, dtype=np.float32)
