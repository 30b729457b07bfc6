"""Counts in words, alike in the terminal, in reports and in a chat."""

from masis.domain import CitationAudit


def counted(number: int, noun: str) -> str:
    """Count a noun: `1 document`, `2,000 documents`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def audited(audit: CitationAudit | None) -> list[str]:
    """Say what the audit of an answer's citations found; nothing where there was none, or nothing is claimed."""
    if audit is None:
        return []
    counts = f"{audit.cited_claims} of {counted(audit.claims, 'claim')} cited"
    words = [counts] if audit.claims else []
    if audit.invalid:
        words.append(counted(len(audit.invalid), "made-up citation"))
    if audit.unsupported:
        words.append(f"{counted(len(audit.unsupported), 'claim')} not in the source")
    return words
