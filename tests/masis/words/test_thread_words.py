"""What a message is told to have been taken for."""

from masis.words.thread_words import taken_about


def test_typed_leads_are_of_no_thread() -> None:
    """What stands before a colon in the message itself was not put there by its thread."""
    typed = "classify: alarm came 40 minutes late"
    assert not taken_about(typed, typed)
    assert taken_about("and for cooks", "How much leave is there: and for cooks")
