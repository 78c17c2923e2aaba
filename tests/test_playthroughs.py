"""Recorded games, told as ``simsorry play`` tells them: at least one per ruleset; a changed line is a changed game.

``pytest --update`` writes the recordings anew; read the difference before you keep it. The name of a file says how many play: a
ruleset that has no file yet is recorded with four, and an empty file ``NAME-2p.txt`` asks for another number.
"""

from pathlib import Path

import pytest

from simsorry import rulesets
from simsorry.cli.play import heading, replay_of
from simsorry.cli.run import make_task

FOLDER = Path(__file__).parent / "playthroughs"
FIRST = {"classic": 40, "sorreesi": 20, "ice": 40}  # turns, by game
LAST = 5
SEED, GAME = 2024, 1
ALL_NUMBERS = ("hasbro", "french", "sorreesi", "ice-three")  # recorded with two, three and four players
MIXTURES = {  # by the name of their recordings: what rulesets have no need of together
    "mixture-hand": "hasbro-points+two_in_hand=play_drawn+two_playable_idle=true+start_cards=1+dead_hand=random+hand_refill=end_of_turn",
    "mixture-hand-ranking": (
        "french-points+two_followup_stuck=discard_one+dead_hand=oldest+hand_refill=when_empty+first_turn_dead_hand=skip"
        "+quick_start_pawns=0+must_move=false+game_end=full_ranking"
    ),
    "mixture-ice": (
        "ice-scoring+pieces=2,3,1+quick_start_pawns=2+ice_contact_piece=top+ice_slide_mode=carry_stacked+ice_slide_triangle=take"
        "+ice_mixed_stack_zone=to_start+ice_swap_mode=land_on_top+ice_sorry_target=any_in_pile+sorry_alt_forward=4+slides=all"
        "+forward_past_entry=forced+home_overshoot=any+match_end=rounds:2+game_end=all_home+bonus_bands=cumulative"
    ),
    "mixture-ice-hand": (
        "ice-nine+two_in_hand=play_drawn+two_playable_idle=true+two_followup_stuck=discard_one+dead_hand=random+hand_refill=end_of_turn"
        "+hand_size=3+ice_slide_order=first_met_lowest+ice_mixed_stack_zone=drop_at_entry+pass_scope=always+game_end=full_ranking"
    ),
    "mixture-match": "hasbro+match_end=rounds:2+next_leader=random+game_end=all_home",
    "mixture-sorreesi": (
        "sorreesi+resolution_order=dice_then_card+doubles_bottoms=true+third_double=play_then_penalty+bonus_timing=end_of_turn"
        "+fight_bonus=20+fight_bonus_to=any_winner+fight_tie=both_stay+swap_requires_single=false+home_path_length=8+game_end=all_home"
    ),
    "mixture-sorreesi-teams": (
        "sorreesi-teams-pool+turn_vs_travel=opposite+seven_parts=3+team_sorry_target=any+team_eleven_partner=true+sorry_on_safe=fight"
        "+doubles_redraw=dice_and_card+home_overshoot=bounce+safe_squares=0,3,7,12+pawns=6"
    ),
    "mixture-team-match": (
        "hasbro-teams-points+match_end=target:100+game_end=all_home+team_finished_player=skips+team_control=own_only"
        "+score_home_to=winner_only+bonus_bands=cumulative+band_measure=total"
    ),
    "mixture-teams": (
        "french-teams+team_collision=bump_mover+team_eleven_partner=true+slide_after_swap=both+seven_parts=3+team_sorry_target=any"
        "+team_own_collision=bump"
    ),
}


def recordings() -> list[tuple[str, int]]:
    """What is recorded, and the number of players."""
    known = {*rulesets.names(), *MIXTURES}
    files = (file.stem.rpartition("-") for file in FOLDER.glob("*-*p.txt"))
    found = {(name, int(players.removesuffix("p"))) for name, _, players in files if name in known}
    missing = known - {name for name, _ in found}
    return sorted(found | {(name, 4) for name in missing} | {(name, players) for name in ALL_NUMBERS for players in (2, 3, 4)})


def playthrough(ruleset: str, players: int) -> str:
    """A game from its set-up to its summary, its middle left out but for how the rounds of a match end."""
    task = make_task(MIXTURES.get(ruleset, ruleset), players, ["random"], SEED, [], None)
    replay = replay_of(task, GAME)
    lines = [heading(task, GAME), "", replay.position, ""]
    told: list[tuple[int, list[str]]] = []  # number of the turn, 0 for what is to stay
    for step in replay.steps():
        if step.opening:
            told.append((0, [step.opening, ""]))
        if step.begins_round and replay.columns:
            told.append((0, [replay.columns]))
        told.append((replay.turns + (not step.ends_turn), [step.line]))
        if step.ends_round and replay.closing:
            told.append((0, ["", *replay.closing, *([] if replay.over else [""])]))
    for turn, part in told:
        if turn <= FIRST[task.ruleset.game] or turn > replay.turns - LAST:
            lines += part
        elif lines[-1] != "  ...":
            lines.append("  ...")
    return "\n".join([*lines, "", replay.board(), replay.position, "", replay.summary, ""])


@pytest.mark.parametrize(("ruleset", "players"), recordings())
def test_playthrough(ruleset: str, players: int, update: bool) -> None:
    file = FOLDER / f"{ruleset}-{players}p.txt"
    now = playthrough(ruleset, players)
    if update:
        file.parent.mkdir(exist_ok=True)
        file.write_text(now, encoding="utf-8")
    assert file.is_file(), "not recorded yet: pytest --update does that"
    assert now == file.read_text(encoding="utf-8")


def test_no_recording_is_left_over() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {f"{ruleset}-{players}p.txt" for ruleset, players in recordings()}
