"""The referee of Ice Soo Sorry!: pawns in piles, moved as the rulebook says, and cards in piles and hands.

It shares nothing with the compiled engine but the list of options. ``outcomes`` and ``hand_outcomes`` answer one decision, ``play`` plays
a whole game or match with cards and choices fed in by the caller. This module is all of it under one name: ``ice_board`` is what pawns
do, ``ice_decisions`` what players may, ``ice_game`` the course of a game, ``ice_counting`` its counters.
"""

from referee.decisions import ANY_CARD
from referee.deck import Deck, Draw
from referee.ice_board import (
    Board,
    Group,
    Pawn,
    Place,
    Position,
    Ride,
    changes_of,
    home,
    in_play,
    number_of,
    read_position,
    start,
    walked,
    write_position,
)
from referee.ice_counting import Counters
from referee.ice_decisions import Decision, Outcome, Part, Way, decide, decide_hand, hand_outcomes, outcomes, ways_to_play
from referee.ice_game import NOBODY, Choose, Game, Record, Round, Step, Watch, play, round_points
from referee.rounds import Lead, Throw

__all__ = [
    "ANY_CARD",
    "NOBODY",
    "Board",
    "Choose",
    "Counters",
    "Decision",
    "Deck",
    "Draw",
    "Game",
    "Group",
    "Lead",
    "Outcome",
    "Part",
    "Pawn",
    "Place",
    "Position",
    "Record",
    "Ride",
    "Round",
    "Step",
    "Throw",
    "Watch",
    "Way",
    "changes_of",
    "decide",
    "decide_hand",
    "hand_outcomes",
    "home",
    "in_play",
    "number_of",
    "outcomes",
    "play",
    "read_position",
    "round_points",
    "start",
    "walked",
    "ways_to_play",
    "write_position",
]
