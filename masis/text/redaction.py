"""Strike out what looks like a secret: for what is shown, and for what is logged."""

import re
from collections.abc import Iterable
from typing import Final

HIDDEN: Final = "[redacted]"

Rule = tuple[re.Pattern[str], str]
"""What is found, and what stands in its place."""


def rules(patterns: Iterable[tuple[str, str]]) -> tuple[Rule, ...]:
    """Compile patterns with what stands in the place of what they find."""
    return tuple((re.compile(pattern, re.ASCII), instead) for pattern, instead in patterns)


RULES: Final = rules(
    (
        # Slack's tokens, MASIS's own, and those of model services.
        (r"(?<![A-Za-z0-9])xox[a-z][.-][A-Za-z0-9.-]*[A-Za-z0-9]", HIDDEN),
        (r"(?<![A-Za-z0-9])xapp-[A-Za-z0-9-]+", HIDDEN),
        (r"(?<![A-Za-z0-9])masis_[a-z2-7]{16}_[A-Za-z0-9_-]+", HIDDEN),
        (r"(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{8,}", HIDDEN),
        # Those of code hosts, clouds and payment services, and signed web tokens.
        (r"(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{30,255}", HIDDEN),
        (r"(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{30,255}", HIDDEN),
        (r"(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{16,}", HIDDEN),
        (r"(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])", HIDDEN),
        (r"(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}", HIDDEN),
        (r"(?<![A-Za-z0-9])[rs]k_(?:live|test)_[A-Za-z0-9]{10,}", HIDDEN),
        (r"(?<![A-Za-z0-9])(?:hf|npm)_[A-Za-z0-9]{30,}", HIDDEN),
        (r"(?<![A-Za-z0-9])eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]*", HIDDEN),
        (
            (
                r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,8000}"
                r"(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?"
            ),
            HIDDEN,
        ),
        # A header's; words have no capital and figure in one: "basic understanding".
        (
            (
                r"(?i:\b(bearer|basic))\s+(?=[\w.~+/=-]{0,300}[0-9])(?=[\w.~+/=-]{0,300}[A-Z])"
                r"[\w.~+/=-]{16,}"
            ),
            rf"\1 {HIDDEN}",
        ),
        # An address with a password, a secret in its query, or one that is a secret itself.
        (r"(?<=://)[^/\s:@]*:[^/\s@]+(?=@)", HIDDEN),
        (
            r"(?i)([?&](?:ticket|token|code|state|secret|password|(?:api[-_]?)?key)=)[^&\s\"']+",
            rf"\1{HIDDEN}",
        ),
        (r"(?<=hooks\.slack\.com/)[^\s\"']+", HIDDEN),
        # One that is named as such: in quotes, or by its letters and figures.
        (
            r"(?i)((?:api[-_]?key|token|secret|password)b?['\"]?\s*[:=,]\s*b?['\"])[^'\"\s]{8,}",
            rf"\1{HIDDEN}",
        ),
        (
            (
                r"(?i)(\b(?:(?:api|access|secret|private)[-_ ]?key|(?:access|auth|api|bot)[-_ ]?token"
                r"|(?:client[-_ ]?)?secret)\b[*_`]{0,2}(?:\s?[:=]\s?|\sis\s)['\"`*]{0,2})"
                r"(?=[a-z0-9+/_=-]{0,100}[0-9])(?=[a-z0-9+/_=-]{0,100}[a-z])"
                r"(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z0-9+/_=]{16,})"
            ),
            rf"\1{HIDDEN}",
        ),
    )
)


def redacted(text: str, also: Iterable[Rule] = ()) -> str:
    """Return a text without what looks like a token, a key or a password in an address."""
    for pattern, instead in (*RULES, *also):
        text = pattern.sub(instead, text)
    return text
