import { describe, expect, it } from "vitest";
import { changed, newest, roots, thread, unread, worldOf } from "../src/state/world";
import { channel, message, state } from "./fixtures";

const T = (n: number) => `170000000${n}.000100`;

describe("the world", () => {
  it("keeps what a state tells by id", () => {
    const world = worldOf(state({ messages: [message({ ts: T(1) })] }));
    expect(Object.keys(world.messages["C1"] ?? {})).toEqual([T(1)]);
    expect(world.channels["C1"]?.name).toBe("handbook");
  });

  it("takes a change twice as it takes it once", () => {
    const change = { kind: "message", message: message({ ts: T(2), text: "new" }) } as const;
    const once = changed(worldOf(state()), { type: "changes", seq: 1, changes: [change] });
    const twice = changed(once, { type: "changes", seq: 2, changes: [change] });
    expect(twice.messages).toEqual(once.messages);
    expect(twice.seq).toBe(2);
  });

  it("puts a message that was edited in the place of the old one", () => {
    const world = worldOf(state({ messages: [message({ ts: T(1), text: "old" })] }));
    const edited = { kind: "message", message: message({ ts: T(1), text: "edited" }) } as const;
    const next = changed(world, { type: "changes", seq: 1, changes: [edited] });
    expect(roots(next, "C1").map((each) => each.text)).toEqual(["edited"]);
    expect(roots(world, "C1").map((each) => each.text)).toEqual(["old"]);
  });

  it("lets go of what is gone, and of what was never there", () => {
    const world = worldOf(state({ messages: [message({ ts: T(1) })] }));
    const gone = (channelId: string, ts: string) =>
      changed(world, {
        type: "changes",
        seq: 1,
        changes: [{ kind: "gone", channel: channelId, ts }],
      });
    expect(roots(gone("C1", T(1)), "C1")).toEqual([]);
    expect(roots(gone("C9", T(9)), "C1")).toHaveLength(1);
  });

  it("takes over what can be asked", () => {
    const about = {
      ...state().about,
      questions: [{ about: "Leave", text: "How much leave?", channel: "" }],
    };
    const change = { kind: "about", about } as const;
    const next = changed(worldOf(state()), { type: "changes", seq: 1, changes: [change] });
    expect(next.about.questions).toEqual(about.questions);
  });

  it("forgets a channel with its messages", () => {
    const world = worldOf(state({ messages: [message({ ts: T(1) })] }));
    const change = { kind: "channel_gone", channel: "C1" } as const;
    const next = changed(world, { type: "changes", seq: 1, changes: [change] });
    expect(next.channels["C1"]).toBeUndefined();
    expect(roots(next, "C1")).toEqual([]);
  });

  it("puts replies in their thread, and those for all in the channel, too", () => {
    const world = worldOf(
      state({
        messages: [
          message({ ts: T(3), thread_ts: T(1), broadcast: true }),
          message({ ts: T(2), thread_ts: T(1) }),
          message({ ts: T(1), thread_ts: T(1) }),
        ],
      }),
    );
    expect(roots(world, "C1").map((each) => each.ts)).toEqual([T(1), T(3)]);
    expect(thread(world, "C1", T(1)).map((each) => each.ts)).toEqual([T(1), T(2), T(3)]);
  });

  it("counts as unread what others said in the channel since", () => {
    const world = worldOf(
      state({
        channels: [channel({ read_ts: T(1) })],
        messages: [
          message({ ts: T(1), user: "U2" }),
          message({ ts: T(2), user: "U2" }),
          message({ ts: T(3), user: "U1" }),
          message({ ts: T(4), user: "U2", thread_ts: T(1) }),
          message({ ts: T(5), user: "B1", private: true }),
        ],
      }),
    );
    const handbook = world.channels["C1"];
    expect(handbook && unread(world, handbook)).toBe(1);
    expect(newest(world, "C1")).toBe(T(3));
  });

  it("replaces the modals, the home tab and how far the start is", () => {
    const ready = { phase: "reading", done: 1, total: 4, words: "Reading" } as const;
    const next = changed(worldOf(state()), {
      type: "changes",
      seq: 1,
      changes: [
        { kind: "ready", ready },
        { kind: "modals", modals: [] },
        { kind: "home", home: null },
      ],
    });
    expect(next.ready).toEqual(ready);
  });
});
