"""``simsorry verify``: whether stored games are what this version plays."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simsorry.errors import FAILURE, INTERRUPTED, PARTIAL, USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.results import Stored
    from simsorry.results.verifying import Checked, Unlike, Verification

GAMES = 1_000
_HOLDING = ("games", "sums")  # where the folder of a study has its tasks
_KEPT, _SUFFIX = "panel", ".kept"
_SHOWN, _LISTED = 10, 20  # notes of a task, tasks that are the same

Unread = list[tuple[str, str]]  # folders that hold no task that can be read, and why


def verify(
    results: Annotated[str, typer.Argument(metavar="RESULTS", help="Folder that simsorry run or study wrote, or that of a single task.")],
    games: Annotated[str | None, typer.Option(metavar="N", help=f"About how many games to replay ({GAMES:,} if not given).")] = None,
    every: Annotated[bool, typer.Option("--all", help="Replay every game, and compare every file byte by byte.")] = False,
    seed: Annotated[str, typer.Option(metavar="N", help="Chooses the games: the same seed, the same games; none of their chance.")] = "1",
    threads: Annotated[str | None, typer.Option(metavar="N", help="Threads to play with: all cores if not given.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead of sentences.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Replay a sample of stored games and say whether they are what this version plays.

    Every number of the games replayed is compared, and every stored sum of the parts they lie in. Nothing is changed. Ends with exit code
    1 if anything differs, 5 if some tasks could not be replayed.
    """
    from simsorry.cli._progress import on_terminal
    from simsorry.cli.run import number_of_threads, whole_number
    from simsorry.results import verifying
    from simsorry.results.places import place
    from simsorry.simulate import MAX_GAMES, MAX_SEED

    if every and games is not None:
        raise SimsorryError("--games and --all can't be given together", USAGE)
    wanted = None if every else whole_number("--games", games or str(GAMES), 1, MAX_GAMES)
    numbered, many = whole_number("--seed", seed, 0, MAX_SEED), number_of_threads(threads)
    folder = place(results)
    stored, unread = _tasks(folder)
    plan = verifying.plan(stored, wanted, numbered)
    watch = on_terminal(plan.games, plan.entry_points, quiet=quiet)
    with watch.shown():
        watch.games(0)
        done = plan.replay(threads=many, stop=watch.stop, on_games=watch.games)
    kept, broken = _kept(folder)
    left = _left_out(folder)
    if as_json:
        _print(plan, unread, kept, broken, left, folder, numbered)
    else:
        _tell(plan, unread, kept, broken, left, numbered)
    if not done:
        raise SimsorryError(f"stopped after {watch.done:,} of {watch.total:,} games", INTERRUPTED)
    _end(plan, unread, broken)


# -- what is there -------------------------------------------------------------------------------------


def _tasks(folder: Path) -> "tuple[list[Stored], Unread]":
    """The tasks in a folder, and what could not be read of them; in the folder of a study they lie one folder farther down."""
    from simsorry import results

    inner = [folder / name for name in _HOLDING if results.holds_tasks(folder / name)]
    alone = results.holds_tasks(folder)
    if not alone and not inner and _kept_files(folder):
        return [], []
    found = [each for there in ([folder] if alone or not inner else inner) for each in results.one_by_one(there)]
    unread = [(path.name, str(each)) for path, each in found if isinstance(each, SimsorryError)]
    return [each for _, each in found if not isinstance(each, SimsorryError)], unread


def _kept(folder: Path) -> tuple[int, list[str]]:
    """How many files a study keeps of a panel, and those that are not as they were written."""
    from simsorry.panel import is_as_written

    files = _kept_files(folder)
    return len(files), [f"{_KEPT}/{path.name}" for path in files if not is_as_written(path)]


def _kept_files(folder: Path) -> list[Path]:
    from simsorry.results.files import sizes_in

    return [folder / _KEPT / name for name in sorted(sizes_in(folder / _KEPT)) if name.endswith(_SUFFIX)]


def _left_out(folder: Path) -> list[str]:
    """What else lies in the folder, of which nothing is said."""
    from simsorry.results.files import exists, sizes_in

    if exists(folder / "task.json"):
        return []
    names = [name for name in sorted(sizes_in(folder)) if not name.startswith(".") and not exists(folder / name / "task.json")]
    return [name for name in names if name not in (*_HOLDING, _KEPT)]


def _end(plan: "Verification", unread: Unread, broken: list[str]) -> None:
    """The exit code, and the sentence for it."""
    words = [each.word for each in plan.tasks]
    if wrong := words.count("differs"):
        many = f"{wrong:,} of {len(words):,} tasks differ" if len(words) > 1 else "the task differs"
        damaged = any(each.problems for each in plan.tasks)  # then files are not as they were written, whatever their games are
        raise SimsorryError(f"{many} from what {'was written or from what ' if damaged else ''}this version plays", FAILURE)
    if broken:
        raise SimsorryError(f"{broken[0]} is not as it was written: delete it and run simsorry study again", FAILURE)
    if lost := words.count("cannot be replayed") + words.count("not replayed") + len(unread):
        raise SimsorryError(f"{lost:,} of {len(words) + len(unread):,} tasks could not be replayed", PARTIAL)


# -- in words ------------------------------------------------------------------------------------------


def _tell(plan: "Verification", unread: Unread, kept: int, broken: list[str], left: list[str], seed: int) -> None:
    from simsorry.cli._files import wrap

    same = [each for each in plan.tasks if each.word == "same"]
    said = [_line(each) for each in same[: _LISTED if len(same) > _LISTED else None]]
    said += [f"and {len(same) - _LISTED:,} more tasks: same"] if len(same) > _LISTED else []
    said += [line for each in plan.tasks if each.word != "same" or each.notes for line in _of_task(each)]
    said += [line for name, why in unread for line in (f"{name}: cannot be replayed", wrap(why, "  "))]
    said += ["", *(wrap(sentence) for sentence in _bounds(plan, seed))] if plan.tasks else []
    if kept:
        told = f"{len(broken):,} not as written" if broken else "as written"
        said.append(wrap(f"{kept:,} {'file' if kept == 1 else 'files'} of a panel: {told}; the games are not replayed."))
    if left:
        said.append(wrap(f"Not looked at: {', '.join(left[:_SHOWN])}{' …' if len(left) > _SHOWN else ''}."))
    typer.echo("\n".join(said).strip("\n"))


def _line(each: "Checked") -> str:
    """One task in short."""
    return f"{each.stored.id}: {each.word} ({_who(each.stored.description)}; {_how(each)} of {each.stored.games:,} games)"


def _of_task(each: "Checked") -> list[str]:
    """What there is to say of one task that is not as it should be, or of which there is something to note."""
    from simsorry.cli._files import wrap

    lines = [_line(each)] if each.word != "same" else [f"{each.stored.id}:"]
    if each.because:
        lines.append(wrap(f"cannot be replayed: {each.because}", "  ", "    "))
    if each.first:
        lines.append(wrap(f"{each.differing:,} of these games differ, the first is {_unlike(each.first)}", "  ", "    "))
    lines += [wrap(problem, "  ", "    ") for problem in each.problems]
    lines += [f"  and {each.untold:,} more"] if each.untold else []
    return lines + [wrap(f"note: {note}", "  ", "    ") for note in each.notes[:_SHOWN]]


def _who(about: dict[str, Any]) -> str:
    from simsorry.toml import shorten

    names = list(dict.fromkeys(str(policy["name"]) for policy in about["policies"]))
    return f"{shorten(str(about['ruleset']['name']))}, {about['players']} players ({shorten(', '.join(names))}), seed {about['seed']}"


def _how(each: "Checked") -> str:
    """How much of it was replayed: ``1,000`` games, or ``2,000 in 1 of 3 parts of sums,``."""
    sums = f" in {each.whole_parts:,} of {len(each.stored.parts):,} parts of sums," if each.stored.keep != "rows" else ""
    return f"replayed {each.games:,}{sums}"


def _unlike(first: "Unlike") -> str:
    seat = "" if first.seat is None else f" of seat {first.seat}"
    return f"game {first.game:,}: {first.column}{seat} ({first.table}) is {first.stored} as stored, {first.replayed} as replayed"


def _bounds(plan: "Verification", seed: int) -> list[str]:
    """How much of everything was looked at, and what that says of the rest."""
    from simsorry.results.verifying import CONFIDENCE, RUN, most_unseen

    replayed, differing = sum(each.games for each in plan.tasks), sum(each.differing for each in plan.tasks)
    found = f"{differing:,} differ" if differing else "none differs" if not any(each.problems for each in plan.tasks) else "no row differs"
    if not replayed:
        return ["No game could be replayed."]
    if replayed == plan.stored:
        return [f"All {replayed:,} games replayed: {found}."]
    told = [f"{replayed:,} of {plan.stored:,} games replayed: {found}."]
    if plan.drawn < plan.runs and found == "none differs":
        runs, alone = (f"{100 * most_unseen(many):.2g}%" for many in (plan.drawn, plan.drawn * RUN))
        told.append(
            f"They lie in {plan.drawn:,} of {plan.runs:,} runs of {RUN} consecutive games, drawn by seed {seed}: with {CONFIDENCE:.0%} "
            f"confidence, fewer than {runs} of the runs hold a game that differs (fewer than {alone} of the games, if games differ one "
            "by one rather than side by side)."
        )
    if any(each.stored.keep != "rows" and 0 < each.whole_parts < len(each.stored.parts) for each in plan.tasks):
        told.append("Where only sums are kept, whole parts are replayed, the shortest first: little is known of the others.")
    return told


# -- as a document -------------------------------------------------------------------------------------


def _print(plan: "Verification", unread: Unread, kept: int, broken: list[str], left: list[str], folder: Path, seed: int) -> None:
    from simsorry.cli._files import print_json
    from simsorry.results import versions
    from simsorry.results.verifying import CONFIDENCE, RUN, most_unseen

    whole = plan.drawn == plan.runs
    lost = [{"id": name, "verdict": "cannot be replayed", "because": why} for name, why in unread]
    print_json(
        {
            "results": str(folder),
            "versions": versions(),
            "seed": seed,
            "games": {"stored": plan.stored, "replayed": sum(each.games for each in plan.tasks)},
            "runs": {"games": RUN, "stored": plan.runs, "drawn": plan.drawn},
            "most_unseen": {"confidence": CONFIDENCE, "share_of_runs": 0.0 if whole else most_unseen(plan.drawn)},
            "tasks": [*map(_document, plan.tasks), *lost],
            "panel": {"files": kept, "not_as_written": broken},
            "not_looked_at": left,
        }
    )


def _document(each: "Checked") -> dict[str, Any]:
    about = each.stored.description
    return {
        "id": each.stored.id,
        "verdict": each.word,
        "because": each.because or None,
        "ruleset": about["ruleset"]["name"],
        "players": about["players"],
        "policies": [policy["name"] for policy in about["policies"]],
        "seed": about["seed"],
        "keep": each.stored.keep,
        "games": {"stored": each.stored.games, "replayed": each.games, "differing": each.differing},
        "parts": {"stored": len(each.stored.parts), "replayed_whole": each.whole_parts},
        "files_compared": each.files,
        "first": each.first._asdict() if each.first else None,
        "problems": each.problems,
        "further_problems": each.untold,
        "notes": each.notes,
    }
