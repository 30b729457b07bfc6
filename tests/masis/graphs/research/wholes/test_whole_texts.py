import pytest

from masis.graphs.research.wholes.whole_texts import named_as
from masis.text.assertions import lead_states


@pytest.mark.parametrize("read", [1, 12])
def test_lead_in_of_parties_states_nothing(read: int) -> None:
    """Of what nobody lists no claim is made: it would want a source."""
    said = named_as("suppliers", read)

    assert said.endswith(":")
    assert not lead_states(said)
