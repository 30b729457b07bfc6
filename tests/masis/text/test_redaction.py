"""Secrets are struck out of what is shown, and nothing else is."""

import pytest

from masis.text.redaction import HIDDEN, redacted

# Written in pieces, so that no scanner of this repository takes them for real ones.
SECRETS = [
    "xoxb-" + "1234567890-abcdefghij",
    "xapp-" + "1-A0123-456-abcdef",
    "sk-" + "proj-abcdefgh12345678",
    "ghp_" + "a1B2" * 9,
    "github_pat_" + "a1B2" * 9,
    "glpat-" + "a1B2" * 5,
    "AKIA" + "ABCD1234" * 2,
    "AIza" + "a1B2" * 9,
    "sk_live_" + "a1B2" * 5,
    "hf_" + "a1B2" * 9,
    "eyJ" + "hbGciOiJIUzI1" + ".eyJ" + "zdWIiOiIxMjM0" + ".c2lnbmF0dXJl",
    "-----BEGIN RSA PRIVATE KEY-----" + "\nMIIB" * 4 + "\n-----END RSA PRIVATE KEY-----",
]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("around", ["The key is {}.", "`{}`", "- {} [c_7f3akq2mxw4b].", "key={}"])
def test_tokens_and_keys_are_struck_out(secret: str, around: str) -> None:
    shown = redacted(around.format(secret))
    assert secret not in shown
    assert HIDDEN in shown
    assert shown.endswith(around.partition("{}")[2])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The API key is 8f3a9c0d11e2b4f56789.", f"The API key is {HIDDEN}."),
        ("api_key: `8f3a9c0d11e2b4f56789`", f"api_key: `{HIDDEN}`"),
        ("Client secret = 8f3a9c0d11e2b4f56789 here", f"Client secret = {HIDDEN} here"),
        ("see postgres://bot:hunter22@db/masis", f"see postgres://{HIDDEN}@db/masis"),
        ("at https://a.example/?token=abc123&b=2", f"at https://a.example/?token={HIDDEN}&b=2"),
        ("Authorization: Bearer A1b2C3d4E5f6G7h8I9", f"Authorization: Bearer {HIDDEN}"),
        ('password: "hunter2hunter2"', f'password: "{HIDDEN}"'),
    ],
)
def test_values_of_named_secrets_are_redacted(text: str, shown: str) -> None:
    """What is named a secret is struck out."""
    assert redacted(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Basic understanding of safety rules is required.",
        "The basic 2024-2025 contribution is 12.50 EUR.",
        "Access tokens are valid for 30 minutes.",
        "The access token is valid-for-30-minutes-only.",
        "The guest Wi-Fi password is Welcome2026.",
        "The secret is in the dough [c_7f3akq2mxw4b].",
        "API key: [c_7f3akq2mxw4b]",
        "A task-force of 12 and a risk-management plan.",
        "Write to https://wiki.example/page?id=12#top or pay@office.example.",
        "IBAN DE89 3704 0044 0532 0130 00",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert redacted(text) == text


PARTS = [
    "xoxb-",
    "://a:",
    "sk-",
    "token='",
    "?key=",
    "bearer ",
    "eyJ",
    "api key is ",
    "-----BEGIN ",
]


@pytest.mark.parametrize("part", PARTS)
def test_long_text_is_redacted_quickly(part: str) -> None:
    """A long text is read in time."""
    assert redacted(part * 10_000)
