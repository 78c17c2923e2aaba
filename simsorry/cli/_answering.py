"""Questions from files: what each kind of them has played, and the report on its answer."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from simsorry.cli import _cluster
from simsorry.errors import IMPRECISE, INTERRUPTED, INVALID, USAGE, SimsorryError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from simsorry import panel
    from simsorry.cli._progress import Watch
    from simsorry.question import Question
    from simsorry.report.gather import Judging
    from simsorry.report.render import Report
    from simsorry.report.study import Sitting
    from simsorry.results.cluster import Cluster
    from simsorry.simulate import Task
    from simsorry.survey import Entry
    from simsorry.survey import Plan as SurveyPlan

RESULTS = "results"  # a folder beside the file
PANEL = "panel"  # in the home of an answer: what the ways of a panel came to
_OPTION = re.compile(r"--([a-z-]+):? ")  # at the beginning of what is wrong with one


@dataclass(frozen=True)
class Asking:
    """A question and how it is to be answered."""

    asked: "Question"
    file: Path
    games: str | None = None  # instead of those in the file
    threads: str | None = None
    cluster: str | None = None
    quiet: bool = False

    @property
    def home(self) -> Path:
        """The folder of all that belongs to the answer."""
        return self.file.parent / RESULTS / (self.file.stem.strip(".") or "question")

    @property
    def stored(self) -> Path:
        """The folder of the games, or of their sums alone."""
        return self.home / ("sums" if self.asked.survey else "games")

    @property
    def margins(self) -> list[str]:
        """As they stand on a command line."""
        return [f"{name}={size}" for name, size in self.asked.margins.items()]

    @property
    def precision(self) -> list[str]:
        """Likewise."""
        return [f"{name}={size}" for name, size in self.asked.precision.items()]

    def judging(self) -> "Judging":
        """How differences are judged."""
        from simsorry.cli.compare import make_judging

        return make_judging(self.margins, self.asked.report.seconds_per_turn, "margins: ")

    def line_ups(self) -> list[list[str]]:
        """Everybody's policies, line-up by line-up."""
        return [[name.strip() for name in line_up.split(",")] for line_up in self.asked.line_ups]

    def whole(self, least: int) -> int:
        """How many games there are of each at most; SimsorryError if that makes no sense."""
        from simsorry.cli.run import whole_number
        from simsorry.simulate import MAX_GAMES

        return whole_number("--games", self.games, least, MAX_GAMES) if self.games is not None else self.asked.games


@dataclass(frozen=True)
class Answer:
    """The report on a question, and what is said of it on a terminal."""

    report: "Report"
    said: tuple[str, ...]
    check: Callable[[], None] = field(default=lambda: None)  # raises SimsorryError where games ran out before enough was known


@dataclass(frozen=True)
class Piece:
    """Something that is played for a question."""

    heading: str  # who plays and how many are there
    told: str
    task: "Task"
    games: int  # at most
    kept: str | None = None  # the file that has it, in the home of the answer, where that is not among the stored games


def answer(asking: Asking) -> Answer:
    """Plays what is missing for a question that was checked, and finds what it says; SimsorryError, which names the file, if it can't."""
    from simsorry.report.asked import with_question

    by_kind = {"comparison": _comparison, "sweep": _sweep, "panel": _panel, "survey": _survey}
    with _named(asking.file):
        found = by_kind[asking.asked.kind](asking)
        return Answer(with_question(found.report, asking.asked, asking.file.name), found.said, found.check)


def check(asking: Asking) -> None:
    """Raises SimsorryError, which names file and key, for anything that is wrong with a question; nothing is played."""
    from simsorry.cli import _precision
    from simsorry.report.asked import check_shown

    asked = asking.asked
    with _named(asking.file):
        check_shown(asked)
        asking.judging()
        wanted = _precision.targets(asking.precision, "precision: ")
        _check_rulesets(asking)
        if asked.vary:
            _specs(asking, asking.line_ups()[0])
        if asked.target:
            _check_target(asking)
        if asked.panel:
            _planned_panel(asking)
        if asked.survey:
            _ = list(_of_survey(asking))
        if asked.kind == "comparison":
            tasks = [piece.task for piece in _of_rulesets(asking)]
            if asked.until_clear and not asked.arms:
                raise SimsorryError("until_clear: there are no verdicts without arms")
            if wanted:
                _precision.check(wanted, [metric for task in tasks for metric in _precision.measures(task)], "any of these rulesets")


def _check_rulesets(asking: Asking) -> None:
    """Raises SimsorryError, which names the key, for a ruleset or a policy that can't be had, and for rulesets of several games."""
    from simsorry import policies, rulesets

    asked = asking.asked
    if not asked.base:
        return
    with _keyed("base"):
        base = rulesets.load(asked.base)
    with _keyed("arms"):
        other = next((each for each in map(rulesets.load, asked.arms) if each.game != base.game), None)
        if other:
            raise SimsorryError(
                f"{other.name} is a ruleset of the {other.game} game and {base.name} one of the {base.game} game: only rulesets of the "
                "same game are compared"
            )
    for name in dict.fromkeys(name for line_up in asking.line_ups() for name in line_up) if not asked.panel else ():
        with _keyed("line_ups"):
            policies.load(name, base.game)


def _check_target(asking: Asking) -> None:
    """Raises SimsorryError for a target that makes no sense."""
    from simsorry.report import gather
    from simsorry.sweep import conditions

    tasks = [piece.task for piece in _of_rulesets(asking)]
    known = {metric.name: metric.unit for metric in gather.metrics_of(tasks[: len(tasks) // len(asking.line_ups())])}
    conditions(asking.asked.target or "", known)


def pieces(asking: Asking) -> list[Piece]:
    """All that is played for a question that was checked, whether it is there already or not; SimsorryError, which names the file."""
    by_kind = {"comparison": _of_rulesets, "sweep": _of_rulesets, "panel": _of_panel, "survey": _of_survey}
    with _named(asking.file):
        return list(by_kind[asking.asked.kind](asking))


@contextmanager
def _named(file: Path) -> Iterator[None]:
    """Puts the name of a file before what is wrong with it, and says keys where commands have options."""
    try:
        yield
    except SimsorryError as error:
        if error.exit_code == INTERRUPTED:
            raise
        text = str(error)
        option = _OPTION.match(text)
        of_file = option and option[1] != "games"  # that was given on the command line, if anywhere
        text = f"{option[1].replace('-', '_')}: {text[option.end() :]}" if option and of_file else text
        usage = error.exit_code == USAGE and not (option and not of_file)
        raise SimsorryError(f"{file}: {text}", INVALID if usage else error.exit_code) from error


@contextmanager
def _keyed(key: str) -> Iterator[None]:
    """Puts a key before what is wrong with its value."""
    try:
        yield
    except SimsorryError as error:
        raise SimsorryError(f"{key}: {error}", error.exit_code) from error


# -- rulesets compared, and options varied -----------------------------------------------------------


def _comparison(asking: Asking) -> Answer:
    from simsorry.cli.compare import compared, wrapped
    from simsorry.report import opening, render

    asked = asking.asked
    study, needs = compared(
        asked.asked_of,
        list(asked.arms),
        players=asked.players,
        line_ups=asking.line_ups(),
        games=str(asking.whole(20)),
        precision=asking.precision,
        until_clear=asked.until_clear,
        seed=str(asked.seed),
        sets=[],
        seats=None,
        judging=asking.judging(),
        chances=asked.chances,
        title=asked.title,
        keep_games=str(asking.stored),
        threads=asking.threads,
        cluster=asking.cluster,
        quiet=asking.quiet,
        names=asked.names,
        called=asked.called,
    )
    said = [wrapped(" ".join(paragraph)) for paragraph in opening.in_short(study)]
    return Answer(render.render(study), tuple(said), lambda: needs.check(study.sittings) if needs else None)


def _sweep(asking: Asking) -> Answer:
    from simsorry.cli.sweep import Seating, opening, swept
    from simsorry.report import sweep_report

    asked = asking.asked
    made = swept(
        asked.asked_of,
        asked.varied,
        Seating(asked.players, asked.seed),
        line_ups=asking.line_ups(),
        games=str(asking.whole(20)),
        fraction=asked.fraction,
        skip_invalid=asked.skip_invalid,
        target=asked.target,
        sensitivity=asked.sensitivity,
        judging=asking.judging(),
        title=asked.title,
        keep_games=str(asking.stored),
        threads=asking.threads,
        cluster=asking.cluster,
        quiet=asking.quiet,
    )
    return Answer(sweep_report.render(made), tuple(opening(made)))


def _of_rulesets(asking: Asking) -> Iterator[Piece]:
    from simsorry.cli.run import make_task

    asked, games = asking.asked, asking.whole(20)
    for names in asking.line_ups():
        specs = _specs(asking, names)
        heading = f"of each of {len(specs)} rulesets with {asked.players} players: {', '.join(names)}"
        for spec in specs:
            task = make_task(spec, asked.players, names, asked.seed, [], None)
            yield Piece(heading, task.ruleset.name, task, games)


def _specs(asking: Asking, line_up: list[str]) -> list[str]:
    """The rulesets that a question has played: the base and its arms, or every combination of what is varied."""
    from simsorry.cli.sweep import Seating, planned

    asked = asking.asked
    if not asked.vary:
        return [asked.asked_of, *asked.arms]
    table = Seating(asked.players, asked.seed)
    plan, played, _ = planned(
        asked.asked_of, asked.varied, asked.fraction, table, line_up, skip_invalid=asked.skip_invalid, source="vary: "
    )
    return [plan.spec(cell) for cell in played]


# -- panels ------------------------------------------------------------------------------------------


def _planned_panel(asking: Asking) -> "panel.Plan":
    from simsorry import panel
    from simsorry.skill import FEWEST_DEALS

    return panel.plan(asking.asked, asking.whole(FEWEST_DEALS), asking.judging().margins)


def _panel(asking: Asking) -> Answer:
    from simsorry.cli._progress import on_terminal
    from simsorry.cli.compare import wrapped
    from simsorry.cli.run import number_of_threads
    from simsorry.panel import measure
    from simsorry.report import panel as report

    if asking.cluster is not None:
        raise SimsorryError(f"--cluster: {asking.file} asks a panel, whose games are not stored: they are played here only", USAGE)
    planned = _planned_panel(asking)
    entry_points = {setting.design.alike.entry_point for setting in planned.settings}
    watch = on_terminal(planned.games, entry_points, quiet=asking.quiet)
    with watch.shown():
        watch.games(0)
        found = measure(planned, kept=asking.home / PANEL, threads=number_of_threads(asking.threads), stop=watch.stop, on_games=watch.games)
    if found is None:
        raise _stopped(watch)
    return Answer(report.render(found), tuple(map(wrapped, report.in_short(found))))


def _stopped(watch: "Watch") -> SimsorryError:
    return SimsorryError(f"stopped after {watch.done:,} of {watch.total:,} games; the same command goes on from there", INTERRUPTED)


def _of_panel(asking: Asking) -> Iterator[Piece]:
    from simsorry import panel

    for setting in _planned_panel(asking).settings:
        design = setting.design
        heading = f"of {design.ruleset.name} against {design.careful.name}, with each side in turn"
        for way in (None, *setting.ways):
            task = setting.alike(way.policy if way else design.careful)
            told = way.name if way else f"{design.careful.name} as it is"
            yield Piece(heading, told, task, setting.games_of(way), f"{PANEL}/{panel.kept_as(setting, way)}")


# -- surveys -----------------------------------------------------------------------------------------


def _survey(asking: Asking) -> Answer:
    from simsorry import survey
    from simsorry.cli._progress import on_terminal
    from simsorry.cli.compare import wrapped
    from simsorry.metrics import MARGINS
    from simsorry.report import survey as report

    planned, games, judging = survey.plan(asking.asked), asking.whole(20), asking.judging()
    watch = on_terminal(games * len(planned.entries), {task.entry_point for task in planned.tasks}, quiet=asking.quiet)
    with watch.shown(), _cluster.opened(asking.cluster, watch) as workers:
        watch.games(0)
        sittings = [_sitting(asking, entry, games, judging, workers, watch) for entry in planned.entries]
    margin = judging.margins.get("seat_share", MARGINS["seat_share"])
    found = report.build(planned, [sitting.base for sitting in sittings], margin, judging.seconds_per_turn)
    return Answer(report.render(found), tuple(map(wrapped, report.in_short(found))), lambda: _check_precise(asking, planned, sittings))


def _check_precise(asking: Asking, planned: "SurveyPlan", sittings: "Sequence[Sitting]") -> None:
    """Raises SimsorryError if as many games were played as might be, and something is not as precise as asked."""
    from simsorry.cli import _precision

    if not (wanted := _precision.targets(asking.precision)):
        return
    reached = [_precision.farthest(_precision.of_sitting(wanted, sitting)) for sitting in sittings]
    missed = [(entry, each) for entry, each in zip(planned.entries, reached, strict=True) if each.times > 1]
    if missed:
        entry, worst = max(missed, key=lambda each: each[1].times)
        raise SimsorryError(
            f"{asking.file}: {len(missed)} of {len(reached)} tables are not as precise as asked after {asking.whole(20):,} games, farthest "
            f"from it {entry.spec} with {entry.task.players} {entry.policy} players: {worst} (games)",
            IMPRECISE,
        )


def _sitting(asking: Asking, entry: "Entry", games: int, judging: "Judging", workers: "Cluster | None", watch: "Watch") -> "Sitting":
    """What the games of one entry come to, played as far as they are missing; SimsorryError if the user stops it.

    With a precision they are as many as it takes, asked at numbers of games that are fixed beforehand.
    """
    from simsorry import results, stats
    from simsorry.cli import _precision
    from simsorry.report.gather import whole_games

    wanted = _precision.targets(asking.precision)
    _precision.check(wanted, _precision.measures(entry.task), entry.spec)
    looks = tuple(stats.looks(games)) if wanted else (games,)
    stored = results.task(asking.stored, entry.task.id)
    done = whole_games(stored) if stored else 0
    if done in looks:
        looks = tuple(look for look in looks if look >= done)  # those before were not enough, or more would not have been played
    told = 0
    for look in looks:
        if look < done:
            sitting = _played(asking, entry, look, judging, watch)
        else:
            _store(asking, entry.task, look, told, workers, watch)
            sitting = _read(asking, entry, look, judging, watch)
            told = look
        if not wanted or _precision.farthest(_precision.of_sitting(wanted, sitting)).times <= 1:
            break
    watch.games(max(games - max(told, sitting.games), 0))  # fewer may have been enough
    return sitting


def _played(asking: Asking, entry: "Entry", games: int, judging: "Judging", watch: "Watch") -> "Sitting":
    """What fewer games come to than the stored sums are of: these are played again, as sums do not tell the first from the others."""
    from simsorry.cli.run import number_of_threads
    from simsorry.report import gather

    sitting = gather.play(
        [entry.task], range(games), gather.short_names([entry.spec]), judging, threads=number_of_threads(asking.threads), stop=watch.stop
    )
    if sitting is None:
        raise _stopped(watch)
    return sitting


def _store(asking: Asking, task: "Task", games: int, told: int, workers: "Cluster | None", watch: "Watch") -> None:
    """Stores the sums of so many games, ``told`` of which the user has been told of; SimsorryError if it is stopped."""
    from simsorry import results
    from simsorry.cli.compare import told_after
    from simsorry.cli.run import number_of_threads

    done = results.run(
        task, games, out=asking.stored, keep="summary", threads=number_of_threads(asking.threads), cluster=workers, stop=watch.stop,
        on_games=told_after(told, watch.games), say=watch.say, command=["simsorry", "study", asking.file.name],
    )  # fmt: skip
    if not done.complete:
        raise _stopped(watch)


def _read(asking: Asking, entry: "Entry", games: int, judging: "Judging", watch: "Watch") -> "Sitting":
    """What stored games of one entry come to."""
    from simsorry import results
    from simsorry.report import gather

    stored = results.task(asking.stored, entry.task.id)
    sitting = gather.read([stored], range(games), gather.short_names([entry.spec]), judging, stop=watch.stop) if stored else None
    if sitting is None:
        raise _stopped(watch)
    return sitting


def _of_survey(asking: Asking) -> Iterator[Piece]:
    from simsorry import survey

    games = asking.whole(20)
    for entry in survey.plan(asking.asked).entries:
        heading = f"of each ruleset with {entry.task.players} players: {entry.policy}"
        yield Piece(heading, entry.spec, entry.task, games)


# -- what is there, and how long the rest takes --------------------------------------------------------


def missing(asking: Asking, planned: Sequence[Piece]) -> list[int]:
    """How many games of each piece are not there yet."""
    from simsorry import results
    from simsorry.report.gather import whole_games

    there: dict[tuple[object, ...], int] = {}
    for path in asking.stored.glob("*/task.json"):
        with suppress(SimsorryError):  # what can't be read is not there; only what is needed is complained about
            stored = results.tasks(path.parent)[0]
            there[_identity(stored.description)] = whole_games(stored)
    return [_missing(asking, piece, there) for piece in planned]


def _missing(asking: Asking, piece: Piece, there: "Mapping[tuple[object, ...], int]") -> int:
    if piece.kept:
        return 0 if (asking.home / piece.kept).exists() else piece.games
    described = piece.task.describe() | {"gauge": asking.asked.chances}
    return max(piece.games - there.get(_identity(described), 0), 0)


def _identity(described: "Mapping[str, Any]") -> tuple[object, ...]:
    """What tells one task of a question from another: a gauge of the chance to win is not known before it is fitted."""
    names = tuple(policy["name"] for policy in described["policies"])
    ruleset, gauged = described["ruleset"]["hash"], bool(described.get("gauge"))
    return described["format"], described["version"], ruleset, described["players"], names, described["seed"], gauged


SAMPLES, SAMPLE_SECONDS = 40, 0.2  # pieces that are tried out at most, and for how long each


def seconds(planned: Sequence[Piece], games: Sequence[int], threads: int) -> float | None:
    """About how long so many games of each piece take, from playing a few of some; None if that has to be compiled first."""
    from simsorry import jit

    left = [(piece, many) for piece, many in zip(planned, games, strict=True) if many]
    if any(jit.is_cold(piece.task.entry_point) for piece, _ in left):
        return None
    tried = left[:: -(-len(left) // SAMPLES)] if left else []
    pace: dict[tuple[object, ...], list[float]] = {}
    for piece, _ in tried:
        pace.setdefault(_kind(piece), []).append(_seconds_a_game(piece.task))
    every = [each for found in pace.values() for each in found]
    total = sum(many * _mean(pace.get(_kind(piece), every)) for piece, many in left)
    return total / threads


def _kind(piece: Piece) -> tuple[object, ...]:
    """Pieces of a kind take about as long."""
    return piece.task.entry_point, piece.task.players, tuple(policy.name for policy in piece.task.policies)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _seconds_a_game(task: "Task") -> float:
    import time

    from simsorry.simulate import map_blocks

    def play(games: range) -> float:
        began = time.perf_counter()
        for _ in map_blocks(task, games, lambda block: block.count, threads=1):
            pass
        return time.perf_counter() - began

    play(range(1))  # making ready takes a while
    played, spent = 0, 0.0
    while spent < SAMPLE_SECONDS:
        many = max(1, 2 * played)
        spent += play(range(played, played + many))
        played += many
    return spent / played
