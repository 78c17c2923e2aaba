"""The counters of the classic game: one row per game, and one per game and play-order seat.

A turn is one player's time until play passes on; a draw is one card resolved (rulebook 13.4). All counters
run to the end of the game; where a ruleset plays on after the winner, ``turns`` stops at the winner and
``turns_all`` does not. In a match a game is all its rounds: counters are sums over them, the winner is that of the match,
and what stands on the board is that of its last round. In team play the team of the winner wins.
"""

from simsorry.games.columns import COMMON_GAME, COMMON_SEAT, COURSE_GAME, COURSE_SEAT, MATCH_GAME, Column, positions

GAME_COLUMNS = (
    Column(
        "winner", "uint8", "play-order seat of the winner (0 moved first; of a team, who made its last move), 255 if the game was cut off"
    ),
    *COMMON_GAME,
    Column("draws", "int32", "cards drawn and resolved"),
    Column("dead_turns", "int32", "turns in which no action was taken"),
    Column("forced_turns", "int32", "turns with an action and never more than one outcome to choose from"),
    Column("choice_turns", "int32", "turns in which some decision had two or more distinct outcomes (passing counts as one)"),
    Column("choices", "int32", "decisions with two or more distinct outcomes"),
    Column("outcomes", "int32", "distinct outcomes over those decisions"),
    Column("starts", "int32", "pawns brought from START onto the start circle by a number card"),
    Column("bumps", "int32", "opponents' pawns sent back to START, by any cause"),
    Column("bumps_slide", "int32", "of those, pawns met while riding a slide"),
    Column("bumps_sorry", "int32", "of those, pawns hit by the Sorry! card itself"),
    Column("own_bumps", "int32", "pawns sent back to START by a pawn of their own color"),
    Column("partner_bumps", "int32", "pawns sent back to START by a pawn of their partner's color"),
    Column("swaps", "int32", "11s used to change places"),
    Column("slides", "int32", "slides ridden"),
    Column("splits", "int32", "7s split between pawns"),
    Column("backs", "int32", "backward moves"),
    Column("passes", "int32", "cards declined although they could have been used"),
    Column("homes", "int32", "pawns that reached HOME"),
    Column("throws", "int32", "cards of a hand thrown in because none could be played, or declined to"),
    Column("throw_choice_turns", "int32", "choice turns with no choice but that of a card to throw in"),
    *MATCH_GAME,
    Column("lead_changes", "int32", "round ends at which the sole leader in squares to go was not the last sole leader"),
    *COURSE_GAME,
    Column("reshuffles", "int32", "times the discards became the new pile"),
    Column("digest", "uint32", "fingerprint of the course of the game: cards and positions"),
)

SEAT_COLUMNS = (
    *COMMON_SEAT,
    Column("won", "uint8", "1 for the winner; in team play for both partners"),
    Column(
        "place",
        "uint8",
        "finishing place from 1, of a match by points, of a team that of both partners; who is still on the way ranks by pawns HOME, "
        "then squares to go, equals alike",
    ),
    Column("points", "int32", "points scored, in team play by the team; 0 where no points are kept"),
    Column("match_rounds_won", "int32", "rounds of the match won, in team play by the team"),
    Column("turns", "int32", "own turns"),
    Column("draws", "int32", "cards drawn and resolved"),
    Column("dead_turns", "int32", "own turns in which no action was taken"),
    Column("choice_turns", "int32", "own turns with a choice"),
    Column("starts", "int32", "own pawns started by a number card"),
    Column("bumps_given", "int32", "opponents' pawns sent back to START"),
    Column("bumps_taken", "int32", "own pawns sent back to START by opponents"),
    Column("own_bumps", "int32", "pawns sent back to START by a pawn of their own color that the player moved"),
    Column("partner_bumps", "int32", "pawns sent back to START by a pawn of their partner's color that the player moved"),
    Column("partner_moves", "int32", "cards with which the player moved a pawn of the partner"),
    Column("throws", "int32", "cards thrown in"),
    Column("swaps", "int32", "11s used to change places"),
    Column("slides", "int32", "slides ridden"),
    Column("pips_left", "int32", "squares still to go for all own pawns when the winner finished (START counts 65)"),
    Column("pawns_home", "int32", "own pawns on HOME when the winner finished"),
    *COURSE_SEAT,
    Column("first_start", "int32", "own turn in which the first pawn left START; 0 if it began outside, -1 if none ever did"),
)

GAME = positions(GAME_COLUMNS)
SEAT = positions(SEAT_COLUMNS)
