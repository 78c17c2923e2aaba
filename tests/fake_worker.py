"""What a Dask worker loads first in tests: the fake game, with small parts, as the test that asks for games has them."""

import os

import fakegame

from simsorry import simulate

fakegame.patch()
simulate.PART_GAMES = int(os.environ["FAKE_PART"])
