"""The ruleset files: what the built-in ones say, how files, bases and house rules combine, and what a wrong one is told."""

import hashlib
import json
import os
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simsorry.errors import SimsorryError
from simsorry.rulesets import FOLDER, load, names, options, titles
from simsorry.rulesets.schema import file_schema

ASKED_FOR = {
    "hasbro", "hasbro-quick", "french", "parker-1939", "parker-1934", "waddingtons-1996", "hasbro-2013-base", "hasbro-2024",
    "house-no-slides", "house-any-card-starts", "house-bump-own", "house-bounce-home", "house-no-exact-home", "house-ride-all-slides",
    "house-sorry-forward", "house-spinner", "house-free-pass", "house-share-squares", "house-many-splits", "house-lap-again",
    "atari-st", "apologies",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def complaint(spec: str, *sets: str) -> str:
    with pytest.raises(SimsorryError) as raised:
        load(spec, sets)
    message = str(raised.value)
    assert raised.value.exit_code == 4
    assert message.isprintable(), repr(message)
    assert len(message) < 900
    return message


# -- built-in ---------------------------------------------------------------------------------------


def test_the_built_in_rulesets_are_there() -> None:
    assert set(names()) >= ASKED_FOR
    assert names()[0] != "house-bump-own"
    assert list(titles()) == names()


@pytest.mark.parametrize("name", names())
def test_a_built_in_ruleset_is_whole(name: str) -> None:
    ruleset = load(name)
    assert ruleset.name == name
    assert ruleset.title == titles()[name]
    assert ruleset.source.endswith(".")
    assert ruleset.readings
    assert not re.search(r"\b[HFI]Q?-?\d", " ".join([ruleset.title, ruleset.source, *ruleset.readings])), "clause numbers are for comments"


@pytest.mark.parametrize("name", names())
def test_a_reading_names_an_option_that_flips_it(name: str) -> None:
    ruleset = load(name)
    for reading in ruleset.readings:
        for flip in re.findall(r"`([^`]*)`", reading):
            assert load(name, [flip]).hash != ruleset.hash, f"{flip} changes nothing in {name}"
            assert reading not in load(name, [flip]).readings


@pytest.mark.parametrize("name", names())
def test_a_house_rule_changes_one_option_of_its_base(name: str) -> None:
    if name.startswith("house-"):
        assert len(load(name).changes()) == 1


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_a_built_in_file_points_editors_to_the_schema(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("#:schema ./ruleset.schema.json\n")
    known = file_schema()["properties"]
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    assert tables.keys() <= known.keys()
    assert tables.get("rules", {}).keys() <= known["rules"]["properties"].keys()


@pytest.mark.parametrize(
    ("name", "ones", "cards"), [("hasbro", 5, 45), ("parker-1939", 4, 44), ("parker-1934", 5, 45), ("waddingtons-1996", 5, 55)]
)
def test_decks_of_the_editions(name: str, ones: int, cards: int) -> None:
    counts = load(name).resolved()["deck_counts"]
    assert counts["1"] == ones
    assert sum(counts.values()) == cards


def test_what_the_editions_change() -> None:
    assert load("hasbro").changes() == {}
    assert load("hasbro-quick").changes() == {"quick_start_pawns": 1}
    assert load("french").changes() == {"game_end": "full_ranking"}
    assert load("parker-1939").changes() == {"deck_counts.1": 4, "first_player": "high_card"}
    assert load("hasbro-2013-base").changes() == {
        "pawns": 3,
        "start_cards": ["1", "2", "3", "5", "7", "8", "10", "11", "12", "sorry"],
        "two_draws_again": "never",
    }
    assert load("atari-st").hash == load("house-bump-own").hash == load("hasbro+own_collision=bump_self").hash


def test_the_stored_schema_is_current() -> None:
    stored = (FOLDER / "ruleset.schema.json").read_text(encoding="utf-8")
    assert json.loads(stored) == file_schema(), "simsorry rulesets schema > simsorry/rulesets/ruleset.schema.json"


def test_every_option_is_described_in_words() -> None:
    for option in options():
        assert option.description.endswith(".")
        assert option.allowed
        assert option.name in file_schema()["properties"]["rules"]["properties"]


# -- combining --------------------------------------------------------------------------------------


def test_tables_merge_and_lists_replace(folder: Path) -> None:
    write(folder / "base.toml", '[rules]\ndeck_counts = "deck_44"\nstart_cards = ["1", "2"]\nslide_riders = {"red A" = ["red"]}\n')
    write(folder / "mine.toml", 'extends = "./base.toml"\n[rules]\nstart_cards = ["5"]\ndeck_counts.sorry = 6\nslide_riders."red B" = []\n')
    rules = load("mine.toml").resolved()
    assert rules["start_cards"] == ["5"]
    assert rules["slide_riders"] == {"red A": ["red"], "red B": []}
    assert rules["deck_counts"] == {**dict.fromkeys(["1", "2", "3", "4", "5", "7", "8", "10", "11", "12"], 4), "sorry": 6}


def test_a_partial_deck_over_the_default_deck() -> None:
    assert load("hasbro+deck_counts.sorry=6").resolved()["deck_counts"] == {**load("hasbro").resolved()["deck_counts"], "sorry": 6}


def test_a_path_in_extends_is_seen_from_the_file_that_says_it(folder: Path) -> None:
    write(folder / "a" / "base.toml", 'title = "Base"\nextends = "hasbro"\n[rules]\npawns = 3\n')
    write(folder / "b" / "mine.toml", 'extends = "../a/base.toml"\n')
    mine = load("b/mine.toml")
    assert mine.rules.pawns == 3
    assert mine.title == "mine"
    assert mine.origin == {"pawns": "a/base.toml"}
    assert mine.source == load("hasbro").source


@pytest.mark.parametrize("chain", [["a"], ["a", "b"], ["a", "b", "c"]])
def test_a_circle_of_bases_is_refused_with_the_chain(folder: Path, chain: list[str]) -> None:
    for name, base in zip(chain, chain[1:] + chain[:1], strict=True):
        write(folder / f"{name}.toml", f'extends = "./{base}.toml"\n')
    message = complaint("a.toml")
    assert " -> ".join(f"{name}.toml" for name in [*chain, "a"]) in message


def test_a_long_chain_of_bases_is_no_trouble(folder: Path) -> None:
    write(folder / "f0.toml", 'extends = "hasbro"\n[rules]\npawns = 2\n')
    for number in range(1, 300):
        write(folder / f"f{number}.toml", f'extends = "./f{number - 1}.toml"\n')
    assert load("f299.toml").rules.pawns == 2


def test_readings_that_are_settled_further_up_are_left_out(folder: Path) -> None:
    write(
        folder / "base.toml", 'readings = ["Swaps slide (`slide_after_swap=none`).", "All start (`start_cards=1`).", "Plain."]\n[rules]\n'
    )
    write(folder / "mine.toml", 'extends = "./base.toml"\nreadings = ["Mine (`pawns=2`)."]\n[rules]\nstart_cards = ["1", "2"]\n')
    assert load("mine.toml").readings == ("Mine (`pawns=2`).", "Swaps slide (`slide_after_swap=none`).", "Plain.")
    assert load("mine.toml+slide_after_swap=both").readings == ("Mine (`pawns=2`).", "Plain.")


def test_the_name_title_and_origin_tell_of_house_rules() -> None:
    ruleset = load("hasbro-quick+slides=off", ["deck_counts.1=4"])
    assert ruleset.name == "hasbro-quick+slides=off+deck_counts.1=4"
    assert ruleset.title == "Hasbro 1998-2005, faster game, with slides=off and deck_counts.1=4"
    assert ruleset.origin == {"quick_start_pawns": "hasbro-quick.toml", "slides": "--set", "deck_counts.1": "--set"}
    assert load(ruleset.name) == load("hasbro-quick", ["slides=off", "deck_counts.1=4"])


@pytest.mark.parametrize(
    ("text", "option", "value"),
    [
        ("slides=off", "slides", "off"),
        (' slides = "off" ', "slides", "off"),
        ("rules.slides=off", "slides", "off"),
        ("pawns=3", "pawns", 3),
        ("must_move=false", "must_move", False),
        ("deck_counts=deck_44", "deck_counts.1", 4),
        ("deck_counts.sorry=6", "deck_counts.sorry", 6),
        ("deck_counts={sorry=6}", "deck_counts.sorry", 6),
        ("start_cards=1,2,sorry,3", "start_cards", ["1", "2", "3", "sorry"]),
        ('start_cards=["1", "5"]', "start_cards", ["1", "5"]),
        ('start_cards="1","5"', "start_cards", ["1", "5"]),
        ("start_cards=5", "start_cards", ["5"]),
        ("start_cards='5'", "start_cards", ["5"]),
        ("seat_colors=red,blue", "seat_colors", ["red", "blue"]),
        ("slide_riders.red A=blue,red", 'slide_riders."red A"', ["red", "blue"]),
        ('slide_riders."red A"=[]', 'slide_riders."red A"', []),
    ],
)
def test_ways_to_write_a_house_rule(text: str, option: str, value: object) -> None:
    assert load("hasbro", [text]).changes() == {option: value}
    assert load(f"hasbro+{text}").changes() == {option: value}


def test_the_later_house_rule_wins() -> None:
    assert load("hasbro+pawns=2", ["pawns=3"]).rules.pawns == 3
    assert load("hasbro+deck_counts.1=9+deck_counts=deck_55").resolved()["deck_counts"]["1"] == 5


def test_a_file_may_have_a_plus_in_its_name(folder: Path) -> None:
    write(folder / "a+b's.toml", "[rules]\npawns = 2\n")
    assert load("./a+b's.toml+slides=off").changes() == {"pawns": 2, "slides": "off"}


# -- hash and differences ---------------------------------------------------------------------------


def test_the_hash_is_of_what_differs_from_the_printed_rules() -> None:
    canonical = '{"game":"classic","rules":{"deck_counts.1":4,"slides":"off"}}'
    assert load("hasbro+slides=off+deck_counts=deck_44").hash == hashlib.sha256(canonical.encode()).hexdigest()[:12]


def test_the_hash_knows_no_titles_comments_order_or_spelling(folder: Path) -> None:
    write(folder / "one.toml", 'title = "One"\n[rules]\nslides = "off"\nstart_cards = ["2", "sorry", "1", "5"]\ndeck_counts = "deck_44"\n')
    write(
        folder / "two.toml",
        "extends = 'hasbro' # base\n[rules.deck_counts]\n1 = 0x4\n[rules]\nstart_cards = ['1','2','5','sorry']\nslides = 'off'\n",
    )
    assert load("one.toml").hash == load("./two.toml").hash
    assert load("one.toml").hash != load("one.toml+pawns=3").hash


def test_differences_name_the_option_and_both_values() -> None:
    base, other = load("hasbro"), load("parker-1939+slide_riders.red A=red")
    expected = [("deck_counts.1", 5, 4), ("first_player", "random", "high_card"), ('slide_riders."red A"', None, ["red"])]
    assert base.differences(other) == expected
    assert other.differences(base) == [(option, there, here) for option, here, there in expected]
    assert base.differences(load("hasbro-2024")) == []


# -- what is wrong is said --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sets", "words"),
    [
        ("slides=of", ["slides", '"of"', '"off", "all_but_own" or "all"', "did you mean off?"]),
        ("slidez=off", ["slidez", '"off"', "did you mean slides?"]),
        ("deck_counts.sory=1", ["deck_counts.sory = 1", "did you mean sorry?"]),
        ("deck_counts=deck_4", ['deck_counts = "deck_4"', '"deck_44"']),
        ("deck_counts=5", ["deck_counts = 5", '"deck_44"', "a table with a whole number from 0 to 40"]),
        ("deck_counts.sorry=41", ["deck_counts.sorry = 41", "a whole number from 0 to 40"]),
        ("deck_counts.one=5", ["deck_counts.one"]),
        ("pawns=9", ["pawns = 9", "a whole number from 1 to 8"]),
        ("pawns=true", ["pawns = true", "a whole number from 1 to 8"]),
        ("pawns=nan", ["pawns = nan", "a whole number from 1 to 8"]),
        ("pawns=2.0", ["pawns = 2.0", "a whole number from 1 to 8"]),
        ("pawns=1979-05-27", ["pawns = 1979-05-27"]),
        (f"pawns={'9' * 900}", ["pawns = ", "a whole number from 1 to 8"]),
        (f"pawns=0x{'f' * 900}", ["more than 77 digits", "a whole number from 1 to 8"]),
        (f"pawns={'9' * 5000}", ["too long"]),
        ("sorry_alt_forward=false", ["sorry_alt_forward = false", "0 or 4"]),
        ("sorry_alt_forward=4.0", ["sorry_alt_forward = 4.0", "0 or 4"]),
        ("must_move=no", ['must_move = "no"', "true or false"]),
        ("must_move=1", ["must_move = 1", "true or false"]),
        ("start_cards=[1]", ["start_cards = [1]", "a list of"]),
        ("start_cards=1,6", ["start_cards (item 2)", '"6"']),
        ("start_cards=1,1", ["start_cards", "twice"]),
        ("start_cards=[]", ["no pawn could ever leave START"]),
        ("start_cards=[[[1]]]", ["start_cards"]),
        ("slide_riders.redA=red", ["slide_riders.redA", "did you mean red A?"]),
        ("slide_riders.red A.x=red", ["slide_riders", "a table"]),
        ("seat_colors=red", ["seat_colors"]),
        ("quick_start_pawns=5", ["hasbro", "quick_start_pawns = 5", "pawns = 4"]),
        ("extends=french", ["extends"]),
        ("slides=off\npawns=3", ["slides"]),
        ("slides", ["option=value"]),
        ("slides=", ["option=value"]),
        ("=off", ["option=value"]),
        (".=1", ["no such key"]),
        ("a" * 900 + "=1", ["no such key"]),
        ("a" * 100_000 + "=1", ["too long"]),
        (".".join("a" * 450) + "=1", ["no such key"]),
        ("slide_riders.red A=" + "[" * 900, ["slide_riders"]),
        ("pawns=\x1b[31m\ud800", ["pawns"]),
    ],
)  # fmt: skip
def test_a_wrong_house_rule_is_told_what_is_allowed(sets: str, words: list[str]) -> None:
    message = complaint("hasbro", sets)
    assert "--set" in message or "hasbro" in message
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("hasbo", ["hasbo", "did you mean hasbro?"]),
        ("", ["rulesets list"]),
        ("hasbro+slides", ["option=value"]),
        ("hasbro+slides=of", ["hasbro+slides=of", "did you mean off?"]),
        ("HASBRO", ["did you mean hasbro?"]),
        ("no/such.toml", ["no/such.toml", "no such file"]),
        ("./", ["folder"]),
        ("a\0b.toml", []),
        ("x" * 5000 + ".toml", []),
        ("x" * 5000, []),
        ("/dev/zero", ["not an ordinary file"]),
        ("\ud800/x", []),
    ],
)
def test_a_wrong_name_is_told_what_was_meant(folder: Path, spec: str, words: list[str]) -> None:
    message = complaint(spec)
    for word in words:
        assert word in message


def test_a_name_without_a_slash_is_pointed_to_the_file_of_that_name(folder: Path) -> None:
    write(folder / "mine.toml", "[rules]\n")
    assert "./mine.toml" in complaint("mine")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["empty"]),
        ("# only a comment\n", ["empty"]),
        ("[rules]\nslides = off\n", ["mine.toml:2:10", "not valid TOML"]),
        ("[rules]\npawns = 3\npawns = 4\n", ["mine.toml:3:", "overwrite"]),
        ("[rules", ["mine.toml:1:7"]),
        ('title = "x\n', ["mine.toml:1:"]),
        ('slides = "off"\n', ["slides", "[rules]"]),
        ("titel = 'x'\n", ["titel", "did you mean title?"]),
        ("title = 3\n", ["title = 3", "text"]),
        ("title = ''\n", ["title"]),
        (f"title = '{'x' * 121}'\n", ["title", "120 characters"]),
        ('title = "a\\u001b[31mb"\n', ["title", "can't be printed"]),
        ("readings = 'one'\n", ["readings", "a list of text"]),
        ("readings = [1]\n", ["readings (item 1) = 1"]),
        ("rules = 3\n", ["rules = 3", "a table"]),
        ("[[rules]]\npawns = 3\n", ["rules"]),
        ("game = 'clasic'\n", ["game", '"clasic"', "did you mean classic?"]),
        ("extends = 'hasbo'\n", ["mine.toml: extends", "did you mean hasbro?"]),
        ("extends = './gone.toml'\n", ["gone.toml", "no such file"]),
        ("extends = 'hasbro'\nextends = 'french'\n", ["mine.toml:2:"]),
        ("[rules]\nslidez = 'off'\n", ["mine.toml: rules.slidez", "did you mean slides?"]),
        ("[rules]\nslides = 'of'\n", ["mine.toml: rules.slides", "did you mean off?"]),
        ("[rules]\npawns = nan\n", ["mine.toml: rules.pawns = nan"]),
        ("[rules]\npawns = true\n", ["mine.toml: rules.pawns = true"]),
        ("[rules.deck_counts]\nsorry = true\n", ["mine.toml: rules.deck_counts.sorry = true"]),
        ("[rules.slides]\nx = 1\n", ["mine.toml: rules.slides", "a table"]),
        ("[rules]\nquick_start_pawns = 2\n", ["mine.toml", "quick_start_pawns", "share"]),
        ("[rules.deck_counts]\n1 = 0\n2 = 0\n", ["mine.toml", "no pawn could ever leave START"]),
        (f"[rules]\npawns = {'9' * 5000}\n", ["mine.toml", "too long"]),
        ("[rules]\nx = " + "[" * 20_000, ["mine.toml", "nested too deeply"]),
        ("[rules]\n" + ".".join("a" * 30_000) + " = 1\n", ["mine.toml", "nested too deeply"]),
        ("[rules]\n" + ".".join("a" * 190) + " = 1\n", ["mine.toml: rules.a", "no such key"]),
        ("[rules]\nslide_riders." + ".".join("a" * 190) + " = 1\n", ["mine.toml: rules.slide_riders"]),
        (f"[rules]\n{'k' * 60_000} = 1\n", ["mine.toml", "no such key"]),
        ("x = 1\n" * 20_000, ["mine.toml", "larger than"]),
    ],
)  # fmt: skip
def test_a_wrong_file_is_told_where_and_what(folder: Path, text: str, words: list[str]) -> None:
    message = complaint(write(folder / "mine.toml", text))
    for word in words:
        assert word in message


def test_the_file_that_set_the_wrong_value_is_named(folder: Path) -> None:
    write(folder / "base.toml", "[rules]\npawns = 99\n")
    write(folder / "mine.toml", "extends = './base.toml'\n[rules]\nslides = 'off'\n")
    assert complaint("./mine.toml+must_move=false").startswith("base.toml: rules.pawns = 99 ")


@pytest.mark.parametrize("data", ["title = 'é'".encode("latin-1"), "title = 'x'".encode("utf-16"), b"\xff\xfe\x00", b"\x00" * 100])
def test_a_file_of_other_bytes_is_refused(folder: Path, data: bytes) -> None:
    (folder / "mine.toml").write_bytes(data)
    assert "mine.toml" in complaint("mine.toml")


def test_a_byte_order_mark_and_windows_line_ends_are_fine(folder: Path) -> None:
    (folder / "mine.toml").write_bytes(b"\xef\xbb\xbf[rules]\r\npawns = 2\r\n")
    assert load("mine.toml").rules.pawns == 2


def test_a_pipe_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.toml")
    assert "not an ordinary file" in complaint("pipe.toml")


def check_hostile(path: Path) -> None:
    """A file is either a ruleset or told in one line what is wrong; nothing else comes out."""
    try:
        ruleset = load(str(path))
    except SimsorryError as error:
        assert str(error).isprintable()
        assert len(str(error)) < 2000
    else:
        assert len(ruleset.hash) == 12


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile") / "hostile.toml"


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=200))
def test_any_bytes_are_taken_or_refused_in_a_sentence(hostile: Path, data: bytes) -> None:
    hostile.write_bytes(data)
    check_hostile(hostile)


def toml_text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(toml_text, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {toml_text(item)}' for key, item in value.items())}}}"
    return json.dumps(value) if isinstance(value, str) else str(value)


keys = st.sampled_from([option.name for option in options()]) | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
plain = st.integers() | st.booleans() | st.floats() | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
words = st.sampled_from(["off", "all", "deck_44", "red", "1", "sorry", "red A", "never", "share", "bounce"])
values = st.recursive(
    plain | words, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words | st.text("abc", max_size=3), inner, max_size=4)
)


@settings(max_examples=200, deadline=None)
@given(rules=st.dictionaries(keys, values, max_size=4))
def test_any_rules_are_taken_or_refused_in_a_sentence(hostile: Path, rules: dict[str, object]) -> None:
    hostile.write_text("[rules]\n" + "".join(f"{json.dumps(key)} = {toml_text(value)}\n" for key, value in rules.items()), encoding="utf-8")
    check_hostile(hostile)


@settings(max_examples=200, deadline=None)
@given(
    spec=st.text(max_size=30)
    | st.builds(lambda *parts: "+".join(["hasbro", *parts]), st.text(max_size=20))
    | st.builds("hasbro+{}={}".format, keys, st.text(max_size=20) | words)
)
def test_any_name_is_taken_or_refused_in_a_sentence(spec: str) -> None:
    try:
        load(spec)
    except SimsorryError as error:
        assert str(error).isprintable()
