/**
 * The markup of Slack's texts, read into pieces in one pass. A mark that is not closed on its line
 * is text; entities are decoded last, so that an escaped mention is never live.
 */

import { emoji } from "./emoji";
import { target } from "./links";

export type Style = "bold" | "italic" | "strike";

export type Piece =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "pre"; text: string }
  | { kind: "quote"; inside: Piece[] }
  | { kind: Style; inside: Piece[] }
  | { kind: "user" | "channel"; id: string; label: string }
  | { kind: "broadcast"; name: string }
  | { kind: "link"; href: string; label: string }
  | { kind: "break" };

const MARKS: Readonly<Record<string, Style>> = { "*": "bold", _: "italic", "~": "strike" };
const REFERENCE = /^<([@#!]?)([^<>|\n]+)(?:\|([^<>\n]*))?>/;
const CODE = /^:([a-z0-9_+-]{1,40}):/;
const DEEPEST = 6;

/** Slack escapes three characters, and no others. */
export function unescaped(text: string): string {
  return text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}

/** A whole text: fenced code, quoted lines, and lines. */
export function read(text: string): Piece[] {
  const pieces: Piece[] = [];
  text.split("```").forEach((part, at, parts) => {
    const closed = at < parts.length - 1;
    if (at % 2 === 1 && closed) {
      pieces.push({ kind: "pre", text: unescaped(part.replace(/^\n|\n$/g, "")) });
    } else {
      pieces.push(...lines(at % 2 === 1 ? `\`\`\`${part}` : part));
    }
  });
  return pieces;
}

function lines(text: string): Piece[] {
  const pieces: Piece[] = [];
  let quoted: Piece[] | undefined;
  text.split("\n").forEach((line, at) => {
    const quote = /^(?:&gt;|>) ?(.*)$/.exec(line);
    if (quote) {
      if (quoted) quoted.push({ kind: "break" });
      else pieces.push({ kind: "quote", inside: (quoted = []) });
      quoted.push(...inline(quote[1] ?? ""));
      return;
    }
    if (at > 0 && !quoted) pieces.push({ kind: "break" });
    quoted = undefined;
    pieces.push(...inline(line));
  });
  return pieces;
}

function inline(line: string, depth = 0): Piece[] {
  const pieces: Piece[] = [];
  let plain = "";
  let at = 0;
  const flush = () => {
    if (plain) pieces.push({ kind: "text", text: unescaped(plain) });
    plain = "";
  };
  while (at < line.length) {
    const found = marked(line, at, depth) ?? reference(line.slice(at)) ?? code(line, at);
    if (found) {
      flush();
      pieces.push(found.piece);
      at += found.length;
    } else {
      plain += line.charAt(at);
      at += 1;
    }
  }
  flush();
  return pieces;
}

interface Found {
  piece: Piece;
  length: number;
}

function marked(line: string, at: number, depth: number): Found | undefined {
  const mark = line.charAt(at);
  if (mark === "`") {
    const end = line.indexOf("`", at + 1);
    if (end <= at + 1) return undefined;
    return {
      piece: { kind: "code", text: unescaped(line.slice(at + 1, end)) },
      length: end + 1 - at,
    };
  }
  const style = MARKS[mark];
  if (!style || depth >= DEEPEST || wordy(line.charAt(at - 1))) return undefined;
  const end = closing(line, mark, at);
  if (end < 0) return undefined;
  const inside = inline(line.slice(at + 1, end), depth + 1);
  return { piece: { kind: style, inside }, length: end + 1 - at };
}

/** Where the mark closes: after a word, and not inside one. */
function closing(line: string, mark: string, at: number): number {
  if (/\s|^$/.test(line.charAt(at + 1))) return -1;
  for (let end = line.indexOf(mark, at + 2); end > 0; end = line.indexOf(mark, end + 1)) {
    if (!/\s/.test(line.charAt(end - 1)) && !wordy(line.charAt(end + 1))) return end;
  }
  return -1;
}

function wordy(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

function reference(rest: string): Found | undefined {
  const found = rest.startsWith("<") ? REFERENCE.exec(rest) : null;
  if (!found) return undefined;
  const [whole, mark, to = "", label = ""] = found;
  return { piece: referred(mark ?? "", to, unescaped(label), whole), length: whole.length };
}

function referred(mark: string, to: string, label: string, whole: string): Piece {
  if (mark === "@" || mark === "#")
    return { kind: mark === "@" ? "user" : "channel", id: to, label };
  if (mark === "!") {
    const name = to.startsWith("date^") || to.startsWith("subteam^") ? label : `@${to}`;
    return { kind: "broadcast", name: name || `@${to}` };
  }
  const address = target(unescaped(to));
  if (!address) return { kind: "text", text: unescaped(label || whole) };
  return { kind: "link", href: address.href, label: label || unescaped(to) };
}

function code(line: string, at: number): Found | undefined {
  if (line.charAt(at) !== ":") return undefined;
  const found = CODE.exec(line.slice(at));
  const name = found?.[1] ?? "";
  const shown = emoji(name);
  if (!found || shown === `:${name}:`) return undefined;
  return { piece: { kind: "text", text: shown }, length: found[0].length };
}
