"""Build what is remembered in the database."""

from masis.codelists.stored import StoredCodeLists
from masis.models.accounting import Accountant
from masis.spending import Budget, Prices
from masis.words.workspace_words import WorkspaceWords
from storage.documents.attached_rows import SqlAttachedFiles
from storage.documents.repository import SqlRepository
from storage.documents.suggestion_rows import SqlSuggestions
from storage.models.ledger import SqlLedger
from storage.sql.database import Database

__all__ = [
    "Database",
    "SqlAttachedFiles",
    "SqlRepository",
    "SqlSuggestions",
    "StoredCodeLists",
    "WorkspaceWords",
    "accountant",
]


def accountant(database: Database, prices: str, budget: Budget) -> Accountant:
    """Return what writes down what every call of a service cost, and knows the budgets."""
    return Accountant(SqlLedger(database), prices=Prices.parse(prices), budget=budget)
