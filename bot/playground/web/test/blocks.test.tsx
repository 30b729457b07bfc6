import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { Blocks } from "../src/blocks/blocks";
import { figures, linesOf, shareOf, ticksOf } from "../src/blocks/charts";
import type { Json } from "../src/blocks/json";
import { SurfaceContext, type Held, type Surface } from "../src/blocks/surface";
import { FORM, MESSAGE } from "./blocks";

function surface(told: Partial<Surface> = {}): Surface {
  const held: Record<string, Held> = {};
  return {
    kind: "message",
    people: [{ id: "U2", name: "Olivia" }],
    channels: [{ id: "C1", name: "handbook" }],
    here: "C1",
    press: vi.fn(() => Promise.resolve()),
    options: vi.fn(() => Promise.resolve({ options: [], option_groups: [] })),
    upload: (file) => Promise.resolve({ id: "F1", name: file.name }),
    confirm: vi.fn(() => Promise.resolve(true)),
    follow: () => false,
    form: {
      held: (block) => held[block],
      hold: (block, _action, value) => {
        held[block] = value;
      },
      errors: {},
    },
    ...told,
  };
}

function show(blocks: readonly Json[], told: Partial<Surface> = {}) {
  const place = surface(told);
  const view = render(
    <SurfaceContext value={place}>
      <Blocks of={blocks} />
    </SurfaceContext>,
  );
  return { place, html: view.container };
}

const section = (text: string): Json => ({
  type: "section",
  block_id: "s",
  text: { type: "mrkdwn", text },
});
const markdown = (text: string): Json => ({ type: "markdown", block_id: "m", text });

describe("every block", () => {
  it("that a message may hold is shown", () => {
    const { html } = show(MESSAGE);
    expect(screen.getByRole("heading", { name: "A header" })).toBeTruthy();
    expect(screen.getAllByText("@Olivia").length).toBe(2);
    expect(screen.getByText("#handbook")).toBeTruthy();
    expect(screen.getByText("26 days")).toBeTruthy();
    expect(screen.getByRole("region", { name: "Working on it" })).toBeTruthy();
    expect(screen.getByRole("table", { name: "Pumps by site" })).toBeTruthy();
    expect(html.querySelectorAll("svg[role=img]")).toHaveLength(4);
    expect(screen.getByText("Card One")).toBeTruthy();
    expect(screen.getByText(/of_tomorrow/)).toBeTruthy();
  });

  it("that a form may hold is shown, with a name for every field", () => {
    const { html } = show(FORM, { kind: "modal" });
    const fields = html.querySelectorAll("input:not([type=checkbox], [type=radio]), textarea");
    expect(fields).toHaveLength(15);
    for (const field of fields) {
      expect(
        field.getAttribute("aria-labelledby") ?? field.getAttribute("aria-label"),
      ).toBeTruthy();
    }
    expect(screen.getByRole("checkbox", { name: "Guests may ask" })).toHaveProperty(
      "checked",
      true,
    );
    expect(screen.getByRole("radio", { name: "Best" })).toHaveProperty("checked", true);
  });

  it.each([[{}], [{ type: "section" }], [{ type: "actions", elements: [null, 3, {}] }]])(
    "that is broken breaks nothing: %j",
    (broken) => {
      show([broken, section("after it")]);
      expect(screen.getByText("after it")).toBeTruthy();
    },
  );

  it.each(MESSAGE.map((block) => [String(block["type"]), Object.keys(block)] as const))(
    "of kind %s stands any of its fields missing or of another kind",
    (type, names) => {
      const block = MESSAGE.find((each) => each["type"] === type) ?? {};
      for (const name of names.filter((each) => each !== "type")) {
        for (const wrong of [undefined, null, 7, "text", [[]], [{}], {}]) {
          show([{ ...block, [name]: wrong }]);
        }
      }
    },
  );
});

describe("untrusted text", () => {
  const HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "[press](javascript:alert(1))",
    "![pixel](https://evil.example/p.png)",
    "<https://evil.example|https://bank.example>",
    "<javascript:alert(1)|press>",
    "[a]: javascript:alert(1)\n\n[a]",
  ];

  it.each(HOSTILE)("is text, and no element of its own: %s", (text) => {
    const { html } = show([section(text), markdown(text), { type: "header", text: { text } }]);
    expect(html.querySelector("img, script, iframe, object, svg:not(.icon)")).toBeNull();
    for (const link of html.querySelectorAll("a")) {
      expect(link.protocol).toMatch(/^(https?|mailto):$/);
      expect(link.rel).toContain("noopener");
      expect(link.textContent).toContain("evil.example");
    }
  });

  it("mentions nobody where it was escaped, in Markdown too", () => {
    show([markdown("asked by <@U2>, not &lt;@U2&gt; and not \uE000@U2\uE001")]);
    expect(screen.getAllByText("@Olivia")).toHaveLength(1);
    expect(screen.getByText(/not <@U2>/)).toBeTruthy();
  });

  it("fetches no picture", () => {
    const { html } = show([
      { type: "image", image_url: "https://evil.example/x.png", alt_text: "x" },
    ]);
    expect(html.innerHTML).not.toContain("evil.example");
  });
});

describe("pressing", () => {
  it("tells the block, the action and the value", async () => {
    const { place } = show(MESSAGE);
    await userEvent.click(screen.getByRole("button", { name: "Use it" }));
    expect(place.press).toHaveBeenCalledWith({ block: "actions", action: "yes", value: "y" });
  });

  it("asks first where it should, and does nothing when the answer is no", async () => {
    const confirm = vi.fn(() => Promise.resolve(false));
    const { place } = show(MESSAGE, { confirm });
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(confirm).toHaveBeenCalledOnce();
    expect(place.press).not.toHaveBeenCalled();
  });

  it("twice in a hurry presses once", async () => {
    const press = vi.fn(() => new Promise<void>(() => undefined));
    show(MESSAGE, { press });
    await userEvent.dblClick(screen.getByRole("button", { name: "Use it" }));
    expect(press).toHaveBeenCalledOnce();
  });

  it("tells the halves of a vote apart, and shows which was pressed", async () => {
    const { place } = show(MESSAGE);
    await userEvent.click(screen.getByRole("button", { name: "Bad answer" }));
    expect(place.press).toHaveBeenCalledWith({ block: "feedback", action: "vote", value: "bad" });
    const bad = screen.getByRole("button", { name: "Bad answer" });
    expect(bad.getAttribute("aria-pressed")).toBe("true");
  });

  it("chooses from a menu by the keyboard alone", async () => {
    const { place } = show(MESSAGE);
    const menu = screen.getByRole("combobox", { name: "3 more sources" });
    menu.focus();
    await userEvent.keyboard("{ArrowDown}{ArrowDown}{Enter}");
    expect(place.press).toHaveBeenCalledWith({ block: "actions", action: "menu", chosen: "5" });
  });

  it("opens the three dots by the keyboard, and Escape gives the focus back", async () => {
    show(MESSAGE);
    const dots = screen.getByRole("button", { name: "More choices" });
    dots.focus();
    await userEvent.keyboard("{ArrowDown}");
    expect(document.activeElement?.textContent).toBe("Copy");
    await userEvent.keyboard("{ArrowDown}");
    expect(document.activeElement?.textContent).toBe("Delete");
    await userEvent.keyboard("{Escape}");
    expect(document.activeElement).toBe(dots);
  });
});

describe("tables and charts", () => {
  const data = MESSAGE.filter((block) => block["type"] === "data_table");
  const rows = () =>
    within(screen.getByRole("table"))
      .getAllByRole("rowheader")
      .map((each) => each.textContent);

  it("shows a table in pages, sorted by its figures and not by their letters", async () => {
    show(data);
    expect(rows()).toEqual(["Kettering", "Falkirk"]);
    await userEvent.click(screen.getByRole("button", { name: "Next" }));
    expect(rows()).toEqual(["Deventer"]);
    await userEvent.click(screen.getByRole("button", { name: "Back" }));
    await userEvent.click(screen.getByRole("button", { name: /Pumps/ }));
    expect(rows()).toEqual(["Falkirk", "Deventer"]);
  });

  it.each([
    ["Pumps", 6, ["Pumps"]],
    ["Q1 2024", 5, ["Q1", "2024"]],
    ["Controllers and probes", 15, ["Controllers and", "probes"]],
    ["Unbreakable", 6, ["Unbre…"]],
  ])("puts %s into lines of %i letters", (name, letters, expected) => {
    expect(linesOf(name, letters)).toEqual(expected);
  });

  it("says of a slice what it is, and of how much", () => {
    const segments = [
      { label: "a", value: 1000 },
      { label: "b", value: 3000 },
    ];
    expect(shareOf(figures({ type: "pie", segments }), 0)).toBe("1,000 · 25 %");
  });

  it("has the figures of every chart as a table", async () => {
    show(MESSAGE.filter((block) => block["block_id"] === "line"));
    await userEvent.click(screen.getByRole("button", { name: "Show as table" }));
    expect(screen.getByRole("table").textContent).toContain("132");
  });

  it("leaves a gap where a series has no value", () => {
    const chart = figures({
      type: "line",
      series: [{ name: "a", data: [{ label: "Q2", value: 5 }] }],
      axis_config: { categories: ["Q1", "Q2"] },
    });
    expect(chart.series[0]?.values).toEqual([undefined, 5]);
  });

  it.each([
    [0, 134, [0, 50, 100, 150]],
    [-3, 4, [-4, -2, 0, 2, 4]],
    [0, 0, [0, 0.25]],
  ])("counts from %d to %d in round steps", (low, high, expected) => {
    expect(ticksOf(low, high)).toEqual(expected);
  });
});
