/** Where a tab stands, kept behind the `#` of its address, so that a reload comes back to it. */

export interface Spot {
  person: string;
  /** A channel's id, or `home`. */
  place: string;
  thread: string;
}

export const HOME = "home";

export function spotOf(hash: string): Spot {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const read = (name: string) => given.get(name) ?? "";
  return { person: read("as"), place: read("in"), thread: read("thread") };
}

export function hashOf({ person, place, thread }: Spot): string {
  const parts = { as: person, in: place, thread };
  const kept = Object.entries(parts).filter(([, value]) => value);
  return `#${new URLSearchParams(kept).toString()}`;
}

export interface Permalink {
  channel: string;
  ts: string;
  thread: string;
}

/** The message that an address leads to, where it begins as those of messages here do. */
export function permalink(href: string, begin: string): Permalink | undefined {
  if (!begin || !href.startsWith(`${begin}/archives/`)) return undefined;
  const url = new URL(href);
  const found = /\/archives\/([A-Z0-9]+)\/p(\d+)(\d{6})$/.exec(url.pathname);
  const [, channel, seconds, fraction] = found ?? [];
  if (!channel || !seconds || !fraction) return undefined;
  return { channel, ts: `${seconds}.${fraction}`, thread: url.searchParams.get("thread_ts") ?? "" };
}
