import json
from pathlib import Path

import pytest

import masis
from bot.slack import limits
from bot.slack.limits import RATES, Tier

METHODS = Path(masis.__file__).resolve().parents[2] / "shared" / "slack" / "methods.jsonl"


@pytest.mark.shared
def test_the_rates_are_slacks() -> None:
    if not METHODS.is_file():
        pytest.skip("Slack's methods are not beside the checkout (../shared/slack)")
    told = {
        method["method"]: str(method.get("rate_limit"))
        for method in map(json.loads, METHODS.read_text(encoding="utf-8").splitlines())
    }
    labels = {
        Tier.ONE: "Tier 1:",
        Tier.TWO: "Tier 2:",
        Tier.THREE: "Tier 3:",
        Tier.FOUR: "Tier 4:",
        Tier.SPECIAL: "Special",
    }

    assert {
        method: told[method]
        for method in RATES
        if method in told and labels[RATES[method]] not in told[method]
    } == {}
    assert set(RATES) - set(told) == {
        "agents.sessions.rename",
        "agents.sessions.setStatus",
        "blocks.validate",
    }


def test_slack_time_limits_are_three_seconds() -> None:
    """What slack gives three seconds for is three seconds."""
    assert (limits.ACK_S, limits.TRIGGER_LIFE_S, limits.SIGNATURE_WINDOW_S) == (3.0, 3.0, 300)
