/** Says what arrives to those who do not see it, in one region that speaks when it is free. */

import { useEffect, useRef, useState } from "react";
import type { Message } from "../contract";
import { useApp } from "../state/app";
import { isReply, nameOf, type World } from "../state/world";

const SPOKEN = 300;

function words(world: World, message: Message): string {
  const where = isReply(message) ? " in a thread" : "";
  const alone = message.private ? ", only to you" : "";
  const said = message.text.replace(/<[@#!]?([^<>|]*\|)?([^<>]*)>/g, "$2").slice(0, SPOKEN);
  return `${nameOf(world, message.user)}${where}${alone}: ${said}`;
}

export function Announcer() {
  const { world, spot } = useApp();
  const heard = useRef<{ key: string; newest: string }>({ key: "", newest: "" });
  const [said, setSaid] = useState("");
  useEffect(() => {
    const all = Object.values(world.messages[spot.place] ?? {});
    const newest = all.reduce((last, each) => (each.ts > last ? each.ts : last), "");
    const key = `${world.you}/${spot.place}`;
    const before = heard.current;
    heard.current = { key, newest };
    if (before.key !== key) return;
    const fresh = all.filter((each) => each.ts > before.newest && each.user !== world.you);
    if (fresh.length) setSaid(fresh.map((each) => words(world, each)).join(". "));
  }, [world, spot.place]);
  return (
    <p className="unseen" aria-live="polite" aria-atomic="true">
      {said}
    </p>
  );
}
