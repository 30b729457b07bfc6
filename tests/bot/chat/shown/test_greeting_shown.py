from bot.chat.shown.greeting_shown import MAX_QUESTIONS, greeting_shown


def test_only_questions_that_fit_are_offered() -> None:
    """One that is empty or longer than its button takes none of the places."""
    asked = ["", "x" * 21, *(f"How long is\nleave {at}?" for at in range(5))]
    shown = greeting_shown("Hello!", asked, most_chars=20)
    assert shown.questions == tuple(f"How long is leave {at}?" for at in range(MAX_QUESTIONS))
