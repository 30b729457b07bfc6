"""Every sentence that says why a document was refused. People see them as they stand here."""

from typing import Final

from masis.documents.parsing import document_limits

EMPTY: Final = "The file is empty."
NO_TEXT: Final = "There is no text in this file."
TOO_BIG: Final = f"The file is larger than {document_limits.FILE_BYTES // 1_000_000} MB."
TABLE_TOO_BIG: Final = f"The table is larger than {document_limits.TABLE_FILE_BYTES // 1_000_000} MB. Split it into parts."
TOO_MUCH_TEXT: Final = f"The file holds more than {document_limits.TEXT_CHARS // 1_000_000} MB of text. Split it into parts."
TOO_MANY_BLOCKS: Final = f"The file holds more than {document_limits.BLOCKS:,} headings, paragraphs and rows. Split it into parts."
TOO_MANY_PAGES: Final = (
    f"The PDF has more than {document_limits.PAGES:,} pages. Split it into parts."
)
TOO_MANY_CELLS: Final = (
    f"The tables hold more than {document_limits.CELLS:,} cells. Split them into parts."
)
TABLE_TOO_LARGE: Final = f"The table holds more than {document_limits.TABLE_CELLS // 1_000_000} million cells. Split it into parts."
TOO_SLOW: Final = "The file took too long to read."
TOO_MUCH_MEMORY: Final = "Reading the file takes more than 1 GB of memory."
CRASHED: Final = "The file could not be read: its reader stopped unexpectedly. It may be damaged."
UNAVAILABLE: Final = "The file could not be read: the reader process does not start."
DAMAGED: Final = "The file is damaged and could not be read."

UNPACKS_TOO_BIG: Final = (
    f"The file unpacks to more than {document_limits.UNPACKED_BYTES // 1_000_000} MB "
    f"or more than {document_limits.UNPACK_RATIO} times its size."
)
TOO_MANY_ENTRIES: Final = (
    f"The file is a package of more than {document_limits.ZIP_ENTRIES:,} parts."
)
BROKEN_ZIP: Final = (
    "The file is a damaged Office document or archive: its package cannot be opened."
)
XML_WITH_DTD: Final = "The file contains XML with a document type definition, which is not read."
XML_ENCODING: Final = "The file contains XML in an unusual encoding, which is not read."

PDF_LOCKED: Final = "The PDF is protected with a password. Remove the password and upload it again."
PDF_SCANNED: Final = (
    "The PDF has no text: it looks scanned. Run text recognition (OCR) on it and upload it again, "
    "or ask whoever runs MASIS to install `masis[ocr]`, which reads scans."
)
PDF_BLANK: Final = "No text was found on the pages of the PDF, and none was recognised in pictures."
OFFICE_LOCKED: Final = (
    "The Office document is protected with a password. Remove the password and upload it again."
)
LEGACY_OFFICE: Final = (
    "Of old Office files .doc, .xls and .msg are read. Save it as .pptx or PDF and upload that."
)
MACROS: Final = "Office files with macros are not read. Save it without macros and upload that."
BINARY_WORKBOOK: Final = "Binary workbooks (.xlsb) are not read. Save it as .xlsx and upload that."
OPEN_DOCUMENT: Final = "Of OpenDocument files only texts (.odt) are read. Save it as .xlsx, .pptx or PDF and upload that."
PACKAGE_LOCKED: Final = (
    "The document or book is encrypted. Save it without a password or copy protection "
    "and upload that."
)
ARCHIVE: Final = "Archives are not read. Unpack it and upload the documents inside."
IMAGE: Final = (
    "Images are read only where text recognition is installed. Upload the text it shows as a "
    "document, or ask whoever runs MASIS to install `masis[ocr]`."
)
IMAGE_KIND: Final = (
    "Images of this kind are not read. Save it as PNG, JPEG, TIFF or WebP and upload that."
)
IMAGE_BLANK: Final = "No text was recognised in the image."
PICTURE_TOO_LARGE: Final = (
    f"The image has more than {document_limits.PICTURE_PIXELS // 1_000_000} million pixels. "
    "Save it smaller and upload that."
)
PICTURE_RECOGNISED: Final = (
    "The text was recognised in an image: it may contain mistakes, above all in figures."
)
PAGES_RECOGNISED: Final = (
    "The text of scanned pages was recognised and may contain mistakes, above all in figures: "
    "p. {pages}."
)
PAGES_NOT_READ: Final = "Some pages are pictures, and text in them was not read; `masis[ocr]` would read it: p. {pages}."
PAGES_BEYOND: Final = f"Text is recognised on {document_limits.RECOGNISED_PAGES} pages of a file, and not on these: p. {{pages}}."
MEDIA: Final = "Sound and video files are not read. Upload a transcript."
BINARY: Final = (
    "The file is not a text document. MASIS reads md, txt, html, pdf, docx, doc, odt, rtf, pptx, "
    "xlsx, xls, csv, json, eml, msg and epub."
)
TOO_MANY_ATTACHMENTS: Final = (
    f"The e-mail has more than {document_limits.ATTACHMENTS} attachments; the others were left out."
)
TOO_DEEP: Final = (
    "It is an e-mail within an e-mail within an e-mail; such are named but not opened."
)
TOO_MANY_CHAPTERS: Final = (
    f"The book has more than {document_limits.BOOK_PARTS:,} chapters. Split it into parts."
)
JSON_LINES: Final = "The file holds lines of JSON, and one of them is damaged."
ENCODING: Final = (
    "The text's encoding could not be recognised. Save it as UTF-8 and upload it again."
)
LEFT_OUT: Final = "Could not be read and was left out: {what}."
FORMULAS_WITHOUT_VALUE: Final = (
    "Formulas without a stored result were left out: {count}. Open the workbook in a spreadsheet "
    "program, save it and upload it again."
)
