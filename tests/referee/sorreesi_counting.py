"""The counters of a game of Sorreesi, as the columns of the games and seats tables define them."""

from collections.abc import Sequence

from referee.common import head_start
from referee.sorreesi_board import Board, Landing, Pawn, side_of
from referee.sorreesi_decisions import Action, Unit
from referee.sorreesi_fights import Fight
from simsorry.games.sorreesi.rules import Rules

GAME_COUNTERS = ["turns_all", "rounds", "rolls", "doubles", "draws", "dead_turns", "forced_turns", "choice_turns", "choices", "outcomes"]
GAME_COUNTERS += ["dice_turns", "card_turns", "both_turns", "dice_used", "cards_used", "hops", "passes"]
GAME_COUNTERS += ["starts", "starts_dice", "start_turns"]
GAME_COUNTERS += ["bumps", "bumps_sorry", "bumps_fight", "partner_bumps", "multi_captures", "fights", "fights_lost", "fight_ties"]
GAME_COUNTERS += ["bonuses_earned", "bonuses_used", "bonuses_lost", "home_bonuses_earned", "home_bonuses_used"]
GAME_COUNTERS += ["third_doubles", "penalties", "swaps", "splits", "backs", "homes", "lead_changes"]
SEAT_COUNTERS = ["turns", "rolls", "draws", "dead_turns", "choice_turns", "starts", "bumps_given", "bumps_taken", "partner_bumps"]
SEAT_COUNTERS += ["partner_moves", "fights", "fights_lost", "bonuses_earned", "bonuses_used", "bonuses_lost", "penalties", "swaps"]


class Turn:
    """What has been seen of a turn so far."""

    def __init__(self) -> None:
        self.cards = 0
        self.dice_used = 0
        self.cards_used = 0
        self.starts = 0
        self.acted = False
        self.chose = False
        self.moved: list[Pawn] = []  # in the order in which the player moved them


class Counters:
    """The counters of the game, and of each color's seat."""

    def __init__(self, rules: Rules, order: Sequence[str]) -> None:
        self.rules = rules
        self.game = dict.fromkeys(GAME_COUNTERS, 0)
        self.seats = {color: dict.fromkeys(SEAT_COUNTERS, 0) for color in order}
        for color, seat in self.seats.items():
            seat["first_start"] = 0 if rules.quick_start_pawns or head_start(rules, order, color) else -1

    def add(self, color: str, **amounts: int) -> None:
        """Adds to counters that both the game and the seats have."""
        for name, amount in amounts.items():
            self.game[name] += amount
            self.seats[color][name] += amount

    def action(self, player: str, action: Action, turn: Turn) -> None:
        """Counts what is used and what kind of action it is."""
        use, game = action.use, self.game
        game["dice_used"] += len(use.dice)
        game["cards_used"] += use.card is not None
        game["hops"] += len(use.dice) + (use.card is not None) > 1
        game["splits"] += action.kind == "split"
        game["backs"] += action.kind == "back"
        self.add(player, swaps=action.kind == "swap", starts=action.kind == "start")
        game["starts_dice"] += action.kind == "start" and bool(use.dice)
        self.seats[player]["partner_moves"] += any(part.pawn.color != player for part in action.parts)
        if use.unit is not None:
            self.add(player, bonuses_used=1)
            game["home_bonuses_used"] += use.unit.source == "home"
        if action.kind in ("start", "sorry"):
            self._leaves_base(player, action.parts[0].pawn.color)
        turn.acted = True
        turn.dice_used += len(use.dice)
        turn.cards_used += use.card is not None
        turn.starts += action.kind == "start"

    def _leaves_base(self, player: str, color: str) -> None:
        """The first pawn out of the base, in the own turn of its color; the partner's turns are those had so far and the next."""
        seat = self.seats[color]
        if seat["first_start"] < 0:
            seat["first_start"] = seat["turns"] + (color != player)

    def landings(self, player: str, action: Action, landings: Sequence[Landing]) -> None:
        """Counts what the pawns of a whole action have met."""
        side = side_of(self.rules, player)
        for landing in landings:
            by = player if landing.pawn.color in side else landing.pawn.color
            for victim in landing.captured:
                self._bump(by, victim)
            self.game["bumps_sorry"] += len(landing.captured) * (action.kind == "sorry")
            self.add(player, partner_bumps=len(landing.partners))
            self.game["homes"] += landing.place == "H"
        self.game["multi_captures"] += sum(len(landing.captured) for landing in landings if landing.pawn.color in side) > 1

    def _bump(self, by: str, victim: Pawn) -> None:
        self.game["bumps"] += 1
        self.seats[by]["bumps_given"] += 1
        self.seats[victim.color]["bumps_taken"] += 1

    def fight(self, player: str, fight: Fight) -> None:
        """Counts a fight begun by a player's move."""
        self.add(player, fights=1, fights_lost=fight.lost)
        self.game["fight_ties"] += fight.ties
        self.game["bumps_fight"] += len(fight.sent_back)
        for back in fight.sent_back:
            self._bump(back.credited, back.pawn)

    def earn(self, color: str, units: Sequence[Unit]) -> None:
        """Counts bonus moves earned."""
        self.add(color, bonuses_earned=len(units))
        self.game["home_bonuses_earned"] += sum(unit.source == "home" for unit in units)

    def end_turn(self, player: str, turn: Turn) -> None:
        """Counts what kind of turn it was."""
        self.add(player, dead_turns=not turn.acted, choice_turns=turn.chose)
        self.game["forced_turns"] += turn.acted and not turn.chose
        self.game["dice_turns"] += turn.dice_used > 0 and not turn.cards_used
        self.game["card_turns"] += turn.cards_used > 0 and not turn.dice_used
        self.game["both_turns"] += turn.cards_used > 0 and turn.dice_used > 0
        self.game["start_turns"] += turn.starts > 0


def standing(board: Board, color: str) -> int:
    """Squares that the pawns of a color still have to go."""
    return sum(board.to_go(pawn) for pawn in board.places if pawn.color == color)


def penalty_pawn(board: Board, player: str, colors: Sequence[str], moved: Sequence[Pawn]) -> Pawn | None:
    """The pawn that a third double sends back, if there is one that is not in the base already."""
    rules = board.rules

    def exempt(pawn: Pawn) -> bool:
        place = board.places[pawn]
        return place == "H" or (rules.triple_penalty_exempt == "home_and_path" and isinstance(place, tuple))

    if rules.triple_penalty_piece == "last_moved":
        latest = next((pawn for pawn in reversed(moved) if not exempt(pawn)), None)
        return latest if latest is not None and board.places[latest] != "B" else None
    candidates = [pawn for pawn in board.places if pawn.color in colors and not exempt(pawn) and board.places[pawn] != "B"]
    return min(candidates, key=lambda pawn: (board.to_go(pawn), pawn.color != player, pawn.number), default=None)
