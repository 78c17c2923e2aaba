"""The counters of Sorreesi: one row per game, and one per game and play-order seat.

A turn is one player's time until play passes on, with all its rolls; a draw is one card resolved (rulebook 13.4). All counters run
to the end of the game; where a ruleset plays on after the winner, ``turns`` stops at the winner and ``turns_all`` does not. In team
play the team of the winner wins. What other games count too has the same name here.
"""

from simsorry.games.columns import COMMON_GAME, COMMON_SEAT, COURSE_GAME, COURSE_SEAT, Column, positions

GAME_COLUMNS = (
    Column(
        "winner", "uint8", "play-order seat of the winner (0 moved first; of a team, who made its last move), 255 if the game was cut off"
    ),
    *COMMON_GAME,
    Column("rolls", "int32", "rolls of the dice, fights aside"),
    Column("doubles", "int32", "of those, equal dice"),
    Column("draws", "int32", "cards drawn and resolved"),
    Column("dead_turns", "int32", "turns in which nothing was used and no pawn sent back for a third double"),
    Column("forced_turns", "int32", "turns with an action and never more than one outcome to choose from"),
    Column("choice_turns", "int32", "turns in which some decision had two or more distinct outcomes (stopping counts as one)"),
    Column("choices", "int32", "decisions with two or more distinct outcomes"),
    Column("outcomes", "int32", "distinct outcomes over those decisions"),
    Column("dice_turns", "int32", "turns in which dice were used, but no card"),
    Column("card_turns", "int32", "turns in which a card was used, but no die"),
    Column("both_turns", "int32", "turns in which both were used"),
    Column("dice_used", "int32", "dice used, those added up with others too"),
    Column("cards_used", "int32", "cards used"),
    Column("hops", "int32", "moves for which several counts were added up"),
    Column("passes", "int32", "rolls, or turns, ended although something could still have been used"),
    Column("starts", "int32", "pawns brought out of the base by the dice or a number card"),
    Column("starts_dice", "int32", "of those, pawns brought out by the dice"),
    Column("start_turns", "int32", "turns in which a pawn was brought out of the base, a Sorry! card aside"),
    Column("bumps", "int32", "pawns sent back to the base by opponents, by any cause; in fights also the pawn that came"),
    Column("bumps_sorry", "int32", "of those, pawns hit by a Sorry! card on an unsafe square"),
    Column("bumps_fight", "int32", "of those, pawns that lost fights, whoever moved"),
    Column("partner_bumps", "int32", "partners' pawns sent back by a Sorry! card"),
    Column("multi_captures", "int32", "moves that sent back several pawns at once, fights aside"),
    Column("fights", "int32", "fights"),
    Column("fights_lost", "int32", "of those, fights after which the pawn that came was sent back"),
    Column("fight_ties", "int32", "rolls of fights in which the highest dice of two sides were equal"),
    Column("bonuses_earned", "int32", "bonus moves earned"),
    Column("bonuses_used", "int32", "of those, used"),
    Column("bonuses_lost", "int32", "of those, lost at the end of the turn"),
    Column("home_bonuses_earned", "int32", "bonus moves earned by bringing a pawn HOME"),
    Column("home_bonuses_used", "int32", "of those, used"),
    Column("third_doubles", "int32", "third rolls of equal dice in a turn"),
    Column("penalties", "int32", "pawns sent back for them"),
    Column("swaps", "int32", "11s used to change places"),
    Column("splits", "int32", "7s split between pawns"),
    Column("backs", "int32", "backward moves"),
    Column("homes", "int32", "pawns that reached HOME"),
    Column("lead_changes", "int32", "round ends at which the sole leader in squares to go was not the last sole leader"),
    *COURSE_GAME,
    Column("reshuffles", "int32", "times the discards became the new pile"),
    Column("digest", "uint32", "fingerprint of the course of the game: dice, cards and positions"),
)

SEAT_COLUMNS = (
    *COMMON_SEAT,
    Column("won", "uint8", "1 for the winner; in team play for both partners"),
    Column(
        "place",
        "uint8",
        "finishing place from 1, of a team that of both partners; who is still on the way ranks by pawns HOME, then squares to go, "
        "equals alike",
    ),
    Column("turns", "int32", "own turns"),
    Column("rolls", "int32", "own rolls of the dice, fights aside"),
    Column("draws", "int32", "cards drawn and resolved"),
    Column("dead_turns", "int32", "own turns in which nothing was used and no pawn sent back for a third double"),
    Column("choice_turns", "int32", "own turns with a choice"),
    Column("starts", "int32", "pawns that the player brought out of the base by the dice or a number card"),
    Column("bumps_given", "int32", "opponents' pawns sent back, in fights by the player who wins with the highest die"),
    Column("bumps_taken", "int32", "own pawns sent back by opponents"),
    Column("partner_bumps", "int32", "partner's pawns that the player sent back by a Sorry! card"),
    Column("partner_moves", "int32", "moves of a pawn of the partner"),
    Column("fights", "int32", "fights that the player's moves began"),
    Column("fights_lost", "int32", "of those, fights after which the pawn that came was sent back"),
    Column("bonuses_earned", "int32", "bonus moves earned"),
    Column("bonuses_used", "int32", "of those, used"),
    Column("bonuses_lost", "int32", "of those, lost"),
    Column("penalties", "int32", "pawns sent back for a third roll of equal dice"),
    Column("swaps", "int32", "11s used to change places"),
    Column(
        "pips_left", "int32", "squares still to go for all own pawns when the winner finished (the base counts 72, 73 with a path of 8)"
    ),
    Column("pawns_home", "int32", "own pawns on HOME when the winner finished"),
    *COURSE_SEAT,
    Column("first_start", "int32", "own turn in which the first pawn left the base; 0 if it began outside, -1 if none ever did"),
)

GAME = positions(GAME_COLUMNS)
SEAT = positions(SEAT_COLUMNS)
