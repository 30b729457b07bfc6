import { describe, expect, it } from "vitest";
import { read, type Piece } from "../src/blocks/mrkdwn";

/** The pieces as a short text: the kinds around what they hold. */
function told(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      switch (piece.kind) {
        case "text":
          return piece.text;
        case "break":
          return "↵";
        case "code":
        case "pre":
          return `${piece.kind}(${piece.text})`;
        case "user":
        case "channel":
          return `${piece.kind}(${piece.id})`;
        case "broadcast":
          return `broadcast(${piece.name})`;
        case "link":
          return `link(${piece.label} → ${piece.href})`;
        default:
          return `${piece.kind}(${told(piece.inside)})`;
      }
    })
    .join("");
}

describe("Slack's markup", () => {
  it.each([
    ["plain words", "plain words"],
    ["*bold* and _slanted_ and ~gone~", "bold(bold) and italic(slanted) and strike(gone)"],
    ["*bold _and slanted_*", "bold(bold italic(and slanted))"],
    ["2*3*4 is snake_case_name", "2*3*4 is snake_case_name"],
    ["* not bold * here", "* not bold * here"],
    ["*open", "*open"],
    ["`a *b* <c>`", "code(a *b* <c>)"],
    ["```\nx = 1\n```", "pre(x = 1)"],
    ["``` never closed", "``` never closed"],
    ["one\ntwo", "one↵two"],
    ["&gt; said\n&gt; again\nanswer", "quote(said↵again)answer"],
    ["a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"],
    [":tada: :no_such_thing: 12:30:45", "🎉 :no_such_thing: 12:30:45"],
    ["hello <@U1> in <#C2|handbook>", "hello user(U1) in channel(C2)"],
    ["<!channel> <!date^1^{date}|May> ", "broadcast(@channel) broadcast(May) "],
    ["<https://a.example/x?y=1&amp;z=2|docs>", "link(docs → https://a.example/x?y=1&z=2)"],
    ["<mailto:a@b.example|a@b.example>", "link(a@b.example → mailto:a@b.example)"],
  ])("%j reads as %j", (text, expected) => {
    expect(told(read(text))).toBe(expected);
  });

  it("leaves an escaped mention and an escaped link dead", () => {
    expect(told(read("&lt;@U1&gt; &lt;https://a.example|x&gt;"))).toBe(
      "<@U1> <https://a.example|x>",
    );
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd"])(
    "makes no link of %s",
    (address) => {
      expect(told(read(`<${address}|press>`))).toBe("press");
    },
  );

  it("reads a hundred thousand marks without taking long over each", () => {
    expect(read("*_~`<".repeat(20_000)).length).toBeGreaterThan(0);
  });
});
