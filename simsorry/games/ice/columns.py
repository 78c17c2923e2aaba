"""The counters of Ice Soo Sorry!: one row per game, and one per game and play-order seat.

A turn is one player's time until play passes on; a draw is one card played or thrown in (rulebook 13.4). All counters run to the end of
the game; where a ruleset plays on after the winner, ``turns`` stops at the winner and ``turns_all`` does not. In a match a game is all its
rounds: counters are sums over them, the winner is that of the match, and what stands on the board is that of its last round. What other
games count too has the same name here.

*In play* is a pawn on the track or in a safety zone. It is *covered* if it lies below the unit of its pile, so that nobody can move it.
A *move* is what a count of squares moves, a part of a 7 too: a top pawn alone, or the stack under it. The *pawns of a move* are these.
"""

from simsorry.games.columns import COMMON_GAME, COMMON_SEAT, COURSE_GAME, COURSE_SEAT, MATCH_GAME, NOBODY, Column, positions

GAME_COLUMNS = (
    Column("winner", "uint8", "play-order seat of the winner (0 moved first), 255 if the game was cut off"),
    *COMMON_GAME,
    Column("draws", "int32", "cards played or thrown in; without hands, cards drawn and resolved"),
    Column("dead_turns", "int32", "turns in which no action was taken"),
    Column("forced_turns", "int32", "turns with an action and never more than one outcome to choose from"),
    Column("choice_turns", "int32", "turns in which some decision had two or more distinct outcomes (passing counts as one)"),
    Column("choices", "int32", "decisions with two or more distinct outcomes"),
    Column("outcomes", "int32", "distinct outcomes over those decisions"),
    Column("starts", "int32", "pawns brought from START onto the start circle by a number card"),
    Column("sorry_starts", "int32", "pawns brought from START onto a pile by a Sorry! card"),
    Column("swaps", "int32", "11s used to switch pawns"),
    Column("slides", "int32", "slides ridden"),
    Column("splits", "int32", "7s split"),
    Column("backs", "int32", "backward moves"),
    Column("passes", "int32", "cards declined although they could have been used"),
    Column("homes", "int32", "pawns that reached HOME"),
    Column("throws", "int32", "cards of a hand thrown in because none could be played, or declined to"),
    Column("throw_choice_turns", "int32", "choice turns with no choice but that of a card to throw in"),
    Column("moves_small", "int32", "moves of a small pawn, alone or with the stack under it"),
    Column("moves_medium", "int32", "the same of a medium pawn"),
    Column("moves_large", "int32", "the same of a large pawn"),
    Column("stack_moves", "int32", "of those three, moves of a stack of two or more pawns"),
    Column("carried", "int32", "other colors' pawns in the stacks moved"),
    Column("swept", "int32", "pawns that slides took along, without the pawns of the move itself"),
    Column("covers", "int32", "starts and moves that ended with the lowest of their pawns covering the pawn beneath it"),
    Column("stacks", "int32", "starts and moves that ended with the lowest of their pawns stacked on the pawn beneath it"),
    Column("pawns_covered", "int32", "pawns that became covered"),
    Column("pawns_freed", "int32", "covered pawns in play that are so no longer"),
    Column("pawn_turns", "int32", "pawns in play, summed over the ends of all turns"),
    Column("covered_turns", "int32", "of those, covered pawns"),
    Column("pile_turns", "int32", "squares with pawns on them, track and safety zones, summed over the ends of all turns"),
    Column("highest_pile", "int32", "most pawns on one square at the end of a play"),
    Column("longest_cover", "int32", "most turns for which one pawn was covered without a break, from the turn that covered it"),
    *MATCH_GAME,
    Column("lead_changes", "int32", "round ends at which the sole leader in squares to go was not the last sole leader"),
    *COURSE_GAME,
    Column("reshuffles", "int32", "times the discards became the new pile"),
    Column("digest", "uint32", "fingerprint of the course of the game: cards and positions"),
)

SEAT_COLUMNS = (
    *COMMON_SEAT,
    Column("won", "uint8", "1 for the winner"),
    Column(
        "place",
        "uint8",
        "finishing place from 1, of a match by points; who is still on the way ranks by pawns HOME, then squares to go, equals alike",
    ),
    Column("points", "int32", "points scored; 0 where no points are kept"),
    Column("match_rounds_won", "int32", "rounds of the match won"),
    Column("turns", "int32", "own turns"),
    Column("draws", "int32", "cards played or thrown in; without hands, cards drawn and resolved"),
    Column("dead_turns", "int32", "own turns in which no action was taken"),
    Column("choice_turns", "int32", "own turns with a choice"),
    Column("starts", "int32", "own pawns started by a number card"),
    Column("sorry_starts", "int32", "own pawns started by a Sorry! card"),
    Column("throws", "int32", "cards thrown in"),
    Column("swaps", "int32", "11s used to switch pawns"),
    Column("slides", "int32", "slides ridden"),
    Column("covers_given", "int32", "opponents' pawns that became covered by the player's plays"),
    Column("covers_taken", "int32", "own pawns that became covered by opponents' plays"),
    Column("own_covers", "int32", "own pawns that became covered by the player's own plays"),
    Column("carried", "int32", "other colors' pawns in the stacks that the player moved"),
    Column("pawn_turns", "int32", "own pawns in play, summed over the ends of all turns"),
    Column("covered_turns", "int32", "of those, covered pawns"),
    Column("pips_left", "int32", "squares still to go for all own pawns when the winner finished (START counts 65)"),
    Column("pawns_home", "int32", "own pawns on HOME when the winner finished"),
    *COURSE_SEAT,
    Column("first_start", "int32", "own turn in which the first pawn left START; 0 if it began outside, -1 if none ever did"),
)

GAME = positions(GAME_COLUMNS)
SEAT = positions(SEAT_COLUMNS)

__all__ = ["GAME", "GAME_COLUMNS", "NOBODY", "SEAT", "SEAT_COLUMNS"]
