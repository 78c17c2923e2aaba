"""The referee of the classic family: pawns on a board, moved square by square as the rulebook says, and cards in piles and hands.

It shares nothing with the compiled engine but the list of options. ``outcomes`` and ``hand_outcomes`` answer one
decision, ``play`` plays a whole game or match with cards and choices fed in by the caller. This module is all of it under one
name: ``board`` and ``cards`` are what pawns do, ``decisions`` what players may, ``deck``, ``rounds`` and ``match`` the course of
a game, ``counting`` its counters.
"""

from referee.board import (
    CORNER,
    HOME,
    SLIDES,
    START,
    TRACK,
    ZONE,
    Board,
    Bump,
    Events,
    Pawn,
    Place,
    Position,
    Slide,
    Target,
    backward_target,
    circle,
    entry,
    forward_targets,
    on_track,
    partner_of,
    read_place,
    read_position,
    squares_to_go,
    step_back,
    step_forward,
    write_position,
)
from referee.cards import Way, ways_to_play
from referee.decisions import ANY_CARD, Decision, Outcome, hand_outcomes, outcomes
from referee.deck import Deck, Draw
from referee.match import NOBODY, Game, Record, bonuses_paid, play, round_points
from referee.rounds import Choose, Lead, Step, Throw

__all__ = [
    "ANY_CARD",
    "CORNER",
    "HOME",
    "NOBODY",
    "SLIDES",
    "START",
    "TRACK",
    "ZONE",
    "Board",
    "Bump",
    "Choose",
    "Decision",
    "Deck",
    "Draw",
    "Events",
    "Game",
    "Lead",
    "Outcome",
    "Pawn",
    "Place",
    "Position",
    "Record",
    "Slide",
    "Step",
    "Target",
    "Throw",
    "Way",
    "backward_target",
    "bonuses_paid",
    "circle",
    "entry",
    "forward_targets",
    "hand_outcomes",
    "on_track",
    "outcomes",
    "partner_of",
    "play",
    "read_place",
    "read_position",
    "round_points",
    "squares_to_go",
    "step_back",
    "step_forward",
    "ways_to_play",
    "write_position",
]
