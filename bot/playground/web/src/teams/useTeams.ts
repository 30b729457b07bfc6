/** What can be done in Teams, and the dialog that is open. */

import { useState } from "react";
import type { TeamsDialog } from "../contract";
import { useApp } from "../state/app";
import type { Act } from "./elements";

export interface Teams {
  dialog: TeamsDialog | undefined;
  close: () => void;
  /** Does what a button of a message's card, or of its dialog, asks for. */
  act: (message: string, asked: Act) => Promise<void>;
}

export function useTeams(): Teams {
  const app = useApp();
  const [dialog, setDialog] = useState<TeamsDialog>();
  const act = async (message: string, { kind, ...asked }: Act) => {
    const reply = await app.act(
      "verb" in asked
        ? { type: "teams_press", message, verb: asked.verb, data: asked.data }
        : { type: kind === "open" ? "teams_open" : "teams_send", message, data: asked.data },
    );
    if (!reply) return;
    if (reply.words) app.tell(reply.words);
    if (kind !== "press") setDialog(reply.dialog ?? undefined);
  };
  return { dialog, close: () => setDialog(undefined), act };
}
