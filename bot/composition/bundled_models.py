"""Build the models that come with MASIS: one that embeds, and one that reads whether a passage answers."""

from masis.adapters.minilm import MiniLMEmbedder
from masis.adapters.minilm_reader import MiniLMReader
from masis.extractive.answer_reading import RememberingReader
from masis.ports import AnswerReader


def embedder(threads: int) -> MiniLMEmbedder:
    """The bundled embedder."""
    return MiniLMEmbedder(threads=threads)


def reader(threads: int) -> MiniLMReader:
    """The bundled reader."""
    return MiniLMReader(threads=threads)


def remembering(reader: MiniLMReader) -> AnswerReader:
    """The reader, which reads nothing twice."""
    return RememberingReader(reader)
