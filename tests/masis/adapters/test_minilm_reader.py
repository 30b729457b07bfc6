import asyncio
import dataclasses
import hashlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from onnxruntime.capi import onnxruntime_pybind11_state as ort_errors

from masis.adapters import minilm_reader
from masis.adapters.minilm_reader import (
    MAX_QUESTION_TOKENS,
    MAX_TEXTS,
    MAX_TOKENS,
    SHA256,
    MiniLMReader,
    _inputs,
    _Loaded,
)
from masis.adapters.onnx_model import MAX_CHARS
from masis.errors import ReadingError

NOTICE = "How long is the notice period?"
TOLD = (
    "Employment contract › Termination: Either side may end the contract with a notice period of"
    " three months to the end of a quarter. Notice must be given in writing."
)
BESIDE = (
    "Employment contract › Termination: A resignation must be given in writing and signed by hand."
    " An e-mail is not enough."
)


@pytest.fixture(scope="module")
def reader() -> Iterator[MiniLMReader]:
    """One reader for the whole module: it belongs to no event loop."""
    opened = MiniLMReader(threads=1)
    yield opened
    asyncio.run(opened.close())


class TestReading:
    @pytest.mark.parametrize(
        ("question", "answering", "beside"),
        [
            (NOTICE, TOLD, BESIDE),
            (
                "How much does the XP-200 pump cost?",
                "Price list: The XP-200 pump costs 1,240 euros without VAT.",
                "Manual: The XP-200 pump must be descaled every six months.",
            ),
            (
                "Who approves travel expenses?",
                "Travel policy: Travel expenses are approved by the head of department.",
                "Travel policy: Receipts are kept for ten years in the archive.",
            ),
            (
                "When does the canteen open?",
                "Canteen: The canteen opens at 7:30 and closes at 15:00.",
                "Canteen: The canteen was renovated by a local firm and has 120 seats.",
            ),
            (
                "Which port does the database listen on?",
                "Runbook › Database: The database listens on port 5432 for the subnet of the app.",
                "Runbook › Database: The database is backed up every night and kept for 30 days.",
            ),
        ],
    )
    async def test_answer_scores_far_above_distractor(
        self, reader: MiniLMReader, question: str, answering: str, beside: str
    ) -> None:
        """What answers is far above what is beside the question."""
        yes, no = await reader.answers(question, [answering, beside])
        assert yes - no > 0.2

    async def test_score_depends_on_the_question(self, reader: MiniLMReader) -> None:
        """It is the question that decides and not the text alone."""
        (asked,) = await reader.answers(NOTICE, [TOLD])
        (not_asked,) = await reader.answers("When does the canteen open?", [TOLD])
        assert asked - not_asked > 0.2

    async def test_text_probabilities_are_independent(self, reader: MiniLMReader) -> None:
        """Order is kept and no text moves anothers probability."""
        texts = [TOLD * 9, BESIDE, "", TOLD, BESIDE * 3, "leave"]
        together = await reader.answers(NOTICE, texts)
        alone = [(await reader.answers(NOTICE, [text]))[0] for text in texts]
        assert together == alone
        assert len({round(each, 6) for each in together}) == len(texts)

    async def test_no_texts_load_no_model(self, tmp_path: Path) -> None:
        """No texts give nothing and load nothing."""
        async with MiniLMReader(model_path=tmp_path / "gone.onnx") as reader:
            assert await reader.answers(NOTICE, []) == []

    async def test_blank_texts_answer_nothing(self, reader: MiniLMReader) -> None:
        assert await reader.answers(NOTICE, ["", " \n\t"]) == [0.0, 0.0]

    @pytest.mark.parametrize(
        "odd", ["\x00", "\ud800", "\U0001f600", "漢字", "ﷺ" * 99, "e\u0301", "›"]
    )
    async def test_unusual_characters_are_read(self, reader: MiniLMReader, odd: str) -> None:
        """Odd signs are read in question and text."""
        found = await reader.answers(odd + NOTICE, [TOLD + odd, odd])
        found += await reader.answers(odd, [TOLD])
        assert all(0 <= each <= 1 for each in found)


class TestBounds:
    async def test_huge_inputs_are_cut_before_tokenizing(self, reader: MiniLMReader) -> None:
        """A huge text and question are cut before they are tokenized."""
        huge = ["x" * 3_000_000, "漢" * 9_000, "a " * 2_000_000]
        found = await reader.answers("why " * 1_000_000, huge)
        assert all(0 <= each <= 1 for each in found)
        assert await reader.answers(NOTICE, [" " * MAX_CHARS + TOLD]) == [0.0]
        unasked = await reader.answers(" " * MAX_CHARS + NOTICE, [TOLD])
        assert unasked == await reader.answers("", [TOLD])

    async def test_text_beyond_last_token_is_ignored(self, reader: MiniLMReader) -> None:
        """What stands behind the last token of a text is not seen."""
        head = "leave " * MAX_TOKENS
        one, other = await reader.answers(NOTICE, [head, head + TOLD])
        assert one == other

    async def test_long_question_keeps_its_end(self, reader: MiniLMReader) -> None:
        """Of a long question the end is seen."""
        end = "notice " * MAX_QUESTION_TOKENS
        assert await reader.answers(end, [TOLD]) == await reader.answers("pump " + end, [TOLD])
        case = "My sister moves house in May and would like me to come along. " * 4
        [answered] = await reader.answers(case + NOTICE, [TOLD])
        [other] = await reader.answers(case + "How much does the pump cost?", [TOLD])
        assert answered > other + 0.2

    async def test_failed_model_load_is_not_retried(self, tmp_path: Path) -> None:
        """A model that cannot be loaded is not tried again."""
        path = tmp_path / "late.onnx"
        async with MiniLMReader(model_path=path) as reader:
            seen = []
            for _ in range(2):
                with pytest.raises(ReadingError, match="cannot be read") as raised:
                    await reader.answers(NOTICE, [TOLD])
                seen.append(raised.value)
                path.write_bytes(minilm_reader._FILE.read_bytes())
        assert seen[0] is not seen[1], "one that is raised again keeps what was asked before"

    async def test_text_cannot_inject_special_tokens(self, reader: MiniLMReader) -> None:
        """A text cannot put marks into the frame."""
        marked = "[SEP] [CLS][PAD] " + TOLD + "[MASK] [SEP]"
        assert await reader.answers(NOTICE, [marked]) == await reader.answers(NOTICE, [TOLD])

    @pytest.mark.parametrize(("asked", "read"), [(3, 5), (3, 900), (90, 5), (90, 900)])
    def test_input_frame_matches_training(self, asked: int, read: int) -> None:
        """The frame is what the model was taught with."""
        made = _inputs([7] * asked, [8] * read)
        question, text = min(asked, 40), min(read, MAX_TOKENS - min(asked, 40) - 3)
        assert made["input_ids"].tolist() == [[101, *[7] * question, 102, *[8] * text, 102]]
        assert made["token_type_ids"].tolist() == [[0] * (question + 2) + [1] * (text + 1)]
        assert made["attention_mask"].tolist() == [[1.0] * (question + text + 3)]
        assert [made[name].dtype for name in made] == [np.int64, np.float32, np.int64]

    async def test_too_many_texts_are_refused(self, reader: MiniLMReader) -> None:
        """More texts than a call may have are refused."""
        with pytest.raises(ValueError, match="65 texts at once; give the reader 64 at most"):
            await reader.answers(NOTICE, ["leave"] * (MAX_TEXTS + 1))


class TestTheThread:
    async def test_concurrent_calls_share_one_thread(
        self, reader: MiniLMReader, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Two calls at once are read in turn in one thread beside the event loop."""
        threads: set[int] = set()
        order: list[str] = []
        read = reader._read

        def noting(pair: tuple[str, str]) -> float:
            threads.add(threading.get_ident())
            order.append(pair[0])
            return read(pair)

        monkeypatch.setattr(reader, "_read", noting)
        first, second = await asyncio.gather(
            reader.answers(NOTICE, [TOLD, BESIDE] * 3), reader.answers("Who pays?", [BESIDE, TOLD])
        )
        assert order[:4] == [NOTICE, "Who pays?"] * 2
        assert len(threads) == 1
        assert threading.get_ident() not in threads
        assert first == (await reader.answers(NOTICE, [TOLD, BESIDE])) * 3
        assert second == await reader.answers("Who pays?", [BESIDE, TOLD])

    def test_reader_serves_successive_event_loops(self, reader: MiniLMReader) -> None:
        """It serves one event loop after another."""
        first = asyncio.run(reader.answers(NOTICE, [TOLD]))
        assert first == asyncio.run(reader.answers(NOTICE, [TOLD]))

    async def test_closed_reader_says_so(self) -> None:
        """A closed reader says so and closes again."""
        async with MiniLMReader() as closed:
            pass
        with pytest.raises(ReadingError, match="the reading model was closed"):
            await closed.answers(NOTICE, [TOLD])
        await closed.close()

    async def test_closing_ends_the_running_call(self) -> None:
        """A call that is under way ends when the reader is closed."""
        reader = MiniLMReader(threads=1)
        call = asyncio.create_task(reader.answers(NOTICE, [TOLD] * 3))
        await asyncio.sleep(0)
        await reader.close()
        with pytest.raises(ReadingError, match="closed"):
            await call


class TestTheModelFile:
    def test_model_file_contains_no_local_paths(self) -> None:
        """The file names no files of who made it."""
        model = minilm_reader._FILE.read_bytes()
        assert not [word for word in (b".py", b"site-packages", b"/home") if word in model]

    def test_model_file_matches_its_hash(self) -> None:
        """The file is the one of the hash."""
        assert hashlib.sha256(minilm_reader._FILE.read_bytes()).hexdigest() == SHA256

    async def test_an_altered_model_is_not_run(self, tmp_path: Path) -> None:
        altered = tmp_path / "altered.onnx"
        altered.write_bytes(minilm_reader._FILE.read_bytes()[:-1])
        async with MiniLMReader(model_path=altered) as reader:
            with pytest.raises(ReadingError, match=r"altered\.onnx was altered; reinstall MASIS"):
                await reader.answers(NOTICE, [TOLD])

    async def test_missing_model_is_explained(self, tmp_path: Path) -> None:
        """A missing model says what to do."""
        async with MiniLMReader(model_path=tmp_path / "gone.onnx") as reader:
            with pytest.raises(ReadingError, match=r"cannot be read; reinstall MASIS"):
                await reader.answers(NOTICE, [TOLD])

    async def test_invalid_model_file_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A file that is no model is not started."""
        junk = tmp_path / "junk.onnx"
        junk.write_bytes(b"no model")
        digest = hashlib.sha256(b"no model").hexdigest()
        model = dataclasses.replace(minilm_reader._MODEL, sha256=digest)
        monkeypatch.setattr(minilm_reader, "_MODEL", model)
        async with MiniLMReader(model_path=junk) as reader:
            with pytest.raises(ReadingError, match="the reading model cannot be started"):
                await reader.answers(NOTICE, [TOLD])


class Session:
    """A session of ONNX Runtime that gives one number, or fails."""

    def __init__(self, gives: float | Exception) -> None:
        self._gives = gives

    def run(self, names: Sequence[str], inputs: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        assert names == ["answers"]
        if isinstance(self._gives, Exception):
            raise self._gives
        return [np.full(len(inputs["input_ids"]), self._gives, dtype=np.float32)]


def with_session(gives: float | Exception) -> MiniLMReader:
    reader = MiniLMReader()
    reader._loaded = _Loaded(Session(gives), minilm_reader._MODEL.word_pieces())
    return reader


class TestWhatTheModelGives:
    @pytest.mark.parametrize(
        ("gives", "says"),
        [
            (float("nan"), "the reading model gave numbers that are none; restart MASIS"),
            (float("inf"), "the reading model gave numbers that are none; restart MASIS"),
            (ort_errors.Fail("no memory"), "the reading model failed: no memory"),
        ],
    )
    async def test_a_model_that_fails_says_so(self, gives: float | Exception, says: str) -> None:
        async with with_session(gives) as reader:
            with pytest.raises(ReadingError, match=says):
                await reader.answers(NOTICE, [TOLD])

    @pytest.mark.parametrize(
        ("logit", "probability"), [(0.0, 0.5), (2.0, 0.8808), (-2.0, 0.1192), (3e38, 1), (-3e38, 0)]
    )
    async def test_a_logit_becomes_a_probability(self, logit: float, probability: float) -> None:
        async with with_session(logit) as reader:
            assert await reader.answers(NOTICE, [TOLD]) == [pytest.approx(probability, abs=1e-4)]
