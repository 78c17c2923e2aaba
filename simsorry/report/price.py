"""The report on the price of a seat: what was found, as sentences, tables, figures and JSON."""

from typing import Any

from matplotlib.figure import Figure

from simsorry import __version__, seat_price, stats
from simsorry.report import words
from simsorry.report.drawing import BAND, FAINT, LINE, Picture, legend, legend_lines, look, percent, whiskers
from simsorry.report.provenance import Played, played
from simsorry.report.render import Part, Report, Section
from simsorry.report.tables import Table as Shown
from simsorry.seat_price import BEYOND, EVEN, OPEN, Prices, Search, Shape, Table, Trial, with_head_starts
from simsorry.simulate import Task
from simsorry.stats import Difference, Estimate

FORMAT = "simsorry report price 1"
ORDER = ("first", "second", "third", "fourth")
ROW = 0.2  # inches, of one share in the figure


# -- words -----------------------------------------------------------------------------------------


def _side(task: Task, side: int) -> str:
    if task.traits.teams:
        return ("the team that moves first", "the other team")[side]
    return f"the {ORDER[side]} player"


def _sides(task: Task) -> str:
    return "teams" if task.traits.teams else "seats"


def _players(task: Task) -> str:
    teams = " in two teams" if task.traits.teams else ""
    return f"{words.capital(words.small(task.players))} players{teams}"


def _who(task: Task) -> str:
    return f"{task.policies[0].name} players"


def _games(task: Task) -> str:
    return "matches" if task.traits.match else "games"


def _fair(trial: Trial) -> float:
    return 1 / len(trial.counts)


def _farthest(task: Task, trial: Trial) -> str:
    """``the first player wins 51.4% (50.9% to 51.9%)``."""
    return f"{_side(task, trial.farthest)} wins {words.with_span(trial.shares[trial.farthest])}"


def option(task: Task, trial: Trial) -> str:
    """The house rules that give a head start, as they are written."""
    if not any(trial.given):
        return "as it is"
    room = "quick_start_pawns=0, " if task.ruleset.rules.quick_start_pawns else ""
    squares = ",".join(str(each) for each in seat_price.head_starts(task, trial.given))
    return f"{room}head_starts=[{squares}]"


def _pawn(task: Task, squares: int) -> str:
    """Where the pawn of a player with a head start stands."""
    past = squares if task.ruleset.rules.quick_start_pawns else squares - 1
    if not past:
        return "a pawn out on the start circle"
    return f"a pawn {words.small(past)} square{'s' if past > 1 else ''} past the start circle"


def _given(task: Task, trial: Trial) -> str:
    """``the second player begins with a pawn out on the start circle``."""
    by_squares: dict[int, list[str]] = {}
    for side, squares in enumerate(trial.given):
        if squares:
            by_squares.setdefault(squares, []).append(_side(task, side))
    told = [f"{words.listed(names)} with {_pawn(task, squares)}" for squares, names in by_squares.items()]
    first, *rest = told
    begins = "begin" if len(by_squares[next(iter(by_squares))]) > 1 else "begins"
    return words.listed([first.replace(" with ", f" {begins} with ", 1), *rest])


def _lacks(task: Task, shape: Shape) -> str:
    """The one that a price is for, and what the others get of it."""
    most = _side(task, shape.weights.index(max(shape.weights)))
    if task.traits.teams or len(shape.weights) == 2 or shape.name.startswith("only"):
        return most
    if shape.name.startswith("all but"):
        return f"everybody but {_side(task, shape.weights.index(0.0))}"
    return f"{most}, and for the others the less the {'earlier' if shape.name == 'later' else 'later'} they move"


def points(difference: Difference) -> str:
    """``3.1 points (2.6 to 3.6)``."""
    low, high = (100 * bound for bound in difference.interval())
    return f"{words.number(100 * difference.value, words.places((high - low) / 2, 0))} points ({words.between(low, high)})"


def price(search: Search) -> str:
    """The price with its interval: ``4.1 squares (3.4 to 4.9)``."""
    if search.outcome == EVEN:
        return "0"
    if search.price is None:
        return words.NONE
    if search.outcome == BEYOND:
        return f"none up to {max(max(trial.given) for trial in search.trials)} squares"
    return f"{words.value(search.price)} squares ({words.span(search.price)})"


def in_short(found: Prices) -> list[str]:
    """What was found, a paragraph for each number of players."""
    return [_paragraph(table) for table in found.tables]


def _paragraph(table: Table) -> str:
    sentences = [sentence for task, search in _searches(table) for sentence in _found(task, search)]
    return " ".join([f"{_players(table.tasks[0])}.", *sentences, *_checked(table), *_agreement(table)])


def _searches(table: Table) -> list[tuple[Task, Search]]:
    return list(zip(table.tasks, table.searches, strict=True))


def _found(task: Task, search: Search) -> list[str]:
    """What one search came to."""
    base, verdict = search.base, search.base.fairness.verdict
    begin = f"With {_who(task)}"
    if not base.n:
        return [f"{begin} no game had a winner before the turn cap, so that there is nothing to say about the {_sides(task)}."]
    games, fair, margin = f"{words.count(base.n)} {_games(task)}", words.percent(_fair(base)), words.points(base.margin)
    if search.outcome == OPEN:
        more = f"; about {words.count(verdict.more_games)} more {_games(task)} are needed" if verdict.more_games else ""
        return [f"{begin} it is undecided whether the {_sides(task)} win equally often{more} ({games}), so that no price can be named."]
    if search.outcome == EVEN:
        told = f"{begin} the {_sides(task)} are practically equal as they are, and nothing has to be given"
        return [f"{told}: all are within {margin} of {fair}, and {_farthest(task, base)} ({games})."]
    size = "" if verdict.word == stats.DIFFERENT else f"; whether that is off by more than {margin} is unclear"
    opening = f"{begin} the {_sides(task)} are not equal: {_farthest(task, base)} of {games}, where {fair} would be even{size}."
    return [opening, *(_beyond(task, search) if search.outcome == BEYOND else _priced(task, search))]


def _beyond(task: Task, search: Search) -> list[str]:
    shape = search.shape
    assert shape is not None
    best = min(search.trials, key=lambda trial: trial.lack(shape).value)
    most = max(max(trial.given) for trial in search.trials)
    told = f"No head start of up to {words.small(most)} squares makes up for all of it"
    before = f"{points(search.base.lack(shape))} of the wins"
    if search.equal:
        return [f"{told}, but {_enough(task, search)}."]
    if best is search.base:
        return [f"{told}: what is lacking, {before}, is the least without any."]
    return [f"{told}: what is lacking, {before}, is the least where {_given(task, best)}, and is {points(best.lack(shape))} then."]


def _enough(task: Task, search: Search) -> str:
    """The smallest equal head start, and the nearest if that is another one."""
    assert search.equal is not None
    told = f"the smallest head start that makes all practically equal in these games is {option(task, search.equal)}"
    nearest = "" if search.equal is search.nearest else f" (the nearest to equal is {option(task, search.nearest)})"
    return f"{told}: {_given(task, search.equal)}{nearest}"


def _priced(task: Task, search: Search) -> list[str]:
    assert search.shape is not None
    told = f"The price is {price(search)} for {_lacks(task, search.shape)}"
    margin, fair = words.points(search.base.margin), words.percent(_fair(search.base))
    if search.equal:
        return [f"{told}; {_enough(task, search)}."]
    if search.overshoots:
        return [f"{told}, which is less than can be given: {_overshoot(task, search)}."]
    nearest = search.nearest
    where = f"where {_given(task, nearest)}" if any(nearest.given) else "without any"
    told += f", but with none of the head starts tried are all shown to be within {margin} of {fair}"
    return [
        f"{told}: it comes nearest {where} ({option(task, nearest)}), and {_farthest(task, nearest)} ({nearest.fairness.verdict.text})."
    ]


def _overshoot(task: Task, search: Search) -> str:
    """What a single square is worth, and what is lacking."""
    assert search.shape is not None
    single = search.single
    assert single is not None
    side = max(range(len(single.given)), key=lambda each: (single.given[each], search.shape.weights[each] if search.shape else 0))
    lacking = max(_fair(search.base) - search.base.shares[side].value, 0.0)
    step = "one square" if task.ruleset.rules.quick_start_pawns else "a pawn out"
    shared = f" ({option(task, single)})" if sum(map(bool, single.given)) > 1 else ""
    return (
        f"{step} already is worth {points(single.gain(search.base, side))} of the wins to {_side(task, side)}{shared}, more than the "
        f"{words.number(100 * lacking, 1)} that it lacks"
    )


def _checked(table: Table) -> list[str]:
    """What the chosen head starts came to on other games."""
    sentences = []
    for trials in table.checks.values():
        told = [f"{task.policies[0].name} players {each.fairness.verdict.text}" for task, each in zip(table.tasks, trials, strict=True)]
        games = f"{words.count(trials[0].n)} other {_games(table.tasks[0])}"
        sentences.append(f"Played again on {games}, {option(table.tasks[0], trials[0])}: {words.listed(told)}.")
    return sentences


def _agreement(table: Table) -> list[str]:
    many = "Both" if len(table.tasks) == 2 else f"All {words.small(len(table.tasks))}"
    if table.agreed is None:
        return []
    if table.agreed:
        return [f"{many} line-ups agree."]
    told = [f"{price(search)} with {_who(task)}" for task, search in _searches(table)]
    return [f"The line-ups disagree: the price is {words.listed(told)}."]


# -- tables ----------------------------------------------------------------------------------------


def _seat_names(task: Task) -> tuple[str, ...]:
    if task.traits.teams:
        return ("Team that moves first", "Other team")
    return tuple(f"{words.capital(ORDER[side])} player" for side in range(task.players))


def _row(task: Task, trial: Trial, shape: Shape | None) -> tuple[str, ...]:
    lack = trial.lack(shape) if shape else None
    tail = (points(lack) if lack else words.NONE, trial.fairness.verdict.text)
    return (option(task, trial), *(words.with_span(share) for share in trial.shares), *tail)


def _search_table(task: Task, search: Search, key: str) -> Shown:
    rows = tuple(_row(task, trial, search.shape) for trial in search.trials)
    note = (
        f"{words.count(search.base.n)} {_games(task)} with a winner of those without a head start, and the same numbers with each; "
        f"intervals of shares hold for all of a row at once ({stats.LEVEL:.0%}). Margin of what matters "
        f"{words.margin(search.base.margin, 'share')} "
        f"either way from {words.percent(_fair(search.base))}: practically equal is what two one-sided tests at 5% show for every share."
    )
    if search.shape:
        note += f" What is lacking is told for {_lacks(task, search.shape)}, along the straight line through the shares."
    headings = ("Head start", *_seat_names(task), "Lacking", "Verdict")
    return Shown(f"price-{key}", f"Wins by head start, {_who(task)}", headings, rows, note)


def _check_table(table: Table, key: str) -> Shown:
    rows = tuple(
        (option(task, trial), task.policies[0].name, *(words.with_span(share) for share in trial.shares), trial.fairness.verdict.text)
        for trials in table.checks.values()
        for task, trial in zip(table.tasks, trials, strict=True)
    )
    note = "A head start chosen on some games looks better on these than it is; these are games that had no part in the choice."
    return Shown(
        f"price-check-{key}", "The chosen head starts on other games", ("Head start", "Players", *_seat_names(table.tasks[0]), "Verdict"),
        rows, note,
    )  # fmt: skip


def _again(table: Table, at: int) -> Trial | None:
    """What a line-up chose, played by it on other games."""
    chosen = table.searches[at].chosen
    return table.checks[chosen.given][at] if chosen else None


def _price_row(table: Table, at: int) -> tuple[str, ...]:
    task, search, again = table.tasks[at], table.searches[at], _again(table, at)
    equal = option(task, search.equal) if search.equal else "none that was tried"
    checked = again.fairness.verdict.text if again and search.equal else words.NONE
    return (str(task.players), task.policies[0].name, search.base.fairness.verdict.text, price(search), equal, checked)


def _price_table(found: Prices) -> Shown:
    rows = tuple(_price_row(table, at) for table in found.tables for at in range(len(table.tasks)))
    headings = (
        "Players",
        "Who plays",
        "Seats as they are",
        "Price",
        "Smallest head start with which they are practically equal",
        "On other games",
    )
    return Shown("price", "What the seats are short of", headings, rows, "The price is in squares for the one that lacks most.")


def _identity_table(found: Prices) -> Shown:
    design = found.design
    task = design.tasks[0][0]
    rows = (
        ("Ruleset", f"{design.ruleset.name}: {design.ruleset.title} (hash {design.ruleset.hash})"),
        ("Line-ups", words.listed([f"{each.policies[0].name} (hash {each.policies[0].hash})" for each in design.tasks[0]])),
        ("Seed", str(task.seed)),
        (
            "Games",
            f"{words.count(design.games)} with each head start, {words.count(found.games)} in all; {found.no_winner:,} without a winner",
        ),
        ("Margin", f"{design.margin} of the wins"),
        ("Package", f"simsorry {__version__}"),
    )
    return Shown("price-identity", "What was played", ("Item", "Value"), rows, wordy=True)


def _definitions() -> Shown:
    rows = (
        ("head start", "Squares that a player begins ahead, by seat in the order of play: 1 is a pawn on its start circle."),
        ("price (seat_price)", "The head start at which nothing is lacking, between those tried; in squares for the one that lacks most."),
        ("its interval", "All head starts at which, on straight lines between those tried, the lack is not shown to differ from 0 (95%)."),
        ("its errors", "Those of blocks of games whose numbers all head starts have in common."),
        ("lacking", "What the one that lacks most wins less than the one that lacks least, by a straight line through all shares."),
        ("practically equal", "Every share of the wins is within the margin of an equal one: two one-sided tests at 5% for each."),
        ("different", "Some share's interval, which holds for all of them at once, is outside the margin."),
    )
    return Shown("price-definitions", "What the words mean", ("Word", "Meaning"), rows, wordy=True)


# -- the figure ------------------------------------------------------------------------------------


def _picture(task: Task, search: Search, confirmed: bool, key: str) -> Picture:
    """The shares of all sides by head start, with what is practically equal as a band."""
    trials, names = search.trials, _seat_names(task)
    step = len(names) + 1

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        fair = _fair(search.base)
        axes.axvspan(fair - search.base.margin, fair + search.base.margin, color=BAND, lw=0, zorder=0)
        axes.axvline(fair, color=FAINT, lw=0.8, zorder=1)
        for side, name in enumerate(names):
            shares = [trial.shares[side] for trial in trials]
            heights = [at * step + side for at in range(len(trials))]
            axes.errorbar(
                [each.value for each in shares], heights, xerr=whiskers(*shares), ls="none", ms=4.5, lw=1.2, capsize=2, zorder=3,
                label=name.lower(), **look(side),
            )  # fmt: skip
        axes.set_yticks([at * step + (len(names) - 1) / 2 for at in range(len(trials))], [_label(trial) for trial in trials])
        axes.set_ylim(len(trials) * step - 1, -1)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("share of the games won (shaded: practically equal)")
        percent(axes.xaxis)
        axes.grid(axis="x")
        legend(axes, names)

    shows = (
        f"Share of the games won by each {'team' if task.traits.teams else 'seat in the order of play'}, by head start in squares, with "
        f"{stats.LEVEL:.0%} intervals that hold for all shares of a row; {_who(task)}. {words.count(search.base.n)} {_games(task)} each."
    )
    height = 0.75 + ROW * step * len(trials) + LINE * legend_lines(names)
    return Picture(f"shares-{key}", _finding(task, search, confirmed), shows, draw, height)


def _label(trial: Trial) -> str:
    return "-".join(str(squares) for squares in trial.given) if any(trial.given) else "as it is"


def _finding(task: Task, search: Search, confirmed: bool) -> str:
    if search.outcome == EVEN:
        return f"The {_sides(task)} are practically equal as they are"
    if search.outcome == OPEN:
        return f"It is undecided whether the {_sides(task)} win equally often"
    assert search.shape is not None
    assert search.price is not None
    who = _short(task, search.shape)
    if search.equal:
        most = max(search.equal.given)
        does = "makes" if confirmed else "may make"
        return f"A head start of {most} square{'s' if most > 1 else ''} for {who} {does} the {_sides(task)} practically equal"
    if search.outcome == BEYOND:
        return f"No head start makes the {_sides(task)} equal"
    if search.overshoots:
        step = "One square" if task.ruleset.rules.quick_start_pawns else "A pawn out"
        return f"{step} is worth more than {who} lacks"
    return f"The {_sides(task)} are equal at about {words.value(search.price)} squares for {who}"


def _short(task: Task, shape: Shape) -> str:
    return _lacks(task, shape).partition(",")[0]


# -- the report ------------------------------------------------------------------------------------


def _section(table: Table) -> Section:
    number = str(table.tasks[0].players)
    parts = []
    for at, (task, search) in enumerate(_searches(table), start=1):
        if search.base.n:
            key = f"{number}-{at}"
            shown = (_search_table(task, search, key),)
            again = _again(table, at - 1)
            drawn = _picture(task, search, again is not None and again.equal, key)
            parts.append(Part(words.capital(_who(task)), pictures=(drawn,), tables=shown))
    if table.checks:
        parts.append(Part("On other games", tables=(_check_table(table, number),)))
    return Section(f"players-{number}", _players(table.tasks[0]), parts=tuple(parts))


def title(found: Prices) -> str:
    """What the report is called."""
    return f"The price of a seat in {found.design.ruleset.name}"


def render(found: Prices) -> Report:
    """The report."""
    line_ups = words.listed([_who(task) for task in found.design.tasks[0]])
    subtitle = f"{words.count(found.games)} simulated games; {line_ups}."
    sections = [
        Section("in-short", "In short", tuple(in_short(found)), parts=(Part(tables=(_price_table(found),)),), lead=True),
        *(_section(table) for table in found.tables),
        Section("identity", "What was played", parts=(Part(tables=(_identity_table(found),)),)),
        Section("definitions", "Definitions", parts=(Part(tables=(_definitions(),)),)),
    ]
    tasks = tuple(each for table in found.tables for each in _tasks(table, found.design.games))
    seed = found.design.tasks[0][0].seed
    return Report(title(found), __version__, subtitle, tuple(sections), as_json(found), seed, found.games, played=tasks)


def _tasks(table: Table, games: int) -> tuple[Played, ...]:
    """All games of a number of players: first those head starts that were checked on as many games again, then the others."""
    checked = [with_head_starts(task, given) for given in table.checks for task in table.tasks]
    tried = [with_head_starts(task, trial.given) for task, search in _searches(table) for trial in search.trials]
    return (*played(checked, 2 * games), *played(tried, games))


def text_table(found: Prices) -> list[tuple[str, ...]]:
    """The table of prices, heading first, for a terminal."""
    shown = _price_table(found)
    return [("Players", "Who plays", "Seats as they are", "Price", "Practically equal with", "On other games"), *shown.rows]


def as_json(found: Prices) -> dict[str, Any]:
    """Every number of the report, ready for ``json.dumps``; infinite and missing numbers are null."""
    design = found.design
    document: dict[str, Any] = {
        "format": FORMAT,
        "simsorry": __version__,
        "title": title(found),
        "ruleset": {"name": design.ruleset.name, "title": design.ruleset.title, "hash": design.ruleset.hash},
        "game": design.ruleset.game,
        "seed": design.tasks[0][0].seed,
        "games_each": design.games,
        "games": found.games,
        "games_without_winner": found.no_winner,
        "level": stats.LEVEL,
        "tables": [_table_json(table) for table in found.tables],
    }
    plain: dict[str, Any] = stats.plain(document)
    return plain


def _table_json(table: Table) -> dict[str, Any]:
    return {
        "players": table.tasks[0].players,
        "teams": bool(table.tasks[0].traits.teams),
        "margin": table.searches[0].base.margin,
        "agreed": table.agreed,
        "searches": [_search_json(task, search) for task, search in _searches(table)],
        "checks": [
            [{"policy": task.policies[0].name, **_trial_json(task, trial, None)} for task, trial in zip(table.tasks, trials, strict=True)]
            for trials in table.checks.values()
        ],
    }


def _search_json(task: Task, search: Search) -> dict[str, Any]:
    named = {name: trial.given if trial else None for name, trial in (("smallest_equal", search.equal), ("nearest", search.nearest))}
    return {
        "policy": task.policies[0].name,
        "policy_hash": task.policies[0].hash,
        "outcome": search.outcome,
        "lacking": search.shape.name if search.shape else None,
        "weights": search.shape.weights if search.shape else None,
        "price": {"value": 0.0, "low": 0.0, "high": 0.0} if search.outcome == EVEN else _price_json(search.price),
        "overshoots": search.overshoots,
        **named,
        "trials": [_trial_json(task, trial, search) for trial in search.trials],
    }


def _price_json(found: Estimate | None) -> dict[str, Any] | None:
    return None if found is None else {"value": found.value, "low": found.low, "high": found.high}


def _trial_json(task: Task, trial: Trial, search: Search | None) -> dict[str, Any]:
    played = seat_price.with_head_starts(task, trial.given)
    verdict, trend = trial.fairness.verdict, trial.fairness.trend
    return {
        "task": played.id,
        "squares": trial.given,
        "head_starts": seat_price.head_starts(task, trial.given) if any(trial.given) else None,
        "games": trial.n,
        "wins": trial.counts,
        "shares": [{"value": share.value, "low": share.low, "high": share.high} for share in trial.shares],
        "trend": {"value": trend.value, "low": trend.low, "high": trend.high},
        "lack": _lack_json(trial, search.shape) if search and search.shape else None,
        "verdict": verdict.text,
        "more_games": verdict.more_games,
    }


def _lack_json(trial: Trial, shape: Shape) -> dict[str, float]:
    lack = trial.lack(shape)
    low, high = lack.interval()
    return {"value": lack.value, "low": low, "high": high}
