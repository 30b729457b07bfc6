/** The options of menus, wherever they come from, in one form. */

import type { MenuOption } from "../contract";
import { inner, items, maybe, said, str, strings, type Json } from "./json";
import type { Held, Named } from "./surface";

export interface Option {
  value: string;
  words: string;
  about: string;
  group: string;
  /** As the app gave it: an external menu sends it back whole. */
  whole: Json;
}

export type Source = "static" | "external" | "users" | "channels" | "conversations";

export function sourceOf(type: string): Source {
  if (type.includes("external")) return "external";
  if (type.includes("users")) return "users";
  if (type.includes("channels")) return "channels";
  return type.includes("conversations") ? "conversations" : "static";
}

function option(whole: Json, group = ""): Option {
  const [value, words] = [str(whole, "value"), said(whole, "text")];
  return { value, words, about: said(whole, "description"), group, whole };
}

/** Those of a list or of groups, as an element or an app's answer has them. */
export function listed(of: Json): Option[] {
  const grouped = items(of, "option_groups").flatMap((group) =>
    items(group, "options").map((each) => option(each, said(group, "label"))),
  );
  return [...items(of, "options").map((each) => option(each)), ...grouped];
}

export function named(all: readonly Named[], sign = ""): Option[] {
  return all.map(({ id, name }) => {
    const words = `${sign}${name}`;
    return { value: id, words, about: "", group: "", whole: {} };
  });
}

/** What stands chosen at first. */
export function initial(of: Json, source: Source, here: string): Held {
  const several = str(of, "type").startsWith("multi_") || str(of, "type") === "checkboxes";
  if (source === "static" || source === "external") {
    const options = several ? items(of, "initial_options") : [inner(of, "initial_option")];
    const given = options.filter((each) => str(each, "value"));
    if (source === "external") {
      return several ? given.map(menuOption) : given[0] && menuOption(given[0]);
    }
    const values = given.map((each) => str(each, "value"));
    return several ? values : values[0];
  }
  const name = source.slice(0, -1);
  const first = several ? strings(of, `initial_${name}s`) : str(of, `initial_${name}`);
  if (first.length === 0 && of["default_to_current_conversation"] === true && here) {
    return several ? [here] : here;
  }
  return first;
}

export function menuOption(whole: Json): MenuOption {
  const about = maybe(whole, "description");
  return {
    text: { ...inner(whole, "text") },
    value: str(whole, "value"),
    ...(about ? { description: { ...about } } : {}),
  };
}

/** The chosen options of what is held: looked up in what is offered, or taken whole. */
export function chosen(held: Held, offered: readonly Option[]): Option[] {
  const all = Array.isArray(held) ? held : held === undefined || held === "" ? [] : [held];
  return all.map((each) => {
    if (typeof each !== "string") return option({ ...each });
    const found = offered.find((one) => one.value === each);
    return found ?? { value: each, words: each, about: "", group: "", whole: {} };
  });
}
