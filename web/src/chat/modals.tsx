/** The stack of forms. What was typed is kept by block id while the app changes what it shows. */

import { useId, useMemo, useState } from "react";
import { Blocks } from "../blocks/blocks";
import { isJson, str } from "../blocks/json";
import type { Form, Held } from "../blocks/surface";
import type { View } from "../contract";
import { Icon } from "../icons";
import { useApp } from "../state/app";
import { Dialog } from "./dialog";
import { SurfaceOf } from "./surfaces";

type Values = Readonly<Record<string, Readonly<Record<string, Held>>>>;

export function Modals() {
  const { world } = useApp();
  return world.modals.map((view) => <Modal key={view.id} view={view} />);
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

function Modal({ view }: { view: View }) {
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
    setBusy(true);
    const values = submitted(view, held);
    const reply = await app.act({ type: "submit", view: view.id, values });
    setBusy(false);
    const fields = reply?.fields ?? {};
    setErrors(fields);
    const [wrong] = Object.keys(fields);
    if (wrong !== undefined) focusBlock(wrong);
  };
  const close = () => void app.act({ type: "close", view: view.id });
  return (
    <Dialog className="dialog modal" labelledBy={id} onClose={close}>
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
    </Dialog>
  );
}

function focusBlock(block: string): void {
  const found = document.querySelector(`[data-block="${CSS.escape(block)}"]`);
  found?.querySelector<HTMLElement>("input, textarea, select, button")?.focus();
}
