"""What happens in a game, in plain words.

``Retelling`` carries an action out once more, on a board of its own and pawn by pawn, so that the words tell what truly
happens: who is met on which square, where a slide ends, which of two parts of a 7 sends the other's pawn back.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simsorry.games import track
from simsorry.games.classic import actions
from simsorry.games.classic import tables as t
from simsorry.games.classic.notation import LANES, lanes_of, place_name, word_of
from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS, COLORS
from simsorry.games.points import MAX_MATCH_ROUNDS
from simsorry.games.words import ORDINALS, a_card, all_of, do, followers, number_of, ranked

if TYPE_CHECKING:
    from simsorry.games.classic.replay import Card, Replay, Round, Score

MOVE, SWAP, TAKE, PASS, BLOCKED, THROW, IDLE = range(7)
_NO_PAWN = {PASS: "pass", BLOCKED: "blocked", THROW: "throw", IDLE: "idle"}
DECLINED = ("pass", "throw")


def kind(action: int) -> str:
    """Which kind of outcome an action makes.

    That is "play"; "pass"; "blocked" where an own pawn ends the turn; "throw" of a card thrown in, "idle" of a 2 laid down without
    a move; or "nothing".
    """
    return "nothing" if action & 7 == actions.NOTHING else _NO_PAWN.get(action & 7, "play")


def did(tables: Any, action: int, before: Sequence[int], mover: int, card: int) -> str:
    """What an action does: "moves 3 forward from 13 to 16, slides to 19, sends back blue from 17".

    ``tables`` is the compiled record of the rules, ``before`` the words by color, ``mover`` the color's number, ``card`` the card's.
    """
    told = {
        PASS: "passes",
        BLOCKED: "ends the turn by choosing a square on which an own pawn stands",
        THROW: f"throws in {_thrown(card)}",
        IDLE: "lays the 2 down without a move",
    }
    return told.get(action & 7) or Retelling(tables, before, mover).carry_out(action)


def _thrown(card: int) -> str:
    return a_card(card) if card < len(CARDS) else "a card at random"


class Retelling:
    """A board on which one action is carried out and told."""

    def __init__(self, tables: Any, before: Sequence[int], mover: int) -> None:
        self._tables = tables
        self._mover = mover
        self._pawns = [lanes_of(int(word)) for word in before]

    @property
    def words(self) -> list[int]:
        """The position, by color."""
        return [word_of(lanes) for lanes in self._pawns]

    def carry_out(self, action: int) -> str:
        """Plays an action of the kernel that moves pawns; returns it in words."""
        way, parts = action & 7, action >> 3 & 7
        if way == MOVE and parts > 1:
            return self._split([(action >> 8 * (part + 1)) & 255 for part in range(parts)])
        color = self._partner(self._mover) if action & actions.PARTNER else self._mover
        lane, second = action >> 8 & 7, action >> 16 & 63
        other, their_lane = (color + (second >> 3)) % 4, second & 7
        if way == SWAP:
            return self._swap(color, lane, other, their_lane)
        if way == TAKE:
            return self._take(color, lane, other, their_lane)
        return self._walk(color, lane, second)

    def _split(self, parts: list[int]) -> str:
        """A 7 in parts: a byte each, of pawn, squares, whether past the own entry, whether the partner's."""
        ways = []
        for part in parts:
            color = self._partner(self._mover) if part >> 7 else self._mover
            ways.append((color, part & 7, (part >> 3 & 7) + (t.PAST if part >> 6 & 1 else t.FORWARD)))
        if self._tables["simultaneous"]:
            return self._walk_together(ways)
        return "; then ".join([self._walk(*way) for way in ways])

    def _partner(self, color: int) -> int:
        return (color + int(self._tables["partner"][color])) % 4

    def _whose(self, color: int) -> str:
        """How a pawn of the partner is named, before what it does; nothing for an own one."""
        return "" if color == self._mover else f"{COLORS[color]} "

    # -- ways to move ------------------------------------------------------------------------------

    def _walk(self, color: int, lane: int, row: int) -> str:
        """A start, or a count forward or back, with all that follows."""
        place, target, rides = self._target(color, lane, row)
        return ", ".join([self._way(color, row, place, target), *self._land(color, lane, target, rides)])

    def _walk_together(self, parts: list[tuple[int, int, int]]) -> str:
        """Parts of a 7 whose pawns are lifted first and put down together: none of them meets another."""
        ways = [(color, lane, row, *self._target(color, lane, row)) for color, lane, row in parts]
        for color, lane, *_ in ways:
            self._pawns[color][lane] = track.NOWHERE
        lifted = [list(lanes) for lanes in self._pawns]  # who stands in a pawn's way stood there before
        told, ends = [], []
        for color, lane, row, place, target, rides in ways:
            told.append(", ".join([self._way(color, row, place, target), *self._land(color, lane, target, rides, lifted)]))
            ends.append((color, lane, self._pawns[color][lane]))
            self._pawns[color][lane] = track.NOWHERE
        for color, lane, end in ends:
            self._pawns[color][lane] = end
        return "; at the same time ".join(told)

    def _swap(self, color: int, lane: int, other: int, their_lane: int) -> str:
        here, there = self._square(color, lane), self._square(other, their_lane)
        given = self._place(here, other)
        self._pawns[other][their_lane] = given
        after = int(self._tables["slide_after_swap"])
        whose = "its" if color == self._mover else f"{COLORS[color]}'s"
        told = [f"swaps {whose} pawn on {here} with {COLORS[other]}'s on {there}"]
        told += self._land(color, lane, self._place(there, color), after != t.SWAP_NONE)
        text = ", ".join(told)
        if after != t.SWAP_BOTH or self._pawns[other][their_lane] != given or not self._ride(other, given):
            return text
        slides, *sends_back = self._land(other, their_lane, given, rides=True)
        return "; ".join([text, ", ".join([f"{COLORS[other]}'s pawn {slides}", *sends_back])])

    def _take(self, color: int, lane: int, other: int, their_lane: int) -> str:
        square = self._square(other, their_lane)
        place = self._place(square, color)
        aimed = self._send_back(place, color, {other}) if other == self._partner(color) else []
        slides, met = self._put_down(color, lane, place, bool(self._tables["slide_after_sorry"]), self._pawns)
        return ", ".join([f"moves a {self._whose(color)}pawn from START to {square}", *slides, *_sent_back(aimed + met)])

    # -- what a move consists of -------------------------------------------------------------------

    def _target(self, color: int, lane: int, row: int) -> tuple[int, int, bool]:
        """Where a pawn stands, where a row leads it, and whether a triangle there is ridden."""
        place = self._pawns[color][lane]
        target = int(self._tables["target"][row * track.STRIDE + place])
        rides = row != t.OUT and (not t.BACKWARD <= row < t.PAST or bool(self._tables["slide_on_backward"]))
        return place, target, rides

    def _way(self, color: int, row: int, place: int, target: int) -> str:
        here, there, whose = _name(place, color), _name(target, color), self._whose(color)
        if row == t.OUT:
            return f"starts a {whose}pawn on {there}"
        squares = row % (t.BACKWARD - t.FORWARD)
        if t.BACKWARD <= row < t.PAST:
            return f"moves {whose}{squares} back from {here} to {there}"
        if row >= t.PAST:
            return f"moves {whose}{squares} forward from {here} past its safety zone to {there}"
        if target != track.HOME and squares > track.squares_to_go(place):
            return f"moves {whose}{squares} forward from {here} to HOME and back to {there}"
        return f"moves {whose}{squares} forward from {here} to {there}"

    def _land(self, color: int, lane: int, place: int, rides: bool, standing: list[list[int]] | None = None) -> list[str]:
        """Puts a pawn down, lets it slide, and sends back whom it meets; returns what followed.

        ``standing`` are the places of the pawns that may be in its way, if not those of now.
        """
        slides, met = self._put_down(color, lane, place, rides, standing or self._pawns)
        return [*slides, *_sent_back(met)]

    def _put_down(self, color: int, lane: int, place: int, rides: bool, standing: list[list[int]]) -> tuple[list[str], list[str]]:
        """Puts a pawn down, and returns how it slides and whom it sends back."""
        self._pawns[color][lane] = track.NOWHERE
        partner, collision = self._partner(color), int(self._tables["team_collision"])
        if collision == t.BUMP_MOVER and partner != color and _stands(standing, partner, place_name(place, color)):
            self._pawns[color][lane] = track.START
            return [f"goes back to START, for {COLORS[partner]} stands there"], []
        ridden = self._ride(color, place) if rides else 0
        met_own = self._tables["own_collision"] == t.BUMP_SELF or (ridden and self._tables["own_on_triangle_bump"])
        spared = {color} if not met_own else set()
        if collision == t.COEXIST and partner != color:
            spared.add(partner)
        met = self._send_back(place, color, set(range(4)) - spared)
        for squares in range(1, ridden + 1):
            met += self._send_back((place + squares) % track.TRACK, color, set(range(4)))
        end = (place + ridden) % track.TRACK if ridden else place
        self._pawns[color][lane] = end
        return [f"slides to {_name(end, color)}"] if ridden else [], met

    def _send_back(self, place: int, color: int, colors: set[int]) -> list[str]:
        """Sends the pawns of some colors on a place of ``color`` back to START; names them."""
        if place >= track.HOME:
            return []
        square, met = place_name(place, color), []
        for other in colors if place < track.TRACK else colors & {color}:
            for lane in range(LANES):
                if self._pawns[other][lane] < track.HOME and self._square(other, lane) == square:
                    self._pawns[other][lane] = track.START
                    met.append(f"{COLORS[other]} from {square}")
        return met

    def _ride(self, color: int, place: int) -> int:
        """Squares that a color rides from a place."""
        return int(self._tables["ride"][color * track.STRIDE + place]) if place < track.TRACK else 0

    def _square(self, color: int, lane: int) -> int | str:
        return place_name(self._pawns[color][lane], color)

    @staticmethod
    def _place(square: int | str, color: int) -> int:
        """A track square as a place of a color."""
        return (int(square) - track.CIRCLE_SQUARE - track.SIDE * color) % track.TRACK


def _stands(pawns: list[list[int]], color: int, square: int | str) -> bool:
    """Whether a pawn of a color stands on a track square."""
    return isinstance(square, int) and any(place < track.TRACK and place_name(place, color) == square for place in pawns[color])


def _name(place: int, color: int) -> str:
    return {track.START: "START", track.HOME: "HOME"}.get(place) or str(place_name(place, color))


def _sent_back(met: list[str]) -> list[str]:
    return [f"sends back {_listed(met)}"] if met else []


def _listed(met: list[str]) -> str:
    """Several pawns of one color on one square are counted."""
    return all_of([f"{count} {name}" if count > 1 else name for name, count in Counter(met).items()])


# -- a whole game ----------------------------------------------------------------------------------

_CHOSEN_FROM = "chosen from"


def line(card: "Card") -> str:
    """One card of a game: turn, color, card, the hand that it was chosen from, and what came of it."""
    turn, color = ("", "") if card.again else (str(card.turn), COLORS[card.color])
    name = CARDS[card.card] if card.card < len(CARDS) else "-"
    hand = f"{' '.join(CARDS[held] for held in card.hand):<{_hand_width(card.rules)}}  " if card.rules.hand_size else ""
    told = card.did or "nothing to play"
    told += f" ({card.choices} choices)" if card.choices > 1 else ""
    return f"{turn:>5}  {color:<6}  {name:<5}  {hand}{'; '.join([told, *_consequences(card)])}"


def columns(rules: Rules) -> str:
    """What stands in the columns of a line; empty where that is plain to see, without hands."""
    if not rules.hand_size:
        return ""
    return f"{'turn':>5}  {'color':<6}  {'card':<5}  {_CHOSEN_FROM:<{_hand_width(rules)}}  what is done"


def _hand_width(rules: Rules) -> int:
    """Columns for a hand; few are wider."""
    return max(4 * rules.hand_size + 2, len(_CHOSEN_FROM))


def _consequences(card: "Card") -> list[str]:
    """What a card leads to besides what its player does with it."""
    told = []
    if card.draws_again:
        told.append(_follows(card))
    if card.reshuffled:
        told.append("the discards become the pile")
    if card.rules.team_pairs and card.home:
        placed = f": {do(_team(card), 'is', 'are')} {ORDINALS[card.place]}" if card.place else ""
        told.append(f"all {all_of(card.home)} pawns HOME{placed}")
    elif card.place:
        told.append(f"all pawns HOME: {ORDINALS[card.place]}")
    return told


def _follows(card: "Card") -> str:
    """The card that a 2 brings."""
    if not card.rules.hand_size:
        return "draws again"
    return f"draws {a_card(card.drawn)}, to be played now" if card.rules.two_in_hand == "play_drawn" else "plays another card"


def _team(card: "Card") -> tuple[str, ...]:
    return next(pair for pair in card.rules.team_pairs if COLORS[card.color] in pair)


def opening(card: "Card") -> str:
    """The heading of a round of a match, where this is its first card, else nothing."""
    if card.rules.match_end == "single_round" or not card.begins_round:
        return ""
    return f"round {card.match_round} of the match: {COLORS[card.color]} begins"


# -- the end of a round ----------------------------------------------------------------------------


def round_end(ended: "Round") -> list[str]:
    """Who has won a round of a match, and what everybody scores; empty where there is nothing of that to tell."""
    is_match = ended.rules.match_end != "single_round"
    lines = [f"round {ended.number}: {_won(ended)}"] if is_match else []
    if ended.keeps_points and ended.winners:
        width = max(len(all_of(score.colors)) for score in ended.scores)
        lines += [f"{'  ' * is_match}{all_of(score.colors):<{width}}  {_scored(score, ended.rules)}" for score in ended.scores]
    return [*lines, _standing(ended)] if is_match else lines


def _won(ended: "Round") -> str:
    if not ended.winners:
        return "cut off at the turn cap"
    return f"{do(ended.winners, 'wins', 'win')} in turn {ended.turns}"


def _scored(score: "Score", rules: Rules) -> str:
    """What a player or a team scores, and what for."""
    parts = []
    if score.for_home:
        parts.append(f"{score.for_home} for {number_of(score.home, 'pawn')} HOME")
    if score.for_not_home:
        parts.append(f"{score.for_not_home} for {number_of(score.not_home, 'opposing pawn')} not HOME")
    parts += [f"{points} because {_earned(limit, rules)}" for limit, points in score.bonuses if points]
    total = f"{score.points:>3} point{'' if score.points == 1 else 's'}"
    return f"{total}: {', '.join(parts)}" if parts else total


def _earned(limit: int, rules: Rules) -> str:
    """What a bonus is paid for."""
    if not limit:
        return "no opponent has a pawn HOME"
    pawns = number_of(limit, "pawn")
    if rules.band_measure == "total":
        return f"the opponents have no more than {pawns} HOME together"
    return f"no opponent has more than {pawns} HOME"


def _standing(ended: "Round") -> str:
    """How the match stands, the best first."""
    ranked = sorted(ended.scores, key=lambda score: -score.standing)
    standing = ", ".join(f"{all_of(score.colors)} {score.standing}" for score in ranked)
    tie = "; a tie, so there is one more round" if ended.tied else ""
    return f"{'points' if ended.keeps_points else 'rounds won'} so far: {standing}{tie}"


# -- the end of a game -----------------------------------------------------------------------------


def summary(replay: "Replay") -> str:
    """How a game ended, or how far it has come, on one line."""
    counters, rules = replay.counters, replay.table.rules
    numbers = [
        number_of(counters["turns_all"], "turn"),
        number_of(counters["draws"], "card"),
        *([f"{counters['throws']} thrown in"] if rules.hand_size else []),
        number_of(counters["bumps"], "bump"),
        *([number_of(counters["partner_bumps"], "partner bump")] if rules.team_pairs else []),
        number_of(counters["slides"], "slide"),
        number_of(counters["reshuffles"], "reshuffle"),
    ]
    return f"{_ending(replay)}: {', '.join(numbers)}"


def _ending(replay: "Replay") -> str:
    """Who won, who came in after that, and whether the game is over."""
    is_match, rounds = replay.table.rules.match_end != "single_round", len(replay.rounds)
    told = _match_won(replay) if is_match else _placed(replay)
    if replay.capped:
        told.append(f"cut off after {number_of(rounds, 'round')}" if rounds == MAX_MATCH_ROUNDS else "cut off at the turn cap")
    elif not replay.over:
        told.append(f"not over yet, in round {rounds + 1}" if is_match else "not over yet")
    return ", ".join(told)


def _match_won(replay: "Replay") -> list[str]:
    """Who has won a match, and with what."""
    side = replay.winners
    if not side:
        return []
    rounds, wins = number_of(len(replay.rounds), "round"), f"{do(side, 'wins', 'win')} the match with"
    if replay.table.rules.score_home_to == "none":
        return [f"{wins} {replay.rounds_won[side[0]]} of {rounds}"]
    return [f"{wins} {number_of(replay.points[side[0]], 'point')} after {rounds}"]


def _placed(replay: "Replay") -> list[str]:
    """Who has won a game of one round when, and who came in after that."""
    rules, told = replay.table.rules, []
    first = ranked(replay.sides, replay.places)
    if first:
        scored = rules.score_home_to != "none" and replay.over
        points = f" with {number_of(replay.points[first[0][0]], 'point')}" if scored else ""
        told.append(f"{do(first[0], 'wins', 'win')} in turn {replay.counters['turns']}{points}")
    if rules.game_end != "first_home":
        told += followers(first, replay.sides, replay.over)
    return told
