/** Slack's timestamps as people read them. */

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: "long", month: "long", day: "numeric" });
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "medium" });

export function dateOf(ts: string): Date {
  return new Date(Number(ts) * 1000);
}

export function clock(ts: string): string {
  return CLOCK.format(dateOf(ts));
}

/** The same without “AM” or “PM”, for where there is little room. */
export function shortClock(ts: string): string {
  return CLOCK.formatToParts(dateOf(ts))
    .filter(({ type }) => type !== "dayPeriod")
    .map(({ value }) => value)
    .join("")
    .trim();
}

export function whole(ts: string): string {
  return WHOLE.format(dateOf(ts));
}

/** “Today”, “Yesterday”, or the day. */
export function day(ts: string, now = new Date()): string {
  const at = dateOf(ts);
  const before = new Date(now);
  before.setDate(now.getDate() - 1);
  if (at.toDateString() === now.toDateString()) return "Today";
  return at.toDateString() === before.toDateString() ? "Yesterday" : DAY.format(at);
}

export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000
    ? `${Math.round(bytes / 1_000)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
