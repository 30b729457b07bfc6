"""The words of the classification graph: what it calls its steps, what it asks, and its answers."""

from collections.abc import Sequence
from typing import Final

from masis.graphs.classification.state import Above, Candidate, Reason

ROWS: Final = "Classify the rows"
EXPAND: Final = "Read the description"
RETRIEVE: Final = "Look through the codes"
ANALYZE: Final = "Compare the codes"
ANALYZE_AGAIN: Final = "Compare the codes again"
ASK: Final = "Ask which one"

NOTHING_NEAR: Final = (
    "I found no code near to this. What is it about: what is done, with what, or what is it for?"
)
STILL_NOTHING: Final = (
    "Then I find no code for this. Ask again when more is known of it, or look through the list."
)
NONE_OF_THOSE: Final = (
    "None of those, then. What else can you say of it: what is done, with what, or what is it for?"
)
ANEW: Final = "All right, from the beginning: what is it that wants a code?"
WHICH: Final = "More than one code fits this. Which is it? A number or a few more words will do."
SEVERAL: Final = (
    "This names more than one thing, each with a code of its own. Which one first? A number or a few more "
    "words will do."
)
_SOUGHT: Final = "I look for the one code that fits what you described."
EXPLAINED: Final = (
    f"{_SOUGHT} The number or title of one that is offered will do, or "
    "a few more words: what is done, with what, or what is it for? After “no idea” you get the group that fits best."
)
EXPLAINED_OPENLY: Final = (
    f"{_SOUGHT} A few more words will do: what is done, with what, or what is it for?"
)
"""The same where no title is offered."""
NOT_SURE: Final = "another code may fit as well"
SIBLINGS_NOTE: Final = "the codes below it cannot be told apart by the description"
UNDECIDED_NOTE: Final = "you could not say which code below it is right"
UNDECIDED_NOTE_OF_ONE: Final = "you could not say which code is right"
NEAREST_BELOW: Final = "The nearest below it:"
NEAREST_NOTE: Final = "only the nearest that I found, and more likely not the right one"
UNDECIDED_BELOW: Final = "These codes below it fit:"
LIMIT_NOTE: Final = "it stayed open which code below it is right"
LIMIT_NOTE_OF_ONE: Final = "it stayed open which code is right"
CHOSEN_NOTE: Final = "chosen by you"
SIBLINGS_BELOW: Final = "The description fits these codes below it alike:"
LIMIT_BELOW: Final = "I asked three times, and these codes below it still fit:"
NEXT: Final = "Next in line"
TABLE_COLUMNS: Final = ("Code", "Title", "Part of")
LIKELY: Final = "Likely"
ROWS_TITLE: Final = "The rows with their codes"
ROW_TEXT: Final = "Description"
ROW_CODE: Final = ("Code", "Title")
ROW_CONFIDENCE: Final = "Confidence"
ROW_OPEN: Final = "Needs a person"
NEEDS_PERSON: Final = "yes"
NO_ROWS: Final = (
    "I found no rows in the file. Send a table, as CSV or Excel, with a description in each row."
)
NO_LIST: Final = (
    "There is no code list in this workspace: a table with a column of codes and one of titles. Put one "
    "in, as CSV or Excel, and I will find codes in it."
)


def label(candidate: Candidate, candidates: Sequence[Candidate]) -> str:
    """Return the title of a code, with its parent's where another code has the same one."""
    same = [each for each in candidates if each.title.casefold() == candidate.title.casefold()]
    if len(same) <= 1:  # itself alone
        return candidate.title
    if len({each.parent for each in same}) == len(same) and candidate.path:
        return f"{candidate.title} ({candidate.path[-1].title})"
    return f"{candidate.title} ({candidate.code})"


def labels(candidate: Candidate) -> tuple[str, ...]:
    """Return what a code may be called where it is offered."""
    named = f"{candidate.title} ({candidate.code})"
    above = [f"{candidate.title} ({candidate.path[-1].title})"] if candidate.path else []
    return candidate.title, candidate.code, named, *above


def which(said: str, offered: Sequence[Candidate], names: Sequence[str]) -> str:
    """Ask which of several codes is meant, with what each is about: that is what tells them apart."""
    several = {each.parent for each in offered}
    lines = [
        f"{number}. {name}{_about(each, name, says_group=len(several) > 1)}"
        for number, (each, name) in enumerate(zip(offered, names, strict=True), start=1)
    ]
    return "\n".join([said or WHICH, *lines])


def _about(candidate: Candidate, name: str, *, says_group: bool) -> str:
    """Return what stands behind a title: what it belongs to, where that differs, and what it is about."""
    group = candidate.path[-1].title if candidate.path and says_group else ""
    shown = f" ({group})" if group and f"({group})" not in name else ""
    return f"{shown}: {candidate.about}" if candidate.about else shown


def explains(said: str) -> bool:
    """Tell whether a question back is an explanation of the one before."""
    return said.startswith(_SOUGHT)


def nothing(asked: int) -> str:
    """Say that no code was found after that many questions."""
    return f"After {asked} questions I still find no code that is near to this."


def answer(code: Above, cited: str, about: str = "") -> str:
    """Say which code it is, and what its row says of it."""
    what = f": {about}" if about and about.casefold() != code.title.casefold() else ""
    # Words may be codes of their own.
    title = f" {code.title}" if code.title != code.code else ""
    return f"**{code.code}**{title}{what} {cited}"


def path(codes: Sequence[Above], cited: str) -> str:
    """Say what stands above a code."""
    return f"Part of: {' › '.join(f'{each.code} {each.title}' for each in codes)} {cited}"


def why_below(reason: Reason, *, is_doubtful: bool) -> str:
    """Say why a parent is given and no code below it; where it is more likely wrong than right, that."""
    if is_doubtful:
        return NEAREST_BELOW
    return {"limit": LIMIT_BELOW, "undecided": UNDECIDED_BELOW}.get(reason, SIBLINGS_BELOW)


def below(codes: Sequence[Candidate], cited: Sequence[str]) -> list[str]:
    """List the codes below a parent that fit."""
    return [
        f"- {each.code} {each.title} {source}" for each, source in zip(codes, cited, strict=True)
    ]


def consists(codes: Sequence[Above], cited: Sequence[str], total: int, more: int) -> list[str]:
    """Say which codes are below one, of many the first, and how many `more` are below these."""
    listed = [
        f"- {each.code} {each.title} {source}" for each, source in zip(codes, cited, strict=True)
    ]
    those = f"{total:,} {'code' if total == 1 else 'codes'} below it"
    deeper = f", and {more:,} more below {'that' if total == 1 else 'these'}" if more else ""
    first = f"; the first {len(codes)} are" if total > len(codes) else ""
    return [f"{those}{deeper}{first}:", *listed]


def titles(codes: Sequence[Above]) -> str:
    """Return the titles above a code, the topmost first."""
    return " › ".join(each.title for each in codes)


def rows(codes: Sequence[str], most: int) -> str:
    """Say which rows of a list a source is; of many how many they are."""
    if len(codes) > most:
        return f"{len(codes)} rows"
    return f"{'row' if len(codes) == 1 else 'rows'} {', '.join(codes)}"


def row_of(number: int, total: int) -> str:
    """Say how far it is."""
    return f"row {number:,} of {total:,}"


def beside(name: str, taken: Sequence[str]) -> str:
    """Return the name of a column beside others, of which one may be called the same."""
    is_taken = name.casefold() in {each.casefold() for each in taken}
    return f"{name} found" if is_taken else name


def rows_coded(total: int, open_: int) -> str:
    """Say how many rows have a code."""
    rows_ = "row" if total == 1 else "rows"
    if not open_:
        return f"Here are the codes of {total:,} {rows_}."
    needs = "needs" if open_ == 1 else "need"
    return (
        f"Here are the codes of {total:,} {rows_}. {open_:,} of them {needs} a person: the code that is "
        "written there is the nearest, and another one may fit as well."
    )


def rows_open(open_: int) -> str:
    """Say beside the badge that some rows are open."""
    return f"{open_:,} {'row needs' if open_ == 1 else 'rows need'} a person"


def rows_left(read: int, total: int) -> str:
    """Say that a file has more rows than are classified at once."""
    return f"Only the first {read:,} of {total:,} rows were classified: send the others in a file of their own."


def columns_left(shown: int, total: int) -> str:
    """Say that a file has more columns than come back beside the codes."""
    return f"Only the first {shown:,} of {total:,} columns of the file are shown beside the codes."


def from_list(name: str, others: Sequence[str]) -> str:
    """Say which list a code is of, where there are others that could have been meant."""
    return f"From the list “{name}”; there is also {_listed(others)}."


def _listed(names: Sequence[str]) -> str:
    quoted = [f"“{name}”" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def assumed(assumptions: Sequence[str]) -> str:
    """Say what was assumed."""
    return f"Assumed: {'; '.join(assumptions)}."


def place_left_out(places: Sequence[str]) -> str:
    """Say that a place was not searched."""
    return f"the place ({', '.join(places)}) makes no difference"


SAYS_LITTLE: Final = "the description is very short"
