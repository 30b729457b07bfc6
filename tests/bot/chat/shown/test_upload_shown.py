from bot.chat.shown.upload_shown import upload_shown
from bot.chat.words import shared_sentences
from masis.documents.ingestion import IngestResult
from tests.bot.slack.view_samples import workspace


def test_upload_counts_what_is_done() -> None:
    """What waits is counted among the files, and is not taken yet."""
    results = [
        IngestResult(status="added", name="a.md", chunks=3, notes=["a\nnote"], reason="none"),
        IngestResult(status="unchanged", name="b.md", notes=["not said"]),
        IngestResult(status="refused", name="c.exe"),
    ]
    shown = upload_shown(workspace(), results, ["a.md", "b.md", "c.exe", "d.md"])
    assert (shown.files, shown.taken, shown.waiting) == (4, 2, ("d.md",))
    assert shown.counts == {"added": 1, "updated": 0, "unchanged": 1, "refused": 1}
    assert [each.notes for each in shown.done] == [("a note",), (), ()]
    assert [each.reason for each in shown.done] == ["", "", shared_sentences.UNEXPECTED]
    assert shown.done[0].version == 1
