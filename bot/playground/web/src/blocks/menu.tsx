/** A button that opens a menu: arrows, Home, End and first letters move, Escape goes back. */

import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { Popover } from "./popover";

export interface Entry {
  id: string;
  words: string;
  about?: string;
  icon?: ReactNode;
  current?: boolean;
  danger?: boolean;
}

interface Props {
  label: string;
  children: ReactNode;
  entries: readonly Entry[];
  onChoose: (id: string) => void;
  className?: string;
  align?: "start" | "end";
  heading?: string;
  onToggle?: (open: boolean) => void;
  /** Whether what stands in the button says what it is. */
  named?: boolean;
}

export function Menu(props: Props) {
  const {
    label,
    children,
    entries,
    onChoose,
    className,
    align = "end",
    heading,
    onToggle,
    named = false,
  } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const toggle = (to: boolean) => {
    setOpen(to);
    onToggle?.(to);
  };
  const back = () => {
    toggle(false);
    button.current?.focus();
  };
  const choose = (entry: Entry) => {
    back();
    onChoose(entry.id);
  };
  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    const listed = [...event.currentTarget.querySelectorAll<HTMLElement>("[role^=menuitem]")];
    const at = listed.indexOf(document.activeElement as HTMLElement);
    const to = moved(event.key, at, listed);
    if (to !== undefined) {
      event.preventDefault();
      listed[to]?.focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      event.stopPropagation();
      back();
    }
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={named ? undefined : label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => toggle(!open)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          toggle(true);
        }}
      >
        {children}
      </button>
      {open && (
        <Popover anchor={button} onClose={() => toggle(false)} align={align}>
          <div
            id={id}
            className="menu"
            role="menu"
            aria-label={label}
            tabIndex={-1}
            onKeyDown={keys}
          >
            {heading && (
              <p className="menu-heading" role="presentation">
                {heading}
              </p>
            )}
            {entries.map((entry, at) => (
              <button
                key={entry.id}
                type="button"
                role={entry.current === undefined ? "menuitem" : "menuitemradio"}
                aria-checked={entry.current}
                className={entry.danger ? "entry danger" : "entry"}
                tabIndex={-1}
                ref={(made) => {
                  if (made && at === 0) made.focus();
                }}
                onClick={() => choose(entry)}
              >
                {entry.icon}
                <span>
                  {entry.words}
                  {entry.about && <small>{entry.about}</small>}
                </span>
              </button>
            ))}
          </div>
        </Popover>
      )}
    </>
  );
}

function moved(key: string, at: number, listed: readonly HTMLElement[]): number | undefined {
  const last = listed.length - 1;
  switch (key) {
    case "ArrowDown":
      return at >= last ? 0 : at + 1;
    case "ArrowUp":
      return at <= 0 ? last : at - 1;
    case "Home":
      return 0;
    case "End":
      return last;
    default: {
      if (key.length !== 1 || key === " ") return undefined;
      const begins = (each: HTMLElement) =>
        each.textContent.trim().toLowerCase().startsWith(key.toLowerCase());
      const next = listed.findIndex((each, n) => n > at && begins(each));
      const found = next >= 0 ? next : listed.findIndex(begins);
      return found >= 0 ? found : undefined;
    }
  }
}
