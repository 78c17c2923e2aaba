"""Eight numbers in a word: each operation against the same said of a list."""

import random
from typing import Any

import numpy as np
import pytest

from simsorry import lanes
from simsorry.jit import entry

U = np.uint64
VALUES = [0, 1, 2, 57, 58, 59, 60, 64, 65, 66, 126, 127]


@entry
def answers(word, value, lane, out):  # type: ignore[no-untyped-def]
    """Every operation once."""
    out[0] = lanes.filled(value)
    out[1] = lanes.equal(word, value)
    out[2] = lanes.below(word, value)
    out[3] = lanes.count(lanes.equal(word, value))
    out[4] = lanes.spread(lanes.equal(word, value))
    out[5] = lanes.get(word, lane)
    out[6] = lanes.put(word, lane, value)
    out[7] = lanes.lane_bit(lane)


@entry
def of_mask(mask, n, out):  # type: ignore[no-untyped-def]
    out[0] = lanes.count(mask)
    out[1] = lanes.first(mask)
    out[2] = lanes.drop_first(mask)
    out[3] = lanes.nth(mask, n)


def word_of(numbers: list[int]) -> int:
    return sum(number << 8 * lane for lane, number in enumerate(numbers))


def mask_of(chosen: list[bool]) -> int:
    return word_of([0x80 * there for there in chosen])


def plainly(numbers: list[int], value: int, lane: int) -> list[int]:
    """What ``answers`` gives, worked out on a list."""
    equal = [number == value for number in numbers]
    below = [number < value for number in numbers]
    put = [value if k == lane else number for k, number in enumerate(numbers)]
    everywhere = word_of([value] * 8)
    all_ones = word_of([0xFF * there for there in equal])
    return [everywhere, mask_of(equal), mask_of(below), sum(equal), all_ones, numbers[lane], word_of(put), 0x80 << 8 * lane]


def random_numbers(luck: random.Random) -> list[int]:
    return [luck.choice((luck.randrange(128), luck.choice(VALUES))) for _ in range(8)]


def test_operations() -> None:
    luck, out = random.Random(1), np.zeros(8, np.uint64)
    for _ in range(3000):
        numbers = random_numbers(luck)
        value, lane = luck.choice([*numbers, luck.randrange(1, 128)]) or 1, luck.randrange(8)
        answers(U(word_of(numbers)), U(value), U(lane), out)
        assert out.tolist() == plainly(numbers, value, lane)


def test_equal_to_nothing_and_below_everything() -> None:
    out = np.zeros(8, np.uint64)
    numbers = [0, 127, 0, 1, 66, 0, 127, 65]
    answers(U(word_of(numbers)), U(0), U(0), out)
    assert out[1] == mask_of([number == 0 for number in numbers])
    answers(U(word_of(numbers)), U(128), U(0), out)
    assert out[2] == mask_of([True] * 8)


@pytest.mark.parametrize("chosen", range(1, 256))
def test_masks(chosen: int) -> None:
    lanes_in = [lane for lane in range(8) if chosen >> lane & 1]
    mask, out = mask_of([bool(chosen >> lane & 1) for lane in range(8)]), np.zeros(4, np.uint64)
    for n, lane in enumerate(lanes_in):
        of_mask(U(mask), U(n), out)
        rest = mask & ~(0x80 << 8 * lanes_in[0])
        assert out.tolist() == [len(lanes_in), lanes_in[0], rest, lane]


def same_in_plain_python(function: Any, *arguments: int) -> int:
    with np.errstate(over="ignore"):
        return int(function.py_func(*map(U, arguments)))


def test_plain_python_gives_the_same() -> None:
    luck, out = random.Random(2), np.zeros(8, np.uint64)
    for _ in range(200):
        word, value, lane = word_of(random_numbers(luck)), luck.randrange(1, 128), luck.randrange(8)
        answers(U(word), U(value), U(lane), out)
        assert same_in_plain_python(lanes.filled, value) == out[0]
        assert same_in_plain_python(lanes.below, word, value) == out[2]
        assert same_in_plain_python(lanes.get, word, lane) == out[5]
        assert same_in_plain_python(lanes.put, word, lane, value) == out[6]
