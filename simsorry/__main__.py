"""``python -m simsorry``: the same as the ``simsorry`` command."""

from simsorry.cli import main

main()
