/** A panel over everything else, beside what opened it; dialogs and scrolling boxes do not cut it. */

import { useEffect, useLayoutEffect, useRef, type ReactNode, type RefObject } from "react";

const GAP = 4;
const EDGE = 8;

interface Props {
  anchor: RefObject<HTMLElement | null>;
  children: ReactNode;
  onClose: () => void;
  /** As wide as what opened it, at least. */
  wide?: boolean;
  /** Which edges stand in line. */
  align?: "start" | "end";
}

export function Popover({ anchor, children, onClose, wide = false, align = "start" }: Props) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = panel.current;
    if (!box) return undefined;
    box.showPopover();
    const put = () => {
      if (anchor.current) place(box, anchor.current.getBoundingClientRect(), wide, align);
    };
    put();
    const resized = new ResizeObserver(put);
    resized.observe(box);
    window.addEventListener("resize", put);
    window.addEventListener("scroll", put, true);
    return () => {
      resized.disconnect();
      window.removeEventListener("resize", put);
      window.removeEventListener("scroll", put, true);
    };
  }, [anchor, wide, align]);
  useEffect(() => {
    const away = (event: PointerEvent) => {
      const on = event.target instanceof Node ? event.target : null;
      if (!panel.current?.contains(on) && !anchor.current?.contains(on)) onClose();
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [anchor, onClose]);
  return (
    <div ref={panel} popover="manual" className="popover">
      {children}
    </div>
  );
}

function place(box: HTMLElement, by: DOMRect, wide: boolean, align: "start" | "end"): void {
  if (wide) box.style.minWidth = `${by.width}px`;
  const below = window.innerHeight - by.bottom - GAP - EDGE;
  const above = by.top - GAP - EDGE;
  box.style.maxHeight = `${Math.max(below, above)}px`;
  const [tall, across] = [box.offsetHeight, box.offsetWidth];
  const up = tall > below && above > below;
  const left = align === "start" ? by.left : by.right - across;
  box.style.top = `${up ? Math.max(EDGE, by.top - GAP - tall) : by.bottom + GAP}px`;
  box.style.left = `${Math.max(EDGE, Math.min(left, window.innerWidth - across - EDGE))}px`;
}
