from tests.bot.program import Masis, lines


def test_drawing_names_nodes_and_edges(masis: Masis) -> None:
    """The drawing names every node and way."""
    drawing = masis("graph").stdout
    for word in ("supervisor", "researcher", "synthesizer", "critic", "evaluator", "end"):
        assert word in drawing
    assert masis("graph", "research").stdout == drawing
    assert "router" in masis("graph", "chat").stdout
    assert "&nbsp;IMPROVED_SEARCH&nbsp; .-> retrieval" in masis("graph", "classification").stdout
    (found,) = lines(masis("graph", "--json"))
    assert found["mermaid"].strip() == drawing.strip()


def test_a_graph_nobody_has_is_named(masis: Masis) -> None:
    refused = masis("graph", "strange")
    assert refused.exit_code != 0
    assert (
        "There is no graph strange: there is analysis, chat, classification, research."
        in refused.stderr
    )
