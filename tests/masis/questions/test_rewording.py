"""Which wording of a question counts: by what each of them finds."""

from masis.domain import EvidenceChunk, SearchResult, WorkspaceId
from masis.graphs.research.graph import RESEARCH, build, conclude
from masis.graphs.research.state import MASISInput
from masis.questions.rewording import LEAD, LOOKED_AT, best
from masis.words.wording import Other, Wording
from tests.scripted_agents import Cast, chunk, critique

TYPED = "when is the oven lit"
KILN = Other(text="when is the kiln lit", needs=["kiln"])
RETRY = critique(confidence=0.2, logical_gaps=["It does not say who lights it."])


def found(nearness: float, text: str) -> list[EvidenceChunk]:
    return [chunk(0, text=text, nearness=nearness)]


async def chosen(other: Other, typed: list[EvidenceChunk], anew: list[EvidenceChunk]) -> Wording:
    async def search(text: str) -> SearchResult:
        candidates = typed if text == TYPED else anew
        return SearchResult(candidates=candidates, indexed=9, workspace="pottery")

    return (await best(Wording(text=TYPED, others=[other]), search))[0]


async def test_another_wording_must_lead() -> None:
    near = found(0.5 + LEAD / 2, "The kiln is lit at six.")
    assert (await chosen(KILN, found(0.5, "Ovens"), near)).text == TYPED
    nearer = found(0.5 + 2 * LEAD, "The kiln is lit at six.")
    taken = await chosen(KILN, found(0.5, "Ovens"), nearer)
    assert (taken.text, taken.searched_for) == (KILN.text, ["kiln"])


async def test_unknown_word_wording_needs_no_lead() -> None:
    """One for an unknown word needs no lead."""
    other = KILN.model_copy(update={"unknown": True})
    near = found(0.5 + LEAD / 2, "The kiln is lit at six.")
    assert (await chosen(other, found(0.5, "Ovens"), near)).text == KILN.text


async def test_other_wording_must_match_its_words() -> None:
    """What is near without them is near for another reason."""
    assert (await chosen(KILN, found(0.2, "Ovens"), found(0.9, "It is lit at six."))).text == TYPED
    below = [chunk(n, text="Ovens", nearness=0.9) for n in range(LOOKED_AT)]
    late = [*below, chunk(9, text="kiln", nearness=0.1)]
    assert (await chosen(KILN, found(0.2, "Ovens"), late)).text == TYPED


BURSARY = Other(text="is there a bursary budget", needs=["bursary"])


async def test_a_word_of_the_question_must_stand_beside() -> None:
    """What only shares the word that was put in its place is about something else."""
    other = found(0.9, "A bursary costs the guest £20.")
    assert (await chosen(BURSARY, found(0.2, "Grants"), other)).text == TYPED
    same = found(0.9, "The budget for a bursary is £20.")
    assert (await chosen(BURSARY, found(0.2, "Grants"), same)).text == BURSARY.text
    unknown = BURSARY.model_copy(update={"unknown": True})
    assert (await chosen(unknown, found(0.2, "Grants"), other)).text == BURSARY.text


async def test_lone_synonym_must_be_a_heading() -> None:
    """What is all that is asked must be a heading."""
    alone = Other(text="is there a kiln", needs=["kiln"], unknown=True)
    told = [chunk(0, text="Guests stay off the kiln.", context="Tours", nearness=0.9)]
    assert (await chosen(alone, found(0.2, "Ovens"), told)).text == TYPED
    under = [chunk(0, text="It is lit at six.", context="House › Kiln", nearness=0.9)]
    assert (await chosen(alone, found(0.2, "Ovens"), under)).text == alone.text


class Once:
    """Words a question anew, and counts how often."""

    asked = 0

    async def of(self, workspace_id: WorkspaceId, question: str) -> Wording:
        assert (workspace_id, question) == ("w_test", "when is the kil lit")
        self.asked += 1
        return Wording(text="when is the kiln lit", searched_for=["kiln"])


async def test_a_retry_keeps_the_wording() -> None:
    """All agents answer it as it was searched; the asker's own words stay in the outcome."""
    once = Once()
    cast = Cast(wordings=once)
    cast.critic.critiques = [RETRY, critique()]
    asked = MASISInput(user_query="when is the kil lit", workspace_id="w_test")
    state = await build().ainvoke(asked.to_state(), context=cast.context())
    outcome = conclude(state, "r1", extractive=False)  # type: ignore[arg-type] # the graph's own

    assert once.asked == 1
    assert cast.researcher.questions == ["when is the kiln lit"] * 2
    assert {each.standalone for each in cast.synthesizer.questions} == {"when is the kiln lit"}
    assert {each.text for each in cast.synthesizer.questions} == {"when is the kil lit"}
    assert (outcome.question, outcome.searched_for) == ("when is the kil lit", ["kiln"])
    assert state["trace"][0]["searched_for"] == ["kiln"]


def test_wording_survives_round_trip() -> None:
    """A wording is written down and read again."""
    update = {"wording": Wording(text="a", searched_for=["b"], others=[KILN])}
    assert RESEARCH.decode(RESEARCH.encode(update), {}) == update


async def test_own_words_of_documents_add_their_best() -> None:
    """What another wording found is read beside what the typed one found, nobody having the phrase."""

    async def search(text: str) -> SearchResult:
        near, said = (0.6, "Ovens") if text == TYPED else (0.5, "The kiln is lit at six.")
        number = int(text != TYPED)
        candidates = [chunk(number, text=said, nearness=near)]
        return SearchResult(candidates=candidates, indexed=9, workspace="pottery")

    for unknown, count in ((True, 2), (False, 1)):
        other = KILN.model_copy(update={"unknown": unknown})
        wording, result = await best(Wording(text=TYPED, others=[other]), search)
        assert (wording.text, len(result.candidates)) == (TYPED, count)


async def test_wording_to_be_read_beside_is_never_taken() -> None:
    """One that is only to be read beside the typed one adds what it finds, however near that is."""
    other = KILN.model_copy(update={"beside": True})
    near = [chunk(1, text="The kiln is lit at six.", nearness=0.9)]
    assert (await chosen(other, found(0.5, "Ovens"), near)).text == TYPED
