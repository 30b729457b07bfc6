# mypy: disallow-subclassing-any=False
# torch is in an environment of its own, which mypy does not see.
"""Write the trained reading model as it is shipped: `... export_reader WEIGHTS FILE`.

The ONNX file has three outputs: `answers`, the logit of whether the text answers the question, and
`begin` and `end`, those of where the answer does, token by token. Its matrices are of eight bits, a
scale a channel, and the activations are scaled as it runs. A file that is too large, or that reads
otherwise than the network, is not written.
"""

import argparse
import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Final

import onnx
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from tests.bench.reader.reader_batches import Batch, Encoded, Encoder, tensors
from tests.bench.reader.reader_model import PLACES, Reader, saved
from tests.bench.reader.reading_examples import whole
from tests.bench.reader.reading_set import load, split

INPUTS: Final = ("input_ids", "attention_mask", "token_type_ids")
OUTPUTS: Final = ("answers", "begin", "end")
OPSET: Final = 18
MOST_ROWS: Final = 512
QUANTIZED: Final = ("MatMul", "Gemm", "Gather")
"""The kinds of node whose weights are stored in eight bits: the matrices and the embeddings."""

COMPARED: Final = 16
"""So many held-out passages are read by both."""
MOST_BYTES: Final = 25_000_000
MOST_APART_EXACT: Final = 1e-3
"""Between a logit of the network and of the file in single precision."""
MOST_APART: Final = 0.05
"""Between the probabilities of the network and of the file in eight bits, in the mean."""


class Heads(nn.Module):
    """The reader with its heads in the order of the file's outputs."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """A logit a row, and two a token."""
        begin, end, answers = self.reader(ids, mask, segments)
        return answers, begin, end


@dataclass(frozen=True, slots=True)
class Apart:
    """How far a file is from the network, over some texts that are read one by one."""

    logits: float
    """The largest difference, over all three outputs."""
    mean: float
    largest: float
    """Of the probability that the text answers."""
    begins: float
    """How often both have the likeliest begin at the same token."""


def export(heads: Heads, given: Batch, path: Path) -> None:
    """Write it in single precision, for any number of rows and tokens up to the model's."""
    rows = torch.export.Dim("rows", min=1, max=MOST_ROWS)
    tokens = torch.export.Dim("tokens", min=4, max=PLACES)
    torch.onnx.export(
        heads,
        (given.ids, given.mask, given.segments),
        str(path),
        input_names=list(INPUTS),
        output_names=list(OUTPUTS),
        dynamic_shapes=({0: rows, 1: tokens},) * 3,
        dynamo=True,
        external_data=False,
        opset_version=OPSET,
    )


def without_traces(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same model without what the exporter notes beside it: names of files of this machine."""
    graph = model.graph
    parts = [model, graph, *graph.node, *graph.input, *graph.output, *graph.value_info]
    for part in [*parts, *graph.initializer]:
        part.ClearField("doc_string")
        part.ClearField("metadata_props")
    return model


def apart(heads: Heads, examples: Sequence[Encoded], path: Path) -> Apart:
    """Compare the two over texts that are read one by one, as they will be.

    Those of a batch would share the scales of their activations.
    """
    session = onnxruntime.InferenceSession(str(path))
    logits, likely, begins = [], [], []
    for given in (tensors([one]) for one in examples):
        tensor = (given.ids, given.mask, given.segments)
        arrays = dict(zip(INPUTS, (one.numpy() for one in tensor), strict=True))
        found = [torch.from_numpy(one) for one in session.run(list(OUTPUTS), arrays)]
        with torch.no_grad():
            exact = heads(*tensor)
        logits.append(
            max(float((one - other).abs().max()) for one, other in zip(exact, found, strict=True))
        )
        likely.append(float((exact[0].sigmoid() - found[0].sigmoid()).abs().max()))
        begins.append(bool(exact[1].argmax() == found[1].argmax()))
    return Apart(max(logits), mean(likely), max(likely), mean(begins))


def held_out() -> list[Encoded]:
    """The questions of some passages that nothing was learned from."""
    encoder = Encoder()
    return [
        encoder.encode(whole(one, ask)) for one in split(load())[1][:COMPARED] for ask in one.asks
    ]


def refused(exact: Apart, quantized: Apart, size: int) -> str:
    """Why the file may not be shipped; empty if it may."""
    if exact.logits > MOST_APART_EXACT:
        return f"in single precision a logit is {exact.logits:.4f} from the network's"
    if quantized.mean > MOST_APART:
        return f"in eight bits probabilities are {quantized.mean:.4f} off in the mean"
    return f"{size / 1e6:.1f} MB are too many" if size > MOST_BYTES else ""


def main(options: argparse.Namespace) -> None:
    """Export, quantise, compare, and write what is as the network reads."""
    heads, examples = Heads(saved(options.weights)).eval(), held_out()
    with TemporaryDirectory() as folder:
        exact, small = Path(folder) / "exact.onnx", Path(folder) / "small.onnx"
        export(heads, tensors(examples), exact)
        quantize_dynamic(
            exact,
            small,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,  # processors without VNNI would saturate
            op_types_to_quantize=list(QUANTIZED),
        )
        onnx.save(without_traces(onnx.load(small)), small)
        both = apart(heads, examples, exact), apart(heads, examples, small)
        written = small.read_bytes()
    for name, one in zip(("single precision", "eight bits"), both, strict=True):
        print(
            f"{name}: logits at most {one.logits:.5f} off, probabilities {one.mean:.4f} in the mean"
            f" and {one.largest:.4f} at most, the same begin in {one.begins:.3f}"
        )
    why = refused(*both, len(written))
    if why:
        sys.exit(f"not written: {why}")
    options.out.write_bytes(written)
    print(f"{len(written) / 1e6:.1f} MB, sha256 {hashlib.sha256(written).hexdigest()}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path, help="file that train_reader wrote")
    parser.add_argument("out", type=Path, help="ONNX file to write")
    main(parser.parse_args())
