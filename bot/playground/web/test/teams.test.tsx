import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Json } from "../src/blocks/json";
import { Card } from "../src/teams/card";
import { blockOf, type Act } from "../src/teams/elements";

const said = (text: string) => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", text }],
});
const whole = (...body: object[]): Json => ({ type: "AdaptiveCard", version: "1.5", body });

function shown(card: Json) {
  const asked = vi.fn<(each: Act) => void>();
  render(<Card of={card} onAct={asked} />);
  return asked;
}

describe("a card", () => {
  it("sends what was typed with the button beside it", async () => {
    const asked = shown(
      whole(
        { type: "Input.Text", id: "reply", label: "Your reply" },
        {
          type: "ActionSet",
          actions: [
            {
              type: "Action.Execute",
              title: "Reply",
              verb: "masis_reply",
              data: { run: "r1" },
              associatedInputs: "auto",
            },
          ],
        },
      ),
    );
    await userEvent.type(screen.getByRole("textbox"), "the april one");
    await userEvent.click(screen.getByRole("button", { name: "Reply" }));
    expect(asked).toHaveBeenCalledWith({
      kind: "press",
      verb: "masis_reply",
      data: { run: "r1", reply: "the april one" },
    });
  });

  it("opens a dialog by its kind", async () => {
    const data = { run: "r1", msteams: { type: "task/fetch" } };
    const asked = shown({
      ...whole(said("Hello")),
      actions: [{ type: "Action.Submit", title: "Passage", data }],
    });
    await userEvent.click(screen.getByRole("button", { name: "Passage" }));
    expect(asked).toHaveBeenCalledWith({ kind: "open", data });
  });

  it("shows texts as they are, and fetches nothing", () => {
    const wild =
      '<img src="https://evil.example/x" onerror="alert(1)"> **bold** [a](https://b.example)';
    shown(
      whole(
        said(wild),
        { type: "TextBlock", text: wild },
        { type: "Image", url: "https://evil.example/x" },
      ),
    );
    expect(screen.getAllByText(wild)).toHaveLength(2);
    expect(document.querySelector("img, a, strong")).toBeNull();
  });

  it("names whom it mentions", () => {
    const text = "<at>Ann Example</at>, the answer to your question is above.";
    const mention = { type: "mention", text: "<at>Ann Example</at>", mentioned: { name: "Ann" } };
    shown({ ...whole({ type: "TextBlock", text }), msteams: { entities: [mention] } });
    expect(screen.getByText("Ann, the answer to your question is above.")).toBeDefined();
  });

  it("draws charts by the page's own drawer", async () => {
    const points = [
      { x: "Q1", y: 4 },
      { x: "Q2", y: 7 },
    ];
    shown(whole({ type: "Chart.VerticalBar", title: "Orders", data: points }));
    await act(() => Promise.resolve());
    expect(screen.getByRole("img", { name: /Orders/ })).toBeDefined();
  });
});

describe("a chart's figures", () => {
  it("are series by their legends", () => {
    const data = [{ legend: "2025", values: [{ x: "Q1", y: 1 }] }];
    const block = blockOf({ type: "Chart.Line", title: "Orders", data, yAxisTitle: "£" });
    expect(block).toMatchObject({
      title: "Orders",
      chart: {
        type: "line",
        axis_config: { categories: ["Q1"], y_label: "£" },
        series: [{ name: "2025", data: [{ label: "Q1", value: 1 }] }],
      },
    });
  });

  it("are slices of a whole", () => {
    const block = blockOf({ type: "Chart.Pie", title: "", data: [{ legend: "A", value: 2 }] });
    expect(block).toMatchObject({ chart: { type: "pie", segments: [{ label: "A", value: 2 }] } });
  });
});
