/** Short notes of what did not work; they stay long enough to be read, and can be sent away. */

import { useEffect } from "react";
import { Icon } from "../icons";

export interface Toast {
  id: number;
  words: string;
}

const STAYS_MS = 9_000;

export function Toasts({
  toasts,
  onGone,
}: {
  toasts: readonly Toast[];
  onGone: (id: number) => void;
}) {
  return (
    <div className="toasts" role="alert">
      {toasts.map((each) => (
        <Note key={each.id} toast={each} onGone={onGone} />
      ))}
    </div>
  );
}

function Note({ toast, onGone }: { toast: Toast; onGone: (id: number) => void }) {
  const { id, words } = toast;
  useEffect(() => {
    const later = setTimeout(() => onGone(id), STAYS_MS);
    return () => clearTimeout(later);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a note's time does not begin anew
  }, [id]);
  return (
    <div className="toast">
      <span>{words}</span>
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => onGone(id)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
