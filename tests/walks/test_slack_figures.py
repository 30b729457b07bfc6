"""A calculation in Slack: told, drawn as a chart when that is asked for, and where its figures stand."""

from pathlib import Path
from typing import Final

from tests.walks.office import assert_told, office

ACCOUNTS: Final = """<html><head><title>Kiln accounts 2023</title></head><body><main><h1>Kiln accounts 2023</h1>
<table><tr><td>(In thousands)</td><td>2023</td><td>2022</td><td>2021</td></tr>
<tr><td>Revenue</td><td>$ 57,300</td><td>$ 44,100</td><td>$ 39,000</td></tr>
<tr><td>Cost of sales</td><td>31,000</td><td>25,900</td><td>24,100</td></tr>
<tr><td>Operating loss</td><td>(1,200)</td><td>(3,400)</td><td>(5,000)</td></tr></table></main></body></html>"""


async def test_growth_is_told_and_drawn(tmp_path: Path) -> None:
    """A growth is told in its scale, the follow-up draws its figures, the trail names their cells."""
    async with office(tmp_path, documents={"accounts.html": ACCOUNTS}, model=False) as here:
        await here.types(here.alice, "how did revenue grow from 2022 to 2023?")
        told = await here.sees(here.bob, "+$13.2M (29.9 %)")
        await here.says(here.alice, "@MASIS as a chart", thread=told)
        await here.settled()
        await here.clicks(here.alice, told, "How I got this")
        assert "column “2023”" in await here.modal(here.alice, "row “Revenue”")

        await assert_told(here, "figures_drawn")
