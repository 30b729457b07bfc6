"""Train the reading model: `python -m tests.bench.reader.train_reader --stage general --out FOLDER`.

Then `--stage own`, which begins with what the first stage learned. The folder keeps the state: the
same command goes on where the last one stopped. After every epoch it prints how well the dev part
of the shared rows and our own held-out documents are read.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import save_file

from tests.bench.reader.measure_reader import OWN, Asked, of_own, of_shared, table
from tests.bench.reader.reader_batches import Encoder, tensors
from tests.bench.reader.reader_model import Reader, base, learned, saved
from tests.bench.reader.reader_training import Plan, Training, read, written
from tests.bench.reader.reading_set import HELD_OUT_EVERY, PASSAGES, load, split
from tests.bench.reader.reading_stages import GENERAL, STAGES, Course
from tests.bench.reader.shared_rows import MOST_ROWS, SHARED, rows
from tests.bench.reader.shipped_weights import shipped

BATCH: Final = 16
TOKENS: Final = 320
"""Of question and passage in training: 4 % of the shared rows are longer (26 % than 200)."""
KEPT_EVERY: Final = 200
"""Steps; on two cores some minutes."""
MEASURED: Final = 200
"""Dev rows of a source that are read after each epoch."""
UNFINISHED: Final = 75
"""The exit status where time ran out: the same command goes on."""


def judged(reader: Reader, asked: Sequence[Asked], tokens: int) -> str:
    """The table of these questions, and how often our own documents' likeliest span was right."""
    encoder, device = Encoder(tokens), next(reader.parameters()).device
    likely: list[float] = []
    overlaps: list[bool] = []
    reader.eval()
    with torch.no_grad():
        for start in range(0, len(asked), BATCH):
            examples = [encoder.encode(one.example) for one in asked[start : start + BATCH]]
            batch = tensors(examples).on(device)
            found = read(reader, batch)
            likely += found.answered.tolist()
            overlaps += found.overlapping(batch)
    hits = [
        overlap
        for one, overlap in zip(asked, overlaps, strict=True)
        if one.source == OWN and one.example.answer is not None
    ]
    lines = table(asked, likely)
    if hits:
        lines.append(f"own, held out: answers overlapped {sum(hits) / len(hits):.4f}")
    return "\n".join(lines)


def begun(options: argparse.Namespace) -> Reader:
    """The network that the stage begins with."""
    general = options.out / f"{GENERAL.name}.safetensors"
    start: Path | None = options.start
    if start is None and options.stage != GENERAL.name and general.exists():
        if not (options.out / f"{GENERAL.name}.done").exists():
            sys.exit(f"the stage {GENERAL.name} is not finished; give its command again")
        start = general
    print(f"begins with {start or 'the base model'}")
    if start is None:
        return base()
    return _read_back(start) if start.suffix == ".onnx" else saved(start)


def _read_back(file: Path) -> Reader:
    reader = base()
    reader.load_state_dict(reader.state_dict() | shipped(file))
    return reader


def train(options: argparse.Namespace, started: float) -> bool:
    """Do the stage's epochs; whether all are done."""
    stage = STAGES[options.stage]
    taught, held_out = split(load(options.passages)[: options.first], options.held_out_every)
    shared = list(rows("train", options.shared, options.first or MOST_ROWS))
    course = Course(taught, shared, options.seed)
    examples = len(course.epoch(stage, 1))
    if not examples:
        sys.exit(
            f"there is nothing to learn from; the shared rows are looked for in {options.shared}"
        )
    plan = Plan(
        stage.name,
        options.epochs or stage.epochs,
        options.rate or stage.rate,
        options.batch,
        options.tokens,
        options.seed,
        examples,
    )
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    training_on = begun(options).to(device)
    try:
        training = Training(training_on, plan, options.out / f"{stage.name}.state.pt")
    except ValueError as error:
        sys.exit(str(error))
    print(f"{len(shared)} shared rows, {len(taught)} passages, {len(held_out)} held out")
    print(f"{examples} examples an epoch, {plan.steps} steps, {training.done} done, on {device}")
    asked = [*of_shared(rows("dev", options.shared), options.measured)]
    asked += of_own(held_out, MOST_ROWS)
    deadline = started + options.seconds if options.seconds else float("inf")
    while not training.finished:
        number = training.number
        loss = training.epoch(course, stage, deadline, options.keep_every)
        if loss is None:
            break
        save(training_on, options.out / f"{stage.name}.safetensors")
        seconds = round(time.monotonic() - started)
        print(f"epoch {number}: loss {loss:.4f}, {seconds} s", flush=True)
        print(judged(training_on, asked, options.tokens), flush=True)
    if not training.finished:
        print(f"stopped in epoch {training.number} after step {training.done} of {plan.steps}")
    return training.finished


def save(reader: Reader, path: Path) -> None:
    """The weights alone, for the next stage and the export."""
    weights = {name: value.cpu().contiguous() for name, value in learned(reader).items()}
    written(path, lambda beside: save_file(weights, beside))


def main(options: argparse.Namespace) -> int:
    """Train at low priority; the exit status."""
    started = time.monotonic()
    os.nice(options.nice)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    options.out.mkdir(parents=True, exist_ok=True)
    done = options.out / f"{options.stage}.done"
    if not train(options, started):
        return UNFINISHED
    done.touch()
    return 0


def arguments() -> argparse.ArgumentParser:
    """The command's options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stage", choices=list(STAGES), required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder of weights and state")
    parser.add_argument(
        "--start", type=Path, help="begin with these weights, or with those of a file that ships"
    )
    parser.add_argument("--passages", type=Path, default=PASSAGES, help="folder of our own set")
    parser.add_argument("--shared", type=Path, default=SHARED, help="folder of the shared rows")
    parser.add_argument("--first", type=int, help="passages, and rows a source, to try it out")
    parser.add_argument("--held-out-every", type=int, default=HELD_OUT_EVERY)
    parser.add_argument("--epochs", type=int, help="else as the stage has them")
    parser.add_argument("--rate", type=float, help="else as the stage has it")
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--tokens", type=int, default=TOKENS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="stop after so many, with the state kept")
    parser.add_argument("--keep-every", type=int, default=KEPT_EVERY, help="steps")
    parser.add_argument("--measured", type=int, default=MEASURED, help="dev rows a source")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--nice", type=int, default=10)
    return parser


if __name__ == "__main__":
    sys.exit(main(arguments().parse_args()))
