"""Which twin's function, by the type of the record.

Numba resolves these names when it compiles a loop for a record's type, so one loop serves every game
and is cached across processes.  (A loop made by a function around the game's functions is not.)
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numba.extending import overload
from numba.np.numpy_support import from_dtype

TWINS: dict[Any, Any] = {}  # by the type of their record
REGISTERED = set[
    Any
]()  # twins; to find the type of a record anew takes longer than to think of a move
NO_SHORT_WAY = -1  # to the action against which the least speaks, or to what speaks against each


def register(twin: Any) -> None:
    if twin not in REGISTERED:
        TWINS[from_dtype(twin.STATE)] = twin
        REGISTERED.add(twin)


def to_shuffle(state, deck):
    """The cards to be shuffled go into `deck`; how many, and how many of them matter."""


def deal(state, deck):
    """The table after the first cards of `deck` came in this order."""


def wants_shuffle(state):
    """Whether cards must be shuffled before play goes on."""


def is_over(state):
    """Whether the game has ended."""


def waiting(state):
    """The seats that have to decide, as a mask: in a secret choice all that have not chosen yet."""


def rounds_played(state):
    """How many rounds have ended; none in a game that has no rounds."""


def is_far_enough(state):
    """Whether a playout may stop here because what follows tells little; never, in most games."""


def standing(state, out):
    """The points by seat where a playout stops: those counted so far, and what is in sight."""


def legal(state, words):
    """The legal actions of `state.actor`, as a set of words."""


def random_legal(state, rng):
    """One of the legal actions of `state.actor`, each as likely as the others."""


def drawback(state, action):
    """What speaks against an action at a glance; each game's `habit.py`."""


def rule_of_thumb(state, action):
    """What speaks against an action by a game's simpler rule; `drawback`, where it has no other."""


def favourite(state):
    """The legal action against which the least speaks, where a game's habit knows a short way to it; else -1."""


def weigh_all(state, actions, drawbacks):
    """The legal actions in their order, and what speaks against each, where a game's habit knows a short way to all of them
    together; how many there are, or -1."""


def best_of_some(state, looks, rng):
    """Of so many random legal actions the first against which the least speaks, where a game's habit knows a short way to it;
    else -1."""


def apply(state, action):
    """Take an action of `state.actor`, and play on until somebody has to decide or to shuffle."""


def scores(state, out):
    """The points counted so far, by seat."""


def places(state, out):
    """Where every card lies, in the plain game's numbers."""


def imagine(state, viewer, rng):
    """Deal anew the cards that this seat cannot know."""


def imagine_as_read(state, viewer, likely, by_thumb, rng):
    """The same, where a game's `reading.py` tells what others are likely to hold; before any choice of the turn."""


def usual(state, rng):
    """What the careful bot would do, where a game's `reading.py` knows it; else -1."""


@overload(to_shuffle, jit_options={"forceinline": True})
def _to_shuffle(state, deck):
    twin = TWINS[state].to_shuffle
    return lambda state, deck: twin(state, deck)


@overload(deal, jit_options={"forceinline": True})
def _deal(state, deck):
    twin = TWINS[state].deal
    return lambda state, deck: twin(state, deck)


@overload(wants_shuffle, jit_options={"forceinline": True})
def _wants_shuffle(state):
    twin = TWINS[state].wants_shuffle
    return lambda state: twin(state)


@overload(is_over, jit_options={"forceinline": True})
def _is_over(state):
    over = TWINS[state].OVER
    return lambda state: state.phase == over


@overload(waiting, jit_options={"forceinline": True})
def _waiting(state):
    twin = getattr(TWINS[state], "waiting", None)
    if twin is None:
        return lambda state: 1 << np.int64(state.actor)
    return lambda state: twin(state)


@overload(rounds_played, jit_options={"forceinline": True})
def _rounds_played(state):
    if "rounds_played" in state.fields:
        return lambda state: state.rounds_played
    return lambda state: 0  # noqa: ARG005


@overload(is_far_enough, jit_options={"forceinline": True})
def _is_far_enough(state):
    twin = getattr(TWINS[state], "is_far_enough", None)
    if twin is None:
        return lambda state: False  # noqa: ARG005
    return lambda state: twin(state)


@overload(standing, jit_options={"forceinline": True})
def _standing(state, out):
    twin = getattr(TWINS[state], "standing", TWINS[state].scores)
    return lambda state, out: twin(state, out)


@overload(legal, jit_options={"forceinline": True})
def _legal(state, words):
    twin = TWINS[state].legal
    return lambda state, words: twin(state, words)


@overload(random_legal, jit_options={"forceinline": True})
def _random_legal(state, rng):
    twin = TWINS[state].random_legal
    return lambda state, rng: twin(state, rng)


@overload(drawback, jit_options={"forceinline": True})
def _drawback(state, action):
    habit = habit_of(TWINS[state])
    if habit is None:
        return lambda state, action: 0.0  # noqa: ARG005
    own = habit.drawback
    return lambda state, action: own(state, action)


@overload(rule_of_thumb, jit_options={"forceinline": True})
def _rule_of_thumb(state, action):
    own = getattr(habit_of(TWINS[state]), "rule_of_thumb", drawback)
    return lambda state, action: own(state, action)


@overload(favourite, jit_options={"forceinline": True})
def _favourite(state):
    own = getattr(habit_of(TWINS[state]), "favourite", None)
    if own is None:
        return lambda state: NO_SHORT_WAY  # noqa: ARG005
    return lambda state: own(state)


@overload(weigh_all, jit_options={"forceinline": True})
def _weigh_all(state, actions, drawbacks):
    own = getattr(habit_of(TWINS[state]), "weigh_all", None)
    if own is None:
        return lambda state, actions, drawbacks: NO_SHORT_WAY  # noqa: ARG005
    return lambda state, actions, drawbacks: own(state, actions, drawbacks)


@overload(best_of_some, jit_options={"forceinline": True})
def _best_of_some(state, looks, rng):
    own = getattr(habit_of(TWINS[state]), "best_of_some", None)
    if own is None:
        return lambda state, looks, rng: NO_SHORT_WAY  # noqa: ARG005
    return lambda state, looks, rng: own(state, looks, rng)


def habit_of(twin: Any) -> Any:
    return part_of(twin, "habit")


def part_of(twin: Any, name: str) -> Any:
    """The module beside the twin, or None for a game that has none."""
    module = f"{twin.__name__.removesuffix('.twin')}.{name}"
    return None if find_spec(module) is None else import_module(module)


@overload(apply, jit_options={"forceinline": True})
def _apply(state, action):
    twin = TWINS[state].apply
    return lambda state, action: twin(state, action)


@overload(scores, jit_options={"forceinline": True})
def _scores(state, out):
    twin = TWINS[state].scores
    return lambda state, out: twin(state, out)


@overload(places, jit_options={"forceinline": True})
def _places(state, out):
    twin = TWINS[state].places
    return lambda state, out: twin(state, out)


@overload(imagine, jit_options={"forceinline": True})
def _imagine(state, viewer, rng):
    twin = TWINS[state].imagine
    return lambda state, viewer, rng: twin(state, viewer, rng)


@overload(imagine_as_read, jit_options={"forceinline": True})
def _imagine_as_read(state, viewer, likely, by_thumb, rng):
    own = getattr(part_of(TWINS[state], "reading"), "imagine_as_read", None)
    if own is None:
        return lambda state, viewer, likely, by_thumb, rng: imagine(state, viewer, rng)  # noqa: ARG005
    return lambda state, viewer, likely, by_thumb, rng: own(state, viewer, likely, by_thumb, rng)


@overload(usual, jit_options={"forceinline": True})
def _usual(state, rng):
    own = getattr(part_of(TWINS[state], "reading"), "usual", None)
    if own is None:
        return lambda state, rng: NO_SHORT_WAY  # noqa: ARG005
    return lambda state, rng: own(state, rng)
