import { describe, expect, it } from "vitest";
import { commandOf, completions, ideas } from "../src/chat/completion";
import { hashOf, permalink, spotOf } from "../src/state/address";
import { target } from "../src/blocks/links";
import { about } from "./fixtures";

const people = [
  { id: "B1", name: "MASIS" },
  { id: "U2", name: "Olivia" },
];
const texts = (typed: string) => completions(typed, about, people).map((each) => each.text);

describe("completion", () => {
  it("offers commands after a slash, and their verbs after a blank", () => {
    expect(texts("/")).toEqual(["/masis "]);
    expect(texts("/masis ")).toEqual(["/masis ", "/masis help", "/masis history", "/masis link "]);
    expect(texts("/masis h")).toEqual(["/masis help", "/masis history"]);
  });

  it("is silent in a question", () => {
    expect(texts("/masis how much leave")).toEqual([]);
    expect(texts("what is a/b")).toEqual([]);
    expect(texts("/other ")).toEqual([]);
  });

  it("offers people after an at sign, and not in an address", () => {
    expect(texts("hello @ma")).toEqual(["hello @MASIS "]);
    expect(texts("ann@ma")).toEqual([]);
  });

  it("tells a command from what only looks like one", () => {
    expect(commandOf("/masis  how much?", about)).toEqual({ command: "/masis", text: "how much?" });
    expect(commandOf("/masis", about)).toEqual({ command: "/masis", text: "" });
    expect(commandOf("/etc/passwd", about)).toBeUndefined();
  });
});

describe("what to begin with", () => {
  it("is what the documents answer, and until then what there is to show", () => {
    const questions = [{ about: "Leave", text: "How much leave?", channel: "" }];
    expect(ideas({ ...about, questions }, "C1")).toEqual(questions);
    expect(ideas(about, "C1")).toEqual(about.suggestions);
  });

  it("is a channel's own where it has some, and theirs nowhere else", () => {
    const own = { about: "Codes", text: "classify a leak", channel: "C9" };
    const questions = [{ about: "Leave", text: "How much leave?", channel: "" }];
    const both = { questions, suggestions: [...about.suggestions, own] };
    expect(ideas(both, "C9")).toEqual([own]);
    expect(ideas(both, "C1")).toEqual(questions);
  });
});

describe("addresses", () => {
  it("come back from what stands behind the hash", () => {
    const spot = { person: "U1", place: "C1", thread: "1700000001.000100" };
    expect(spotOf(hashOf(spot))).toEqual(spot);
    expect(spotOf("")).toEqual({ person: "", place: "", thread: "" });
  });

  it("of messages here are told from others", () => {
    const begin = "https://northmoor.example";
    expect(permalink(`${begin}/archives/C1/p1700000001000100?thread_ts=1.2`, begin)).toEqual({
      channel: "C1",
      ts: "1700000001.000100",
      thread: "1.2",
    });
    expect(permalink("https://evil.example/archives/C1/p1700000001000100", begin)).toBeUndefined();
    expect(permalink(`${begin}/archives/C1`, begin)).toBeUndefined();
  });

  it("are followed by three schemes, and show where they lead", () => {
    expect(target("https://user@evil.example/x")?.host).toBe("evil.example");
    expect(target("mailto:a@b.example")?.host).toBe("a@b.example");
    for (const dead of [
      "javascript:alert(1)",
      " javascript:x",
      "data:,x",
      "//x.example",
      "x",
      "",
    ]) {
      expect(target(dead)).toBeUndefined();
    }
  });
});
