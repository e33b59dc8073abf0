"""The text that is hashed is the same whichever encoder writes it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bullpen.server.store.chain import ENCODER, canonical, is_plain

SIMPLE = st.none() | st.integers() | st.text(max_size=8) | st.floats(1, 10**15) | st.booleans()
FLAT = st.lists(SIMPLE, max_size=6) | st.dictionaries(st.text(max_size=5), SIMPLE, max_size=4)
ANY = st.recursive(FLAT, lambda inner: st.lists(inner, max_size=3))


@given(value=ANY)
def test_the_quick_encoder_writes_what_pythons_own_writes(value: Any) -> None:
    assert canonical(value) == ENCODER.encode(value)


@given(time=st.floats(1.7e9, 4e9).map(lambda time: round(time, 3)))
def test_the_facts_of_an_event_are_written_by_the_quick_one(time: float) -> None:
    facts = ["q3v7k2m9x4tz8w6n", 17, 2, 9, "move", time]
    assert is_plain(facts)
    assert canonical(facts) == ENCODER.encode(facts)
