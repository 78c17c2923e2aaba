"""Hand-worked decisions of the classic game in teams, written like those of ``classic_vectors``.

Red and yellow play against blue and green; red moves unless said otherwise. Groups have as many pawns as the case needs.
"""

from typing import Any

from classic_vectors import PASS, UNCHANGED, Case

COLLISIONS = ("bump_occupant", "bump_mover", "coexist", "illegal")


def _team(name: str, position: str, card: str, *exactly: str, mover: str = "red", **options: Any) -> Case:
    """A case of which the whole decision set is known; colors that are not named have all their pawns on START."""
    groups = {color: group for group in position.split(" / ") for color in group.split()[:1]}
    pawns = len(groups[mover].split()) - 1
    filled = [groups.get(color, " ".join([color] + ["S"] * pawns)) for color in ("red", "blue", "yellow", "green")]
    shown = ",".join(f"{option}={value}" for option, value in options.items())
    return Case(f"{name} {shown}".strip(), " / ".join(filled), card, exactly, options={"team_pairs": "opposite"} | options, mover=mover)


# -- whose pawns move ----------------------------------------------------------------------------------

CONTROL = [
    _team("H-32 F-21 either partner's pawn", "red 20 H / yellow 40 H", "3", "red 23 H", "yellow 43 H"),
    _team("FQ1 never an opponent's", "red S H / blue 5 H / yellow S H / green 20 H", "3"),
    _team("own pawns only", "red 20 H / yellow 40 H", "3", "red 23 H", team_control="own_only"),
    _team("H-36 a 1 starts either partner's pawn", "red S H / yellow S H", "1", "red 4 H", "yellow 34 H"),
    _team("H-36 so does a 2", "red S H / yellow S H", "2", "red 4 H", "yellow 34 H"),
    _team("own pawns only: starts", "red S H / yellow S H", "1", "red 4 H", team_control="own_only"),
    _team("F-24 HQ36 the partner's pawns when all own ones are HOME", "red H H / yellow 40 H", "3", "yellow 43 H"),
    _team("F-24 own pawns only, until all are HOME", "red H H / yellow 40 H", "3", "yellow 43 H", team_control="own_only"),
    _team("HQ35 the partner's pawn walks by its own color", "red H H / yellow 29 H", "5", "yellow Z2 H"),
    _team("HQ35 and slides by its own color", "red H H / yellow 29 H", "2", "yellow 31 H"),
    _team("HQ35 and slides by its own color: on red's slide", "red H H / yellow 58 H", "3", "yellow 4 H"),
    _team("HQ37 a move of the partner's pawn is compulsory", "red 58 H / blue 20 H / yellow 25 H", "11",
          "yellow Z4 H", "red 20 H / blue 58 H", "yellow 20 H / blue 25 H"),
    _team("H-21 a swap alone may be declined", "red 58 H / blue 20 H / yellow 25 H", "11", "red 20 H / blue 58 H", PASS,
          team_control="own_only"),
    _team("H-16 backward, either partner's pawn", "red 20 H / yellow 40 H", "4", "red 19 H", "yellow 36 H"),
]  # fmt: skip

# -- landing on a partner's pawn -----------------------------------------------------------------------

COLLISION = [
    _team("H-33 F-23 FQ12 the pawn landed on goes back", "red 20 H / yellow 23 H", "3", "red 23 H / yellow S H", "yellow 26 H"),
    _team("HQ34 also the own one, by the partner's", "red 23 H / yellow 20 H", "3", "red S H / yellow 23 H", "red 26 H"),
    _team("F-23 the pawn that arrives goes back", "red 20 H / yellow 23 H", "3", "red S H", "yellow 26 H", team_collision="bump_mover"),
    _team("it does not slide then", "red 21 H / yellow 24 H", "3", "red S H", "yellow 27 H", team_collision="bump_mover"),
    _team("a start onto the partner's pawn leaves all as it was", "red S H / yellow 4 H", "1", UNCHANGED, "yellow 5 H",
          team_collision="bump_mover"),
    _team("a backward move that arrives goes back too", "red 20 H / yellow 16 H", "4", "red S H", "yellow 12 H",
          team_collision="bump_mover"),
    _team("both stay", "red 20 H / yellow 23 H", "3", "red 23 H", "yellow 26 H", team_collision="coexist"),
    _team("both stay on the start circle", "red S H / yellow 4 H", "1", "red 4 H", "yellow 5 H", team_collision="coexist"),
    _team("the one that rides does not stay", "red 21 H / yellow 24 H", "3", "red 28 H", "yellow 27 H", team_collision="coexist"),
    _team("an opponent sends both back", "red 23 H / blue 20 H / yellow 23 H", "3", "red S H / blue 23 H / yellow S H",
          mover="blue", team_collision="coexist"),
    _team("landing with the partner sends opponents on the way down the slide back",
          "red 21 H / blue 26 H / yellow 24 H", "3", "red 28 H / blue S H", "yellow 27 H", team_collision="coexist"),
    _team("an own pawn there still forbids it", "red 20 23 / yellow 23 H", "3", "red 20 26", "yellow 26 H", team_collision="coexist"),
    _team("an own pawn there still forbids it, or shares", "red 20 23 / yellow 23 H", "3", "red 23 23", "red 20 26", "yellow 26 H",
          team_collision="coexist", own_collision="share"),
    _team("not available", "red 20 H / yellow 23 H", "3", "yellow 26 H", team_collision="illegal"),
    _team("not available, nor to end the turn", "red 20 H / yellow 23 H", "3", "yellow 26 H", team_collision="illegal",
          own_collision="ends_turn"),
    _team("not available on a triangle that would be ridden", "red 21 H / yellow 24 H", "3", "yellow 27 H", team_collision="illegal"),
    _team("nobody's zone is another's", "red 2 H / yellow Z3 H", "3", "red Z3 H", "yellow H H", team_collision="illegal"),
]  # fmt: skip
COLLISION += [
    _team("a ride sends the partner back", "red 21 H / yellow 26 H", "3", "red 28 H / yellow S H", "yellow 29 H", team_collision=collision)
    for collision in COLLISIONS
]

OWN_COLLISION = [
    _team("HQ33 an own pawn's square is not available", "red 20 23 / yellow H H", "3", "red 20 26"),
    _team("HQ33 an own pawn is sent back", "red 20 23 / yellow H H", "3", "red S 23", "red 20 26", team_own_collision="bump"),
    _team("HQ33 so is the partner's by the partner's", "red H H / yellow 20 23", "3", "yellow S 23", "yellow 20 26",
          team_own_collision="bump"),
    _team("HQ33 and on a triangle", "red 21 24 / yellow H H", "3", "red S 28", "red 21 27", team_own_collision="bump"),
    _team("FQ3 in teams: the blocked move may be chosen", "red 20 23 / yellow H H", "3", UNCHANGED, "red 20 26", own_collision="ends_turn"),
]  # fmt: skip

# -- Sorry! --------------------------------------------------------------------------------------------

SORRY = [
    _team("HQ29 opponents first", "red S H / blue 10 H / yellow 20 H", "sorry", "red 10 H / blue S H"),
    _team("H-34 F-22 HQ29 the partner where no opponent is on the track", "red S H / blue Z1 H / yellow 20 H", "sorry",
          "red 20 H / yellow S H"),
    _team("HQ29 any", "red S H / blue 10 H / yellow 20 H", "sorry", "red 10 H / blue S H", "red 20 H / yellow S H",
          team_sorry_target="any"),
    _team("HQ29 opponents only", "red S H / blue Z1 H / yellow 20 H", "sorry", team_sorry_target="opponents_only"),
    _team("HQ29 opponents only", "red S H / blue 10 H / yellow 20 H", "sorry", "red 10 H / blue S H",
          team_sorry_target="opponents_only"),
    _team("HQ29 never the color that is placed", "red S 20 / yellow H H", "sorry", team_sorry_target="any"),
    _team("HQ30 from either START", "red S H / blue 10 H / yellow S H", "sorry", "red 10 H / blue S H", "yellow 10 H / blue S H"),
    _team("HQ30 from the partner's START onto the own pawn", "red 20 H / yellow S H", "sorry", "red S H / yellow 20 H"),
    _team("HQ30 from the own START", "red S H / blue 10 H / yellow S H", "sorry", "red 10 H / blue S H", team_sorry_start="own"),
    _team("HQ30 who has finished has nothing there", "red H H / blue 10 H / yellow S H", "sorry", team_sorry_start="own"),
    _team("own pawns only: from the own START", "red S H / blue 10 H / yellow S H", "sorry", "red 10 H / blue S H",
          team_control="own_only"),
    _team("it slides by the color that is placed", "red S H / yellow 16 H", "sorry", "red 19 H / yellow S H"),
    _team("it slides by the color that is placed", "red 31 H / yellow S H", "sorry", "red S H / yellow 31 H"),
    _team("opponents who share a square both go back", "red 23 H / blue S H / yellow 23 H / green H H", "sorry",
          "red S H / blue 23 H / yellow S H", mover="blue", team_collision="coexist"),
    _team("no target beside an own pawn", "red S 20 / yellow 20 H", "sorry", team_collision="coexist"),
    _team("no target beside an own pawn, nor to end the turn", "red S 20 / yellow 20 H", "sorry", team_collision="coexist",
          own_collision="ends_turn"),
    _team("beside an own pawn that may be landed on", "red S 20 / yellow 20 H", "sorry", "red S 20 / yellow S H",
          team_collision="coexist", team_own_collision="bump"),
    _team("forward instead, either partner's pawn", "red 20 H / yellow 40 H", "sorry", "red 28 H", "yellow 44 H", sorry_alt_forward=4),
]  # fmt: skip
SORRY += [
    _team("the partner's pawn goes back, whatever a landing does", "red S H / yellow 20 H", "sorry", "red 20 H / yellow S H",
          team_collision=collision)
    for collision in COLLISIONS
]  # fmt: skip

# -- 11 ------------------------------------------------------------------------------------------------

ELEVEN = [
    _team("HQ31 not between partners", "red 20 H / yellow 40 H", "11", "red 34 H", "yellow 51 H"),
    _team("HQ32 any pawn of the team", "red 20 H / blue 50 H / yellow 40 H", "11", "red 34 H", "yellow 51 H", "red 50 H / blue 20 H",
          "yellow 50 H / blue 40 H"),
    _team("own pawns only", "red 20 H / blue 50 H / yellow 40 H", "11", "red 34 H", "red 50 H / blue 20 H", team_control="own_only"),
    _team("HQ31 between partners", "red 20 H / yellow 40 H", "11", "red 34 H", "yellow 51 H", "red 40 H / yellow 20 H",
          team_eleven_partner=True),
    _team("HQ31 between partners, either as the mover", "red 20 H / yellow 24 H", "11", "red 34 H", "yellow Z3 H",
          "red 28 H / yellow 20 H", "red 24 H / yellow 20 H", team_eleven_partner=True),
    _team("HQ31 between partners, the own one as the mover", "red 20 H / yellow 24 H", "11", "red 34 H", "red 28 H / yellow 20 H",
          team_eleven_partner=True, team_control="own_only"),
    _team("HQ31 between partners, both slide", "red 20 H / yellow 24 H", "11", "red 34 H", "yellow Z3 H", "red 28 H / yellow 20 H",
          team_eleven_partner=True, slide_after_swap="both"),
    _team("a swap between partners may be declined", "red 58 H / yellow 28 H", "11", "red 28 H / yellow 58 H", PASS,
          team_eleven_partner=True),
    _team("single pawns only: the own square", "red 20 H / blue 50 H / yellow 20 H", "11", "red 34 H", "yellow 31 H",
          team_collision="coexist"),
    _team("single pawns only: the other square", "red 20 H / blue 50 H / yellow 20 H", "11", "blue 4 H", mover="blue",
          team_collision="coexist"),
]  # fmt: skip

# -- 7 -------------------------------------------------------------------------------------------------

WHOLE = ("red Z4 27", "yellow 47 S")
TWO_PARTS: tuple[str, ...] = ("red Z5 26", "red H 25", "red Z5 20 / yellow 49 S", "red H 20 / yellow 45 S")
TWO_PARTS += ("red Z4 21 / yellow 49 S", "red Z4 22 / yellow 45 S", "red Z4 23 / yellow 44 S")
TWO_PARTS += ("red Z4 28 / yellow 43 S", "red Z4 25 / yellow 42 S", "red Z4 26 / yellow 41 S")
THREE_PARTS: tuple[str, ...] = ("red Z5 21 / yellow 45 S", "red Z5 22 / yellow 44 S", "red Z5 23 / yellow 43 S", "red Z5 28 / yellow 42 S")
THREE_PARTS += ("red Z5 25 / yellow 41 S", "red H 21 / yellow 44 S", "red H 22 / yellow 43 S", "red H 23 / yellow 42 S")
THREE_PARTS += ("red H 28 / yellow 41 S",)
SHARED_OUT = "red Z4 20 / yellow 40 S"

SEVEN = [
    _team("H-35 HQ28 among all pawns of the team", SHARED_OUT, "7", *WHOLE, *TWO_PARTS, *THREE_PARTS, seven_parts=8),
    _team("FQ16 two parts", SHARED_OUT, "7", *WHOLE, *TWO_PARTS, seven_parts=2),
    _team("one part", SHARED_OUT, "7", *WHOLE, seven_parts=1),
    _team("own pawns only", SHARED_OUT, "7", "red Z4 27", "red Z5 26", "red H 25", seven_parts=8, team_control="own_only"),
    _team("the partner who is landed on cannot move any more", "red 20 H / yellow 22 H", "7", "red 27 H", "yellow 29 H",
          # Red's 2 only after yellow has made room; 4 and 5 ride, and meet the partner who has moved before.
          "red 21 H / yellow 28 H", "red 22 H / yellow 27 H", "red 23 H / yellow 26 H", "red 28 H / yellow 25 H",
          "red 28 H / yellow S H", "red 25 H / yellow 28 H", "red S H / yellow 28 H", "red 26 H / yellow 23 H"),
    _team("both orders on one square", "red 20 H / yellow 19 H", "7", "red 27 H", "yellow 26 H", "red 21 H / yellow 25 H",
          "red 22 H / yellow 28 H", "red S H / yellow 23 H", "red 23 H / yellow S H", "red 28 H / yellow 22 H", "red 25 H / yellow 21 H",
          "red 26 H / yellow 20 H"),
]  # fmt: skip
_MEETING = "red 20 H / blue S S / yellow 19 H / green S S"
SEVEN += [
    Case("put down together on one square", _MEETING, "7",
         lacks=("red S H / yellow 23 H", "red 23 H / yellow S H", "red 23 H / yellow 23 H"),
         options={"team_pairs": "opposite", "seven_resolution": "simultaneous"}),
    Case("put down together on one square, to share", _MEETING, "7", has=("red 23 H / yellow 23 H",),
         options={"team_pairs": "opposite", "seven_resolution": "simultaneous", "team_collision": "coexist"}),
    Case("put down together, one onto a partner's pawn that stays", "red 20 H / blue S S / yellow 23 40 / green S S", "7",
         has=("red S H / yellow 23 44",), lacks=("red 23 H / yellow 23 44",),
         options={"team_pairs": "opposite", "seven_resolution": "simultaneous", "team_collision": "bump_mover"}),
]  # fmt: skip

CASES = CONTROL + COLLISION + OWN_COLLISION + SORRY + ELEVEN + SEVEN
