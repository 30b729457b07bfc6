"""Every format's reader has a version."""

from typing import get_args

from masis.documents.parsing.reader_versions import PARSER_VERSIONS
from masis.domain import Format


def test_every_format_has_a_version() -> None:
    """Version 0 stands for documents from before there were any, which are older than all."""
    assert set(PARSER_VERSIONS) == set(get_args(Format))
    assert min(PARSER_VERSIONS.values()) >= 1
