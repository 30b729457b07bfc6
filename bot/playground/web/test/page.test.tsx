import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { missing, submitted } from "../src/chat/modals";
import type { FromBrowser, State, ToBrowser } from "../src/contract";
import { Page } from "../src/page";
import { message, state, view } from "./fixtures";

/** The server's end of the websocket, in memory. */
class Server {
  static readonly OPEN = 1;
  static sockets: Server[] = [];
  readyState = 0;
  sent: FromBrowser[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor() {
    Server.sockets.push(this);
  }

  send(text: string) {
    this.sent.push(JSON.parse(text) as FromBrowser);
  }

  close() {
    this.readyState = 3;
  }

  opens() {
    this.readyState = 1;
    act(() => this.onopen?.());
  }

  says(frame: ToBrowser) {
    act(() => this.onmessage?.({ data: JSON.stringify(frame) }));
  }

  breaks(code: number) {
    this.readyState = 3;
    act(() => this.onclose?.({ code }));
  }

  told(type: FromBrowser["type"]) {
    return this.sent.filter((each) => each.type === type);
  }

  /** Answers the newest deed of that kind. */
  async replies(type: FromBrowser["type"], told: Partial<Extract<ToBrowser, { type: "reply" }>>) {
    const deed = this.told(type).at(-1);
    const id = deed && "id" in deed ? deed.id : -1;
    const none = { error: null, ts: null, options: null, words: null, dialog: null };
    const fields = { ...none, fields: {} };
    this.says({ type: "reply", id, ok: true, ...fields, ...told });
    await act(() => Promise.resolve());
  }
}

function opened(told: Partial<State> = {}): Server {
  render(<Page />);
  const server = Server.sockets.at(-1);
  if (!server) throw new Error("no websocket was opened");
  server.opens();
  server.says(state(told));
  return server;
}

const field = (name = "Message #handbook") => screen.getByRole("textbox", { name });

beforeEach(() => {
  Server.sockets = [];
  vi.stubGlobal("WebSocket", Server);
  history.replaceState(null, "", "/?key=k");
});
afterEach(() => vi.unstubAllGlobals());

describe("the page", () => {
  it("says hello, and shows what it may see", () => {
    const server = opened({ messages: [message({ text: "Good *morning*" })] });
    expect(server.told("hello")).toEqual([{ type: "hello", person: null }]);
    expect(screen.getByText("morning")).toBeTruthy();
    expect(server.told("read")).toHaveLength(1);
  });

  it("sends with Enter, and begins a line with Shift and Enter", async () => {
    const server = opened();
    await userEvent.type(field(), "one{Shift>}{Enter}{/Shift}two{Enter}");
    expect(server.told("say")).toMatchObject([
      { channel: "C1", text: "one\ntwo", thread_ts: null },
    ]);
    expect(field()).toHaveProperty("value", "");
  });

  it("completes a command with Tab, and sends it as one", async () => {
    const server = opened();
    await userEvent.type(field(), "/masis he{Tab}");
    expect(field()).toHaveProperty("value", "/masis help");
    await userEvent.type(field(), "{Enter}");
    expect(server.told("command")).toMatchObject([{ command: "/masis", text: "help" }]);
    expect(server.told("say")).toEqual([]);
  });

  it("sends with Enter what is typed, also where a verb begins so", async () => {
    const server = opened();
    await userEvent.type(field(), "/masis hi");
    expect(screen.getByText("1 suggestion; arrows choose, Tab takes one.")).toBeTruthy();
    await userEvent.type(field(), "{Enter}");
    expect(server.told("command")).toMatchObject([{ command: "/masis", text: "hi" }]);
  });

  it("completes with Enter what the arrows chose, or what cannot be meant as it is", async () => {
    opened();
    await userEvent.type(field(), "/masis h{ArrowDown}{Enter}");
    expect(field()).toHaveProperty("value", "/masis history");
    await userEvent.clear(field());
    await userEvent.type(field(), "/ma{Enter}");
    expect(field()).toHaveProperty("value", "/masis ");
    await userEvent.clear(field());
  });

  it("offers to put a question to the app that nothing typed calls", async () => {
    const server = opened();
    await userEvent.type(field(), "How much leave?");
    await userEvent.click(screen.getByRole("button", { name: "Ask MASIS" }));
    expect(field()).toHaveProperty("value", "/masis How much leave?");
    expect(screen.queryByRole("button", { name: "Ask MASIS" })).toBeNull();
    await userEvent.clear(field());
    await userEvent.type(field(), "@MASIS how much leave?");
    expect(screen.queryByRole("button", { name: "Ask MASIS" })).toBeNull();
    expect(server.told("say")).toEqual([]);
    await userEvent.clear(field());
  });

  it("gives back what did not get through, and says why", async () => {
    const server = opened();
    await userEvent.type(field(), "lost words{Enter}");
    await server.replies("say", { ok: false, error: "You are not in that channel" });
    expect(screen.getByText("You are not in that channel")).toBeTruthy();
    expect(field()).toHaveProperty("value", "lost words");
  });

  it("opens a thread, and replies in it", async () => {
    const [root, reply] = ["1700000001.000100", "1700000002.000100"];
    const messages = [
      message({ ts: root }),
      message({ ts: reply, thread_ts: root, text: "inside" }),
    ];
    const server = opened({ messages });
    expect(screen.queryByText("inside")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: /1 reply/ }));
    expect(screen.getByText("inside")).toBeTruthy();
    await userEvent.type(field("Reply in the thread"), "mine{Enter}");
    expect(server.told("say")).toMatchObject([{ text: "mine", thread_ts: root }]);
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByText("inside")).toBeNull();
  });

  it("announces what others say, and not what was there before", () => {
    const server = opened({ messages: [message({ text: "old" })] });
    const fresh = message({ ts: "1700000009.000100", user: "B1", text: "an answer" });
    server.says({ type: "changes", seq: 1, changes: [{ kind: "message", message: fresh }] });
    const live = document.querySelector("[aria-live=polite]");
    expect(live?.textContent).toBe("MASIS: an answer");
  });

  it("comes back after the connection broke, and goes on where it was", () => {
    vi.useFakeTimers();
    const server = opened();
    server.says({ type: "changes", seq: 7, changes: [] });
    server.breaks(1006);
    expect(screen.getByText(/Connecting again/)).toBeTruthy();
    act(() => {
      vi.advanceTimersByTime(500);
    });
    const next = Server.sockets.at(-1);
    next?.opens();
    expect(next?.told("hello")).toEqual([{ type: "hello", person: "U1", epoch: "e1", seq: 7 }]);
    vi.useRealTimers();
  });

  it("does not come back where its words were wrong", () => {
    vi.useFakeTimers();
    const server = opened();
    server.breaks(1008);
    act(() => {
      vi.advanceTimersByTime(60_000);
    });
    expect(Server.sockets.at(-1)).toBe(server);
    vi.useRealTimers();
  });

  it("becomes somebody else with a whole new state", async () => {
    const server = opened();
    await userEvent.click(screen.getByRole("button", { name: /be somebody else/ }));
    await userEvent.click(screen.getByRole("menuitemradio", { name: /Olivia/ }));
    expect(server.told("hello").at(-1)).toEqual({ type: "hello", person: "U2" });
  });
});

const input = (id: string, element: Record<string, unknown>, optional = false) => ({
  type: "input",
  block_id: id,
  label: { type: "plain_text", text: id },
  optional,
  element: { action_id: id, ...element },
});

describe("a form", () => {
  const form = view({
    blocks: [
      input("name", { type: "plain_text_input" }),
      input("more", { type: "plain_text_input" }, true),
    ],
  });

  it("is not sent before it is filled in, and keeps what was typed when it changes", async () => {
    const server = opened({ modals: [form] });
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Send" }));
    expect(server.told("submit")).toEqual([]);
    expect(screen.getByText("This must be filled in.")).toBeTruthy();
    await userEvent.type(screen.getByRole("textbox", { name: "name" }), "Leave");
    const changed = { ...form, hash: "2", title: "Another title" };
    server.says({ type: "changes", seq: 1, changes: [{ kind: "modals", modals: [changed] }] });
    await userEvent.type(screen.getByRole("textbox", { name: "name" }), "{Enter}");
    expect(server.told("submit")).toMatchObject([
      { view: "V1", values: { name: { name: "Leave" } } },
    ]);
  });

  it("that was on its way takes the focus to its first field once it has one", () => {
    const coming = view({ submit: null });
    const server = opened({ modals: [coming] });
    expect(document.activeElement?.textContent).toBe("Cancel");
    const come = { ...form, id: coming.id, hash: "2" };
    server.says({ type: "changes", seq: 1, changes: [{ kind: "modals", modals: [come] }] });
    expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "name" }));
  });

  it("shows beside its fields what the app finds wrong", async () => {
    const server = opened({ modals: [form] });
    await userEvent.type(screen.getByRole("textbox", { name: "name" }), "x{Enter}");
    await server.replies("submit", { ok: false, fields: { name: "No such document" } });
    expect(screen.getByText("No such document")).toBeTruthy();
    const wrong = screen.getByRole("textbox", { name: "name" });
    expect(wrong.getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(wrong);
  });

  it("leaves out what belongs to a block that is gone", () => {
    expect(submitted(form, { name: { name: "a" }, gone: { gone: "b" } })).toEqual({
      name: { name: "a" },
    });
  });

  it("knows what was filled in beforehand, and what was emptied", () => {
    const begun = view({ blocks: [input("a", { type: "plain_text_input", initial_value: "x" })] });
    expect(missing(begun, {})).toEqual({});
    expect(Object.keys(missing(begun, { a: { a: "" } }))).toEqual(["a"]);
    expect(Object.keys(missing(form, {}))).toEqual(["name"]);
  });
});

describe("one's own chat in Teams", () => {
  const chat = { place: "teams-chat", private: false, is_generated: false, files: [] };
  const greeting = {
    ...chat,
    ...{ id: "1700000000001", thread: "1700000000001", user: "B1", text: "Hello" },
    ...{ card: null, prompts: ["status"], at: "1700000000.001" },
  };
  const own = { ...greeting, id: "1700000000002", user: "U1", prompts: [], text: "Hi" };

  it("says by a press what is offered under the last message", async () => {
    history.replaceState(null, "", "/?key=k#as=U1&in=teams-chat");
    const server = opened({ teams: { ...state().teams, messages: [greeting] } });
    await userEvent.click(screen.getByRole("button", { name: "status" }));
    expect(server.told("teams_say")).toMatchObject([{ place: "teams-chat", text: "status" }]);
    const change = { kind: "teams_message", message: own } as const;
    server.says({ type: "changes", seq: 1, changes: [change] });
    expect(screen.queryByRole("button", { name: "status" })).toBeNull();
  });

  it("shows that the app writes, until its message is there", async () => {
    history.replaceState(null, "", "/?key=k#as=U1&in=teams-chat");
    const server = opened({ teams: { ...state().teams, messages: [own] } });
    const at = String(Date.now() / 1000);
    const typing = { kind: "teams_typing", place: "teams-chat", at } as const;
    server.says({ type: "changes", seq: 1, changes: [typing] });
    expect(await screen.findByText("MASIS is writing…")).toBeTruthy();
    const answer = { ...greeting, id: "1700000000003" };
    const change = { kind: "teams_message", message: answer } as const;
    server.says({ type: "changes", seq: 2, changes: [change] });
    expect(screen.queryByText("MASIS is writing…")).toBeNull();
  });
});
