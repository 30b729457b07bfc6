/** Whether the page shows one pane at a time, as its styles have it. */

import { useSyncExternalStore } from "react";

const query = () => window.matchMedia("(max-width: 760px)");

function heard(tell: () => void): () => void {
  const narrow = query();
  narrow.addEventListener("change", tell);
  return () => narrow.removeEventListener("change", tell);
}

export function useNarrow(): boolean {
  return useSyncExternalStore(heard, () => query().matches);
}
