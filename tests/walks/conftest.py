import pytest


@pytest.fixture(autouse=True)
def _children_are_kept(_parser_children_are_kept: None) -> None:
    """Every office reads its documents."""
