"""The marks that a company has behind its name: "Ltd", "GmbH"."""

import re
from typing import Final

COMPANY: Final = re.compile(
    r"(?:\b(?:Ltd|Limited|Inc|LLC|LLP|PLC|plc|GmbH|AG|BV|B\.V\.|SA|S\.A\.|SARL|Corp|Pty|Oy|AB|Srl)|& Co)\b"
)
