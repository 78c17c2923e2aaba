"""``simsorry gallery``: many questions answered, and their findings on one page."""

from pathlib import Path
from typing import Annotated

import typer

from simsorry.errors import INTERRUPTED, PARTIAL, SimsorryError

OUT = "simsorry-gallery"


def gallery(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Questions: TOML files, or folders of them such as experiments.")],
    out: Annotated[str, typer.Option(metavar="FOLDER", help="Folder for the gallery; an earlier gallery there is replaced.")] = OUT,
    games: Annotated[str | None, typer.Option(metavar="N", help="Games as for simsorry study, instead of those in the files.")] = None,
    threads: Annotated[str | None, typer.Option(metavar="N", help="Threads; all cores if not given.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Answer many questions, and write the answers as Markdown with small pictures, and a page of all findings.

    What is missing is played, as simsorry study does it, and kept beside the files, so that the same command goes on where it was stopped.
    """
    from simsorry import question
    from simsorry.cli._answering import Asking, answer, check
    from simsorry.cli.compare import out_folder
    from simsorry.report import folder
    from simsorry.report import gallery as made

    target = out_folder(out)
    folder.check(target, made.GALLERY)
    found = _found(files)
    asked = [(file, question.load(str(file))) for file in found]
    for file, each in asked:
        check(Asking(each, file, games))  # what can be wrong with any of them is said before anything is played
    exhibits, wrong = [], []
    for at, (file, each) in enumerate(asked, start=1):
        if not quiet:
            typer.echo(f"{at} of {len(asked)}: {each.title}", err=True)
        try:
            answered = answer(Asking(each, file, games, threads, quiet=quiet))
            exhibits.append(made.Exhibit(file.stem, each, answered.report))
            answered.check()
        except SimsorryError as error:
            if error.exit_code == INTERRUPTED:
                raise
            wrong.append(str(error))
    for sentence in wrong:
        typer.echo(f"simsorry: {sentence}", err=True)
    if not exhibits:
        raise SimsorryError("none of the questions was answered; no gallery was written", PARTIAL)
    folder.write(made.files(exhibits, _command(files, games)), target, made.GALLERY)
    typer.echo(f"gallery: {target / made.PAGE}, {len(exhibits)} of {len(asked)} questions answered")
    if wrong:
        raise typer.Exit(PARTIAL)


def _found(named: list[str]) -> list[Path]:
    """The files that are named, and those in folders that are; SimsorryError if there is none, or two have the same name."""
    from simsorry.report.gallery import LIST, PAGE

    files: list[Path] = []
    for each in named:
        path = Path(each)
        inside = sorted(path.glob("*.toml")) if path.is_dir() else [path]
        if not inside:
            raise SimsorryError(f"{each} holds no question: files that end in .toml are needed")
        files += inside
    taken = next((file for file in files if file.stem in (PAGE, LIST)), None)
    if taken:
        raise SimsorryError(f"{taken}: a gallery has a file of its own that is called {taken.stem}: give the question another name")
    for at, file in enumerate(files):
        if file.stem in [other.stem for other in files[:at]]:
            raise SimsorryError(f"{file}: another file is called {file.stem}, too: a gallery has each name once")
    return files


def _command(files: list[str], games: str | None) -> str:
    """The command that makes the same gallery again, but for the folder it goes to."""
    return " ".join(["simsorry", "gallery", *files, *(["--games", games] if games else [])])
