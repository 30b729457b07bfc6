/** What every part of the page shares: the world, where the tab stands, and what can be done. */

import { createContext, useContext, type ReactNode } from "react";
import type { Reply } from "../contract";
import type { Json } from "../blocks/json";
import type { Pressed, Uploading } from "../blocks/surface";
import type { Deed, Status } from "./connection";
import type { Spot } from "./address";
import type { World } from "./world";

export type Pane = "rail" | "main" | "thread";
type At = Extract<Deed, { type: "press" }>["at"];

export interface App {
  world: World;
  status: Status;
  spot: Spot;
  pane: Pane;
  /** Go to a channel, or `home`, and to a thread in it. */
  go: (place: string, thread?: string) => void;
  show: (pane: Pane) => void;
  become: (person: string) => void;
  /** Does it, shows a refusal as a note, and gives the reply if there was one. */
  act: (deed: Deed) => Promise<Reply | undefined>;
  press: (at: At, pressed: Pressed) => Promise<void>;
  upload: (file: File, progress: (share: number) => void) => Promise<Uploading>;
  confirm: (asks: Json) => Promise<boolean>;
  tell: (words: string) => void;
  /** What was told. It stands in the form on top, as everything beneath it is out of reach. */
  notes: ReactNode;
  follow: (href: string) => boolean;
  /** Where a file's bytes are. */
  fileUrl: (id: string) => string;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("there is no page around this");
  return app;
}
