"""What is measured at one table: the metrics of ``METRICS``, and those of its seats, teams, policies, points, bonuses and places."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from simsorry.audit_metrics import AUDITED
from simsorry.course_metrics import COURSE
from simsorry.metrics import (
    ALONE,
    METRICS,
    PLAIN,
    POINTS,
    RANKED,
    TEAM_NAMES,
    TEAMS,
    Metric,
    Need,
    TableSeats,
    at_seat,
    bonus_paid,
    mean_at,
    number_of,
    placed_at,
    placed_at_seat,
    seat_wins,
    team_points,
    team_wins,
    winner_points,
    wins_from,
)
from simsorry.simulate import Bonus, Traits


def _seats(players: int) -> list[tuple[int, str, str]]:
    """Index, key and name of each play-order seat."""
    return [(seat, f"seat_{seat + 1}", f"seat {seat + 1}") for seat in range(players)]


def _teams() -> list[tuple[int, str, str]]:
    return [(team, f"team_{team + 1}", name) for team, name in enumerate(TEAM_NAMES)]


def _titled(what: str, name: str) -> str:
    return f"{what} of {name}" + (" (moves first)" if name == "seat 1" else "")


def seat_metrics(players: int) -> list[Metric]:
    """Win share of each play-order seat; in team play that of the team that moves first, and of the other."""
    seats = [
        Metric(
            key, _titled("Wins", name), f"wins of {name}", "share",
            "Games won by this seat in play order (seat 1 moves first), over the games that have a winner.",
            ("winner",), "seat_share", seat_wins(seat), headline=True, needs=(ALONE,),
        )
        for seat, key, name in _seats(players)
    ]  # fmt: skip
    teams = [
        Metric(
            key, _titled("Wins", name), f"wins of {name}", "share", f"Games won by {name}, over the games that have a winner.",
            ("won", "winner"), "seat_share", team_wins(team), headline=True, needs=(TEAMS,),
        )
        for team, key, name in _teams()
    ]  # fmt: skip
    return seats + teams


@dataclass(frozen=True)
class _Group:
    """The players with one policy, or the partners of a team that the other team is not like."""

    key: str
    name: str
    definition: str
    table_seats: TableSeats
    needs: tuple[Need, ...]


def _groups(policies: Sequence[str], arms: Iterable[Traits]) -> list[_Group]:
    """Every policy, where there are several at the table, and the policies of every team, where those of two teams differ."""
    names = dict.fromkeys(policies)
    if len(names) < 2:
        return []
    partners = dict.fromkeys(pair for traits in arms for pair in _partners(policies, traits))
    return [*(_of_policy(name, policies) for name in names), *(_of_partners(pair, policies) for pair in partners)]


def _of_policy(name: str, policies: Sequence[str]) -> _Group:
    seats = [seat for seat, policy in enumerate(policies) if policy == name]
    return _Group(name, name, f"the players of {name} ({len(seats)} of {len(policies)} seats)", lambda _: seats, (ALONE,))


def _of_partners(pair: tuple[str, ...], policies: Sequence[str]) -> _Group:
    name = f"the team of {pair[0]} and {pair[1]}"
    needs = (TEAMS, Need(lambda traits: pair in _partners(policies, traits), "has no such team"))
    return _Group("+".join(pair), name, name, lambda traits: _partners(policies, traits)[pair], needs)


def _partners(policies: Sequence[str], traits: Traits) -> dict[tuple[str, ...], tuple[int, int]]:
    """The policies of each team and its table seats; nothing if both teams have the same policies."""
    found = {tuple(sorted(policies[seat] for seat in seats)): seats for seats in traits.teams}
    return found if len(found) == 2 else {}


def policy_metrics(policies: Sequence[str], arms: Iterable[Traits] = (PLAIN,)) -> list[Metric]:
    """Win share of each policy, where the table seats do not all have the same one; in team play of each team."""
    return [
        Metric(
            f"policy_{group.key}", _titled("Wins", group.name), f"wins of {group.name}", "share",
            f"Games won by {group.definition}, over the games that have a winner.",
            ("won", "table_seat", "winner"), "policy_share", wins_from(group.table_seats), headline=True, needs=group.needs,
        )
        for group in _groups(policies, arms)
    ]  # fmt: skip


def points_metrics(policies: Sequence[str], arms: Sequence[Traits]) -> list[Metric]:
    """Mean points of each seat or team, of each policy and of the winner, and how often each bonus is paid."""
    measured = [
        *((key, name, "this seat in play order (seat 1 moves first)", at_seat("points", seat), (ALONE,))
          for seat, key, name in _seats(len(policies))),
        *((key, name, name, team_points(team), (TEAMS,)) for team, key, name in _teams()),
        *((f"policy_{group.key}", group.name, group.definition, mean_at("points", group.table_seats), group.needs)
          for group in _groups(policies, arms)),
    ]  # fmt: skip
    means = [
        Metric(
            f"points_{key}", _titled("Points", name), f"points of {name}", "points", f"Mean points in a game of {definition}.",
            ("points", "table_seat"), "points", counts, headline=key.startswith("policy_"), needs=(POINTS, *needs),
        )
        for key, name, definition, counts, needs in measured
    ]  # fmt: skip
    winner = Metric(
        "points_winner", "Points of the winner", "points of the winner", "points",
        "Mean points of the winner, in team play of the winning team, in the games that have a winner.",
        ("points", "won", "winner"), "points", winner_points, headline=True, needs=(POINTS,),
    )  # fmt: skip
    return [*means, winner, *bonus_metrics(arms)]


def bonus_metrics(arms: Sequence[Traits]) -> list[Metric]:
    """How often each bonus is paid; bonuses for the same feat are one metric, whatever they pay and whatever their number."""
    found: dict[str, list[Bonus]] = {}
    for bonus in dict.fromkeys(bonus for traits in arms for bonus in traits.bonuses):
        found.setdefault(bonus.key, []).append(bonus)
    return [_bonus_metric(key, bonuses, arms) for key, bonuses in found.items()]


def _bonus_metric(key: str, bonuses: Sequence[Bonus], arms: Sequence[Traits]) -> Metric:
    meaning = bonuses[0].meaning
    paid = " or ".join(str(points) for points in dict.fromkeys(bonus.points for bonus in bonuses))
    numbers = sorted({number_of(key, traits) for traits in arms} - {0})
    return Metric(
        key, f"Bonus {paid}: {meaning}", f"rounds with the bonus of {paid}", "share",
        f"Rounds in which the winner is paid a bonus because {meaning}, over all rounds; where a game is no match it is one round.",
        (*(f"band_{number}" for number in numbers), "match_rounds"), "round_share", bonus_paid(key), headline=True,
        needs=(POINTS, Need(lambda traits: number_of(key, traits) > 0, "pays no such bonus")),
    )  # fmt: skip


def place_metrics(policies: Sequence[str], arms: Iterable[Traits]) -> list[Metric]:
    """Mean place of each seat and of each policy; a team has none but having won or not."""
    measured = [
        *((key, name, "this seat in play order (seat 1 moves first)", at_seat("place", seat)) for seat, key, name in _seats(len(policies))),
        *((f"policy_{group.key}", group.name, group.definition, mean_at("place", group.table_seats))
          for group in _groups(policies, arms) if ALONE in group.needs),
    ]  # fmt: skip
    return [
        Metric(
            f"place_{key}", _titled("Place", name), f"the place of {name}", "places",
            f"Mean finishing place, from 1, of {definition}. Where a game is cut off, who is still on the way ranks by pawns HOME, then by "
            "squares to go.",
            ("place", "table_seat"), "place", counts, plural=False, needs=(RANKED, ALONE),
        )
        for key, name, definition, counts in measured
    ]  # fmt: skip


PLACES = ("first", "second", "third", "fourth")


def place_shares(policies: Sequence[str], arms: Iterable[Traits]) -> list[Metric]:
    """How often each seat and each policy finishes in each place."""
    groups = [group for group in _groups(policies, arms) if ALONE in group.needs]
    seats = [
        Metric(
            f"placed_{place}_{key}", _titled(f"Place {place}", name), f"{word} places of {name}", "share",
            f"Games in which this seat in play order (seat 1 moves first) finishes {word}, over all games.",
            ("place",), "game_share", placed_at_seat(place, seat), event=True, needs=(RANKED, ALONE),
        )
        for seat, key, name in _seats(len(policies))
        for place, word in enumerate(PLACES[: len(policies)], start=1)
    ]  # fmt: skip
    shared = [
        Metric(
            f"placed_{place}_policy_{group.key}", f"Place {place} of {group.name}", f"{word} places of {group.name}", "share",
            f"How often {group.definition} finish {word}, over the games of all of them.",
            ("place", "table_seat"), "rate", placed_at(place, group.table_seats), needs=(RANKED, ALONE),
        )
        for group in groups
        for place, word in enumerate(PLACES[: len(policies)], start=1)
    ]  # fmt: skip
    return [*seats, *shared]


def all_metrics(policies: Sequence[str], counted: Collection[str], arms: Sequence[Traits] = (PLAIN,)) -> tuple[Metric, ...]:
    """Everything measured at a table with these policies by table seat, as far as one of the rulesets has something to measure.

    ``counted`` are the columns of the game that is played. Length comes first, then who wins and scores, then the rest.
    """
    found = _found(policies, arms)
    there = (metric.in_game(counted) for metric in found if any(map(metric.measured, arms)))
    return tuple(metric for metric in there if metric and (not metric.beside or any(map(metric.beside.holds, arms))))


def measured_metrics(policies: Sequence[str], counted: Collection[str], traits: Traits) -> tuple[Metric, ...]:
    """Everything that a ruleset has at a table with these policies, whatever other rulesets it is shown beside."""
    there = (metric.in_game(counted) for metric in _found(policies, (traits,)) if metric.measured(traits))
    return tuple(metric for metric in there if metric)


def _found(policies: Sequence[str], arms: Sequence[Traits]) -> tuple[Metric, ...]:
    """What there is to be measured at such a table in some game."""
    return (
        METRICS[0],
        *seat_metrics(len(policies)),
        *policy_metrics(policies, arms),
        *points_metrics(policies, arms),
        *METRICS[1:],
        *COURSE,
        *AUDITED,
        *place_metrics(policies, arms),
        *place_shares(policies, arms),
    )


def named_metrics(players: int = 4) -> tuple[Metric, ...]:
    """Every metric that has the same name at every table of every game: all but those of policies and of single bonuses."""
    return _found(("",) * players, (PLAIN, Traits(teams=((0, 2), (1, 3)))))
