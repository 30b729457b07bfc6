/** The emoji that codes stand for, and those offered as reactions. Other codes stay codes. */

export const EMOJI: Readonly<Record<string, string>> = {
  "+1": "👍",
  "-1": "👎",
  bar_chart: "📊",
  bulb: "💡",
  eyes: "👀",
  hourglass_flowing_sand: "⏳",
  heart: "❤️",
  information_source: "ℹ️",
  large_green_circle: "🟢",
  large_yellow_circle: "🟡",
  mag: "🔍",
  memo: "📝",
  no_entry: "⛔",
  no_entry_sign: "🚫",
  page_facing_up: "📄",
  paperclip: "📎",
  pray: "🙏",
  question: "❓",
  raised_hands: "🙌",
  red_circle: "🔴",
  rocket: "🚀",
  smile: "😄",
  tada: "🎉",
  thinking_face: "🤔",
  thumbsdown: "👎",
  thumbsup: "👍",
  warning: "⚠️",
  wave: "👋",
  white_check_mark: "✅",
  white_circle: "⚪",
  x: "❌",
};

export const REACTIONS = [
  "+1",
  "white_check_mark",
  "eyes",
  "tada",
  "heart",
  "pray",
  "thinking_face",
  "-1",
] as const;

export function emoji(name: string): string {
  return EMOJI[name] ?? `:${name}:`;
}
