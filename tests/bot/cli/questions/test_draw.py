from tests.bot.program import Masis, lines


def test_the_drawing_names_every_node_and_way(masis: Masis) -> None:
    drawing = masis("graph").stdout
    for word in ("supervisor", "researcher", "synthesizer", "critic", "evaluator", "end"):
        assert word in drawing
    (found,) = lines(masis("graph", "--json"))
    assert found["mermaid"].strip() == drawing.strip()
