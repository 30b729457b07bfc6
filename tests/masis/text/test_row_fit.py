"""Which row of a table a question of one thing asks for."""

import pytest

from masis.text.lexical import terms
from masis.text.row_fit import OTHERS_ROW_PENALTY, OWN_ROW_BONUS, fit

ADA = "no: T7 | name: Ada Byron | reports_to: Mo Kiln | extension: 4602"
BEN = "no: T8 | name: Ben Wick | reports_to: Ada Byron | extension: 4236"


@pytest.mark.parametrize(
    ("question", "row", "expected"),
    [
        ("what is Ada's extension?", ADA, OWN_ROW_BONUS),
        ("what is Ada's extension?", BEN, -OTHERS_ROW_PENALTY),
        ("who is Ada's boss?", ADA, OWN_ROW_BONUS),
        ("who reports to Ada?", BEN, 0.0),
        ("which kiln is Ada's?", ADA, 0.0),
        ("price of the Kiln?", "part: K7 | used in: Kiln | price: 9", -OTHERS_ROW_PENALTY),
        ("price of the Kiln?", "code: K7 | product: Kiln | price: 9", OWN_ROW_BONUS),
        ("what is Ada's extension?", "name: Ada Byron | extension: 4602", 0.0),
    ],
)
def test_the_row_of_what_is_named_leads(question: str, row: str, expected: float) -> None:
    assert fit(row, terms(question)) == expected
