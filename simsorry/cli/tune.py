"""``simsorry tune``: a search for better weights under a ruleset, and a policy file with what it finds."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simsorry.errors import INTERRUPTED, USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.simulate import Task
    from simsorry.tune import Asked, Budget, Generation, Play, Search, Store, Tuned

OUT = "simsorry-tuned.toml"
GOALS = ("won", "points")


def tune(
    ruleset: Annotated[str, typer.Argument(help="A built-in ruleset (hasbro), a file (./mine.toml), or one with house rules.")],
    start: Annotated[str, typer.Option("--from", metavar="POLICY", help="The policy whose weights the search begins with.")] = "balanced",
    against: Annotated[
        str | None,
        typer.Option(metavar="POLICY,POLICY…", help="The panel that candidates meet beside it; some strong built-in ones if not given."),
    ] = None,
    out: Annotated[str, typer.Option(metavar="FILE", help="The policy file to write.")] = OUT,
    state: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Where every generation is stored, so that the same command goes on; if not given, named as the file is, with .search.",
        ),
    ] = None,
    weights: Annotated[
        str | None, typer.Option(metavar="FEATURE,FEATURE…", help="The weights to search; all that mean anything if not given.")
    ] = None,
    players: Annotated[int, typer.Option(help="Number of players.")] = 4,
    generations: Annotated[str, typer.Option(metavar="N", help="Generations, with those stored already.")] = "100",
    games: Annotated[str | None, typer.Option(metavar="N", help="End the search before it plays more games than this.")] = None,
    minutes: Annotated[str | None, typer.Option(metavar="N", help="End the search after this time.")] = None,
    deals: Annotated[
        str, typer.Option(metavar="N", help="Game numbers of the first generation; each is played with every candidate on every side.")
    ] = "300",
    check: Annotated[str, typer.Option(metavar="N", help="Fresh game numbers on which what was found is measured.")] = "2000",
    candidates: Annotated[
        str | None, typer.Option(metavar="N", help="Candidates per generation; if not given, as many as suit the number of weights.")
    ] = None,
    goal: Annotated[str, typer.Option(metavar="GOAL", help="What the search goes by: the share of games won, or of points.")] = "won",
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of the search; the strength is measured on games of the next seed.")] = "1",
    sets: Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule on top; may be repeated.")] = None,
    seats: Annotated[
        str | None, typer.Option(metavar="COLORS", help="Colors in seat order (red,blue), or opposite or adjacent for two players.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the policy file if there is one.")] = False,
    threads: Annotated[str | None, typer.Option(metavar="N", help="Threads; all cores if not given.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON document instead of sentences.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Search for better weights under a ruleset, and say on fresh games how much better they are.

    All candidates of a generation play the same games, each once from every side, against the start, a panel and earlier champions. What
    is found is thinned out, rounded, and measured on games that had no part in the search. If it does not beat the start, no file is
    written. Ctrl-C ends it after any generation, and the same command goes on.
    """
    from simsorry.cli.run import number_of_threads, whole_number
    from simsorry.simulate import MAX_GAMES
    from simsorry.tune import CHOOSING, FEWEST_DEALS, Asked, Budget, Store, panel_for

    file = _file(out, force)
    if goal not in GOALS:
        raise SimsorryError(f"--goal {goal[:60]}: it is {' or '.join(GOALS)}", USAGE)
    task = _task(ruleset, players, start, seed, sets or [], seats)
    if goal == "points" and not task.traits.points:
        raise SimsorryError(f"--goal points: {task.ruleset.name} is not played for points", USAGE)
    asked = Asked(
        task.ruleset,
        players,
        task.policies[0],
        panel_for(task.ruleset.game, task.policies[0], _names(against)),
        task.seed,
        whole_number("--deals", deals, FEWEST_DEALS, 10**6),
        tuple(_names(weights)),
        None if candidates is None else whole_number("--candidates", candidates, 4, 1000),
        goal,
    )
    budget = Budget(
        whole_number("--generations", generations, 1, 10**6),
        None if games is None else whole_number("--games", games, 1, min(MAX_GAMES, CHOOSING)),
        None if minutes is None else _seconds(minutes),
    )
    checked, at_work = whole_number("--check", check, 100, 10**8), number_of_threads(threads)
    folder = Path(state if state is not None else f"{out.removesuffix('.toml')}.search")
    found = _Search(asked, Store(folder), folder, budget, checked, at_work, quiet).found(out)
    _publish(found, file, as_json)


# -- arguments -------------------------------------------------------------------------------------


def _file(out: str, force: bool) -> Path:
    """The policy file to write; SimsorryError if it can't be, or if there is one already that is not to be replaced."""
    if not out.endswith(".toml") or "\0" in out:
        raise SimsorryError(f"--out {out[:60]!r}: name a file that ends in .toml", USAGE)
    file = Path(out)
    if file.is_dir() or not file.parent.is_dir():
        raise SimsorryError(f"--out {out[:120]}: no file can be written there; its folder must exist", USAGE)
    if file.exists() and not force:
        raise SimsorryError(f"--out {out[:120]}: this file exists; name another one, or replace it with --force", USAGE)
    return file


def _task(ruleset: str, players: int, start: str, seed: str, sets: list[str], seats: str | None) -> "Task":
    from simsorry.cli.run import make_task, whole_number
    from simsorry.simulate import MAX_SEED

    if "," in start:
        raise SimsorryError(f"--from {start[:60]}: one policy is asked for, whose weights the search begins with", USAGE)
    task = make_task(ruleset, players, [start], whole_number("--seed", seed, 0, MAX_SEED), sets, seats)
    policy = task.policies[0]
    if policy.lapses:
        raise SimsorryError(f"--from {start[:60]}: a careful player is asked for, and this one leaves decisions to chance", USAGE)
    if policy.function or policy.habits:
        how = "is a function in Python" if policy.function else "looks ahead"
        raise SimsorryError(f"--from {start[:60]}: a policy is asked for that goes by weights alone, and this one {how}", USAGE)
    return task


def _names(text: str | None) -> list[str]:
    return [] if text is None else [name.strip() for name in text.split(",") if name.strip()]


def _seconds(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0 < minutes < 10**6:
        raise SimsorryError(f"--minutes {text[:60]}: a number of minutes is needed, such as 10 or 0.5", USAGE)
    return 60 * minutes


# -- searching -------------------------------------------------------------------------------------


class _Search:
    """One run of the command: its search, and what the user sees of it."""

    def __init__(
        self, asked: "Asked", store: "Store", folder: Path, budget: "Budget", checked: int, threads: int | None, quiet: bool
    ) -> None:
        from simsorry.cli._progress import Watch

        self._asked, self._store, self._folder, self._budget = asked, store, folder, budget
        self._checked, self._threads = checked, threads
        entry_point = asked.task([asked.start] * asked.players).entry_point
        self._watch: Watch = Watch(1, [entry_point], quiet=quiet, show=True)

    def found(self, name: str) -> "Tuned":
        """Searches, chooses and measures; SimsorryError if the user stops it."""
        from simsorry.tune import check, choose, go_on

        watch = self._watch
        with watch.shown():
            watch.games(0)
            search = self._store.open(self._asked)
            if search.history:
                watch.say(f"goes on after generation {len(search.history)}, stored in {self._folder}")
            self._aim(search, time.monotonic(), search.games)
            watch.games(search.games)
            since, before = time.monotonic(), search.games

            def on_generation(made: "Generation") -> None:
                self._store.add(made)
                self._aim(search, since, before)

            play = self._play()
            tuned = None
            if go_on(search, play, self._budget, on_generation):
                if not search.history:
                    raise SimsorryError(f"--games {self._budget.games}: the first generation plays {search.games_next:,}", USAGE)
                weights = choose(search, play, self._checked)
                if weights is not None:
                    tuned = check(
                        search, weights, name, self._checked, threads=self._threads, stop=watch.stop, on_games=watch.games
                    )  # fmt: skip
        if tuned is None:
            after = f"generation {len(search.history)} of {self._budget.generations}"
            raise SimsorryError(
                f"stopped after {after}; the same command goes on from there, by what is stored in {self._folder}", INTERRUPTED
            )
        return tuned

    def _play(self) -> "Play":
        from functools import partial

        from simsorry.tune import play_tables

        return partial(play_tables, self._asked, threads=self._threads, stop=self._watch.stop, on_games=self._watch.games)

    def _aim(self, search: "Search", since: float, before: int) -> None:
        """Tells how far the search is, and how many games it will take as it looks now."""
        from simsorry.tune import checked_games, compared_games

        budget, done = self._budget, search.games
        total = done + search.games_next * max(budget.generations - len(search.history), 0)
        if budget.games is not None:
            total = max(min(total, budget.games), done)
        if budget.seconds is not None and done > before:
            total = min(total, before + round((done - before) * budget.seconds / (time.monotonic() - since)))
        rest = compared_games(self._asked, self._checked) + checked_games(self._asked, self._checked)
        last = search.history[-1] if search.history else None
        best = f", best {max(last.shares):.1%}, middle {last.middle:.1%}, champion {last.champion:.1%}" if last else ""
        self._watch.aim(f"generation {len(search.history)} of {budget.generations}{best}", max(total, done) + rest)


# -- what it comes to ------------------------------------------------------------------------------


def _publish(found: "Tuned", file: Path, as_json: bool) -> None:
    """Writes the file if it is worth it, and says what was found, on stdout."""
    from simsorry.cli import _command
    from simsorry.cli._files import print_json, wrap
    from simsorry.report import tune
    from simsorry.results.files import write_whole

    command = _command.told()
    if found.better:
        write_whole(file, tune.policy_file(found, _spec(file), command).encode())
    if as_json:
        print_json(tune.as_json(found, str(file) if found.better else None, command))
        return
    typer.echo("\n\n".join(map(wrap, tune.in_short(found, str(file)))))
    if found.better:
        typer.echo(f"\npolicy: {file}")


def _spec(file: Path) -> str:
    """The file as a policy is named in a command."""
    return str(file)
