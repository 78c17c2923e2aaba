"""What happens in a game of Sorreesi, in plain words."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from simsorry.games.options import CARDS, COLORS
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.notation import place_name
from simsorry.games.sorreesi.retelling import BACK, LAPSED, START, STOP, SWAP, SWAPPED, TAKE, Fight, Move
from simsorry.games.sorreesi.rules import Rules
from simsorry.games.words import ORDINALS, a_card, all_of, do, followers, number_of, ranked

if TYPE_CHECKING:
    from simsorry.games.sorreesi.replay import Replay, Step

_INDENT = 17  # columns before a use
_SPENT = 16  # columns for what it spends


# -- pawns put down --------------------------------------------------------------------------------


def told(rules: Rules, moves: Sequence[Move], mover: int) -> str:
    """What a use does: "moves 13 forward from 13 to 26, sends back 2 blue"; ``mover`` is the number of the player's color.

    A fight that is still to come is told as what the move leads to.
    """
    clauses = [_clause(rules, move, mover) for move in moves]
    return ("; " if moves[-1].kind == SWAPPED else "; then ").join(filter(None, clauses))


def _clause(rules: Rules, move: Move, mover: int) -> str:
    """One pawn put down, with all that follows; empty for the other pawn of a swap that meets nobody."""
    what_follows = [f"sends back {_pawns(move.captured)}"] if move.captured else []
    if move.fight:
        what_follows.append(_fight(rules, move.fight))
    if move.kind == SWAPPED:
        there = _name(rules, move.target, move.color)
        return f"{COLORS[move.color]}'s pawn on {there} {', '.join(what_follows)}" if what_follows else ""
    return ", ".join([_way(rules, move, "" if move.color == mover else f"{COLORS[move.color]} "), *what_follows])


def _way(rules: Rules, move: Move, whose: str) -> str:
    """How a pawn moves; a partner's is named by its color."""
    here, there = (_name(rules, place, move.color) for place in (move.place, move.target))
    if move.kind == LAPSED:
        return f"can't move {whose}{move.squares} forward, for that pawn has gone back"
    if move.kind == START:
        return f"brings a {whose}pawn out to {there}"
    if move.kind == TAKE:
        return f"moves a {whose}pawn from the base to {there}"
    if move.kind == BACK:
        return f"moves {whose}{move.squares} back from {here} to {there}"
    if move.kind == SWAP:
        owner = f"{whose.strip()}'s" if whose else "its"
        return f"swaps {owner} pawn on {here} with {COLORS[move.other]}'s on {there}"
    bounced = "HOME and back to " if move.target > t.HOME and move.squares > move.place else ""
    return f"moves {whose}{move.squares} forward from {here} to {bounced}{there}"


def _name(rules: Rules, place: int, color: int) -> str:
    """A place in a sentence."""
    return {t.BASE: "the base", t.HOME: "HOME"}.get(place) or str(place_name(rules, place, color))


def _pawns(counts: dict[int, int]) -> str:
    """Pawns by color: "2 blue and yellow"."""
    return all_of([f"{count} {COLORS[color]}" if count > 1 else COLORS[color] for color, count in counts.items()])


def _fight(rules: Rules, fight: Fight) -> str:
    """A fight with its dice and its losers, or whom it will be with."""
    arriving = next((pair for pair in rules.team_pairs if COLORS[fight.colors[0]] in pair), (COLORS[fight.colors[0]],))
    opponents = all_of([COLORS[color] for color in fight.colors if COLORS[color] not in arriving])
    if not fight.rolls:
        return f"has to fight {opponents}"
    dice = "; ".join(", ".join(f"{COLORS[color]} {die}" for color, die in roll.items()) for roll in fight.rolls)
    return f"fights {opponents} ({dice}): {_losers(fight)}"


def _losers(fight: Fight) -> str:
    if not fight.lost:
        return "both stay" if len(fight.colors) == 2 else "all stay"
    return f"{_pawns(fight.lost)} {'goes' if sum(fight.lost.values()) == 1 else 'go'} back"


def outcome(rules: Rules, moves: Sequence[Move], mover: int, *, earned: Sequence[int] = (), draws: bool = False, over: bool = False) -> str:
    """What a use does and brings, before any fight is rolled for; "stops" if it moves no pawn."""
    if not moves:
        return "stops"
    brings = [told(rules, moves, mover)]
    if earned:
        brings.append(f"earns {bonus_moves(earned)}")
    if draws:
        brings.append("draws another card")
    if over:
        brings.append("all pawns HOME")
    return "; ".join(brings)


# -- what there is to spend --------------------------------------------------------------------------


def bonus_moves(values: Sequence[int]) -> str:
    """Bonus moves by their squares: "a bonus move of 20", "2 bonus moves of 20", "a bonus move of 10 and 2 of 20"."""
    counts = sorted(Counter(values).items())
    first, count = counts[0]
    named = f"a bonus move of {first}" if count == 1 else f"{count} bonus moves of {first}"
    return all_of([named, *(f"{'one' if count == 1 else count} of {squares}" for squares, count in counts[1:])])


def spent(use: Sequence[str]) -> str:
    """What a use spends, dice first: "2 + 3 + card 11"."""
    dice = [part.removeprefix("die ") for part in use if part.startswith("die ")]
    cards = [_card(part.removeprefix("card ")) for part in use if part.startswith("card ")]
    return " + ".join([*dice, *cards, *(part for part in use if not part.startswith(("die ", "card ")))])


def _card(name: str) -> str:
    return "Sorry!" if name == "sorry" else f"card {name}"


def _unspent(step: "Step") -> str:
    """Dice, card and bonus moves that could be spent; empty if there are none."""
    card = [_card(CARDS[step.card])] if step.card < len(CARDS) else []
    unspent = [*map(str, step.dice), *card, *(f"bonus {squares}" for squares in step.bonus)]
    return all_of(unspent) if unspent else ""


# -- a whole game ----------------------------------------------------------------------------------


def lines(step: "Step") -> str:
    """One step of a game: the roll, if it begins with one, and what is used; on a line each."""
    if step.rolled is None:
        return f"{'':{_INDENT}}{_used(step)}"
    turn, color = ("", "") if step.roll > 1 else (str(step.turn), COLORS[step.color])
    head = f"{turn:>5}  {color:<6}  {_rolled(step)}"
    if step.lost:
        return "; ".join([head, *_consequences(step)])
    if not step.choices:
        return "; ".join([head, "nothing can be used", *_consequences(step)])
    return f"{head}\n{'':{_INDENT}}{_used(step)}"


def _rolled(step: "Step") -> str:
    """A roll, with the card that comes with it."""
    one, other = step.rolled or (0, 0)
    told = f"{'rolls' if step.roll == 1 else 'rolls again:'} {one} and {other}"
    if step.lost:
        return f"{told}, the third double: the roll is lost"
    if len(step.dice) > 2:
        told += f" and plays the undersides {7 - one} and {7 - other} too"
    if step.drawn_first < len(CARDS):
        told += f", {_draws(step, step.drawn_first, step.reshuffled and step.drawn >= len(CARDS))}"
    if step.roll == 1 and step.bonus:
        told += f"; has {bonus_moves(step.bonus)} from a fight"
    return told


def _used(step: "Step") -> str:
    """What is done with what there is to spend."""
    choices = f" ({step.choices} choices)" if step.choices > 1 else ""
    if not step.choices:
        use, what = "-", f"no use for {_unspent(step)}"
    elif step.kind == STOP:
        use, what = "-", _stopped(step)
    else:
        use, what = spent(step.use), step.did
    return "; ".join([f"{use:<{_SPENT}}{what}{choices}", *_consequences(step)])


def _draws(step: "Step", card: int, shuffled: bool) -> str:
    """That a card is drawn, and whether the discards had to be shuffled for it or are now that the pile is empty."""
    if not shuffled:
        return f"draws {a_card(card)}"
    if step.rules.reshuffle_when == "when_last_taken":
        return f"draws {a_card(card)}, the last one, and shuffles the discards"
    return f"shuffles the discards and draws {a_card(card)}"


def _stopped(step: "Step") -> str:
    """That the player stops, and what remains unused."""
    rules, card = step.rules, CARDS[step.card] if step.card < len(CARDS) else ""
    may_pass = (card == "11" and not rules.eleven_swap_forced) or (card == "10" and not rules.ten_back_forced)
    unused = [*map(str, step.dice), *([_card(card)] if card and may_pass else [])]
    told = f"stops, {all_of(unused)} unused" if unused else "stops"
    return f"{told}; no use for {_card(card)}" if card and not may_pass else told


def _consequences(step: "Step") -> list[str]:
    """What a step leads to besides what its player does."""
    rules, told = step.rules, []
    if step.earned:
        told.append(f"earns {bonus_moves(step.earned)}")
    told += [f"{color} earns {bonus_moves(values)} for its next turn" for color, values in step.earned_by_others.items()]
    if step.drawn < len(CARDS):
        told.append(("then " if step.card >= len(CARDS) else "") + _draws(step, step.drawn, step.reshuffled))
    if step.penalty:
        third = "" if step.lost else "for the third double "
        color, place = step.penalty
        whose = "its" if color == step.color else f"{COLORS[color]}'s"
        told.append(f"{third}{whose} pawn on {_name(rules, place, color)} goes back")
    if step.lapsed and (step.choices or step.lost):
        told.append(f"loses {bonus_moves(step.lapsed)}")
    if rules.team_pairs and step.home:
        placed = f": {do(_team(step), 'is', 'are')} {ORDINALS[step.place]}" if step.place else ""
        told.append(f"all {all_of(step.home)} pawns HOME{placed}")
    elif step.place:
        told.append(f"all pawns HOME: {ORDINALS[step.place]}")
    return told


def _team(step: "Step") -> tuple[str, ...]:
    return next(pair for pair in step.rules.team_pairs if COLORS[step.color] in pair)


# -- the end of a game -----------------------------------------------------------------------------


def summary(replay: "Replay") -> str:
    """How a game ended, or how far it has come, on one line."""
    counters, teams = replay.counters, replay.table.rules.team_pairs
    numbers = [
        number_of(counters["turns_all"], "turn"),
        number_of(counters["rolls"], "roll"),
        number_of(counters["draws"], "card"),
        number_of(counters["bumps"], "bump"),
        *([number_of(counters["partner_bumps"], "partner bump")] if teams and counters["partner_bumps"] else []),
        number_of(counters["fights"], "fight"),
        f"{counters['bonuses_used']} of {number_of(counters['bonuses_earned'], 'bonus move')} used",
        number_of(counters["reshuffles"], "reshuffle"),
    ]
    return f"{_ending(replay)}: {', '.join(numbers)}"


def _ending(replay: "Replay") -> str:
    """Who won, who came in after that, and whether the game is over."""
    first, told = ranked(replay.sides, replay.places), []
    if first:
        told.append(f"{do(first[0], 'wins', 'win')} in turn {replay.counters['turns']}")
    if replay.table.rules.game_end != "first_home":
        told += followers(first, replay.sides, replay.over)
    if replay.capped:
        told.append("cut off at the turn cap")
    elif not replay.over:
        told.append("not over yet")
    return ", ".join(told)
