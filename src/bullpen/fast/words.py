"""Sets of cards as 64-bit words, and a small fast source of random numbers beside the state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from bullpen.cards import Card, mask
from bullpen.fast.compiling import uncounted

U = np.uint64
ONE, ZERO = U(1), U(0)


@intrinsic
def count_bits(typing_context: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.call(builder.module.declare_intrinsic("llvm.ctpop", [args[0].type]), args)

    return types.int64(types.uint64), codegen


@intrinsic
def lowest_bit(typing_context: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], cgutils.false_bit)

    return types.int64(types.uint64), codegen


@intrinsic
def highest_bit(typing_context: Any, word: Any) -> Any:
    """Of a word that is not zero."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        leading_zeros = builder.ctlz(args[0], cgutils.false_bit)
        return builder.sub(leading_zeros.type(63), leading_zeros)

    return types.int64(types.uint64), codegen


@intrinsic
def deposit_bits(typing_context: Any, bits: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        name, word = "llvm.x86.bmi.pdep.64", ir.IntType(64)
        known = builder.module.globals.get(name)
        return builder.call(
            known or ir.Function(builder.module, ir.FunctionType(word, [word, word]), name), args
        )

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic
def write_bits(typing_context: Any, out: Any, at: Any, bits: Any) -> Any:
    """Ones and zeros from out[at] on, a byte for each bit of a word: one instruction or a few, where a loop has 64 turns."""
    if out.ndim != 1 or out.layout != "C" or out.dtype.bitwidth != 8:
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        flags = builder.bitcast(args[2], ir.VectorType(ir.IntType(1), 64))
        as_bytes = builder.zext(flags, ir.VectorType(ir.IntType(8), 64))
        first = builder.gep(array.data, [args[1]])
        builder.store(as_bytes, builder.bitcast(first, as_bytes.type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(out, types.int64, types.uint64), codegen


@intrinsic
def write_where(typing_context: Any, bits: Any, value: Any, out: Any, at: Any) -> Any:
    """The value into those of the 64 entries from out[at] on whose bit is one."""
    if out.ndim != 1 or out.layout != "C":
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[2])(context, builder, args[2])
        flags = builder.bitcast(args[0], ir.VectorType(ir.IntType(1), 64))
        entries = ir.VectorType(array.data.type.pointee, 64)
        first = builder.bitcast(builder.gep(array.data, [args[3]]), entries.as_pointer())
        one = builder.insert_element(entries(ir.Undefined), args[1], ir.IntType(32)(0))
        same = ir.Constant(ir.VectorType(ir.IntType(32), 64), None)
        everywhere = builder.shuffle_vector(one, entries(ir.Undefined), same)
        before = builder.load(first, align=1)
        builder.store(builder.select(flags, everywhere, before), first, align=1)
        return context.get_dummy_value()

    return types.void(types.uint64, out.dtype, out, types.int64), codegen


# Room in the frame of the function that asks for it: gone when that one returns, and without the price of asking the system
# for memory.  The count must be a constant.


@intrinsic(prefer_literal=True)
def numbers_on_the_stack(typing_context: Any, count: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.alloca_once(builder, ir.DoubleType(), size=count.literal_value)

    return types.CPointer(types.float64)(count), codegen


@intrinsic(prefer_literal=True)
def words_on_the_stack(typing_context: Any, count: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.alloca_once(builder, ir.IntType(64), size=count.literal_value)

    return types.CPointer(types.uint64)(count), codegen


@intrinsic
def borrowed(typing_context: Any, array: Any) -> Any:
    """The same array, of which nobody counts any more who holds it: for one that lives on longer than whatever it is handed to."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        entries = context.make_array(array)(context, builder, args[0])
        entries.meminfo = cgutils.get_null_value(entries.meminfo.type)
        return entries._getvalue()

    return array(array), codegen


@intrinsic
def fetch(typing_context: Any, array: Any, at: Any) -> Any:
    """Begin to fetch an entry from memory, without waiting for it."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        entries = context.make_array(array)(context, builder, args[0])
        entry = cgutils.get_item_pointer(
            context, builder, array, entries, [args[1]], wraparound=False
        )
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        name, kind = "llvm.prefetch.p0", ir.FunctionType(ir.VoidType(), [pointer] + 3 * [number])
        known = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        to_read, keep, data = number(0), number(3), number(1)
        builder.call(known, [builder.bitcast(entry, pointer), to_read, keep, data])
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen


# The first two Zen generations have the instruction, but take hundreds of cycles for it.
DEPOSITS_QUICKLY = binding.get_host_cpu_features().get("bmi2", False) and (
    binding.get_host_cpu_name() not in ("znver1", "znver2")
)


# -- Chance -----------------------------------------------------------------------------------

FINE = 1 << 30  # as finely as chance is divided where something has a share


@uncounted
def seeded(rng, seed):
    """Start the generator; neighbouring seeds give unrelated streams."""
    x = U(seed) + U(0x9E3779B97F4A7C15)
    x = (x ^ (x >> U(30))) * U(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> U(27))) * U(0x94D049BB133111EB)
    x ^= x >> U(31)
    rng[0] = x | ONE


@uncounted
def below(rng, n):
    """A number below n (xorshift64*, and a multiplication instead of a division)."""
    x = rng[0]
    x ^= x >> U(12)
    x ^= x << U(25)
    x ^= x >> U(27)
    rng[0] = x
    return np.int64((((x * U(0x2545F4914F6CDD1D)) >> U(32)) * U(n)) >> U(32))


# -- Choosing from a set ----------------------------------------------------------------------


@uncounted
def nth_bit_by_halves(word, n):
    """The n-th lowest set bit, without a branch: a random one would be guessed wrong half the time."""
    at = 0
    for width in (32, 16, 8, 4, 2, 1):
        here = count_bits(word & ((ONE << U(width)) - ONE))
        beyond = n >= here
        n = n - here if beyond else n
        at = at + width if beyond else at
        word = word >> U(width) if beyond else word
    return at


@uncounted
def nth_bit_by_deposit(word, n):
    """The same with the one instruction that some processors have for it."""
    return lowest_bit(deposit_bits(ONE << U(n), word))


nth_bit = nth_bit_by_deposit if DEPOSITS_QUICKLY else nth_bit_by_halves


@uncounted
def nth(low, high, n):
    """The n-th lowest card of a set of two words."""
    in_low = count_bits(low)
    in_first = n < in_low
    word = low if in_first else high
    return (0 if in_first else 64) + nth_bit(word, n if in_first else n - in_low)


@uncounted
def random_card(low, high, rng):
    return nth(low, high, below(rng, count_bits(low) + count_bits(high)))


@uncounted
def draw_cards(low, high, wanted, rng):
    """A random subset of so many cards."""
    left_low, left_high = low, high
    for _ in range(wanted):
        card = random_card(left_low, left_high, rng)
        bit = ONE << U(card & 63)
        left_low = left_low & ~bit if card < 64 else left_low
        left_high = left_high & ~bit if card >= 64 else left_high
    return low & ~left_low, high & ~left_high


@uncounted
def heads_in(heads, low, high):
    """The heads on the cards of a set."""
    total = 0
    while low != ZERO:
        total += heads[lowest_bit(low)]
        low &= low - ONE
    while high != ZERO:
        total += heads[64 + lowest_bit(high)]
        high &= high - ONE
    return total


@uncounted
def heads_by_digits(digits, count, low, high):
    """The same without a branch, from the sets of cards in whose heads each binary digit is one.  Three digits do for every deck
    that is printed; a loop over them would take twice the time."""
    total = cards_in(digits[0], low, high)
    total += cards_in(digits[1], low, high) << 1
    total += cards_in(digits[2], low, high) << 2
    for digit in range(3, count):
        total += cards_in(digits[digit], low, high) << digit
    return total


@uncounted
def cards_in(some, low, high):
    return count_bits(low & some[0]) + count_bits(high & some[1])


@uncounted
def set_places(low, high, place, out):
    """Write the place of every card of a set."""
    while low != ZERO:
        out[lowest_bit(low)] = place
        low &= low - ONE
    while high != ZERO:
        out[64 + lowest_bit(high)] = place
        high &= high - ONE


@uncounted
def lower_than(card):
    """All cards below this one, as a set of two words."""
    if card < 64:
        return (ONE << U(card)) - ONE, ZERO
    return ~ZERO, (ONE << U(card - 64)) - ONE


@uncounted
def cards_below(low, high, card):
    """How many cards of a set are lower than this one."""
    below_low, below_high = lower_than(card)
    return count_bits(low & below_low) + count_bits(high & below_high)


@uncounted
def bits_of(card):
    """One card as a set of two words: no index that depends on it, so that what is known of the words stays known."""
    bit = ONE << (U(card) & U(63))
    high = bit if card >= 64 else ZERO
    return bit ^ high, high


@uncounted
def everything(cards):
    """All cards from 1 to `cards`."""
    low, high = lower_than(np.int64(cards) + 1)
    return low & ~ONE, high


@uncounted
def add_bits(words, first, low, high):
    """Put a set of two words into a longer one, so that its bit 0 stands at `first`."""
    at, shift = first >> 6, U(first & 63)
    words[at] |= low << shift
    words[at + 1] |= high << shift
    if shift != ZERO:
        words[at + 1] |= low >> (U(64) - shift)
        if at + 2 < words.size:
            words[at + 2] |= high >> (U(64) - shift)


# -- Between Python and the records -----------------------------------------------------------

WORD = (1 << 64) - 1


def digits_of(heads: Sequence[int]) -> list[tuple[int, int]]:
    """For `heads_by_digits`: as many sets of cards as the most heads have binary digits."""
    digits = range(max(heads).bit_length())
    return [words_of(card for card, n in enumerate(heads) if n >> digit & 1) for digit in digits]


MOST_COUNTED = 2**31 - 1


def at_most_counted(value: Any) -> int:
    """A wish such as `rounds`, as far as a record can hold it: no simulation gets there."""
    return min(int(value or 0), MOST_COUNTED)


def words_of_mask(bits: int) -> tuple[int, int]:
    return bits & WORD, bits >> 64


def words_of(cards: Iterable[Card]) -> tuple[int, int]:
    return words_of_mask(mask(cards))


def mask_of(words: Any) -> int:
    return int(words[0]) | int(words[1]) << 64


def cards_of(words: Any) -> tuple[Card, ...]:
    """The cards of a set, ascending."""
    bits = mask_of(words)
    return tuple(card for card in range(128) if bits >> card & 1)


def points_of_rounds(state: Any, seats: int) -> tuple[tuple[int, ...], ...]:
    """A record keeps only totals: they stand as the first of the rounds played."""
    played = int(state["rounds_played"])
    totals = tuple(int(points) for points in state["points"][:seats])
    return ((totals,) + ((0,) * seats,) * (played - 1)) if played else ()
