"""The keys that tokens are kept with, and the installations that lie under them."""

from bot.compose import App
from bot.settings import Settings
from storage.installations import SqlInstallations
from storage.secrets import KeyRing


def key_ring(settings: Settings) -> KeyRing:
    """The keys that are set; there may be none.

    Raises:
        InvalidSettings: an entry is malformed.
    """
    return KeyRing.parse(settings.secret_keys)


def installations(app: App) -> SqlInstallations:
    """The installations in the application's database.

    Raises:
        InvalidSettings: an entry of the keys is malformed.
    """
    return SqlInstallations(app.database, key_ring(app.settings))
