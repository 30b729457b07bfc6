"""MASIS: answers from documents, with a source for every claim and a computed confidence."""

__version__ = "0.1.0"
