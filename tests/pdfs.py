"""Makes PDFs for tests: text drawn run by run in fonts whose widths are known, with rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

_HEIGHT: Final = 842
_HELVETICA: Final = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 "
    "1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 "
    "333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
)
_TIMES: Final = (
    "250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 500 278 278 564 564 564 444 "
    "921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722 944 722 722 611 333 278 333 469 500 "
    "333 444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444 480 200 480 541"
)
_FIRST: Final = 32
"""The character of the first width."""
_UNICODE_WIDTH: Final = 550
"""Thousandths of the size, of every glyph of the font for other scripts."""

_BEHIND_ASCII: Final = [556] * 129
"""The characters of Windows-1252 from 127 up, none of whose widths a test depends on."""

Face = Literal["Helvetica", "Helvetica-Bold", "Times-Roman", "Courier", "Unicode"]
_WIDTHS: Final[dict[Face, list[int]]] = {
    "Helvetica": [*map(int, _HELVETICA.split()), *_BEHIND_ASCII],
    "Helvetica-Bold": [*(int(width) + 20 for width in _HELVETICA.split()), *_BEHIND_ASCII],
    "Times-Roman": [*map(int, _TIMES.split()), *_BEHIND_ASCII],
    "Courier": [600] * 224,
}


@dataclass(frozen=True, slots=True)
class Run:
    """Text that is drawn by one operator, from `x` on the base line `y`.

    `visual` glyphs of `Unicode` stand for the strings in it, from left to right: a ligature is one
    string of several characters.
    """

    text: str
    x: float
    y: float
    size: float = 10
    face: Face = "Helvetica"
    visual: tuple[str, ...] = ()

    @property
    def width(self) -> float:
        """From its left to its right edge, in points."""
        return text_width(self.text, self.size, self.face) if not self.visual else self._wide()

    def _wide(self) -> float:
        return len(self.visual) * _UNICODE_WIDTH * self.size / 1000


def text_width(text: str, size: float, face: Face = "Helvetica") -> float:
    """The width of text in Windows-1252, in points."""
    widths = _WIDTHS[face]
    return sum(widths[code - _FIRST] for code in text.encode("cp1252")) * size / 1000


def right(text: str, edge: float, y: float, size: float = 10, face: Face = "Helvetica") -> Run:
    """A run that ends at `edge`."""
    return Run(text, edge - text_width(text, size, face), y, size, face)


def rule(x: float, y: float, to_x: float, to_y: float) -> str:
    """The drawing of a thin line."""
    return f"{x:g} {y:g} m {to_x:g} {to_y:g} l S\n"


def made(pages: Sequence[Sequence[Run]], drawing: str = "") -> bytes:
    """A PDF of these pages of A4; `drawing` is drawn on each."""
    glyphs = list(dict.fromkeys(glyph for page in pages for run in page for glyph in run.visual))
    fonts = [_simple_font(face) for face in _WIDTHS] + _unicode_font(glyphs)
    names = " ".join(f"/F{number} {number + 2} 0 R" for number in range(1, len(_WIDTHS) + 2))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", *fonts]
    kids = []
    for page in pages:
        objects.append(_stream(drawing + "".join(_shown(run, glyphs) for run in page)))
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 {_HEIGHT}] "
            f"/Resources << /Font << {names} >> >> /Contents {len(objects)} 0 R >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    return _file(objects)


def _simple_font(face: Face) -> str:
    widths = " ".join(map(str, _WIDTHS[face]))
    return (
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{face} /FirstChar {_FIRST} /LastChar 255 "
        f"/Widths [{widths}] /Encoding /WinAnsiEncoding >>"
    )


def _unicode_font(glyphs: Sequence[str]) -> list[str]:
    """A font of boxes, each known by what it stands for alone."""
    base = len(_WIDTHS) + 3
    count = len(glyphs)
    codes = "".join(
        f"<{code:02x}> <{glyph.encode('utf-16-be').hex()}>\n"
        for code, glyph in enumerate(glyphs, 1)
    )
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        "1 begincodespacerange <00> <ff> endcodespacerange\n"
        f"{count} beginbfchar\n{codes}endbfchar\nendcmap end end"
    )
    box = f"{_UNICODE_WIDTH} 0 0 -200 {_UNICODE_WIDTH} 800 d1 50 0 450 700 re f"
    font = (
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 -200 1000 800] /FontMatrix [0.001 0 0 0.001 0 0] "
        f"/CharProcs << /g {base + 1} 0 R >> /Resources << >> /ToUnicode {base + 2} 0 R "
        f"/Encoding << /Type /Encoding /Differences [1 {'/g ' * count}] >> "
        f"/FirstChar 1 /LastChar {max(count, 1)} /Widths [{f'{_UNICODE_WIDTH} ' * max(count, 1)}] >>"
    )
    return [font, _stream(box), _stream(cmap)]


def _shown(run: Run, glyphs: Sequence[str]) -> str:
    face = [*_WIDTHS, "Unicode"].index("Unicode" if run.visual else run.face) + 1
    if run.visual:
        text = "<" + "".join(f"{glyphs.index(glyph) + 1:02x}" for glyph in run.visual) + ">"
    else:
        escaped = run.text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        text = f"({escaped})"
    return f"BT /F{face} {run.size:g} Tf {run.x:.3f} {run.y:.3f} Td {text} Tj ET\n"


def _stream(text: str) -> str:
    length = len(text.encode("cp1252"))
    return f"<< /Length {length} >>\nstream\n{text}\nendstream"


def _file(objects: Sequence[str]) -> bytes:
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"
    return out + (head + table + trailer).encode("ascii")
