"""A small net as a habit's judgement: facts in, one layer of units, out comes what speaks against a move.

A net is one matrix: a line of weights for each fact, then the units' thresholds, then what each unit counts.  Nets lie in `habit.json`
in a game's folder, written by `python -m benchmarks.nets`.  For that a habit has `KNOWN`, how many facts each net knows; `look_at_moves`,
which writes the facts of all moves into an array of `ROOM_SHAPE` and the moves into one of `MOST_MOVES`; and `kind_of` a decision, the name
of the net that judges it.  Whoever changes the facts fits anew: by a habit that asks no net, as the first time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from bullpen.fast.fitted import FILE

UNITS = 32  # a power of two
ALL_UNITS = ir.VectorType(ir.FloatType(), UNITS)


def nets_beside(module: str, known: Mapping[str, int]) -> dict[str, NDArray[np.float32]]:
    """Those of the game to whose folder this file belongs, by name; each must know so many facts."""
    file = Path(module).with_name(FILE)
    nets = json.loads(file.read_text("utf-8"))["nets"]
    found = {name: np.array(nets[name], np.float32) for name in known}
    for name, net in found.items():
        if net.shape != (known[name] + 2, UNITS):  # compiled code would read on behind its end
            raise ValueError(f"the net {name!r} in {file} knows other facts: fit it anew")
    return found


@intrinsic
def judged(typing_context: Any, facts: Any, net: Any) -> Any:
    """What speaks against a move of which these facts are known.  All units at once: a loop over them, which Numba keeps in
    memory, takes about four times as long."""
    if (net.ndim, net.layout, net.dtype) != (2, "C", types.float32):
        return None
    if (facts.ndim, facts.layout, facts.dtype) != (1, "C", types.float64):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        given, lines = (
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args, args, strict=True)
        )

        def line(at: Any) -> Any:
            first = builder.gep(lines.data, [builder.mul(at, at.type(UNITS))])
            return builder.load(builder.bitcast(first, ALL_UNITS.as_pointer()), align=4)

        count = cgutils.unpack_tuple(builder, lines.shape)[0]
        known, last = builder.sub(count, count.type(2)), builder.sub(count, count.type(1))
        sums = cgutils.alloca_once_value(builder, line(known))
        with cgutils.for_range(builder, known) as loop:
            fact = builder.load(builder.gep(given.data, [loop.index]))
            with builder.if_then(builder.fcmp_unordered("!=", fact, fact.type(0.0))):  # most are 0
                factor = everywhere(builder, builder.fptrunc(fact, ir.FloatType()))
                product = builder.fmul(factor, line(loop.index))
                builder.store(builder.fadd(builder.load(sums), product), sums)
        units, nothing = builder.load(sums), ir.Constant(ALL_UNITS, None)
        active = builder.select(builder.fcmp_ordered(">", units, nothing), units, nothing)
        total = added_up(builder, builder.fmul(active, line(last)))
        return builder.fpext(total, ir.DoubleType())

    return types.float64(facts, net), codegen


def everywhere(builder: Any, number: Any) -> Any:
    """As often as there are units."""
    one = builder.insert_element(ALL_UNITS(ir.Undefined), number, ir.IntType(32)(0))
    return builder.shuffle_vector(
        one, ALL_UNITS(ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), UNITS), None)
    )


def added_up(builder: Any, numbers: Any) -> Any:
    """One half to the other, again and again: in the same order on every machine."""
    size = UNITS
    while size > 1:
        size //= 2
        halves = (
            builder.shuffle_vector(
                numbers,
                numbers,
                ir.Constant(
                    ir.VectorType(ir.IntType(32), size),
                    [ir.IntType(32)(at) for at in range(first, first + size)],
                ),
            )
            for first in (0, size)
        )
        numbers = builder.fadd(*halves)
    return builder.extract_element(numbers, ir.IntType(32)(0))
