"""A position as one color sees it: a *frame* is four words of ``lanes``, one color's first and the others clockwise."""

import numpy as np

from simsorry.jit import small

U = np.uint64

_1, _2, _3 = U(1), U(2), U(3)


@small
def seen_by(words, color):
    """Four words by color as a color sees them."""
    return words[color], words[(color + _1) & _3], words[(color + _2) & _3], words[(color + _3) & _3]


@small
def frame_of(X, color):
    """The position as a color sees it."""
    return seen_by(X.word, color)


@small
def of_frame(w1, w2, w3, other):
    """One of the other colors' words."""
    if other == _1:
        return w1
    return w2 if other == _2 else w3


@small
def with_frame(w1, w2, w3, other, word):
    """The other colors' words with one of them replaced."""
    return word if other == _1 else w1, word if other == _2 else w2, word if other == _3 else w3


@small
def turned(w0, w1, w2, w3, other):
    """The frame of the color ``other`` steps clockwise."""
    if other == _1:
        return w1, w2, w3, w0
    if other == _2:
        return w2, w3, w0, w1
    if other == _3:
        return w3, w0, w1, w2
    return w0, w1, w2, w3
