"""Reports without the work of laying out and writing pictures, which is most of it: for tests that read words, numbers and names."""

from matplotlib.figure import Figure

from simsorry.report import drawing


def sketch(picture: drawing.Picture) -> drawing.PictureFiles:
    """In place of ``Picture.files``: the picture is drawn, and no more."""
    picture.draw(Figure(figsize=(drawing.WIDTH, picture.height)))
    return drawing.PictureFiles("<svg></svg>", b"", "<svg></svg>")
