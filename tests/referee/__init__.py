"""Slow, obvious second implementations of the games, to hold the compiled engines against; ``classic`` is the front of the one there is."""
