"""Tell by the name of a column what its cells are: codes, what is said of them, or things of which there are many."""

import re
from typing import Final

_CODE: Final = re.compile(r"\b(?:codes?|identifier|soc)\b")
_NUMBER: Final = re.compile(r"\b(?:key|no|nr|num|number|numbers|id|ids)\b|#")
_KIND: Final = re.compile(
    r"\b(?:(?:cost|profit|responsibility)\s*cent(?:er|re)s?|cent(?:er|re)s?|(?:gl|g l|ledger|expense|nominal)?\s*accounts?|categor(?:y|ies)"
    r"|(?:\w+\s+)?(?:types?|groups?|class(?:es)?|headings?)|tariffs?|commodit(?:y|ies)|ledgers?|departments?|activit(?:y|ies)|industr(?:y|ies)"
    r"|occupations?|funds?|wbs(?:\s+elements?)?|sectors?|budget\s+lines?)\b"
)
"""Kinds of code, of which a workspace has a list that says what belongs to each."""
_THING: Final = re.compile(
    r"\b(?:orders?|invoices?|tickets?|cases?|incidents?|requests?|employees?|emp|staff|person(?:nel)?|users?|members?|students?|pupils?"
    r"|patients?|customers?|clients?|suppliers?|vendors?|partners?|company|compan(?:y|ies)|contacts?|assets?|serial|devices?|po"
    r"|purchases?|deliver(?:y|ies)|shipments?|bookings?|payments?|transactions?|contracts?|policy|claims?|rooms?|phones?|telephone"
    r"|mobile|tax|vat|bank|iban|row|line|page|version|questions?|sku|articles?|parts?|lots?|batch(?:es)?|journal|voucher|receipt)\b"
)
"""Things that are numbered one by one: an order's number says nothing of other orders."""
_OF_RECORDS: Final = re.compile(
    r"\b(?:status|state|priority|assignee|assigned|agent|opened|closed|created|updated|due|deadline|by when|by|who|reported|requested"
    r"|customer|client|supplier|vendor|date|hired|phone|telephone|mobile|extension|e mail|email|birth\w*|rating|paid|issued|ordered"
    r"|delivered|remarks?)\b"
)
"""What is told of single things that come and go."""
_AMOUNT: Final = re.compile(
    r"\b(?:prices?|qty|quantit(?:y|ies)|stock|on hand|amounts?|salar(?:y|ies)|fees?|totals?|net|gross|debit|credit|balance|units?|cost per \w+"
    r"|unit cost|hours?|spent)\b|[$€£]"
)
_PERSON: Final = re.compile(
    r"\b(?:owner|manager|lead|leader|head|responsible|contact|teacher|approver|approved by|person|holder|agent|assignee|who|buyer)\b"
)
_DATED: Final = re.compile(
    r"\b(?:valid|from|to|until|since|start\w*|end\w*|date|year|changed|created)\b"
)
_TITLE: Final = re.compile(
    r"\b(?:title|name|label|designation|occupation|job|category|class|type|group|item|account"
    r"|cost cent(?:er|re)|heading|term)\b"
)
_NAME: Final = re.compile(r"\b(?:title|name|label)\b")
_DESCRIPTION: Final = re.compile(
    r"\b(?:description|definition|explanation|notes?|scope|meaning|usage|use (?:for|when)|details?"
    r"|covers|when to use|what it covers)\b"
)
_SYNONYMS: Final = re.compile(
    r"\b(?:synonyms?|alternative|alt|aliases|also called|also known as|keywords?|examples?"
    r"|index terms?|includes)\b"
)
_EXCLUDED: Final = re.compile(r"\b(?:exclud\w+|not for|does not cover|not included|except)\b")
_PARENT: Final = re.compile(r"\b(?:parent|broader|belongs to|part of|reports to|above|superior)\b")
_LEVEL: Final = re.compile(r"\b(?:level|depth|tier)\b")


def plain_name(name: str) -> str:
    """Return the words of a column's name, in small letters."""
    return " ".join(re.sub(r"[_\-.:/()]+", " ", name).casefold().split())


def says_code(name: str) -> bool:
    """Tell whether a column says outright that it has codes."""
    return _CODE.search(plain_name(name)) is not None and not _THING.search(plain_name(name))


def says_number(name: str) -> bool:
    """Tell whether a column numbers something that is not numbered one by one."""
    return _NUMBER.search(plain_name(name)) is not None and not _numbers_things(name)


def names_kind(name: str) -> bool:
    """Tell whether a column is called what its codes are of, with a number's word or without: `Cost centre`."""
    said = re.sub(rf"(?:{_NUMBER.pattern}|{_CODE.pattern})", " ", plain_name(name)).strip()
    return _KIND.fullmatch(said) is not None


def may_hold_codes(name: str) -> bool:
    """Tell whether a column is called what codes are in any list."""
    return bool(_CODE.search(plain_name(name)) or _NUMBER.search(plain_name(name)))


def _numbers_things(name: str) -> bool:
    return not names_kind(name) and _THING.search(plain_name(name)) is not None


def is_of_records(name: str) -> bool:
    """Tell whether a column tells something of single things that come and go."""
    return _OF_RECORDS.search(plain_name(name)) is not None


def is_amount(name: str) -> bool:
    """Tell whether a column is of money or of how many there are."""
    return _AMOUNT.search(name.casefold()) is not None


def is_beside(name: str) -> bool:
    """Tell whether a column says of a code whose it is, or since when: nothing that describes it."""
    said = plain_name(name)
    return any(each.search(said) for each in (_PERSON, _DATED, _OF_RECORDS, _AMOUNT))


def names_code(name: str) -> bool:
    """Tell whether a column is called what names a code."""
    return _TITLE.search(plain_name(name)) is not None and not says_more(name)


def is_called_name(name: str) -> bool:
    """Tell whether a column is called a name or a title."""
    return _NAME.search(plain_name(name)) is not None


def describes(name: str) -> bool:
    """Tell whether a column describes codes."""
    return _DESCRIPTION.search(plain_name(name)) is not None


def has_synonyms(name: str) -> bool:
    """Tell whether a column has other names of codes."""
    return _SYNONYMS.search(plain_name(name)) is not None and not describes(name)


def excludes(name: str) -> bool:
    """Tell whether a column says what codes are not."""
    return _EXCLUDED.search(plain_name(name)) is not None


def is_parent(name: str) -> bool:
    """Tell whether a column has the codes above."""
    return _PARENT.search(plain_name(name)) is not None


def is_level(name: str) -> bool:
    """Tell whether a column says how deep a code is."""
    return _LEVEL.search(plain_name(name)) is not None


def says_more(name: str) -> bool:
    """Tell whether a column says more of codes than what they are called."""
    patterns = (_DESCRIPTION, _SYNONYMS, _EXCLUDED, _PARENT, _LEVEL)
    return any(pattern.search(plain_name(name)) for pattern in patterns)
