"""Replay tokens survive the way out and back, and say what is wrong when they do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from norn import token
from norn.errors import TokenError
from norn.token import Token

numbers = st.integers(0, 1 << 40)
runs = st.lists(st.tuples(st.integers(0, 65535), numbers, st.integers(0, 65535)), max_size=60)


def joined(values: list[int]) -> str:
    return ",".join(map(str, values))


@given(st.binary(min_size=4, max_size=4), runs, st.lists(numbers), st.lists(st.integers(0, 65535)))
def test_round_trip(
    program: bytes, schedule: list[tuple[int, int, int]], choices: list[int], parents: list[int]
):
    made = Token(
        program.hex(), ",".join(":".join(map(str, run)) for run in schedule), joined(choices), joined(parents)
    )
    assert token.decode(token.encode(made)) == made


@given(st.data())
def test_any_changed_character_is_noticed(data: st.DataObject):
    text = token.encode(Token("0badcafe", "0:10:4660,1:3:22,0:5:1", "1", "0"))
    place = data.draw(st.integers(len("norn1.") + 6, len(text) - 2))
    other = data.draw(st.sampled_from("ABCDwxyz0189_-").filter(lambda c: c != text[place]))
    with pytest.raises(TokenError, match="damaged"):
        token.decode(text[:place] + other + text[place + 1 :])


@pytest.mark.parametrize("text", ["", "hello", "norn1", "norn1.", "norn1.%%%", "NORN1.AAAA"])
def test_not_a_token(text: str):
    with pytest.raises(TokenError, match="not a replay token"):
        token.decode(text)


def test_cut_off():
    text = token.encode(Token("0badcafe", "0:10:4660", "", ""))
    for length in range(len("norn1.") + 1, len(text)):
        with pytest.raises(TokenError):
            token.decode(text[:length])


def test_other_version():
    with pytest.raises(TokenError, match="version 2, this norn reads version 1"):
        token.decode("norn2.AAAA")


def test_other_program():
    made = token.decode(token.encode(Token("0badcafe", "0:1:2", "", "")))
    made.require_program("0badcafe")
    with pytest.raises(TokenError, match="another program"):
        made.require_program("deadbeef")
