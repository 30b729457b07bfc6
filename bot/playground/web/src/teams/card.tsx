/** An Adaptive Card, drawn by `adaptivecards`; its charts by the page's own drawer. */

import { useEffect, useMemo, useRef } from "react";
import { createPortal } from "react-dom";
import { DataVisualization } from "../blocks/charts";
import type { Json } from "../blocks/json";
import { drawn, type Act } from "./elements";

interface Props {
  of: Json;
  onAct: (asked: Act) => void;
}

export function Card({ of, onAct }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(onAct);
  useEffect(() => {
    latest.current = onAct;
  });
  // A card that comes again as it was stays as it is, with what is being typed in it.
  const source = JSON.stringify(of);
  const shown = useMemo(() => {
    const listeners = new Set<(asked: Act) => void>();
    const card = drawn(JSON.parse(source) as Json, (asked) => {
      for (const each of listeners) each(asked);
    });
    return { ...card, listeners };
  }, [source]);
  useEffect(() => {
    const hear = (asked: Act) => latest.current(asked);
    shown.listeners.add(hear);
    box.current?.replaceChildren(shown.element);
    return () => {
      shown.listeners.delete(hear);
    };
  }, [shown]);
  return (
    <>
      <div className="ac-card" ref={box} />
      {shown.charts.map(({ host, block }, at) =>
        createPortal(<DataVisualization of={block} />, host, String(at)),
      )}
    </>
  );
}
