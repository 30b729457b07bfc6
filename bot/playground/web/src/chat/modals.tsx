/** The stack of forms. What was typed is kept by block id while the app changes what it shows. */

import { useId, useMemo, useState } from "react";
import { Blocks } from "../blocks/blocks";
import { flag, inner, isJson, str } from "../blocks/json";
import type { Form, Held } from "../blocks/surface";
import type { View } from "../contract";
import { Icon } from "../icons";
import { useApp } from "../state/app";
import { Dialog } from "./dialog";
import { SurfaceOf } from "./surfaces";

const NEEDED = "This must be filled in.";

type Values = Readonly<Record<string, Readonly<Record<string, Held>>>>;

export function Modals() {
  const { world } = useApp();
  const top = world.modals.at(-1);
  return world.modals.map((view) => <Modal key={view.id} view={view} top={view === top} />);
}

/** What is sent: of each block that is still there, what was typed and chosen in it. */
export function submitted(view: View, held: Values) {
  const there = new Set(view.blocks.map((block) => str(block, "block_id")));
  const values: Record<string, Record<string, Exclude<Held, undefined>>> = {};
  for (const [block, actions] of Object.entries(held)) {
    if (!there.has(block)) continue;
    for (const [action, value] of Object.entries(actions)) {
      if (value !== undefined) (values[block] ??= {})[action] = value;
    }
  }
  return values;
}

/** The blocks that must be filled in and are not, with what Slack's own form says beside them. */
export function missing(view: View, held: Values): Record<string, string> {
  const empty = view.blocks.filter((block) => {
    if (str(block, "type") !== "input" || flag(block, "optional")) return false;
    const [id, element] = [str(block, "block_id"), inner(block, "element")];
    const own = held[id]?.[str(element, "action_id")];
    if (own !== undefined) return own === "" || (Array.isArray(own) && own.length === 0);
    const begun = Object.keys(element).some((name) => /^(initial_|default_to_)/.test(name));
    return !begun && !isJson(view.values[id]);
  });
  return Object.fromEntries(empty.map((block) => [str(block, "block_id"), NEEDED]));
}

function Modal({ view, top }: { view: View; top: boolean }) {
  const id = useId();
  const app = useApp();
  const [held, setHeld] = useState<Values>({});
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const form = useMemo<Form>(
    () => ({
      held: (block, action) => held[block]?.[action],
      hold: (block, action, value) =>
        setHeld((all) => ({ ...all, [block]: { ...all[block], [action]: value } })),
      errors,
    }),
    [held, errors],
  );
  const submit = async () => {
    let fields = missing(view, held);
    if (Object.keys(fields).length === 0) {
      setBusy(true);
      const values = submitted(view, held);
      const reply = await app.act({ type: "submit", view: view.id, values });
      setBusy(false);
      fields = reply?.fields ?? {};
    }
    setErrors(fields);
    const [wrong] = Object.keys(fields);
    if (wrong !== undefined) focusBlock(wrong);
  };
  const close = () => void app.act({ type: "close", view: view.id });
  return (
    <Dialog
      // A form that was on its way has its fields now.
      begins={view.blocks.some((block) => str(block, "type") === "input") ? "fields" : "text"}
      className="dialog modal"
      labelledBy={id}
      onClose={close}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (view.submit && !busy) void submit();
        }}
      >
        <header className="modal-head">
          <h2 id={id}>{view.title}</h2>
          <button type="button" className="icon-button" aria-label="Close" onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        <div className="modal-body" role="group" aria-labelledby={id} tabIndex={0}>
          <SurfaceOf at={{ view: view.id }} kind="modal" here={app.spot.place} form={form}>
            <Blocks of={view.blocks.filter(isJson)} />
          </SurfaceOf>
        </div>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={close}>
            {view.close ?? (view.submit ? "Cancel" : "Close")}
          </button>
          {view.submit && (
            <button type="submit" className="button primary" aria-busy={busy}>
              {view.submit}
            </button>
          )}
        </footer>
      </form>
      {top && app.notes}
    </Dialog>
  );
}

function focusBlock(block: string): void {
  const found = document.querySelector(`[data-block="${CSS.escape(block)}"]`);
  found?.querySelector<HTMLElement>("input, textarea, select, button")?.focus();
}
