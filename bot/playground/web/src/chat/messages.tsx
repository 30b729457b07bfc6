/** A list of messages, grouped and dated; it stays at its end unless somebody reads further up. */

import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import type { Channel, Message } from "../contract";
import { Icon } from "../icons";
import { dateOf, day } from "../state/time";
import { MessageItem } from "./message";

const TOGETHER_S = 300;
const NEAR_END = 80;

/** Whether it stands under the name of the one before. */
export function follows(before: Message | undefined, message: Message): boolean {
  if (!before || before.user !== message.user || before.private !== message.private) return false;
  if (before.subtype !== message.subtype || day(before.ts) !== day(message.ts)) return false;
  return Number(message.ts) - Number(before.ts) < TOGETHER_S;
}

interface Props {
  label: string;
  messages: readonly Message[];
  channel: Channel;
  intro?: ReactNode;
  foot?: ReactNode;
  inThread?: boolean;
}

export function MessageList({ label, messages, channel, intro, foot, inThread = false }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const inside = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [away, setAway] = useState(false);
  const [active, setActive] = useState<string>();
  const last = messages.at(-1)?.ts ?? "";
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight });

  useLayoutEffect(() => {
    const grown = new ResizeObserver(() => {
      if (atEnd.current) toEnd();
    });
    if (inside.current) grown.observe(inside.current);
    if (box.current) grown.observe(box.current);
    return () => grown.disconnect();
  }, []);
  useEffect(() => {
    if (atEnd.current) toEnd();
    else setAway(true);
  }, [last]);

  const scrolled = () => {
    const at = box.current;
    if (!at) return;
    atEnd.current = at.scrollHeight - at.scrollTop - at.clientHeight < NEAR_END;
    if (atEnd.current) setAway(false);
  };
  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    const on = event.target as HTMLElement;
    if (!on.matches(".message") || !["ArrowUp", "ArrowDown", "Home", "End"].includes(event.key))
      return;
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>(".message")];
    const at = all.indexOf(on);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 }[event.key];
    event.preventDefault();
    all[to ?? at]?.focus();
  };
  const reachable = messages.some((each) => each.ts === active) ? active : last;
  return (
    <div className="list">
      <div ref={box} className="scroll" onScroll={scrolled}>
        <div ref={inside}>
          {intro}
          {/* Arrows go from message to message: one of them is a stop of the Tab key. */}
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <div role="list" aria-label={label} onKeyDown={keys}>
            {messages.map((message, at) => (
              <div role="listitem" key={message.ts}>
                {day(message.ts) !== day(messages[at - 1]?.ts ?? "0") && !inThread && (
                  <div className="day">
                    <time dateTime={dateOf(message.ts).toISOString()}>{day(message.ts)}</time>
                  </div>
                )}
                <MessageItem
                  message={message}
                  channel={channel}
                  inThread={inThread}
                  compact={follows(messages[at - 1], message)}
                  reachable={message.ts === reachable}
                  onFocus={() => setActive(message.ts)}
                />
              </div>
            ))}
          </div>
          {foot}
        </div>
      </div>
      {away && (
        <button
          type="button"
          className="to-end"
          onClick={() => {
            atEnd.current = true;
            setAway(false);
            toEnd();
          }}
        >
          New messages <Icon name="down" />
        </button>
      )}
    </div>
  );
}
