"""What a report says of audited games: sentences and tables on cards, on who hits whom, and on the squares of the track."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from statistics import median

from simsorry import stats
from simsorry.games import audited
from simsorry.report import tables, words
from simsorry.report.audits import Audits, CardFacts, SquareFacts, opponents_after
from simsorry.report.board import Board, name_of, numbers_of, place_name, plain
from simsorry.report.study import Arm, Sitting, Study
from simsorry.report.tables import Table
from simsorry.stats import Estimate

FEWEST = 20  # audited games, for their numbers to be told
SHOWN = 10  # squares of each kind
SELDOM = 0.25  # of an even share of the pawns: squares with fewer are not called dangerous, for chance might make them so
USES = {
    "forward": "move", "start": "start", "split": "split", "swap": "swap", "back": "back", "sorry": "hit from START",
    "passed": "passed", "thrown": "thrown in",
}  # fmt: skip
DETAILED = 3  # variants of which each is told in detail
PHASES = ("first third", "second third", "last third")
KINDS = {"dead": "dead", "forced": "forced", "declined": "declined", "choice": "with a choice"}  # of turns, in the order of their bars


def audited_arms(sitting: Sitting) -> list[tuple[Arm, Audits]]:
    """The rulesets of which there are audited games enough."""
    return [(arm, arm.audits) for arm in sitting.arms if arm.audits and arm.audits.games >= FEWEST]


def shown_arms(sitting: Sitting) -> list[tuple[Arm, Audits]]:
    """Those that are drawn where each takes a picture of its own: the base, and the variant in which pawns stand and are hit elsewhere."""
    found = audited_arms(sitting)
    if len(found) < 2:
        return found
    first = found[0][1]
    return [found[0], max(found[1:], key=lambda each: _apart(first, each[1]))]


def detailed_arms(sitting: Sitting) -> list[tuple[Arm, Audits]]:
    """Those of which cards, hits and squares are told one by one: all, or of many rulesets those that are drawn."""
    return audited_arms(sitting) if len(sitting.variants) <= DETAILED else shown_arms(sitting)


def left_out(sitting: Sitting) -> tuple[str, ...]:
    """A sentence where there are too many rulesets to tell of each."""
    told = [arm.ruleset.short for arm, _ in detailed_arms(sitting)]
    if len(sitting.variants) <= DETAILED or len(told) < 2:
        return ()
    two = f"{told[0]}, and {told[1]}, under which pawns stand and are hit elsewhere most"
    return (f"Of {len(sitting.arms)} rulesets two are shown here: {two}. All are in report.json.",)


def _apart(one: Audits, other: Audits) -> float:
    """Which part of the pawns, and of the hits, would have to be elsewhere to make one like the other, added up."""
    stand = _moved([each.visits.value for each in one.squares], [each.visits.value for each in other.squares])
    return stand + _moved([each.hits.value for each in one.squares], [each.hits.value for each in other.squares])


def _moved(here: Sequence[float], there: Sequence[float]) -> float:
    in_all, in_others = sum(here) or 1.0, sum(there) or 1.0
    return sum(abs(one / in_all - other / in_others) for one, other in zip(here, there, strict=False)) / 2


def covers(sitting: Sitting) -> bool:
    """Whether pawns are hit by covering them, as in Ice Soo Sorry!, where nobody is sent back."""
    return any("covered_share" in arm.measured for arm in sitting.arms)


def has_dice(arm: Arm) -> bool:
    """Whether dice are rolled beside the cards."""
    return "rolls_per_turn" in arm.measured


def basis(sitting: Sitting, found: Audits) -> str:
    """The games that the numbers stand on."""
    return f"{words.count(found.games)} audited games, one in {audited.EVERY} of {words.count(sitting.games)}"


def _id(study: Study, sitting: Sitting, name: str, arm: Arm) -> str:
    return f"{name}-{study.sittings.index(sitting) + 1}-{sitting.arms.index(arm)}"


def _under(sitting: Sitting, arm: Arm) -> str:
    return f" under {arm.ruleset.short}" if sitting.variants else ""


# -- turns -----------------------------------------------------------------------------------------


def phased_arms(sitting: Sitting) -> list[tuple[Arm, Audits]]:
    """The rulesets of which turns were counted by kind and third of the way."""
    return [(arm, found) for arm, found in detailed_arms(sitting) if found.phases]


def phases(study: Study, sitting: Sitting) -> Table:
    """The kinds of turns in every third of the way, in a column for each ruleset."""
    arms = phased_arms(sitting)
    rows = [
        (f"{words.capital(phase)}: {name}", *(words.with_span(found.phases[at].kinds[kind]) for _, found in arms))
        for at, phase in enumerate(PHASES)
        for kind, name in KINDS.items()
    ]
    rows += [
        (f"{words.capital(phase)}: turns per game", *(words.with_span(found.phases[at].turns) for _, found in arms))
        for at, phase in enumerate(PHASES)
    ]
    note = (
        "Thirds are those of the mover's own way when the turn began, all pawns together. Declined: nothing was done, although something "
        "could have been, cards thrown in by choice included."
    )
    number = study.sittings.index(sitting) + 1
    caption = f"Turns from third to third of the way: {basis(sitting, arms[0][1])}{' games of each ruleset' if sitting.variants else ''}"
    return Table(f"phases-{number}", caption, ("Turns", *(arm.ruleset.short for arm, _ in arms)), tuple(rows), note)


# -- cards -----------------------------------------------------------------------------------------


def card_name(card: str) -> str:
    """As it is printed."""
    return "Sorry!" if card == "sorry" else card


def card_tables(study: Study, sitting: Sitting, arm: Arm, found: Audits) -> tuple[Table, ...]:
    """What every card is used for, and what it brings."""
    return _used(study, sitting, arm, found), _brought(study, sitting, arm, found)


def _used(study: Study, sitting: Sitting, arm: Arm, found: Audits) -> Table:
    rows = [
        (
            card_name(card.card), words.with_span(card.drawn), words.with_span(card.unused),
            *(words.with_span(each) for each in card.unused_by_phase), used_for(card),
        )
        for card in found.cards
    ]  # fmt: skip
    idle = "Thrown in" if arm.traits.hand else "Does nothing"
    headings = ("Card", "Cards per game", idle, *(f"… in the {phase}" for phase in PHASES), "Used for")
    caption = f"What cards are used for{_under(sitting, arm)}: {basis(sitting, found)}"
    dice = " Moves by dice alone are left out; a card that is added to a die counts with all of that move." if has_dice(arm) else ""
    note = f"Thirds are those of the player's own way, all pawns together. Uses are those of the cards that could do something.{dice}"
    return Table(_id(study, sitting, "cards", arm), caption, headings, tuple(rows), note)


def used_for(card: CardFacts) -> str:
    """``start 62%, move 38%``, the most frequent first; a dash if it is never used."""
    often = sorted(card.uses.items(), key=lambda item: -item[1].value)
    return ", ".join(f"{USES[use]} {_whole_percent(share)}" for use, share in often) or words.NONE


def _whole_percent(share: Estimate) -> str:
    return "<1%" if 0 < share.value < 0.005 else f"{100 * share.value:.0f}%"


def _brought(study: Study, sitting: Sitting, arm: Arm, found: Audits) -> Table:
    rows = [
        (
            card_name(card.card), words.with_span(card.gained), words.with_span(card.lost) if card.lost.value else "none",
            words.with_span(card.hits),
            tables.in_points(card.worth) if card.worth.known else words.NONE,
        )
        for card in found.cards
    ]  # fmt: skip
    hit = "covered" if covers(sitting) else "hit"
    headings = ("Card", "Squares gained", "Squares lost by others", f"Pawns {hit}", f"One more among the first {audited.EARLY}")
    caption = f"What a card brings{_under(sitting, arm)}: {basis(sitting, found)}"
    chosen = ", which here are chosen from a hand, so that it is not the luck of the draw alone" if arm.traits.hand else ""
    note = (
        f"Squares and pawns {hit} are per card. Squares gained are those by which own pawns come nearer HOME, less those that it costs. "
        f"One more among the first {audited.EARLY}: how much more often a player wins who has one more of it among the first "
        f"{audited.EARLY} cards{chosen}; of {words.count(found.early_players)} players who got so far."
    )
    return Table(_id(study, sitting, "card-gains", arm), caption, headings, tuple(rows), note)


# -- hits ------------------------------------------------------------------------------------------


def hits(study: Study, sitting: Sitting, arm: Arm, found: Audits) -> Table:
    """Who hits whom, by play-order seat."""
    verb, many = ("covers", "Pawns covered") if covers(sitting) else ("hits", "Pawns hit")
    seats = range(sitting.players)
    rows = [
        (f"Seat {one + 1} {verb}", *(_hit(found.hits[one][other], one == other, arm) for other in seats)) for one in seats
    ]  # fmt: skip
    headings = ("In play order", *(f"seat {other + 1}" for other in seats))
    caption = f"{many} per game{_under(sitting, arm)}: {basis(sitting, found)}"
    return Table(_id(study, sitting, "hits", arm), caption, headings, tuple(rows))


def _hit(found: Estimate, oneself: bool, arm: Arm) -> str:
    """A cell of the matrix; partners hardly hit each other, and where they do it is not counted."""
    return words.NONE if oneself or (arm.traits.teams and not found.value) else words.with_span(found)


def opponents_hit(arm: Arm, found: Audits, one: int, other: int) -> bool:
    """Whether one seat has another's pawns to hit; partners who could hit each other and never did are taken for none."""
    return one != other and not (arm.traits.teams and not found.hits[one][other].value)


def next_sentence(sitting: Sitting, arm: Arm, found: Audits) -> str:
    """Whether the next player is hit more than the others; empty where there are no others."""
    opponents = opponents_after(arm.traits, sitting.players)
    if not opponents or not found.hits_after[0].known:
        return ""
    share, even = found.hits_after[0], 1 / opponents
    hit, one = ("covered", "pawns covered") if covers(sitting) else ("hit", "pawns hit")
    verdict = "which is not shown to be more or less than for others"
    if share.low > even or share.high < even:
        verdict = f"so the next player is {hit} {'more' if share.low > even else 'less'} than others"
    return (
        f"{words.with_span(share)} of the {one}{_under(sitting, arm)} are those of who moves next, where {words.percent(even)} would be "
        f"even, {verdict}."
    )


# -- squares ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spot:
    """A square, or the same place on all four sides where these are alike; numbers are those of one square."""

    name: str
    squares: tuple[int, ...]
    visits: Estimate
    landings: Estimate
    hits: Estimate
    risk: Estimate


def board_under(arm: Arm) -> Board:
    """The board of a ruleset; what is on any board of the game where its options are not known."""
    return arm.ruleset.board or plain(arm.ruleset.game, arm.ruleset.seat_colors)


def spots(sitting: Sitting, arm: Arm, found: Audits) -> list[Spot]:
    """What there is to tell of the track: places of a side where sides are alike by rules and players, else every square."""
    board = board_under(arm)
    sides = board.alike if len(set(sitting.policies)) == 1 else 1
    if sides == 1:
        return [Spot(name_of(board, at.square), (at.square,), at.visits, at.landings, at.hits, at.risk) for at in found.squares]
    told = []
    for at in found.places[sides]:
        visits, landings, hits = (_one_of(sides, each) for each in (at.visits, at.landings, at.hits))
        told.append(Spot(place_name(board, at.square, sides), numbers_of(board, at.square, sides), visits, landings, hits, at.risk))
    return told


def _one_of(sides: int, found: Estimate) -> Estimate:
    """A number of several squares together as that of one of them."""
    return replace(found, value=found.value / sides, low=found.low / sides, high=found.high / sides)


def daring(told: Sequence[Spot]) -> list[Spot]:
    """Those visited often enough for their danger to be told."""
    least = SELDOM / sum(len(each.squares) for each in told)
    return [each for each in told if each.visits.value >= least and each.risk.known]


def median_risk(told: Sequence[Spot]) -> float:
    """The danger of the median square."""
    return median(each.risk.value for each in told for _ in each.squares)


def stands_out(spot: Spot, told: Sequence[Spot]) -> bool:
    """Whether one of some is more or less dangerous than the median, chance having had as many tries as there are."""
    tail = (1 - stats.LEVEL) / 2
    wider = stats.z_quantile(tail / len(told)) / stats.z_quantile(tail)
    found, middle = spot.risk, median_risk(told)
    return found.value - wider * (found.value - found.low) > middle or found.value + wider * (found.high - found.value) < middle


def places(study: Study, sitting: Sitting, arm: Arm, found: Audits) -> Table | None:
    """Every square as it is drawn, those that are told together in one row; None where each is told for itself: there are too many."""
    told = spots(sitting, arm, found)
    if len(told[0].squares) == 1:
        return None
    rows = [(_capital_place(each), *(words.with_span(it) for it in (each.visits, each.landings, each.hits, each.risk))) for each in told]
    hit = "covered" if covers(sitting) else "hit"
    headings = ("Squares", "Share of the pawns", "Landings per game", f"Pawns {hit} per game", "For each that stands there")
    note = "The numbers are those of one square; squares in one row, which are alike by the rules and the players, are counted together."
    return Table(
        _id(study, sitting, "places", arm), f"Every square{_under(sitting, arm)}: {basis(sitting, found)}", headings, tuple(rows), note
    )


def _capital_place(spot: Spot) -> str:
    return words.capital(spot.name.removeprefix("the "))


def squares(study: Study, sitting: Sitting, arm: Arm, found: Audits) -> Table:
    """The squares that pawns stand on most, and those where most are hit for each that stands there."""
    least = SELDOM / len(found.squares)
    visited = _most(found.squares, lambda each: each.visits.value)
    dangerous = _most([each for each in found.squares if each.visits.value >= least and each.hits.value], lambda each: each.risk.value)
    rows = [
        (str(place), *_visited(one), *_dangerous(other)) for place, (one, other) in enumerate(zip_longest(visited, dangerous), start=1)
    ]  # fmt: skip
    hit = "covered" if covers(sitting) else "hit"
    headings = (
        "", "Most visited", "Share of the pawns", "Landings per game", "Most dangerous", f"Pawns {hit} for each that stands there",
        "Per game",
    )  # fmt: skip
    caption = f"Squares{_under(sitting, arm)}: {basis(sitting, found)}"
    return Table(_id(study, sitting, "squares", arm), caption, headings, tuple(rows), _squares_note(arm, hit))


def _most(found: Sequence[SquareFacts], of: Callable[[SquareFacts], float]) -> list[SquareFacts]:
    return sorted(found, key=lambda each: -of(each))[:SHOWN]


def _visited(found: SquareFacts) -> tuple[str, ...]:
    return str(found.square), words.with_span(found.visits), words.with_span(found.landings)


def _dangerous(found: SquareFacts | None) -> tuple[str, ...]:
    """Dashes where fewer squares are dangerous than are shown."""
    return (str(found.square), words.with_span(found.risk), words.with_span(found.hits)) if found else (words.NONE,) * 3


def _squares_note(arm: Arm, hit: str) -> str:
    counted = "from red's entry square on, in the direction of travel" if has_dice(arm) else "clockwise from red's corner"
    return (
        f"Squares are counted {counted}. Share of the pawns: of all that stand on the track at the end of a round. For each that stands "
        f"there: pawns {hit} on a square over those that stand on it at the end of a round, squares that are visited least left out. The "
        "report's JSON has every square."
    )
