"""The transcripts of the walks: each belongs to one walk, and none names this machine."""

import re

from tests.walks.office import TRANSCRIPTS, masked

_TOLD = re.compile(r'assert_told\(\s*\w+,\s*"([a-z0-9_]+)"\s*(?:,\s*by_thread=True\s*)?\)')


def test_every_transcript_belongs_to_one_walk() -> None:
    for chat, folder in (("slack", TRANSCRIPTS), ("teams", TRANSCRIPTS / "teams")):
        walks = sorted(TRANSCRIPTS.parent.glob(f"test_{chat}_*.py"))
        named = [name for walk in walks for name in _TOLD.findall(walk.read_text("utf-8"))]
        assert sorted(named) == sorted(path.stem for path in folder.glob("*.txt"))


def test_varying_transcript_parts_are_masked() -> None:
    """What differs between two walks is masked."""
    told = (
        "relevance 0.83 · run 6f1c2a34-0b9a-5c1e-9f0e-6d61736973a1 · 0.4 s · 12 ms\n"
        "c_abcdefgh2345 at http://127.0.0.1:40123/api on 2026-11-02 09:00\n"
    )

    assert masked(told) == (
        "relevance 0.xx · run (run id) · x s · x ms\n"
        "(chunk id) at http://(this machine)/api on (date and time)\n"
    )
