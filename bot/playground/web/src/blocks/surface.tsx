/** What blocks need of the place they stand in: names, presses, options, and what a form holds. */

import { createContext, useContext } from "react";
import type { Json } from "./json";
import type { MenuOption, Options } from "../contract";

/** What an input holds, as the contract sends it; undefined is what was left alone. */
export type Held = string | string[] | MenuOption | MenuOption[] | undefined;

export interface Pressed {
  block: string;
  action: string;
  value?: string;
  chosen?: Exclude<Held, undefined>;
}

export interface Named {
  id: string;
  name: string;
}

export interface Form {
  /** What was typed and chosen since the form opened. */
  held: (block: string, action: string) => Held;
  hold: (block: string, action: string, held: Held) => void;
  /** What the app finds wrong, by block id. */
  errors: Readonly<Record<string, string>>;
}

export interface Uploading {
  id: string;
  name: string;
}

export interface Surface {
  kind: "message" | "modal" | "home";
  people: readonly Named[];
  channels: readonly Named[];
  /** The channel it stands in or was opened from. */
  here: string;
  press: (pressed: Pressed) => Promise<void>;
  options: (block: string, action: string, typed: string) => Promise<Options>;
  upload: (file: File, progress: (share: number) => void) => Promise<Uploading>;
  /** Asks before something is done; `asks` is a `confirm` object of Slack's. */
  confirm: (asks: Json) => Promise<boolean>;
  /** Follows a link to a message here; false where it is none. */
  follow: (href: string) => boolean;
  form: Form;
}

const nothing: Surface = {
  kind: "message",
  people: [],
  channels: [],
  here: "",
  press: () => Promise.resolve(),
  options: () => Promise.resolve({ options: [], option_groups: [] }),
  upload: () => Promise.reject(new Error("nothing can be uploaded here")),
  confirm: () => Promise.resolve(true),
  follow: () => false,
  form: { held: () => undefined, hold: () => undefined, errors: {} },
};

export const SurfaceContext = createContext<Surface>(nothing);

export function useSurface(): Surface {
  return useContext(SurfaceContext);
}

/** The block that elements stand in: its id goes with every press. */
export interface Place {
  block: string;
  /** The element's label, for those who do not see where it stands. */
  label: string;
  /** Whether a form holds it until it is sent. */
  input: boolean;
  /** Whether a choice reaches the app at once. */
  acts: boolean;
  described?: string | undefined;
  invalid?: boolean;
  labelledBy?: string | undefined;
}
