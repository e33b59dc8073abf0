"""How the twins are compiled, and where the compiled code is kept.

Numba watches only the file of the function itself, so a change elsewhere would leave a stale caller:
the cache folder is named by a hash of all the sources that the twins are made of.
"""

from __future__ import annotations

import gc
import hashlib
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bullpen import folders


@contextmanager
def collection_paused() -> Iterator[None]:
    """Numba makes a great many objects that stay while it starts; looking through them again and again
    for garbage would take a seventh of a warm start."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


with collection_paused():
    import numba
    from numba.core import types

PACKAGE = Path(__file__).parent.parent
SOURCES = (
    "cards.py",
    "deck.py",
    "game.py",
    "about.py",
    "sizes.py",
    "games/*/*.py",
    "games/*/habit.json",
    "games/*/*.csv",
    "fast/*.py",
    "envs/layouts.py",
    "envs/compiled/*.py",
)


def cache_folder() -> Path:
    """In the cache folder one for this state of the sources, and this Python: what one has compiled, another has not."""
    files = sorted(path for pattern in SOURCES for path in PACKAGE.glob(pattern))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    return folders.cache_folder() / f"compiled-{digest[:16]}-{sys.implementation.cache_tag}"


def name_of_record(record: Any) -> tuple[str, tuple[int, ...]]:
    """The part of a function's name that says which record it is compiled for.

    Numba takes a number that the type has in this process only.  Functions from the cache are found by their names, so where
    two processes had given the same number to two games' records, a third one ran the code of one game for the other."""
    digest = hashlib.sha256(record.name.encode()).digest()
    return type(record).__name__, (int.from_bytes(digest[:7]),)


types.Record.mangling_args = property(name_of_record)  # type: ignore[assignment,method-assign]


def is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


FOLDER = cache_folder()
CACHES = is_writable(FOLDER)
if CACHES:
    numba.config.CACHE_DIR = str(FOLDER)  # type: ignore[attr-defined]
else:
    warnings.warn(
        f"compiled code cannot be kept: {FOLDER} cannot be written. It is compiled anew each time;"
        " set BULLPEN_CACHE to a folder that can be written",
        stacklevel=2,
    )


HOW: dict[str, Any] = {
    "cache": CACHES,
    "boundscheck": False,
    "error_model": "numpy",
    "nogil": True,
}


def compiled(function: Any) -> Any:
    return numba.njit(**HOW)(function)


def uncounted(function: Any) -> Any:
    """For what neither makes an array nor gives one back, nor calls anything that does.  Numba counts who holds an array,
    and each time that takes an atomic operation.  Here it need not count, since whoever calls holds them.

    Whatever such a function calls is compiled in the same way, so it is for small functions that call none of another
    game's: a twin may make arrays, and is refused where it is not counted."""
    return numba.njit(**HOW | {"_nrt": False})(function)


def inlined(function: Any) -> Any:
    """The same for what is called in one place of a loop, or two: LLVM leaves a long function where it is, and the call with all
    its arguments and kept registers takes as long as some of the work."""
    return numba.njit(**HOW | {"_nrt": False, "forceinline": True})(function)


def straight(function: Any, *given: Any) -> Any:
    """A compiled function for arguments like these, past Numba's dispatcher: that looks at the type of every argument
    before each call, which takes longer than a decision.  Arguments of other types are not refused here, and make nonsense."""
    return function.compile(tuple(numba.typeof(one) for one in given))


def is_compiled(name: str) -> bool:
    """Whether a loop for this game has been compiled and kept before."""
    return CACHES and (FOLDER / f"{name}.done").exists()


def mark_compiled(name: str) -> None:
    if CACHES:
        (FOLDER / f"{name}.done").touch()
