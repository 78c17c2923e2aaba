"""Imports go one way, and ``simsorry --help`` imports nothing heavy: both read from the import statements and tried out."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "simsorry"

# Each part of the package may import those before it, and no other.
ORDER = (
    "errors toml jit lanes rng track deck games rulesets policies question gauge asking simulate margin metrics course_metrics "  # noqa: SIM905
    "audit_metrics at_table checks tally summary trace seeds results stats replays offers gauging decisions skill ladder panel survey "
    "tournament tune seat_price sweep report cli".split()
)
HEAVY = {"numba", "numpy", "pandas", "pyarrow", "matplotlib", "scipy", "statsmodels", "jinja2", "pydantic", "deepmerge"}
NOT_PARTS = {"__init__", "__main__"}


def sources() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path.stem not in NOT_PARTS or path.parent != PACKAGE)


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(nodes: Iterator[ast.AST]) -> Iterator[str]:
    """The full names of what import statements bring in; ``from simsorry import games`` is ``simsorry.games``."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where they lead"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def at_top(tree: ast.Module) -> Iterator[ast.AST]:
    """The statements that run when a module is imported: not those inside functions, nor those for type checkers alone."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield node
            waiting.extend(ast.iter_child_nodes(node))


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_part_imports_only_what_lies_below_it(path: Path) -> None:
    part = part_of(path)
    assert part in ORDER, f"{part} is a new part: say in ORDER where it belongs"
    for name in imported(ast.walk(parse(path))):
        package, _, rest = name.partition(".")
        below = rest.partition(".")[0]
        if package == "simsorry" and below in ORDER and below != part:
            assert ORDER.index(below) < ORDER.index(part), f"{module_of(path)} imports {name}, which lies above it"


def test_games_do_not_import_one_another() -> None:
    games = {path.name for path in (PACKAGE / "games").iterdir() if path.is_dir() and path.name != "__pycache__"}
    for path in (PACKAGE / "games").rglob("*.py"):
        own = path.relative_to(PACKAGE / "games").parts[0]
        for name in imported(ast.walk(parse(path))):
            other = name.removeprefix("simsorry.games.").partition(".")[0]
            assert not (name.startswith("simsorry.games.") and other in games - {own}), f"{module_of(path)} imports {name}"


def test_commands_import_nothing_heavy_before_they_run() -> None:
    """Follows the imports at the top of the command line's modules through the package."""
    by_module = {module_of(path): path for path in PACKAGE.rglob("*.py")}
    waiting = {name: name for name in by_module if name.startswith("simsorry.cli")}
    seen: dict[str, str] = {}
    while waiting:
        module, trail = waiting.popitem()
        seen[module] = trail
        for name in imported(at_top(parse(by_module[module]))):
            assert name.partition(".")[0] not in HEAVY, f"{trail} imports {name} at its top"
            parents = [name.rsplit(".", cut)[0] for cut in range(name.count(".") + 1)]
            waiting |= {found: f"{trail} -> {found}" for found in parents if found in by_module and found not in seen}


def test_help_imports_nothing_heavy() -> None:
    """Tried out, with what typer and the standard library bring along; typer has a use for pydantic where it is installed."""
    script = (
        "import sys\n"
        "from simsorry.cli import app\n"
        "try: app(['--help'])\n"
        "except SystemExit: pass\n"
        f"print(sorted(set({sorted(HEAVY - {'pydantic'})!r}) & sys.modules.keys()), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "[]"
    assert "rulesets" in done.stdout


def test_storing_games_needs_no_statistics() -> None:
    """They take longer to load than ten thousand games to play."""
    script = "import sys, simsorry.results; print(sorted({'scipy', 'statsmodels', 'pandas'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_reports_and_experiments_use_only_the_package() -> None:
    root = PACKAGE.parent
    for path in [*root.glob("reports/**/*.py"), *root.glob("experiments/**/*.py")]:
        for name in imported(ast.walk(parse(path))):
            assert name.partition(".")[0] not in {"reports", "experiments", "tests"}, f"{path.name} imports {name}"


def test_the_top_level_holds_only_what_it_may() -> None:
    allowed = {"pyproject.toml", "README.md", "simsorry", "experiments", "reports", "tests", "run", "constraints.txt"}
    listed = subprocess.run(["git", "ls-files"], cwd=PACKAGE.parent, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a clone: what belongs to the project is what git lists")
    found = {line.split("/")[0] for line in listed.stdout.splitlines() if not line.startswith(".")}
    assert found - allowed == set()
