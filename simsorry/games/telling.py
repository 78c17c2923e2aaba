"""The words in which games with cards are told: a line for a card, how a round of a match ends, and how a game.

What a card did is the game's own to say.
"""

from typing import TYPE_CHECKING, Any

from simsorry.games.options import CARDS, COLORS
from simsorry.games.points import MAX_MATCH_ROUNDS
from simsorry.games.words import ORDINALS, a_card, all_of, do, followers, number_of, ranked

if TYPE_CHECKING:
    from simsorry.games.replaying import Card, Replay, Round, Score

_CHOSEN_FROM = "chosen from"


def thrown(card: int) -> str:
    """A card thrown in, by number; a number that is no card's for one at random."""
    return a_card(card) if card < len(CARDS) else "a card at random"


# -- a card ----------------------------------------------------------------------------------------


def line(card: "Card") -> str:
    """One card of a game: turn, color, card, the hand that it was chosen from, and what came of it."""
    turn, color = ("", "") if card.again else (str(card.turn), COLORS[card.color])
    name = CARDS[card.card] if card.card < len(CARDS) else "-"
    hand = f"{' '.join(CARDS[held] for held in card.hand):<{_hand_width(card.rules)}}  " if card.rules.hand_size else ""
    told = card.did or "nothing to play"
    told += f" ({card.choices} choices)" if card.choices > 1 else ""
    return f"{turn:>5}  {color:<6}  {name:<5}  {hand}{'; '.join([told, *_consequences(card)])}"


def columns(rules: Any) -> str:
    """What stands in the columns of a line; empty where that is plain to see, without hands."""
    if not rules.hand_size:
        return ""
    return f"{'turn':>5}  {'color':<6}  {'card':<5}  {_CHOSEN_FROM:<{_hand_width(rules)}}  what is done"


def _hand_width(rules: Any) -> int:
    """Columns for a hand; few are wider."""
    return max(4 * int(rules.hand_size) + 2, len(_CHOSEN_FROM))


def _consequences(card: "Card") -> list[str]:
    """What a card leads to besides what its player does with it."""
    told = []
    if card.draws_again:
        told.append(_follows(card))
    if card.reshuffled:
        told.append("the discards become the pile")
    if card.rules.team_pairs and card.home:
        team = next(pair for pair in card.rules.team_pairs if COLORS[card.color] in pair)
        placed = f": {do(team, 'is', 'are')} {ORDINALS[card.place]}" if card.place else ""
        told.append(f"all {all_of(card.home)} pawns HOME{placed}")
    elif card.place:
        told.append(f"all pawns HOME: {ORDINALS[card.place]}")
    return told


def _follows(card: "Card") -> str:
    """The card that a 2 brings."""
    if not card.rules.hand_size:
        return "draws again"
    return f"draws {a_card(card.drawn)}, to be played now" if card.rules.two_in_hand == "play_drawn" else "plays another card"


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


def _scored(score: "Score", rules: Any) -> str:
    """What a player or a team scores, and what for."""
    parts = []
    if score.for_home:
        parts.append(f"{score.for_home} for {number_of(score.home, 'pawn')} HOME")
    if score.for_not_home:
        parts.append(f"{score.for_not_home} for {number_of(score.not_home, 'opposing pawn')} not HOME")
    parts += [f"{points} because {_earned(limit, rules)}" for limit, points in score.bonuses if points]
    total = f"{score.points:>3} point{'' if score.points == 1 else 's'}"
    return f"{total}: {', '.join(parts)}" if parts else total


def _earned(limit: int, rules: Any) -> str:
    """What a bonus is paid for."""
    if not limit:
        return "no opponent has a pawn HOME"
    pawns = number_of(limit, "pawn")
    if rules.band_measure == "total":
        return f"the opponents have no more than {pawns} HOME together"
    return f"no opponent has more than {pawns} HOME"


def _standing(ended: "Round") -> str:
    """How the match stands, the best first."""
    best_first = sorted(ended.scores, key=lambda score: -score.standing)
    standing = ", ".join(f"{all_of(score.colors)} {score.standing}" for score in best_first)
    tie = "; a tie, so there is one more round" if ended.tied else ""
    return f"{'points' if ended.keeps_points else 'rounds won'} so far: {standing}{tie}"


# -- the end of a game -----------------------------------------------------------------------------


def summary(replay: "Replay", counted: list[str]) -> str:
    """How a game ended, or how far it has come, on one line; ``counted`` is what its game counts besides turns, cards and reshuffles."""
    counters, rules = replay.counters, replay.rules
    numbers = [
        number_of(counters["turns_all"], "turn"),
        number_of(counters["draws"], "card"),
        *([f"{counters['throws']} thrown in"] if rules.hand_size else []),
        *counted,
        number_of(counters["reshuffles"], "reshuffle"),
    ]
    return f"{_ending(replay)}: {', '.join(numbers)}"


def _ending(replay: "Replay") -> str:
    """Who won, who came in after that, and whether the game is over."""
    is_match, rounds = replay.rules.match_end != "single_round", len(replay.rounds)
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
    if replay.rules.score_home_to == "none":
        return [f"{wins} {replay.rounds_won[side[0]]} of {rounds}"]
    return [f"{wins} {number_of(replay.points[side[0]], 'point')} after {rounds}"]


def _placed(replay: "Replay") -> list[str]:
    """Who has won a game of one round when, and who came in after that."""
    rules, told = replay.rules, []
    first = ranked(replay.sides, replay.places)
    if first:
        scored = rules.score_home_to != "none" and replay.over
        points = f" with {number_of(replay.points[first[0][0]], 'point')}" if scored else ""
        told.append(f"{do(first[0], 'wins', 'win')} in turn {replay.counters['turns']}{points}")
    if rules.game_end != "first_home":
        told += followers(first, replay.sides, replay.over)
    return told
