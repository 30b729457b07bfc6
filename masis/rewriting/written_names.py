"""Write names as the documents of a workspace do, where they were typed without capitals."""

import asyncio
import re
from collections.abc import Sequence
from typing import Final

from masis.domain import WorkspaceId
from masis.rewriting import small_words
from masis.words.spelling import Words
from masis.words.workspace_words import WorkspaceWords

_TYPED: Final = re.compile(r"(?<![\w.@/'’-])[a-zß-ÿ]{4,}(?![\w@/-]|\.\w)")
_NO_NAME: Final = (
    small_words.PEOPLE | small_words.RELATIONS | small_words.PERIODS | small_words.PLACES
)


class WorkspaceNames:
    """Knows which words the documents of a workspace write with a capital alone.

    Raises:
        StoreUnavailable: the database cannot be read.
    """

    def __init__(self, words: WorkspaceWords) -> None:
        self._words = words

    async def written(self, workspace_id: WorkspaceId, texts: Sequence[str]) -> list[str]:
        """Return texts with their names as they are written in the documents."""
        if not any(map(_TYPED.search, texts)):
            return list(texts)
        words = await self._words.of(workspace_id)
        return await asyncio.to_thread(lambda: [with_names(text, words) for text in texts])


def with_names(text: str, words: Words) -> str:
    """Return a text with a capital where a word is a name."""
    return _TYPED.sub(lambda match: _written(match[0], words), text)


def _written(word: str, words: Words) -> str:
    plain = small_words.singular(word)
    is_name = words.is_name(word) and plain not in _NO_NAME and not small_words.is_verb(plain)
    return word.capitalize() if is_name else word
