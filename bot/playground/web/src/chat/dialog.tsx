/** A modal dialog: the browser's own, which holds the focus and makes the rest inert. */

import { useEffect, useRef, type ReactNode } from "react";

interface Props {
  /** The focus begins anew when it changes. */
  begins?: string;
  className: string;
  labelledBy: string;
  onClose: () => void;
  children: ReactNode;
  role?: "alertdialog";
}

export function Dialog({ begins, className, labelledBy, onClose, children, role }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const box = dialog.current;
    const before = document.activeElement;
    if (!box?.open) box?.showModal();
    return () => {
      box?.close();
      // What was pressed may be gone by now, as a message can be while its form is open.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => focusIn(dialog.current), [begins]);
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

const FOOT = ".dialog-foot button";
const FIRST = "[data-focus], .modal-body :is(input, textarea, select):not([disabled])";

/** The first thing to type or choose; else the text where it must be scrolled, or the way out. */
function focusIn(box: HTMLElement | null): void {
  const text = box?.querySelector<HTMLElement>(".modal-body");
  const scrolls = text && text.scrollHeight > text.clientHeight;
  const found =
    box?.querySelector<HTMLElement>(FIRST) ??
    (scrolls ? text : box?.querySelector<HTMLElement>(FOOT));
  found?.focus();
}
