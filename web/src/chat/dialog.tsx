/** A modal dialog: the browser's own, which holds the focus and makes the rest inert. */

import { useEffect, useRef, type ReactNode } from "react";

interface Props {
  className: string;
  labelledBy: string;
  onClose: () => void;
  children: ReactNode;
  role?: "alertdialog";
}

export function Dialog({ className, labelledBy, onClose, children, role }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const box = dialog.current;
    const before = document.activeElement;
    if (!box?.open) box?.showModal();
    focusIn(box);
    return () => {
      box?.close();
      // What was pressed may be gone by now, as a message can be while its form is open.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={className}
      role={role}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
    </dialog>
  );
}

const FIRST = "[data-focus], .modal-body :is(input, textarea, select):not([disabled])";

/** The first thing to type or choose; where there is none, the text, so that it can be scrolled. */
function focusIn(box: HTMLElement | null): void {
  const found =
    box?.querySelector<HTMLElement>(FIRST) ?? box?.querySelector<HTMLElement>(".modal-body");
  found?.focus();
}
