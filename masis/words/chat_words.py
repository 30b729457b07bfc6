"""A question as it is meant, without what is written around it in a chat: greetings, thanks, short spellings.

Pure, by closed tables. What is left has something to search for, or the text stays as it was.
"""

import re
from typing import Final

from masis.phrases.small_talk import SmallTalk, small_talk, without_small_talk
from masis.text.lexical import terms
from masis.words.abbreviations import with_small_words
from masis.words.english import reads_english

__all__ = ["SmallTalk", "plain", "small_talk", "spelt_out", "without_courtesies"]

_SHORT: Final = {
    "whats": "what is",
    "wots": "what is",
    "wats": "what is",
    "wat": "what",
    "wot": "what",
    "wht": "what",
    "wich": "which",
    "whcih": "which",
    "payed": "paid",
    "waht": "what",
    "hwat": "what",
    "whos": "who is",
    "wheres": "where is",
    "whens": "when is",
    "hows": "how is",
    "thats": "that is",
    "hwo": "how",
    "hw": "how",
    "wen": "when",
    "wher": "where",
    "whre": "where",
    "teh": "the",
    "hte": "the",
    "thier": "their",
    "ppl": "people",
    "u": "you",
    "ur": "your",
    "r": "are",
    "cn": "can",
    "shud": "should",
    "wud": "would",
    "cud": "could",
    "abt": "about",
    "bc": "because",
    "cuz": "because",
    "coz": "because",
    "pls": "please",
    "plz": "please",
    "dunno": "do not know",
    "gonna": "going to",
    "wanna": "want to",
    "gotta": "have to",
    "gimme": "give me",
    "calender": "calendar",
    "addy": "address",
    "tmrw": "tomorrow",
    "hols": "holidays",
    "drs": "doctor's",
    "mgr": "manager",
    "cust": "customer",
    "custs": "customers",
    "im": "i am",
    "ive": "i have",
    "til": "until",
    "approx": "approximately",
    "smth": "something",
    "sth": "something",
    "sb": "somebody",
    "smb": "somebody",
    "cld": "could",
    "wld": "would",
    "shld": "should",
    "hav": "have",
    "hv": "have",
    "tho": "though",
    "bout": "about",
    "didnt": "didn't",
    "doesnt": "doesn't",
    "dont": "don't",
    "isnt": "isn't",
    "wasnt": "wasn't",
    "arent": "aren't",
    "werent": "weren't",
    "hasnt": "hasn't",
    "havent": "haven't",
    "couldnt": "couldn't",
    "shouldnt": "shouldn't",
    "wouldnt": "wouldn't",
    "altho": "although",
    "thru": "through",
    "betw": "between",
    "btwn": "between",
    "hes": "he is",
    "shes": "she is",
    "theyre": "they are",
    "youre": "you are",
    "weve": "we have",
    "theyve": "they have",
    "youve": "you have",
    "youll": "you will",
    "theyll": "they will",
    "itll": "it will",
    "havnt": "haven't",
    "theres": "there is",
}
"""Spellings that stand for one thing in a chat, in lower case: as initials ("UR", "R") they are codes."""

_HELLO: Final = (
    r"(?:hi+|hiya|hello|helo|hey+|heya|yo|dear|good (?:morning|afternoon|evening|day)"
    r"|(?:morning|afternoon|evening)(?=\s+(?:all|everyone|everybody|team|folks|guys|both)\b|\s*[,!.]))"
    r"(?![ -]?(?:vis|viz|fi|res|tech)\b)"
    r"(?:\s+(?:again|all|everyone|everybody|there|team|folks|guys|both|masis|bot|mate))*"
)
_SMALL: Final = (
    r"(?:(?:just )?(?:a )?(?:really )?(?:quick|small|silly|stupid|random|daft) (?:one|question|q)"
    r"(?: for (?:you|ya|u|everyone|the team))?"
    r"|sorry(?: (?:to (?:bother|bug|disturb) (?:you|everyone)|if this (?:is|was|has)[^,.?!:–—-]{0,40}"
    r"|for the (?:silly|stupid|basic|dumb) question))?"
    r"|hope (?:you(?:'?re| are) (?:all )?(?:well|ok|okay|good)|all is well|all(?:'s| is)? good"
    r"|you had a (?:good|nice|great) (?:weekend|day|morning))"
    r"|hope this is the right (?:place|channel)"
    r"|(?:probably )?(?:a )?(?:dumb|silly|stupid) question(?: but)?)"
)
_OVER: Final = (
    r"(?=\s*(?:[,;:.!?…–—]|\s-|$)|\s+(?:who|whom|whose|what|which|when|where|why|how|can|could|do|does|did|is|are|am"
    r"|may|must|should|will|would|has|have|i|i'm|im|we|any|anyone|anybody|please|pls|just|quick|sorry|hope|need"
    r"|looking|wondering|whats|whos|wheres|whens|hows|what's|who's|where's|when's|how's)\b)"
)
"""What says that a greeting is over: a sign, or how a question begins. Else it may be what is asked about."""
_LEAD: Final = (
    r"(?:(?:(?:i was|i am|i'm|im|was)?\s*(?:just )?wondering|(?:does|do|did) (?:any(?:one|body)|you|u|we) "
    r"(?:happen to )?know|any(?:one|body) (?:happen to )?knows?|any idea|"
    r"(?:please )?(?:can|could|would|cn) (?:you|u|any(?:one|body)|some(?:one|body)) (?:please )?(?:tell me|remind me"
    r"|let me know|confirm)|(?:please |pls )?remind me|(?:i )?(?:just )?(?:wanted|want|need|would like|'d like)"
    r" to (?:know|check|ask|find out)|just checking|quick check)"
    r"(?:\s*[,:-])?(?=\s+(?:who|whom|whose|what|which|when|where|why|how|if|whether|the|is|are|do|does"
    r"|can|whats|whos|wheres|whens|hows|what's|who's|where's|when's|how's)\b)"
    r"(?:\s+(?:if|whether)\b)?)"
)
_BEGIN: Final = re.compile(
    rf"\s*(?:(?:{_HELLO}|{_SMALL}){_OVER}|{_LEAD}|(?:so|ok|okay|um|erm|oh|btw|also)(?=\s*[,:…-]))(?!['’\w])[\s,;:.!…–—-]*",
    re.IGNORECASE,
)
_GRATITUDE: Final = (
    r"(?:many |lots of )?(?:thanks|thank (?:you|u)|thx|thnx|tnx|thks|ty|tia|cheers|ta)"
    r"(?: (?:so|very) much| a lot| a (?:million|bunch)| in advance| again| all| everyone| team| guys| mate"
    r"| you all| for (?:your|the|any) help)*"
)
_THANKS: Final = (
    rf"(?:{_GRATITUDE}"
    r"|(?:i )?appreciate (?:it|that|any help)|(?:(?:kind|best|warm) )?regards(?:,? \w{1,15})?"
    r"|any help (?:is |would be )?(?:much )?appreciated|much appreciated|please and thank you"
    r"|just (?:wondering|curious|checking)|asking for a friend|let me know|pls|plz|please|lo+l|haha+|sry|soz|srry|sorry|x{1,3})"
)
_AT_END: Final = re.compile(rf"(?:[\s,;:.!?…–—-]|^)({_THANKS})[\s,;.!…–—-]*$", re.IGNORECASE)
_MOST_STRIPPED: Final = 6
_LOOKED_AT: Final = 200
"""Characters at the end in which thanks are looked for."""
_WORD: Final = re.compile(r"(?<![\w.@/'’-])[a-z]+(?![\w@/'’-]|\.\w)")


_ALLOWED: Final = re.compile(
    r"^(?:am i|are we|is it) (?:allowed|permitted|ok|okay|alright|all right|fine|possible)(?: for me| for us)?"
    r"(?: to| if (?P<who>i|we)) (?=\w)",
    re.IGNORECASE,
)
"""How it is asked whether one may: no document says it so."""


def plain(question: str) -> str:
    """Return a question without greetings and thanks around it, its short spellings in full."""
    return _ALLOWED.sub(_may, spelt_out(without_courtesies(question)))


def _may(match: re.Match[str]) -> str:
    who = match["who"] or ("we" if match[0].lower().startswith("are") else "I")
    return f"Can {who} " if match[0][0].isupper() else f"can {who.lower()} "


def spelt_out(question: str) -> str:
    """Return a question with the short spellings of a chat in full: an English one, others have such words."""
    full = _in_full(with_small_words(question))
    # Whether it is English is looked up word by word, and only where that changes anything.
    return full if full == question or reads_english(question, _SHORT) else question


def _in_full(text: str) -> str:
    return _WORD.sub(lambda match: _SHORT.get(match[0], match[0]), text)


def without_courtesies(question: str) -> str:
    """Return a question without the greetings and thanks around it."""
    left = question.strip()
    bare = without_small_talk(left)
    left = bare if terms(bare) else left
    for _ in range(_MOST_STRIPPED):
        shorter = _begun(_ended(left))
        if shorter == left or not terms(shorter):
            break
        left = shorter
    return left


def _begun(text: str) -> str:
    match = _BEGIN.match(text)
    return text[match.end() :] if match else text


def _ended(text: str) -> str:
    cut = max(0, len(text) - _LOOKED_AT)
    match = _AT_END.search(text[cut:])
    if match is None:
        return text
    kept = text[: cut + match.start(1)].rstrip(" ,;:-–—…")
    return kept or text
