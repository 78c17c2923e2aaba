"""Positions of Ice Soo Sorry! as people write them, and back (rulebook 13.5).

A group per player, colors clockwise from red, then the piles: ``red S:s S:l Z3:m H:l / blue S:m | 12: rs bm | 40: bl | red Z4: rl rs``.
In a group stand a color's pawns on START and HOME with their sizes, and single pawns in its safety zone; a pile is written lowest pawn
first, a pawn being the initials of its color and its size. Behind a pawn, ``=`` says that it is stacked on a smaller one, ``>`` that it
covers one that is not smaller, as rules in which the top of a stack decides bring about. Pawns on START or HOME may be counted when they
are written in: ``S:5s5m4l``. In JSON: an object from color, or the place of a
pile, to list; single pawns in a safety zone are piles there.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from simsorry.errors import SimsorryError
from simsorry.games import given
from simsorry.games.ice import tables as t
from simsorry.games.ice.placement import CODE, FLAG, Placement, color_of, size_of
from simsorry.games.ice.rules import SIZES, Rules
from simsorry.games.options import COLORS
from simsorry.toml import brief, closest

Position = dict[str, list[str]]

_EXAMPLE = "red S:s S:m H:l"
_ENTRY = "S:s (a small pawn on START), Z3:m (a medium one in the safety zone), H:l (a large one HOME) or S:2s3m (five on START)"
_PAWN = "a pawn in a pile is the initial of its color (r, b, y, g) and of its size (s, m, l)"
_PLACE = "a track square 0 to 59 or one of red Z1 to green Z5"
_LETTERS = {size[0]: number for number, size in enumerate(SIZES)}
_INITIALS = {color[0]: number for number, color in enumerate(COLORS)}
_ENTRY_FORM = re.compile(r"(?P<where>[sh]):(?P<pawns>(\d?[sml])+)|(?P<zone>z[1-5]):(?P<size>[sml])")
_COUNTED = re.compile(r"(\d?)([sml])")
_PILES = 1 << 13  # piles whose text is kept


def place_name(place: int) -> str:
    """The place of a pile as it is written."""
    if place < t.ZONE:
        return str(place)
    color, step = divmod(place - t.ZONE, t.ZONE_SQUARES)
    return f"{COLORS[color]} Z{step + 1}"


_PLACES = {place_name(place): place for place in range(t.PLACES)}


def pawn_name(pawn: int, beneath: int | None = None) -> str:
    """A pawn as it is written, with its flag if it has one."""
    name = f"{COLORS[color_of(pawn)][0]}{SIZES[size_of(pawn)][0]}"
    if beneath is None or not pawn & FLAG:
        return name
    return f"{name}{'=' if size_of(pawn) > size_of(beneath) else '>'}"


# -- reading -----------------------------------------------------------------------------------------


def parse(text: str) -> Position:
    """Reads the one-line notation, without checking it against any rules: colors to what stands in their groups, piles by place."""
    groups, *piles = text.split("|")
    position = {color: [str(entry) for entry in entries] for color, entries in given.groups(groups, _EXAMPLE).items()}
    for written in piles:
        name, colon, pawns = written.partition(":")
        if not colon:
            raise SimsorryError(f"position: {brief(written.strip())} is no pile; one is written like 12: rs bm, or red Z3: rl rs")
        place = " ".join(name.split()).lower()
        if place in position:
            raise SimsorryError(f"position: {place} is written twice")
        position[place] = pawns.split()
    return position


def _place_number(name: object) -> int | None:
    """The place that a pile's name means, if it means any."""
    found = re.fullmatch(r"(\w+) z(\d)", name.lower()) if isinstance(name, str) else None
    return _PLACES.get(f"{found[1]} Z{found[2]}" if found else str(name))


def to_placement(position: Mapping[str, Sequence[Any]], rules: Rules, players: Sequence[str]) -> Placement:
    """A position as a placement, checked against the rules; raises SimsorryError."""
    found = Placement()
    for color in players:
        if color not in position:
            raise SimsorryError(f"position: {color} has no group; the players are {', '.join(players)}")
    for key, written in position.items():
        if key in players:
            _read_group(found, key, _listed(key, written))
        elif key in COLORS:
            raise SimsorryError(f"position: {brief(key)} does not play here; the players are {', '.join(players)}")
    for key, written in position.items():
        if key not in players:
            _read_pile(found, key, _listed(key, written), rules, players)
    for color in players:
        _check_number(found, color, rules)
    return found


def _listed(key: str, written: Any) -> Sequence[Any]:
    if not isinstance(written, (list, tuple)):
        raise SimsorryError(f"position: {brief(key)} = {brief(written)} is no list of pawns")
    return written


def _read_group(found: Placement, color: str, entries: Sequence[Any]) -> None:
    """Adds a color's pawns on START and HOME, and its single ones in the safety zone."""
    number = COLORS.index(color)
    for entry in entries:
        read = _ENTRY_FORM.fullmatch(entry.strip().lower()) if isinstance(entry, str) else None
        if not read:
            raise SimsorryError(f"position: {color} has {brief(entry)} in its group, but there can be {_ENTRY}")
        if read["where"]:
            for count, letter in _COUNTED.findall(read["pawns"]):
                (found.start if read["where"] == "s" else found.home)[4 * number + _LETTERS[letter]] += int(count or 1)
            continue
        size = _LETTERS[read["size"]]
        name = f"{color} {read['zone'].upper()}"
        if _PLACES[name] in found.piles:
            raise SimsorryError(
                f"position: {color} has two pawns on {read['zone'].upper()}; a pile is written lowest pawn first, {name}: rl rs"
            )
        found.piles[_PLACES[name]] = [size | number << 2]


def _read_pile(found: Placement, key: object, pawns: Sequence[Any], rules: Rules, players: Sequence[str]) -> None:
    """Adds a pile."""
    place = _place_number(key)
    if place is None:
        hint = closest(key, COLORS) if isinstance(key, str) else ""
        raise SimsorryError(f"position: {brief(key)} is neither a color nor the place of a pile, {_PLACE}{hint}")
    name = place_name(place)
    if place in found.piles:
        raise SimsorryError(f"position: {name} is written twice")
    pile: list[int] = []
    for written in pawns:
        pile.append(_read_pawn(written, name, pile[-1] if pile else None, rules))
        owner = COLORS[color_of(pile[-1])]
        if owner not in players:
            raise SimsorryError(f"position: {brief(written)} on {name}: {owner} does not play here; the players are {', '.join(players)}")
        if place >= t.ZONE and not name.startswith(owner):
            raise SimsorryError(f"position: {brief(written)} on {name}: only the color's own pawns can be in a safety zone")
    if pile:
        found.piles[place] = pile


def _read_pawn(written: object, name: str, beneath: int | None, rules: Rules) -> int:
    """A pawn of a pile, by what it stands on."""
    read = re.fullmatch(r"([rbyg])([sml])([=>]?)", written.strip().lower()) if isinstance(written, str) else None
    if not read:
        raise SimsorryError(f"position: {brief(written)} on {name} is no pawn; {_PAWN}, such as rs")
    pawn = _LETTERS[read[2]] | _INITIALS[read[1]] << 2
    if not read[3]:
        return pawn
    where = f"position: {brief(written)} on {name}"
    if beneath is None:
        raise SimsorryError(f"{where} is the lowest of its pile: it neither covers a pawn nor is stacked on one, so there is no {read[3]}")
    if rules.ice_contact_piece == "bottom":
        told = 'in these rules a pawn covers the one beneath if it is larger, and else is stacked on it (ice_contact_piece = "bottom")'
        raise SimsorryError(f"{where}: {told}, so there is no {read[3]}")
    if (read[3] == "=") != (size_of(pawn) > size_of(beneath)):
        said = "is not larger than the one beneath, and so" if read[3] == "=" else "is larger than the one beneath, and so"
        does = "is stacked on it anyway" if read[3] == "=" else "covers it anyway"
        raise SimsorryError(f"{where} {said} {does}, without {read[3]}")
    return pawn | FLAG


def _check_number(found: Placement, color: str, rules: Rules) -> None:
    """Refuses a color that has not as many pawns of each size as the rules give it."""
    number = COLORS.index(color)
    for size, wanted in enumerate(rules.pieces):
        in_play = sum(pawn & 15 == size | number << 2 for pawn, _ in found.in_play())
        count = found.start[4 * number + size] + found.home[4 * number + size] + in_play
        if count != wanted:
            pawns = f"{count} {SIZES[size]} pawn{'' if count == 1 else 's'}"
            raise SimsorryError(f"position: {color} has {pawns}, but in this ruleset each color has {wanted}")


# -- writing -----------------------------------------------------------------------------------------


@lru_cache(maxsize=_PILES)
def _pile(pawns: tuple[int, ...]) -> tuple[str, ...]:
    """The codes of a pile as they are written."""
    return tuple(pawn_name(pawn, pawns[level - 1] if level else None) for level, pawn in enumerate(pawns))


def pile_names(pawns: Sequence[int]) -> list[str]:
    """The pawns of a pile as they are written, lowest first."""
    return list(_pile(tuple(pawn & CODE for pawn in pawns)))


@lru_cache(maxsize=_PILES)
def _standing(letter: str, counts: tuple[int, ...]) -> list[str]:
    """Pawns on START or HOME, by size, as they are written."""
    return [f"{letter}:{size[0]}" for size, count in zip(SIZES, counts, strict=False) for _ in range(count)]


def _outside(placement: Placement, number: int) -> tuple[list[str], list[str]]:
    """A color's pawns on START and HOME as they are written."""
    own = slice(4 * number, 4 * number + 4)
    return _standing("S", tuple(placement.start[own])), _standing("H", tuple(placement.home[own]))


def to_position(placement: Placement, players: Sequence[str]) -> Position:
    """A placement as colors and piles: colors clockwise from red, then squares by number, then safety zones."""
    position: Position = {}
    for number, color in enumerate(COLORS):
        if color in players:
            on_start, on_home = _outside(placement, number)
            position[color] = [*on_start, *on_home]
    return position | {place_name(place): pile_names(pile) for place, pile in sorted(placement.piles.items())}


def to_text(placement: Placement, players: Sequence[str]) -> str:
    """A placement in the one-line notation."""
    groups = {color: _outside(placement, number) for number, color in enumerate(COLORS) if color in players}
    piles, single = [], dict[str, list[str]]()
    for place, pile in sorted(placement.piles.items()):
        if place >= t.ZONE and len(pile) == 1:
            color, zone = place_name(place).split()
            single.setdefault(color, []).append(f"{zone}:{SIZES[size_of(pile[0])][0]}")
        else:
            piles.append(f"{place_name(place)}: {' '.join(pile_names(pile))}")
    written = [" ".join([color, *on_start, *single.get(color, []), *on_home]) for color, (on_start, on_home) in groups.items()]
    return " | ".join([" / ".join(written), *piles])


def changes(before: Placement, after: Placement) -> Position:
    """What differs in a later position, each with all its new content; a place emptied with an empty list."""
    changed: Position = {}
    for number, color in enumerate(COLORS):
        now = _outside(after, number)
        if _outside(before, number) != now:
            changed[color] = [*now[0], *now[1]]
    for place in sorted({*before.piles, *after.piles}):
        pile = after.piles.get(place, [])
        if before.piles.get(place, []) != pile:
            changed[place_name(place)] = pile_names(pile)
    return changed


def changes_text(changed: Mapping[str, Sequence[str]]) -> str:
    """The piles among changes in the one-line notation."""
    return " | ".join(f"{place}: {' '.join(pawns) or '-'}" for place, pawns in changed.items() if place not in COLORS)
