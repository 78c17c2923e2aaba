"""Slow, obvious second implementations of the games, one a module, to hold the compiled engine against."""
