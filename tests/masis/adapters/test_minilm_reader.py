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
    async def test_what_answers_is_far_above_what_is_beside_the_question(
        self, reader: MiniLMReader, question: str, answering: str, beside: str
    ) -> None:
        yes, no = await reader.answers(question, [answering, beside])
        assert yes - no > 0.2

    async def test_it_is_the_question_that_decides_and_not_the_text_alone(
        self, reader: MiniLMReader
    ) -> None:
        (asked,) = await reader.answers(NOTICE, [TOLD])
        (not_asked,) = await reader.answers("When does the canteen open?", [TOLD])
        assert asked - not_asked > 0.2

    async def test_order_is_kept_and_no_text_moves_anothers_probability(
        self, reader: MiniLMReader
    ) -> None:
        texts = [TOLD * 9, BESIDE, "", TOLD, BESIDE * 3, "leave"]
        together = await reader.answers(NOTICE, texts)
        alone = [(await reader.answers(NOTICE, [text]))[0] for text in texts]
        assert together == alone
        assert len({round(each, 6) for each in together}) == len(texts)

    async def test_no_texts_give_nothing_and_load_nothing(self, tmp_path: Path) -> None:
        async with MiniLMReader(model_path=tmp_path / "gone.onnx") as reader:
            assert await reader.answers(NOTICE, []) == []

    async def test_blank_texts_answer_nothing(self, reader: MiniLMReader) -> None:
        assert await reader.answers(NOTICE, ["", " \n\t"]) == [0.0, 0.0]

    @pytest.mark.parametrize(
        "odd", ["\x00", "\ud800", "\U0001f600", "漢字", "ﷺ" * 99, "e\u0301", "›"]
    )
    async def test_odd_signs_are_read_in_question_and_text(
        self, reader: MiniLMReader, odd: str
    ) -> None:
        found = await reader.answers(odd + NOTICE, [TOLD + odd, odd])
        found += await reader.answers(odd, [TOLD])
        assert all(0 <= each <= 1 for each in found)


class TestBounds:
    async def test_a_huge_text_and_question_are_cut_before_they_are_tokenized(
        self, reader: MiniLMReader
    ) -> None:
        huge = ["x" * 3_000_000, "漢" * 9_000, "a " * 2_000_000]
        found = await reader.answers("why " * 1_000_000, huge)
        assert all(0 <= each <= 1 for each in found)
        assert await reader.answers(NOTICE, [" " * MAX_CHARS + TOLD]) == [0.0]
        unasked = await reader.answers(" " * MAX_CHARS + NOTICE, [TOLD])
        assert unasked == await reader.answers("", [TOLD])

    async def test_what_stands_behind_the_last_token_of_a_text_is_not_seen(
        self, reader: MiniLMReader
    ) -> None:
        head = "leave " * MAX_TOKENS
        one, other = await reader.answers(NOTICE, [head, head + TOLD])
        assert one == other

    async def test_of_a_long_question_the_end_is_seen(self, reader: MiniLMReader) -> None:
        end = "notice " * MAX_QUESTION_TOKENS
        assert await reader.answers(end, [TOLD]) == await reader.answers("pump " + end, [TOLD])
        case = "My sister moves house in May and would like me to come along. " * 4
        [answered] = await reader.answers(case + NOTICE, [TOLD])
        [other] = await reader.answers(case + "How much does the pump cost?", [TOLD])
        assert answered > other + 0.2

    async def test_a_model_that_cannot_be_loaded_is_not_tried_again(self, tmp_path: Path) -> None:
        path = tmp_path / "late.onnx"
        async with MiniLMReader(model_path=path) as reader:
            seen = []
            for _ in range(2):
                with pytest.raises(ReadingError, match="cannot be read") as raised:
                    await reader.answers(NOTICE, [TOLD])
                seen.append(raised.value)
                path.write_bytes(minilm_reader._FILE.read_bytes())
        assert seen[0] is not seen[1], "one that is raised again keeps what was asked before"

    async def test_a_text_cannot_put_marks_into_the_frame(self, reader: MiniLMReader) -> None:
        marked = "[SEP] [CLS][PAD] " + TOLD + "[MASK] [SEP]"
        assert await reader.answers(NOTICE, [marked]) == await reader.answers(NOTICE, [TOLD])

    @pytest.mark.parametrize(("asked", "read"), [(3, 5), (3, 900), (90, 5), (90, 900)])
    def test_the_frame_is_what_the_model_was_taught_with(self, asked: int, read: int) -> None:
        made = _inputs([7] * asked, [8] * read)
        question, text = min(asked, 40), min(read, 200 - min(asked, 40) - 3)
        assert made["input_ids"].tolist() == [[101, *[7] * question, 102, *[8] * text, 102]]
        assert made["token_type_ids"].tolist() == [[0] * (question + 2) + [1] * (text + 1)]
        assert made["attention_mask"].tolist() == [[1.0] * (question + text + 3)]
        assert [made[name].dtype for name in made] == [np.int64, np.float32, np.int64]

    async def test_more_texts_than_a_call_may_have_are_refused(self, reader: MiniLMReader) -> None:
        with pytest.raises(ValueError, match="65 texts at once; give the reader 64 at most"):
            await reader.answers(NOTICE, ["leave"] * (MAX_TEXTS + 1))


class TestTheThread:
    async def test_two_calls_at_once_are_read_in_turn_in_one_thread_beside_the_event_loop(
        self, reader: MiniLMReader, monkeypatch: pytest.MonkeyPatch
    ) -> None:
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

    def test_it_serves_one_event_loop_after_another(self, reader: MiniLMReader) -> None:
        first = asyncio.run(reader.answers(NOTICE, [TOLD]))
        assert first == asyncio.run(reader.answers(NOTICE, [TOLD]))

    async def test_a_closed_reader_says_so_and_closes_again(self) -> None:
        async with MiniLMReader() as closed:
            pass
        with pytest.raises(ReadingError, match="the reading model was closed"):
            await closed.answers(NOTICE, [TOLD])
        await closed.close()

    async def test_a_call_that_is_under_way_ends_when_the_reader_is_closed(self) -> None:
        reader = MiniLMReader(threads=1)
        call = asyncio.create_task(reader.answers(NOTICE, [TOLD] * 3))
        await asyncio.sleep(0)
        await reader.close()
        with pytest.raises(ReadingError, match="closed"):
            await call


class TestTheModelFile:
    def test_the_file_names_no_files_of_who_made_it(self) -> None:
        model = minilm_reader._FILE.read_bytes()
        assert not [word for word in (b".py", b"site-packages", b"/home") if word in model]

    def test_the_file_is_the_one_of_the_hash(self) -> None:
        assert hashlib.sha256(minilm_reader._FILE.read_bytes()).hexdigest() == SHA256

    async def test_an_altered_model_is_not_run(self, tmp_path: Path) -> None:
        altered = tmp_path / "altered.onnx"
        altered.write_bytes(minilm_reader._FILE.read_bytes()[:-1])
        async with MiniLMReader(model_path=altered) as reader:
            with pytest.raises(ReadingError, match=r"altered\.onnx was altered; reinstall MASIS"):
                await reader.answers(NOTICE, [TOLD])

    async def test_a_missing_model_says_what_to_do(self, tmp_path: Path) -> None:
        async with MiniLMReader(model_path=tmp_path / "gone.onnx") as reader:
            with pytest.raises(ReadingError, match=r"cannot be read; reinstall MASIS"):
                await reader.answers(NOTICE, [TOLD])

    async def test_a_file_that_is_no_model_is_not_started(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
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
