/** What could be meant by what is typed so far: commands, their verbs, and mentions. */

import type { About, Channel, Suggestion } from "../contract";
import { nameOf, type World } from "../state/world";
import type { Named } from "../blocks/surface";

export interface Completion {
  /** What is shown, and what else the person would type. */
  words: string;
  hint: string;
  about: string;
  /** The whole text once it is chosen. */
  text: string;
  /** What is typed may be meant as it is: a question stands where a verb does. Enter sends it. */
  free?: boolean;
}

const MENTION = /(^|\s)@([\p{L}\p{N}._-]{0,40})$/u;
const MOST = 8;

export function completions(
  typed: string,
  about: Pick<About, "commands">,
  people: readonly Named[],
): Completion[] {
  if (typed.startsWith("/")) return commands(typed, about).slice(0, MOST + 4);
  const found = MENTION.exec(typed);
  if (!found) return [];
  const wanted = (found[2] ?? "").toLowerCase();
  const begin = typed.slice(0, typed.length - wanted.length);
  return people
    .filter(({ name }) => name.toLowerCase().startsWith(wanted))
    .slice(0, MOST)
    .map(({ name }) => ({ words: `@${name}`, hint: "", about: "", text: `${begin}${name} ` }));
}

function commands(typed: string, about: Pick<About, "commands">): Completion[] {
  const [name = "", ...rest] = typed.split(" ");
  if (!rest.length) {
    return about.commands
      .filter(({ command }) => command.startsWith(name))
      .map((each) => ({
        words: each.command,
        hint: each.usage,
        about: each.about,
        text: `${each.command} `,
      }));
  }
  const command = about.commands.find((each) => each.command === name);
  const begun = rest.join(" ");
  if (!command || begun.includes(" ")) return [];
  return command.verbs
    .filter(({ verb }) => verb.startsWith(begun.toLowerCase()))
    .map(({ verb, hint, about: what }) => ({
      words: verb ? `${name} ${verb}` : name,
      hint,
      about: what,
      text: verb ? `${name} ${verb}${hint ? " " : ""}` : `${name} `,
      free: true,
    }));
}

/** What to begin with: what the documents answer; until that is known, what there is to show. */
export function ideas(about: Ideas, channel: string) {
  const { questions, suggestions } = ideasHere(about, channel);
  return questions.length > 0 ? questions : suggestions;
}

/** The same of one channel: those of its own, or where it has none those for all others. */
export function ideasHere(about: Ideas, channel: string) {
  const all = [...about.questions, ...about.suggestions];
  const wanted = all.some((each) => each.channel === channel) ? channel : "";
  const meant = (each: Suggestion) => each.channel === wanted;
  return {
    questions: about.questions.filter(meant),
    suggestions: about.suggestions.filter(meant),
  };
}

type Ideas = Pick<About, "questions" | "suggestions">;

/** A question as it is put there: with the app alone there is no need to call it. */
export function asked(text: string, channel: Channel, about: Pick<About, "app" | "commands">) {
  const [command] = about.commands;
  if (!command || channel.peer === about.app || text.startsWith("/")) return text;
  return `${command.command} ${text}`;
}

/** The app, where it is near and what is typed does not call it; and how it would be called. */
export function unasked(typed: string, channel: Channel, world: World) {
  const [command] = world.about.commands;
  const app = nameOf(world, world.about.app);
  const called = /^\s*\//.test(typed) || typed.includes(`@${app}`);
  if (!command || !channel.app_is_in || channel.peer || called || !typed.trim()) return undefined;
  return { app, command: command.command };
}

/** A command and its text, where what is typed is one. */
export function commandOf(typed: string, about: Pick<About, "commands">) {
  const found = /^(\/[a-z0-9_-]+)(?:\s+([\s\S]*))?$/.exec(typed.trim());
  const command = about.commands.find((each) => each.command === found?.[1]);
  return command && { command: command.command, text: (found?.[2] ?? "").trim() };
}
