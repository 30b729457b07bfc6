"""The keys that tokens are kept with, and the installations that lie under them."""

from bot.compose import App
from bot.settings import Settings
from storage.accounts.installations import SqlInstallations
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


async def rotated(app: App) -> int:
    """Encrypt every token anew with the first key; how many installations that were.

    Raises:
        InvalidSettings: there is no key, or an entry is malformed.
        SecretUnreadable: one could not be opened; all others were encrypted anew.
    """
    done = 0
    async for so_far in installations(app).rotate():
        done = so_far
    return done
