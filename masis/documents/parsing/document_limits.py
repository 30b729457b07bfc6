"""Limit how much one document may cost. Beyond any of these limits it is refused."""

from typing import Final

from masis.tables.long_tables import WHOLE_CELLS

FILE_BYTES: Final = 25_000_000
UNPACKED_BYTES: Final = 100_000_000
UNPACK_RATIO: Final = 100
"""Real Office files pack 5 to 20 times; above this a package is a bomb."""
UNPACK_RATIO_FLOOR: Final = 10 * 1024**2
"""Below this unpacked size the ratio is not looked at: small sheets of zeros pack very well."""
ZIP_ENTRIES: Final = 2_000
PAGES: Final = 2_000
CELLS: Final = WHOLE_CELLS
TABLE_CELLS: Final = 20_000_000
"""Of a table that is kept whole: beyond `CELLS` its first rows alone are text."""
SAMPLED_ROWS: Final = 1_000
"""Rows of such a table that are text."""
TABLE_FILE_BYTES: Final = 100_000_000
"""Of a file of delimited rows, which is read row by row."""
TABLES_BYTES: Final = 64 * 1024**2
"""Of all tables of a document as they are kept."""
TEXT_CHARS: Final = 5_000_000
BLOCKS: Final = 100_000
"""Headings, paragraphs, items and rows. Each costs the process that keeps them all 1 KB and
more, however short: without a bound 2 MB of `# h` are half a million."""
BLOCKS_AT_ONCE: Final = 500
"""Of a document that comes from a child: who reads them holds the interpreter for milliseconds."""
SECONDS: Final = 60.0
"""Of the processor, for one file: beside other work the same file takes longer by the clock."""
TIMES_BY_THE_CLOCK: Final = 5
"""A reading that waits, and one that gets a fifth of a processor, ends all the same."""
MEMORY_BYTES: Final = 1024**3
RECOGNISED_PAGES: Final = 100
"""Pages or pictures of one file whose text is recognised: each takes 2 to 6 s of one core. Each may
take as long as a file without recognition."""
RECOGNITION_MEMORY_BYTES: Final = 2 * 1024**3
"""Address space: recognition maps 1.1 GB, of which it uses 0.6."""
PICTURE_PIXELS: Final = 50_000_000
REPLY_BYTES: Final = 64 * 1024**2
"""The text limit with room for its JSON form: all portions together are no more in our child's reply."""
ATTACHMENTS: Final = 50
"""Parts of an e-mail that are read; further ones are named alone."""
MAIL_NESTING: Final = 3
"""How deep e-mails within e-mails are opened."""
JSON_NESTING: Final = 12
"""Deeper values are shown as they are written."""
BOOK_PARTS: Final = 2_000
"""Chapters of a book."""
NOTES: Final = 20
"""Notes on one document about what was left out."""
COLUMNS: Final = 256
"""Cells further right are left out (and noted): a stray cell must not cost a million empty ones."""
FILES_PER_CHILD: Final = 500
"""A child is replaced after this many files, so that no leak of a library can grow."""
GROWN_BYTES: Final = 700_000_000
"""A child that keeps more than this after a file is replaced before the next (on Linux). A child that
has read every format keeps about 150 MB, with text recognition about 450."""
