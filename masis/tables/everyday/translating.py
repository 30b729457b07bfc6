"""Put an everyday question into a table's own words: its columns, its values, its periods."""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from masis.tables.everyday import derived_columns as derived
from masis.tables.everyday import everyday_words as words
from masis.tables.everyday.everyday_words import Concept, State
from masis.tables.everyday.known_names import Names
from masis.tables.everyday.rewording import Translated, matching_name
from masis.tables.everyday.table_periods import dates, put_periods, put_year
from masis.tables.grammar import matching
from masis.tables.grammar.asking_words import SHARE, operator
from masis.tables.grammar.conditions import compared
from masis.tables.grammar.words import FILLERS, AskedWords, stem
from masis.values.tabular import Column, Filter, TableInfo

_BY_YEAR: Final = re.compile(
    r"\b(?P<way>in|since|from|after|before|until) (?P<year>(?:19|20)\d{2})\b"
)
_YEAR_BOUNDS: Final = {"in": "is", "since": "at least", "from": "at least", "after": "above", "before": "below", "until": "at most"}  # fmt: skip
_MOST_PARTS: Final = 3
"""Words of a value that name it together."""
_NUMBER_BEHIND: Final = re.compile(r"\s*[£$€]?\d")
_ALONE: Final = re.compile(r"\b(?:with )?no (?P<what>[a-z][\w ]*)\b", re.IGNORECASE)


def asked_plainly(question: str) -> str:
    """Return a question as the grammar has it, whatever table it is of."""
    text = " ".join(question.split()).rstrip("?!. ")
    text = words.COUNTED_WORD.sub(lambda each: str(words.NUMBER_WORDS[each[0].casefold()]), text)
    for pattern, said in words.PHRASES:
        text = " ".join(pattern.sub(said, text).split())
    return text


def calculates(text: str) -> bool:
    """Tell whether a question asks for anything that a query gives: a figure, a rank, rows in a state."""
    if words.OF_THREAD.search(text) or words.TERMS.search(text):
        return False
    return (
        operator(text)
        or any(each.search(text) for each in (SHARE, words.COMPARED_WITH, words.NOT_DONE, words.REMAINDER, words.EARNED, words.SIDES, words.EACH_SPAN, words.WHO))
        or any(each.said.search(text) for each in words.STATES)
        or any(True for _ in compared(AskedWords(text)))
    )  # fmt: skip


def translated(question: str, table: TableInfo, names: Names, today: dt.date) -> Translated:
    """Put a question into the words of a table."""
    made = Translated(asked_plainly(question), table, question)
    put_periods(made, today)
    _values(made, names)
    _short_values(made)
    _parts_of_values(made)
    _own_forecast(made)
    _calculated(made, today)
    _states(made, today)
    _compared_columns(made)
    _years(made)
    _none(made)
    _earnings_of(made)
    _concepts(made)
    _sheet_words(made)
    _rows(made)
    _percents(made)
    _bare_numbers(made)
    _money(made)
    _light(made)
    return made


# --- years ---------------------------------------------------------------------------------------


def _years(made: Translated) -> None:
    """Take a year for a condition on the only column of years, where there is no date."""
    fits = [each for each in made.table.shape.columns if each.type == "number" and each.is_name]
    if dates(made.table) or len(fits) != 1:
        return
    if match := _BY_YEAR.search(made.text):
        operator = _YEAR_BOUNDS[match["way"].casefold()]
        wanted = Filter.model_validate({"column": fits[0].name, "operator": operator, "values": [match["year"]]})  # fmt: skip
        made.hold(match[0], wanted)
        made.cut(match)
        _drop_verb(made, fits[0])


def _drop_verb(made: Translated, column: Column) -> None:
    """Leave out the verb of a condition, where the condition's column is called by it."""
    for concept in words.CONCEPTS:
        named = {stem(each) for each in concept.named} & derived.stems(column)
        for word in concept.said if named and concept.type == "date" else ():
            if match := re.search(rf"\b{word}\b", made.text, re.IGNORECASE):
                made.cut(match)
                return


# --- values ----------------------------------------------------------------------------------------


def _values(made: Translated, names: Names) -> None:
    """Put the values of the table in the place of what another table calls them."""
    for found in names.said_in(made.text, made.table):
        at = re.search(rf"\b{re.escape(found.said)}\b", made.text, re.IGNORECASE)
        if at is None:
            continue
        shown = "”, “".join(found.values)
        told = {"said": found.said, "name": found.column, "values": shown, "source": found.source}
        made.notes.append(words.CALLED.format(**told))
        made.cut(at, " ".join(found.values))


def _parts_of_values(made: Translated) -> None:
    """Take a word for all values of a column that have it: "hinges" for "small hinge" and "steel hinge"."""
    asked = AskedWords(made.text)
    list(matching.values(asked, made.table))  # which notes what the grammar reads as values itself
    of_table = matching.named(asked, made.table)
    free = [not each.read and each not in of_table and _may_be_part(each.plain, made) for each in asked.tokens]  # fmt: skip
    for size in range(_MOST_PARTS, 0, -1):
        for at in range(len(free) - size + 1):
            run = asked.tokens[at : at + size]
            found = _values_with([each.plain for each in run], made.table) if all(free[at : at + size]) else {}  # fmt: skip
            if len(found) == 1:
                ((name, values),) = found.items()
                said = made.text[run[0].start : run[-1].end]
                made.hold(said, Filter(column=name, operator="is", values=values))
                _cut_part(made, said)
                return


def _short_values(made: Translated) -> None:
    """Take "the it projects" for those of IT, where a column has such a value."""
    for column in made.table.shape.columns:
        for value in column.values:
            if value.casefold() not in FILLERS or column.type != "text":
                continue
            said = rf"\b(?:the|our|in|of|for) {re.escape(value)}(?= \w)|\bin {re.escape(value)}$"
            if match := re.search(said, made.text, re.IGNORECASE):
                wanted = Filter(column=column.name, operator="is", values=[value.casefold()])
                made.hold(match[0].split()[-1], wanted)
                made.cut(match)


def _cut_part(made: Translated, said: str) -> None:
    """Cut words out that were taken for values; behind "how many" the quantity of these is asked for."""
    counted = re.search(rf"\bhow many {re.escape(said)}\b", made.text, re.IGNORECASE)
    pieces = derived.quantity(made.table) if counted else None
    is_measured = any(each.column.type == "number" for each in matching.columns(AskedWords(made.text), made.table))  # fmt: skip
    at = re.search(rf"\b{re.escape(said)}\b", made.text)
    if at is not None:
        made.cut(at, matching_name(pieces) if pieces and not is_measured else "")


def _values_with(run: Sequence[str], table: TableInfo) -> dict[str, list[str]]:
    """Return by column the values that have words."""
    return {each.name: values for each in table.shape.columns if (values := _having(run, each))}


def _may_be_part(word: str, made: Translated) -> bool:
    """Tell whether a word can be a part of a value: it is no question's, no column's and no value's own."""
    is_plain = len(word) > 2 and word not in FILLERS and word not in words.LIGHT
    own = own_noun(made.table)
    return (
        is_plain
        and not _is_named(word, made)
        and not _is_value(word, made.table)
        and not operator(word)
        and (own is None or stem(own) != stem(word))
    )


def _having(run: Sequence[str], column: Column) -> list[str]:
    """Return the values of a column of names that have words among others; none of remarks."""
    is_named = column.type == "text" and column.values and not column.is_name
    if not is_named or not matching.has_names(column) or derived.stems(column) & words.REMARKS:
        return []
    wanted = {stem(each) for each in run}
    found = [
        value.casefold()
        for value in column.values
        if wanted <= {stem(part) for part in matching.parts(value)}
    ]
    # What one value has alone may be said of anything; what several have sorts the rows.
    least = 1 if len(run) > 1 else 2
    return found if least <= len(found) < len(column.values) else []


# --- columns that are calculated -------------------------------------------------------------------


def _own_forecast(made: Translated) -> None:
    """Leave out that something is forecast, where the table is called so."""
    source = matching.parts(f"{made.table.source} {made.table.shape.sheet}".replace("/", " "))
    match = words.FORECAST.search(made.text) if "forecast" in source else None
    if match is not None:
        made.cut(match)


def _changed(made: Translated) -> None:
    """Take what rose or fell for the difference of the columns of two years."""
    for pattern, is_rise in ((words.ROSE, True), (words.FELL, False)):
        match = pattern.search(made.text)
        if match and (change := derived.change(made.table, is_rise=is_rise)) is not None:
            made.use(match, change)


def _calculated(made: Translated, today: dt.date) -> None:
    table = made.table
    put_year(made, today)
    _changed(made)
    year = words.WHOLE_YEAR.search(made.text)
    if year and not dates(table) and (whole := derived.whole_year(table)) is not None:
        stated = matching.years(table)
        if not year["year"] or not stated or int(year["year"]) in stated:
            made.use(year, whole)
    over = words.OVERSPENT.search(made.text)
    if over and (beyond := derived.overspend(table)) is not None:
        made.use(over, beyond)
    left = words.REMAINDER.search(made.text)
    if left and (rest := derived.remainder(table)) is not None:
        made.use(left, rest)
        _drop_columns(made, rest)
        return
    for pattern, is_less in ((words.LIST_VALUE, False), (words.LINE_VALUE, True)):
        match = pattern.search(made.text)
        if match and (value := derived.line_value(table, discounted=is_less)) is not None:
            made.use(match, value)
            return


def _drop_columns(made: Translated, column: Column) -> None:
    """Leave out the names of what a column is calculated of: "left of the budget" is not the budget."""
    for name in column.formula.columns if column.formula else ():
        for part in matching.parts(name):
            if match := re.search(rf"\b(?:of |on |in )?(?:the |our )?{part}s?\b", made.text, re.IGNORECASE):  # fmt: skip
                made.cut(match)


def _compared_columns(made: Translated) -> None:
    """Take "below their reorder level" for a condition on one column less another."""
    match = words.COMPARED_WITH.search(made.text)
    if match is None:
        return
    behind = made.text[match.end() :]
    found = _first_named(behind, made.table)
    if found is None or _NUMBER_BEHIND.match(behind[found[1] :]):
        return
    column, end = found
    other = _other(made, column, match.start())
    if other is None:
        return
    rest = derived.difference(other, column)
    made.calculated.append(rest)
    is_low = match["way"].casefold() in words.LOWER
    said = made.text[match.start() : match.end() + end]
    made.hold(said, Filter(column=rest.name, operator="below" if is_low else "above", values=["0"]))
    made.text = " ".join(f"{made.text[: match.start()]} {made.text[match.end() + end :]}".split())
    _drop_columns(made, Column(name="", type="number", formula=rest.formula))


def _first_named(text: str, table: TableInfo) -> tuple[Column, int] | None:
    """Return the column of numbers that a text begins with, and where its name ends."""
    asked = AskedWords(text)
    for match in matching.columns(asked, table):
        is_number = match.column.type == "number" and not match.column.is_name
        is_its_head = _says_head(text[: match.end], match.column)
        if match.start == 0 and is_number and match.weight >= 0.6 and is_its_head:
            return match.column, match.end
    return None


def _says_head(said: str, column: Column) -> bool:
    """Tell whether words name what a column is, where it is one of something: sales are no cost of sales."""
    parts = matching.parts(column.name)
    head = matching.head(parts)
    return head == parts[-1] or any(matching.alike(each, head) for each in matching.parts(said))


def _speaks_of_others(said: str, made: Translated) -> bool:
    """Tell whether words speak of things that the table has neither rows nor a column of: orders among costs."""
    columns = made.table.shape.columns
    source = f"{made.table.source} {made.table.shape.sheet}".replace("/", " ")
    own = {stem(each) for each in matching.parts(source)}
    own = own.union(*map(derived.stems, columns))
    own |= {stem(own_noun(made.table) or "")}
    for token in AskedWords(said).tokens:
        for nouns in words.ROW_NOUNS:
            stems = {stem(each) for each in nouns}
            if token.term in stems and not (nouns & words.PEOPLE or stems & own):
                return True
    return False


def _other(made: Translated, column: Column, start: int) -> Column | None:
    """Return what a column is compared with: what stands before, what is spent of a budget, else the only one."""
    before = [each.column for each in matching.columns(AskedWords(made.text[:start]), made.table)]
    named = [each for each in before if each.type == "number" and each.name != column.name]
    rest = derived.remainder(made.table)
    if rest is not None and rest.formula is not None and column.name == rest.formula.columns[0]:
        return made.table.column(rest.formula.columns[1])
    if len(named) == 1:
        return named[0]
    is_of_others = _speaks_of_others(made.text[:start], made)
    return None if is_of_others else derived.comparable(made.table, column)


# --- states ----------------------------------------------------------------------------------------


def _states(made: Translated, today: dt.date) -> None:
    """Take a state for conditions on the columns by which it is known."""
    for state in words.STATES:
        while match := state.said.search(made.text):
            found = None if _is_value(match[0], made.table) else _of_state(made.table, state, today)
            if not found:
                break
            if any(each not in made.filters for each in found):
                made.hold(match[0], *(each for each in found if each not in made.filters))
            kept = "earnings" if re.search(r"\bow(?:ed|ing)\b", match[0]) else ""
            made.cut(match, kept)
    if match := words.NOT_DONE.search(made.text):
        fits = [each for each in made.table.shape.columns if each.type == "date" and _is_done(match["done"], each)]  # fmt: skip
        if len(fits) == 1:
            made.hold(match[0], Filter(column=fits[0].name, operator="blank"))
            made.cut(match)


def _is_value(said: str, table: TableInfo) -> bool:
    """Tell whether a word for a state is what a column of the table has itself."""
    plain = said.casefold().split()[-1]
    return any(plain == value.casefold() for each in table.shape.columns for value in each.values)


def _of_state(table: TableInfo, state: State, today: dt.date) -> list[Filter]:
    """Return the conditions of a state; none where its columns are not there."""
    if state.number:
        numbers = derived.called(table, state.number)
        wanted = {"operator": state.operator, "values": [state.value]}
        return [Filter.model_validate({"column": numbers[0].name, **wanted})] if len(numbers) == 1 else []  # fmt: skip
    known = {stem(each) for each in state.date}
    blank = [each for each in dates(table) if derived.stems(each) & known and each.blanks]
    if len(blank) != 1:
        return []
    made = [Filter(column=blank[0].name, operator="blank")]
    if state.past:
        past = {stem(each) for each in state.past}
        due = [each for each in dates(table) if derived.stems(each) & past]
        if len(due) != 1:
            return []
        made.append(Filter(column=due[0].name, operator="before", values=[today.isoformat()]))
    return made


def _is_done(word: str, column: Column) -> bool:
    """Tell whether a date is the day on which something was done."""
    said = {stem(part) for part in matching.parts(column.name)}
    if stem(word) in said:
        return True
    return any(
        word in each.said and said & {stem(name) for name in each.named}
        for each in words.CONCEPTS
        if each.type == "date"
    )


def _none(made: Translated) -> None:
    """Take "no discount" for a discount of 0, where no cell is blank."""
    match = _ALONE.search(made.text)
    if match is None:
        return
    said = match["what"].split()[0]
    column = _of_concept(said, made.table) or next(
        (each for each in made.table.shape.columns if said in matching.parts(each.name)), None
    )
    if column is None or column.type != "number" or column.blanks:
        return
    made.hold(f"no {said}", Filter(column=column.name, operator="is", values=["0"]))
    made.text = " ".join(re.sub(rf"\b(?:with )?no {said}\b", "", made.text, count=1).split())


# --- columns ---------------------------------------------------------------------------------------


def _concepts(made: Translated) -> None:
    """Put the names of columns in the place of words for what they measure."""
    for token in reversed(AskedWords(made.text).tokens):
        if _is_named(token.plain, made) or _is_value(token.plain, made.table):
            continue
        column = _of_concept(token.plain, made.table)
        if column is None or not _fits_here(made.text, token.start, column):
            continue
        name = matching_name(column)
        if column.name not in {each.name for each in made.calculated}:
            made.take(token.text, column)
        made.text = f"{made.text[: token.start]}{name}{made.text[token.end :]}"


def _fits_here(text: str, start: int, column: Column) -> bool:
    """Tell whether a word stands where a column can: of a date not behind who did something to it."""
    return column.type != "date" or not re.search(r"\b(?:by|per)\s*$", text[:start])


def _is_named(word: str, made: Translated) -> bool:
    """Tell whether a column of the table is called by a word already."""
    columns = [*made.table.shape.columns, *made.calculated]
    return any(
        matching.alike(word, part) >= 0.9 for each in columns for part in matching.parts(each.name)
    )


def _of_concept(word: str, table: TableInfo) -> Column | None:
    """Return the only column that measures what a word asks for."""
    found: dict[str, Column] = {}
    for concept in words.CONCEPTS:
        if word in concept.said:
            found |= {each.name: each for each in _called(table, concept)}
    return next(iter(found.values())) if len(found) == 1 else None


def _called(table: TableInfo, concept: Concept) -> Iterator[Column]:
    named = {stem(each) for each in concept.named}
    is_income = bool(words.INCOME & concept.said)
    for column in table.shape.columns:
        is_year = column.type == "number" and column.is_name and "year" in matching.parts(column.name)  # fmt: skip
        is_plain = column.type == concept.type and not (column.type == "number" and column.is_name)
        is_plain = is_plain or (is_year and concept.type == "date")
        if is_income and derived.is_outlay(column):
            continue
        if is_plain and derived.stems(column) & named:
            yield column


def _money(made: Translated) -> None:
    """Take what is earned or owed, and the size of a row, for the one column of money."""
    asked = AskedWords(made.text)
    named = bool(made.calculated) or any(each.column.type == "number" for each in matching.columns(asked, made.table))  # fmt: skip
    match = words.EARNED.search(made.text) or (None if named else words.SIZE.search(made.text))
    sized = None if named or match else words.SIZED.search(made.text)
    if sized and all(each.text != sized["noun"] for each in matching.named(asked, made.table)):
        return
    if not (match or sized):
        return
    column = made.calculated[0] if made.calculated else _worth(made)
    if column is None:
        return
    said = match or sized
    assert said is not None  # noqa: S101 - one of them is there
    made.take(said[0], column)
    made.cut(said, f"{sized['way'] if sized else ''} {matching_name(column)}")


def _sheet_words(made: Translated) -> None:
    """Leave out the word of a sheet behind a column's name: "fellgate revenue" on the sheet of revenue."""
    sheet = matching.parts(made.table.shape.sheet)
    found = list(matching.columns(AskedWords(made.text), made.table))
    for one, other in pairwise(found):
        said = made.text[other.start : other.end].casefold()
        if other.start == one.end + 1 and said in sheet and one.column.type == "number":
            made.text = " ".join(f"{made.text[: other.start]}{made.text[other.end :]}".split())
            return


def _earnings_of(made: Translated) -> None:
    """Leave out that something came in where the column that says of what is named: "pumps brought in"."""
    match = words.EARNED.search(made.text)
    named = [each.column for each in matching.columns(AskedWords(made.text), made.table)]
    if match and any(each.type == "number" and not each.is_name for each in named):
        made.cut(match)


def _percents(made: Translated) -> None:
    """Take "above 60 percent" for a bound on the column of percentages that is named, or the only one."""
    match = words.PERCENT.search(made.text)
    if match is None:
        return
    named = [each.column for each in matching.columns(AskedWords(made.text), made.table)]
    named = [each for each in named if each.type == "number" and not each.is_name]
    fits = [each for each in made.table.shape.columns if each.unit == "%"]
    if named and named[0].unit == "%":
        made.cut(match, match["bound"])
    elif not named and len(fits) == 1:
        made.notes.append(words.OF_COLUMN.format(said=match[0], name=fits[0].name))
        made.cut(match, f"{matching_name(fits[0])} {match['bound']}")


def _bare_numbers(made: Translated) -> None:
    """Take a number that stands beside no column for a quantity, or for money where it is written as such."""
    asked = AskedWords(made.text)
    named = [each.column for each in matching.columns(asked, made.table)]
    if any(each.type == "number" and not each.is_name for each in named):
        return
    for each in reversed(list(compared(asked))):
        if words.PERCENT.match(made.text, each.start):
            continue
        is_large = re.search(r"\d(?:k|m)$|\d{4}", made.text[each.start : each.end], re.IGNORECASE)
        column = _worth(made) if is_large else derived.quantity(made.table)
        if each.currency or column is None or _has_unit(made.table, each.unit):
            continue
        said = made.text[each.start : each.end]
        made.notes.append(words.OF_COLUMN.format(said=said.strip(), name=column.name))
        name = matching_name(column)
        made.text = f"{made.text[: each.start]}{name} {made.text[each.start :]}"


def _has_unit(table: TableInfo, unit: str) -> bool:
    return bool(unit) and any(each.unit == unit for each in table.shape.columns)


def _worth(made: Translated) -> Column | None:
    """Return the column that says what a row comes to, calculated where the table has none."""
    column = derived.money(made.table)
    if column is None and (value := derived.line_value(made.table)) is not None:
        made.calculated.append(value)
        name = value.name[:1].upper() + value.name[1:]
        made.notes.append(words.CALCULATED.format(name=name))
        column = value
    return column


# --- rows ------------------------------------------------------------------------------------------


def _rows(made: Translated) -> None:
    """Put the table's own word for its rows in the place of another."""
    own = own_noun(made.table)
    for nouns in words.ROW_NOUNS:
        stems = {stem(each) for each in nouns}
        if own is None or (stem(own) not in stems and not (nouns & words.PEOPLE and matching.is_of_people(made.table))):  # fmt: skip
            continue
        for token in reversed(AskedWords(made.text).tokens):
            if token.term in stems and stem(token.plain) != stem(own):
                made.text = f"{made.text[: token.start]}{own}{made.text[token.end :]}"


def own_noun(table: TableInfo) -> str | None:
    """Return the first word that names the table's rows."""
    source = table.source.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    ids = [each for each in table.shape.columns if each.is_name or (each.type == "text" and each.distinct == table.shape.rows)]  # fmt: skip
    names = [word for each in ids for word in matching.parts(each.name)[:1]]
    said = [*matching.parts(source), *matching.parts(table.shape.sheet), *names]
    known = {stem(each) for nouns in words.ROW_NOUNS for each in nouns}
    plain = [each for each in said if each not in FILLERS and not each.isdigit() and len(each) > 2]  # fmt: skip
    return next((each for each in said if stem(each) in known), plain[0] if plain else None)


def asks_for_people(made: Translated) -> bool:
    """Tell whether people are asked for whom the table does not have."""
    said = {token.plain for token in AskedWords(made.text).tokens}
    return bool(said & words.PEOPLE) and not matching.is_of_people(made.table)


def _light(made: Translated) -> None:
    """Leave out words that say nothing of a table, where it has none of them."""
    kept = []
    at = 0
    own = own_noun(made.table)
    asked = AskedWords(made.text)
    list(matching.values(asked, made.table))
    for token in asked.tokens:
        is_light = (
            not token.read and token.plain in words.LIGHT and not _is_named(token.plain, made)
        )
        is_light = is_light and (own is None or stem(own) != token.term)
        is_light = is_light and not words.COUNTS_NEXT.search(made.text[: token.start])
        kept.append(made.text[at : token.start])
        kept.append("" if is_light else made.text[token.start : token.end])
        at = token.end
    made.text = " ".join("".join([*kept, made.text[at:]]).split())
