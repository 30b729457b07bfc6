/** Addresses: which of them may be followed, and what of them is shown. */

const FOLLOWED = new Set(["http:", "https:", "mailto:"]);

export interface Target {
  href: string;
  /** The host, or the address of a mail: where a click really leads. */
  host: string;
}

/** Where a link may lead; nothing for every scheme but http, https and mailto. */
export function target(address: string): Target | undefined {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return undefined;
  }
  if (!FOLLOWED.has(url.protocol)) return undefined;
  const host = url.protocol === "mailto:" ? url.pathname : url.host;
  return host ? { href: url.href, host } : undefined;
}
