/** Every kind of block in one page, for a picture and for axe: `npm run shots` opens it. */

import { useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import { Blocks } from "../src/blocks/blocks";
import { SurfaceContext, type Held, type Surface } from "../src/blocks/surface";
import { FORM, MESSAGE } from "./blocks";
import "../src/styles";

function useSurface(kind: Surface["kind"]): Surface {
  const [held, setHeld] = useState<Record<string, Held>>({});
  return useMemo(
    () => ({
      kind,
      people: [{ id: "U2", name: "Olivia" }],
      channels: [{ id: "C1", name: "handbook" }],
      here: "C1",
      press: () => Promise.resolve(),
      options: (_block, _action, typed) =>
        Promise.resolve({
          options: [{ text: { type: "plain_text", text: `Found for ${typed}` }, value: typed }],
          option_groups: [],
        }),
      upload: (file) => Promise.resolve({ id: "F1", name: file.name }),
      confirm: () => Promise.resolve(true),
      follow: () => false,
      form: {
        held: (block) => held[block],
        hold: (block, _action, value) => setHeld((all) => ({ ...all, [block]: value })),
        errors: kind === "modal" ? { in_1: "Must be filled in" } : {},
      },
    }),
    [kind, held],
  );
}

function Gallery() {
  const [message, form] = [useSurface("message"), useSurface("modal")];
  return (
    <main className="gallery">
      <h1>Every block</h1>
      <h2>In messages, and in forms</h2>
      <div>
        <SurfaceContext value={message}>
          <Blocks of={MESSAGE} />
        </SurfaceContext>
        <div className="modal">
          <SurfaceContext value={form}>
            <Blocks of={FORM} />
          </SurfaceContext>
        </div>
      </div>
    </main>
  );
}

document.documentElement.dataset["theme"] = location.hash === "#dark" ? "dark" : "light";
Object.assign(document.body.style, { overflow: "visible", background: "var(--ground)" });
const root = document.getElementById("root");
if (root) {
  const style = document.createElement("style");
  style.textContent =
    ".gallery{padding:24px}.gallery>div{display:grid;grid-template-columns:1fr 1fr;gap:40px;align-items:start}";
  document.head.append(style);
  createRoot(root).render(<Gallery />);
}
