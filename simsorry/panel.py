"""A panel: ways to play that one side tries, each the policy of all the others pushed in one direction.

Every way is a duel of ``simsorry.skill``: each game number is played once with every side as the one, so that its share of the wins can be
set against the fair one. What a way costs in turns is seen where everybody plays so, over the same game numbers.
"""

import hashlib
import io
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from simsorry import games, policies, rulesets, skill, stats
from simsorry.errors import PARTIAL, SimsorryError
from simsorry.games.weights import HELD
from simsorry.metrics import MARGINS
from simsorry.policies import FINEST
from simsorry.results.files import damaged, sweep_up, trouble, write_whole
from simsorry.simulate import Block, Task, map_blocks
from simsorry.skill import Design, Duel
from simsorry.stats import Difference, Estimate, Floats, Verdict
from simsorry.toml import brief, closest, dotted, shorten

if TYPE_CHECKING:
    from simsorry import question
    from simsorry.margin import Margin
    from simsorry.policies import Policy

_DIGITS = 6  # of weights that were added up, for games count them in millionths


# -- what is played --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """A way to play: a level of a dose, or one by itself."""

    name: str
    policy: "Policy"
    dose: int | None = None  # which one of the question's
    level: float = 0.0


@dataclass(frozen=True)
class Setting:
    """One ruleset and one policy, and the ways that differ from it there."""

    design: Design  # its careful policy is the one that is pushed, and that all others play
    ways: tuple[Way, ...]
    doses: "tuple[question.Dose, ...]"  # those of the question

    @property
    def games(self) -> int:
        """All games that are played."""
        return self.games_of(None) + sum(map(self.games_of, self.ways))

    def games_of(self, way: Way | None) -> int:
        """Those of a way: with every side as the one, and with all playing so; of the policy as it is only these."""
        return self.design.deals * (len(self.design.sides) + 1 if way else 1)

    @property
    def games_each(self) -> int:
        """Games in which one side plays one of the ways."""
        return self.design.deals * len(self.design.sides)

    def alike(self, policy: "Policy") -> Task:
        """The games in which all play by one policy."""
        return self.design.task([policy] * self.design.players)


@dataclass(frozen=True)
class Plan:
    """A question's panel, made ready to be played."""

    asked: "question.Question"
    settings: tuple[Setting, ...]  # by ruleset, and within one by policy
    length: "Margin"  # change of the mean length that is too small to matter

    @property
    def games(self) -> int:
        """All games that are played."""
        return sum(each.games for each in self.settings)


def plan(asked: "question.Question", deals: int, margins: Mapping[str, "Margin"]) -> Plan:
    """What a question's panel plays. Raises SimsorryError with one sentence for what can't be had."""
    if not asked.panel:
        raise ValueError("the question has no panel")
    wanted = margins.get("policy_share", MARGINS["policy_share"])
    settings = []
    for spec in (asked.asked_of, *asked.arms):
        ruleset = rulesets.load(spec)
        for name in asked.panel.policies:
            design = Design(ruleset, asked.players, _loaded(name, ruleset.game, "panel.policies"), deals, asked.seed, wanted)
            _ = design.alike  # says whether this many can play
            settings.append(Setting(design, tuple(_ways(asked.panel, design)), asked.panel.doses))
            if not settings[-1].ways:
                raise SimsorryError(f"panel: in {ruleset.name} every way plays like {name}: there is nothing to compare")
    return Plan(asked, tuple(settings), margins.get("length", MARGINS["length"]))


def _loaded(name: str, game: str, where: str) -> "Policy":
    try:
        return policies.load(name, game)
    except SimsorryError as error:
        raise SimsorryError(f"{where}: {error}", error.exit_code) from error


def _ways(panel: "question.Panel", design: Design) -> Iterator[Way]:
    """The ways that mean something here: neither what the policy does anyway, nor with a weight for hands where there are none."""
    module, policy = games.load(design.ruleset.game), design.careful
    idle: set[str] = set() if design.traits.hand else {each.name for each in module.FEATURES if each.table == HELD}
    for at, dose in enumerate(panel.doses, start=1):
        for level in sorted(dose.levels):
            name = f"{dose.name} {level:+g}".replace("-", "−")
            added = {feature: weight * level for feature, weight in dose.per.items()}
            pushed = _pushed(design, name, {}, added, f"panel.doses (item {at}): per")
            if idle.isdisjoint(added) and pushed.weights != policy.weights:
                yield Way(name, pushed, at - 1, level)
    for at, way in enumerate(panel.ways, start=1):
        if way.policy:
            pushed = _loaded(way.policy, design.ruleset.game, f"panel.ways (item {at}): policy")
        else:
            pushed = _pushed(design, way.name, way.weights, way.added, f"panel.ways (item {at})")
        if idle.isdisjoint([*way.weights, *way.added]) and pushed.weights != policy.weights:
            yield Way(way.name, pushed)


def _pushed(design: Design, name: str, weights: Mapping[str, float], added: Mapping[str, float], where: str) -> "Policy":
    """The policy with some weights in place of its own, and others added to them; SimsorryError for what can't be weighed."""
    policy, game = design.careful, design.ruleset.game
    if policy.function:
        raise SimsorryError(f"{where}: {shorten(policy.name)} is a function, which has no weights to change; name another policy instead")
    known = [feature.name for feature in games.load(game).FEATURES]
    for feature, value in {**weights, **added}.items():
        if feature not in known:
            hint = closest(feature, known) or f"; `simsorry policies features --game {game}` lists them"
            raise SimsorryError(f"{where}: {shorten(dotted([feature]))} = {brief(value)}: there is no such feature in {game}{hint}")
    sums = {feature: round(policy.weights.get(feature, 0.0) + value, _DIGITS) for feature, value in added.items()}
    changed = {**weights, **sums}
    _check_sizes(changed, games.load(game).MAX_WEIGHT, f"{where}: with {policy.name}")
    merged = {**policy.weights, **changed}
    order = [*known, *(key for key in policy.weights if key not in known)]
    kept = {key: float(merged[key]) for key in order if merged.get(key)}
    return replace(policy, name=f"{policy.name}, {name}", title=name, weights=kept)


def _check_sizes(weights: Mapping[str, float], most: int, where: str) -> None:
    """Refuses weights that a game can't count."""
    for feature, value in weights.items():
        if value and not FINEST <= abs(value) <= most:
            allowed = f"a weight is a number from -{most} to {most}, and 0 or no nearer to it than {FINEST:f}"
            raise SimsorryError(f"{where} {feature} comes to {value:g}, which is not allowed; {allowed}")


# -- what it comes to ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tried:
    """What a way came to."""

    way: Way
    share: Estimate  # of the games with a winner, won by the one side that plays so
    change: Difference  # of that share from the fair one
    verdict: Verdict | None
    turns: Estimate  # of a game in which all play so
    longer: Difference  # than one in which all play by the policy as it is
    length: Verdict | None
    no_winner: int  # games that were cut off, of all with the one side


@dataclass(frozen=True)
class Answer:
    """What all ways of one setting came to."""

    setting: Setting
    turns: Estimate  # of a game in which all play by the policy as it is
    tried: tuple[Tried, ...]


@dataclass(frozen=True)
class Measured:
    """Everything that was found."""

    plan: Plan
    answers: tuple[Answer, ...]  # one for each setting


@dataclass(frozen=True)
class _Played:
    """One way's games, before any verdict: what the one side won, and the turns of games in which all play so."""

    dealt: skill.Dealt
    turns: Floats


def measure(
    planned: Plan, *, kept: Path | None = None, threads: int | None = None, stop: threading.Event | None = None,
    on_games: Callable[[int], None] = lambda _: None,
) -> Measured | None:  # fmt: skip
    """Plays all settings and judges all ways together; None if ``stop`` was set before all were played.

    What each way came to, game number by game number, is ``kept`` in a folder, and not played again. Raises SimsorryError if something
    there is not as it was written, or can't be written.
    """
    stop = stop or threading.Event()
    own, played = [], []
    for setting in planned.settings:
        for way in (None, *setting.ways):
            path = kept / kept_as(setting, way) if kept else None
            found = _read(path, setting.design.deals) if path else None
            if found is None:
                found = _play(setting, way, threads, stop, on_games)
                if found is None:
                    return None
                if path:
                    _write(path, found)
            else:
                on_games(setting.games_of(way))
            if way:
                played.append(_Played(skill.Dealt(found["wins"], found["decided"], {}), found["turns"]))
            else:
                own.append(found["turns"])
    return Measured(planned, judged(planned, own, played))


def _play(
    setting: Setting, way: Way | None, threads: int | None, stop: threading.Event, on_games: Callable[[int], None]
) -> dict[str, Floats] | None:  # fmt: skip
    """The numbers of one way, or of the policy as it is, game number by game number; None if it was stopped."""
    design, policy = setting.design, way.policy if way else setting.design.careful
    found = {}
    if way:
        duel = Duel(way.name, way.name, policy, design.careful)
        dealt = skill.deal(design, duel, threads=threads, stop=stop, on_games=on_games)
        if dealt is None:
            return None
        found = {"wins": dealt.wins, "decided": dealt.decided}
    found["turns"] = _turns(setting.alike(policy), design.deals, threads=threads, stop=stop, on_games=on_games)
    return None if stop.is_set() else found


def kept_as(setting: Setting, way: Way | None) -> str:
    """The file of a way: a name that differs whenever a game could; with more game numbers all are played again, as with other ones."""
    tasks = [setting.alike(setting.design.careful)] + ([setting.alike(way.policy)] if way else [])
    return "-".join([*(task.id for task in tasks), f"{setting.design.deals}.kept"])


def _read(path: Path, deals: int) -> dict[str, Floats] | None:
    """What was kept; None if nothing was."""
    if not path.exists():
        return None
    try:
        digest, _, content = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise trouble(error, path, PARTIAL) from error
    if digest != _digest(path, content):
        raise damaged(path, "is not as it was written")
    with np.load(io.BytesIO(content)) as file:
        found = {name: file[name] for name in file.files}
    if any(numbers.shape != (deals,) for numbers in found.values()):
        raise damaged(path, "does not hold what it should")
    return found


def is_as_written(path: Path) -> bool:
    """Whether a kept file has the content that it was written with; raises SimsorryError if it can't be read."""
    try:
        digest, _, content = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise trouble(error, path, PARTIAL) from error
    return digest == _digest(path, content)


def _digest(path: Path, content: bytes) -> bytes:
    """What says that a file has the content that it was written with, and under the same name."""
    return hashlib.sha256(path.name.encode() + content).hexdigest().encode()


def _write(path: Path, found: dict[str, Floats]) -> None:
    target = io.BytesIO()
    np.savez_compressed(target, allow_pickle=False, **found)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise trouble(error, path.parent, PARTIAL) from error
    sweep_up(path)
    write_whole(path, _digest(path, target.getvalue()) + b"\n" + target.getvalue())


def _turns(
    task: Task, deals: int, *, threads: int | None, stop: threading.Event, on_games: Callable[[int], None]
) -> Floats:  # fmt: skip
    """The turns of each game."""
    found = []
    for turns in map_blocks(task, range(deals), _turns_of, threads=threads, stop=stop):
        found.append(turns)
        on_games(len(turns))
    return np.concatenate(found) if found else np.zeros(0)


def _turns_of(block: Block) -> Floats:
    return block.games["turns"].astype(float)


def judged(planned: Plan, own: list[Floats], played: list[_Played]) -> tuple[Answer, ...]:
    """What all games come to. The verdicts on shares of all settings are corrected together (Benjamini and Hochberg), and so are those
    on lengths.

    ``own`` are the turns of games in which all play by the policy as it is, by setting; ``played`` has all ways, setting after setting.
    """
    ways = [(setting, base, way) for setting, base in zip(planned.settings, own, strict=True) for way in setting.ways]
    changes = [skill.change_of(each.dealt, setting.design.fair) for (setting, _, _), each in zip(ways, played, strict=True)]
    margins = [setting.design.margin.of(setting.design.fair) for setting, _, _ in ways]
    longer = [_longer(base, each.turns) for (_, base, _), each in zip(ways, played, strict=True)]
    lengths = [planned.length.of(float(base.mean())) for _, base, _ in ways]
    rows = iter(
        Tried(way, skill.share_of(each.dealt), change, verdict, _mean(each.turns), difference, length, _cut_off(each.dealt, setting))
        for (setting, _, way), each, change, verdict, difference, length in zip(
            ways, played, changes, stats.judge(changes, margins, "bh"), longer, stats.judge(longer, lengths, "bh"), strict=True
        )
    )
    return tuple(
        Answer(setting, _mean(base), tuple(next(rows) for _ in setting.ways)) for setting, base in zip(planned.settings, own, strict=True)
    )


def _mean(turns: Floats) -> Estimate:
    return stats.ratio(turns, np.ones_like(turns), len(turns), "turns")


def _longer(base: Floats, turns: Floats) -> Difference:
    """Difference of mean lengths over the same game numbers."""
    ones = np.ones_like(base)
    return stats.paired_ratio((base, ones), (turns, ones), len(base), "turns")


def _cut_off(dealt: skill.Dealt, setting: Setting) -> int:
    return setting.games_each - int(dealt.decided.sum())
