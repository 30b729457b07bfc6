"""Reads XML parts of packages: no entities, no network, no more than the package check counted."""

import io
import zipfile
from collections.abc import Callable

from lxml import etree
from lxml.etree import _Element


def opened(content: bytes) -> zipfile.ZipFile:
    """The package in memory."""
    return zipfile.ZipFile(io.BytesIO(content))


def part(
    package: zipfile.ZipFile, name: str, usual: Callable[[bytes], bytes] = bytes
) -> _Element | None:
    """The root of an XML part; None where the package has no such part, or it is damaged.

    `usual` makes of its bytes those that are looked at.
    """
    try:
        content = usual(package.read(name))
    except KeyError:
        return None
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True
    )
    return etree.fromstring(content, parser) if content.strip() else None
