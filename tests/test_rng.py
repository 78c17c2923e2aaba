"""Keyed random streams: the published generator, the same compiled and plain, and no visible ties between streams."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from simsorry import rng
from simsorry.jit import entry

U = np.uint64
MASK = (1 << 64) - 1
CHANCE = 1e-6  # a correct generator fails a test with a fixed seed or it does not; this is how odd it may look


@entry
def fill_words(key, first, out):  # type: ignore[no-untyped-def]
    """Consecutive words of a stream."""
    for i in range(out.size):
        out[i] = rng.word(key, first + U(i))


@entry
def fill_below(key, n, out):  # type: ignore[no-untyped-def]
    for i in range(out.size):
        out[i] = rng.below(rng.word(key, U(i)), n)


@entry
def fill_streams(seeds, games, purposes, out):  # type: ignore[no-untyped-def]
    for i in range(out.size):
        out[i] = rng.stream(seeds[i], games[i], purposes[i])


@entry
def fill_keys(bits, first, out):  # type: ignore[no-untyped-def]
    """The keys of the streams whose words from number ``first`` on are ``bits``, each for itself."""
    for i in range(out.size):
        out[i] = rng.key_for(bits[i], first + U(i))


def words(key: int, count: int, first: int = 0) -> NDArray[np.uint64]:
    out = np.zeros(count, np.uint64)
    fill_words(U(key), U(first), out)
    return out


def streams(keys: list[tuple[int, int, int]]) -> NDArray[np.uint64]:
    """Stream keys of (seed, game, purpose)."""
    seeds, games, purposes = np.array(keys, np.uint64).T.copy()
    out = np.zeros(len(keys), np.uint64)
    fill_streams(seeds, games, purposes, out)
    return out


# -- the generator in big integers, written from its definition ------------------------------------------


def mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def splitmix(state: int) -> Iterator[int]:
    while True:
        state = state + 0x9E3779B97F4A7C15 & MASK
        yield mix(state)


def stream_key(seed: int, game: int, purpose: int) -> int:
    key = mix(seed + 0x9E3779B97F4A7C15 & MASK)
    key = mix(key + game * 0xD1342543DE82EF95 & MASK)
    return mix(key + purpose * 0xDA942042E4DD58B5 & MASK)


def test_words_are_splitmix64() -> None:
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    assert words(1234567, 5).tolist() == published
    for key in (0, 1, MASK, 0x0123456789ABCDEF):
        assert words(key, 50).tolist() == [word for word, _ in zip(splitmix(key), range(50), strict=False)]


def test_any_word_can_be_had_without_those_before() -> None:
    whole = words(99, 1000)
    assert (words(99, 10, first=990) == whole[990:]).all()


def test_stream_keys_are_what_old_seeds_mean() -> None:
    keys = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 123, 2), (MASK, 10**12, 1)]
    assert streams(keys).tolist() == [stream_key(*key) for key in keys]
    assert (rng.CARDS, rng.CHOICES, rng.FIRST_PLAYER) == (0, 1, 2)
    assert streams([(1, 0, 0)])[0] == 736442933886495122


def test_plain_python_gives_the_same() -> None:
    with np.errstate(over="ignore"):
        z = U(0xDEADBEEF12345678)
        for _ in range(20):
            assert rng.mix.py_func(z) == mix(int(z))
            z = rng.mix.py_func(z)


# -- numbers below a bound -------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 7, 45, 55, 1000])
def test_below_is_uniform(n: int) -> None:
    out = np.zeros(200_000, np.uint64)
    fill_below(U(42), U(n), out)
    counts = np.bincount(out.astype(np.int64), minlength=n)
    assert len(counts) == n
    assert n == 1 or stats.chisquare(counts).pvalue > CHANCE


def test_below_uses_the_upper_half_of_the_word() -> None:
    with np.errstate(over="ignore"):
        assert rng.below.py_func(U(0), U(45)) == 0
        assert rng.below.py_func(U(MASK), U(45)) == 44
        assert rng.below.py_func(U(0xFFFFFFFF), U(45)) == 0
        assert rng.below.py_func(U(1 << 63), U(4)) == 2


# -- streams against each other --------------------------------------------------------------------------


def test_no_two_keys_are_equal() -> None:
    keys = list(product(range(30), range(500), range(3)))
    assert len(np.unique(streams(keys))) == len(keys)


def bits(numbers: NDArray[np.uint64]) -> NDArray[np.float64]:
    """A column per bit."""
    return np.unpackbits(numbers.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1).astype(float)


@pytest.mark.parametrize("step", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 2**40, 0)], ids=["seed", "game", "purpose", "far game"])
def test_neighbouring_keys_share_nothing(step: tuple[int, int, int]) -> None:
    # Changing one part of a key by one flips about half of its bits, each bit in about half of the keys.
    ones = [(seed, game, 0) for seed in range(64) for game in range(64)]
    others = [(seed + step[0], game + step[1], step[2]) for seed, game, _ in ones]
    flipped = bits(streams(ones) ^ streams(others))
    assert abs(flipped.mean() - 0.5) < 0.005
    assert abs(flipped.mean(axis=0) - 0.5).max() < 0.05
    assert flipped.sum(axis=1).min() > 10


@pytest.mark.parametrize("other", [(5, 8, 0), (5, 7, 1), (6, 7, 0)], ids=["game", "purpose", "seed"])
def test_streams_are_uncorrelated(other: tuple[int, int, int]) -> None:
    n = 50_000
    one, two = (words(key, n).astype(float) for key in streams([(5, 7, 0), other]).tolist())
    for lag in (0, 1, 2):
        r = np.corrcoef(one[: n - lag], two[lag:])[0, 1]
        assert abs(r) < 5 / np.sqrt(n)


def test_words_of_a_stream_are_uniform_and_uncorrelated() -> None:
    numbers = words(int(streams([(1, 2, 0)])[0]), 100_000)
    assert abs(bits(numbers).mean(axis=0) - 0.5).max() < 5 * 0.5 / np.sqrt(len(numbers))
    assert stats.kstest(numbers / 2.0**64, "uniform").pvalue > CHANCE
    for lag in (1, 2, 7):
        assert abs(np.corrcoef(numbers[:-lag], numbers[lag:])[0, 1]) < 5 / np.sqrt(len(numbers))


def test_first_words_of_consecutive_games_are_uniform() -> None:
    # What a game begins with must not depend on its number in any way that shows.
    keys = streams([(1, game, 0) for game in range(45_000)])
    first = np.array([int(word) for word in (mix(int(key) + 0x9E3779B97F4A7C15 & MASK) for key in keys)], np.uint64)
    cards = ((first >> U(32)) * U(45)) >> U(32)
    assert stats.chisquare(np.bincount(cards.astype(np.int64), minlength=45)).pvalue > CHANCE
    pairs = cards[:-1].astype(np.int64) // 9 * 5 + cards[1:].astype(np.int64) // 9
    assert stats.chisquare(np.bincount(pairs, minlength=25)).pvalue > CHANCE


@pytest.mark.parametrize("first", [0, 1, 1000, MASK - 100])
def test_a_key_can_be_found_for_any_word_at_any_place(first: int) -> None:
    wanted, keys = words(77, 50)[::-1].copy(), np.zeros(50, np.uint64)
    fill_keys(wanted, U(first), keys)
    assert len(set(keys.tolist())) == 50
    for number, (key, bits) in enumerate(zip(keys.tolist(), wanted.tolist(), strict=True)):
        assert mix(key + (first + number + 1) * 0x9E3779B97F4A7C15 & MASK) == bits


def test_the_key_of_a_stream_is_the_one_found_for_its_words() -> None:
    for key in (0, 1, 2**63 + 5, MASK):
        keys = np.zeros(20, np.uint64)
        fill_keys(words(key, 20, first=3), U(3), keys)
        assert set(keys.tolist()) == {key}
