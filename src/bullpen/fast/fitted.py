"""Weights of a habit that were fitted, not chosen: `habit.json` in a game's folder, written by `python -m benchmarks.fitting`.

Such a habit has `slots(state, action)`, the numbers of the weights whose sum speaks against an action, or None; `SIZE`, how many weights
there are; and `WEIGHTS`.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = "habit.json"


def weights_beside(module: str) -> NDArray[np.float64]:
    """Those of the game to whose folder this file belongs."""
    text = Path(module).with_name(FILE).read_text("utf-8")
    return np.array(json.loads(text)["weights"])
