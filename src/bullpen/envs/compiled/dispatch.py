"""Which game's observation, by the type of the record; as `bullpen.fast.dispatch` finds its rules."""

from __future__ import annotations

from numba.extending import overload

from bullpen.fast.dispatch import TWINS


def observe(state, viewer, perfect, out):
    """What a seat knows goes into `out`; all that it could remember, or only what is shown now."""


@overload(observe)
def _observe(state, viewer, perfect, out):
    written = TWINS[state].observe
    return lambda state, viewer, perfect, out: written(state, viewer, perfect, out)
