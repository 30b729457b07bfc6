/** The question before something is done, as a button of the app asks it. */

import { useId } from "react";
import { inner, said, str, type Json } from "../blocks/json";
import { Text } from "../blocks/text";
import { Dialog } from "./dialog";

export interface Question {
  asks: Json;
  answer: (yes: boolean) => void;
}

export function ConfirmDialog({ question, onDone }: { question: Question; onDone: () => void }) {
  const id = useId();
  const { asks, answer } = question;
  const end = (yes: boolean) => {
    onDone();
    answer(yes);
  };
  return (
    <Dialog
      className="dialog confirm"
      labelledBy={id}
      onClose={() => end(false)}
      role="alertdialog"
    >
      <h2 id={id}>{said(asks, "title") || "Are you sure?"}</h2>
      <p>
        <Text of={inner(asks, "text")} />
      </p>
      <div className="dialog-foot">
        <button type="button" className="button" data-focus onClick={() => end(false)}>
          {said(asks, "deny") || "No"}
        </button>
        <button
          type="button"
          className={`button ${str(asks, "style") === "danger" ? "danger-solid" : "primary"}`}
          onClick={() => end(true)}
        >
          {said(asks, "confirm") || "Yes"}
        </button>
      </div>
    </Dialog>
  );
}
