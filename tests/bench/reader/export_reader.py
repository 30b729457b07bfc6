# mypy: disallow-subclassing-any=False
# torch is in an environment of its own, which mypy does not see.
"""Write the trained reading model as it is shipped: `... export_reader WEIGHTS FILE`.

The ONNX file has the one output `answers`, the logit of whether the text answers the question; its
matrices are of eight bits, a scale a channel, and the activations are scaled as it runs.
"""

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path
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
OUTPUT: Final = "answers"
OPSET: Final = 18
MOST_ROWS: Final = 512
QUANTIZED: Final = ("MatMul", "Gemm", "Gather")
"""The kinds of node whose weights are stored in eight bits: the matrices and the embeddings."""

COMPARED: Final = 16
"""So many held-out passages are read by both, to print how far the eight bits are off."""


class Answered(nn.Module):
    """The reader with its last head alone."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> Tensor:
        """A logit a row."""
        return self.reader(ids, mask, segments)[2]


def export(answered: Answered, given: Batch, path: Path) -> None:
    """Write it in single precision, for any number of rows and tokens up to the model's."""
    rows = torch.export.Dim("rows", min=1, max=MOST_ROWS)
    tokens = torch.export.Dim("tokens", min=4, max=PLACES)
    torch.onnx.export(
        answered,
        (given.ids, given.mask, given.segments),
        str(path),
        input_names=list(INPUTS),
        output_names=[OUTPUT],
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


def farthest(answered: Answered, examples: Sequence[Encoded], path: Path) -> float:
    """The largest difference between the probabilities of the two.

    The texts are read one by one, as they will be: those of a batch would share the scales of
    their activations.
    """
    session = onnxruntime.InferenceSession(str(path))
    apart = 0.0
    for given in (tensors([one]) for one in examples):
        tensor = (given.ids, given.mask, given.segments)
        arrays = dict(zip(INPUTS, (one.numpy() for one in tensor), strict=True))
        (found,) = session.run([OUTPUT], arrays)
        with torch.no_grad():
            exact = answered(*tensor).sigmoid()
        apart = max(apart, float((exact - torch.from_numpy(found).sigmoid()).abs().max()))
    return apart


def held_out() -> list[Encoded]:
    """The questions of some passages that nothing was learned from."""
    encoder = Encoder()
    return [
        encoder.encode(whole(one, ask)) for one in split(load())[1][:COMPARED] for ask in one.asks
    ]


def main(options: argparse.Namespace) -> None:
    """Export, quantise, compare."""
    answered, examples = Answered(saved(options.weights)).eval(), held_out()
    with TemporaryDirectory() as folder:
        exact = Path(folder) / "exact.onnx"
        export(answered, tensors(examples), exact)
        quantize_dynamic(
            exact,
            options.out,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,  # processors without VNNI would saturate
            op_types_to_quantize=list(QUANTIZED),
        )
    onnx.save(without_traces(onnx.load(options.out)), options.out)
    apart = farthest(answered, examples, options.out)
    written = options.out.read_bytes()
    print(f"{len(written) / 1e6:.1f} MB, sha256 {hashlib.sha256(written).hexdigest()}")
    print(f"probabilities at most {apart:.4f} from the exact ones")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path, help="file that train_reader wrote")
    parser.add_argument("out", type=Path, help="ONNX file to write")
    main(parser.parse_args())
