/** What the server has told, kept by id; every change holds the whole of what it changes. */

import type {
  About,
  Changes,
  Channel,
  Message,
  Person,
  Readiness,
  Session,
  State,
  TeamsMessage,
  TeamsTeam,
  View,
} from "../contract";

export interface World {
  epoch: string;
  seq: number;
  you: string;
  about: About;
  people: readonly Person[];
  channels: Readonly<Record<string, Channel>>;
  /** By channel, then by ts. */
  messages: Readonly<Record<string, Readonly<Record<string, Message>>>>;
  sessions: Readonly<Record<string, Session>>;
  modals: readonly View[];
  home: View | null;
  ready: Readiness;
  /** Teams beside Slack; its messages by id. */
  teams: Omit<TeamsTeam, "messages">;
  teamsMessages: Readonly<Record<string, TeamsMessage>>;
  /** Since when the app writes, in seconds, by the place of Teams in which it shows that. */
  teamsTyping: Readonly<Record<string, string>>;
}

type Change = Changes["changes"][number];

export function sessionKey(channel: string, thread: string | null): string {
  return `${channel}/${thread ?? ""}`;
}

export function worldOf(state: State): World {
  const messages: Record<string, Record<string, Message>> = {};
  for (const message of state.messages) (messages[message.channel] ??= {})[message.ts] = message;
  const { epoch, seq, you, about, people, modals, home, ready } = state;
  const { messages: told, ...teams } = state.teams;
  return {
    ...{ epoch, seq, you, about, people, modals, home, ready },
    channels: Object.fromEntries(state.channels.map((each) => [each.id, each])),
    messages,
    teams,
    teamsMessages: Object.fromEntries(told.map((each) => [each.id, each])),
    teamsTyping: {},
    sessions: Object.fromEntries(
      state.sessions.map((each) => [sessionKey(each.channel, each.thread_ts), each]),
    ),
  };
}

export function changed(world: World, { seq, changes }: Changes): World {
  return { ...changes.reduce(apply, world), seq };
}

function apply(world: World, change: Change): World {
  switch (change.kind) {
    case "message": {
      const { channel, ts } = change.message;
      const inside = { ...world.messages[channel], [ts]: change.message };
      return { ...world, messages: { ...world.messages, [channel]: inside } };
    }
    case "gone": {
      const inside = without(world.messages[change.channel] ?? {}, change.ts);
      return { ...world, messages: { ...world.messages, [change.channel]: inside } };
    }
    case "channel":
      return { ...world, channels: { ...world.channels, [change.channel.id]: change.channel } };
    case "channel_gone":
      return {
        ...world,
        channels: without(world.channels, change.channel),
        messages: without(world.messages, change.channel),
      };
    case "session": {
      const key = sessionKey(change.session.channel, change.session.thread_ts);
      return { ...world, sessions: { ...world.sessions, [key]: change.session } };
    }
    case "modals":
      return { ...world, modals: change.modals };
    case "home":
      return { ...world, home: change.home };
    case "about":
      return { ...world, about: change.about };
    case "ready":
      return { ...world, ready: change.ready };
    case "teams_message": {
      const { message } = change;
      return { ...world, teamsMessages: { ...world.teamsMessages, [message.id]: message } };
    }
    case "teams_gone":
      return { ...world, teamsMessages: without(world.teamsMessages, change.id) };
    case "teams_typing":
      return { ...world, teamsTyping: { ...world.teamsTyping, [change.place]: change.at } };
  }
}

function without<Value>(from: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(from).filter(([each]) => each !== key));
}

// --- what is read out of it -----------------------------------------------------------------

const byTs = (a: Message, b: Message) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0);

export function isReply(message: Message): boolean {
  return message.thread_ts !== null && message.thread_ts !== message.ts;
}

/** What stands in the channel itself. */
export function roots(world: World, channel: string): Message[] {
  const all = Object.values(world.messages[channel] ?? {});
  return all.filter((each) => !isReply(each) || each.broadcast).sort(byTs);
}

/** A thread: its root first, where it is there. */
export function thread(world: World, channel: string, root: string): Message[] {
  const all = Object.values(world.messages[channel] ?? {});
  return all.filter((each) => each.ts === root || each.thread_ts === root).sort(byTs);
}

/** What stands in a conversation of Teams, the oldest first. */
export function teamsMessages(world: World, place: string): TeamsMessage[] {
  return Object.values(world.teamsMessages)
    .filter((each) => each.place === place)
    .sort((a, b) => Number(a.id) - Number(b.id));
}

export function unread(world: World, channel: Channel): number {
  return roots(world, channel.id).filter(
    (each) => each.user !== world.you && !each.private && each.ts > (channel.read_ts ?? ""),
  ).length;
}

/** The newest of those that stand in a channel and that everybody sees: what `read` names. */
export function newest(world: World, channel: string): string | undefined {
  return roots(world, channel).findLast((each) => !each.private)?.ts;
}

export function nameOf(world: World, id: string | null): string {
  return world.people.find((each) => each.id === id)?.name ?? "Slackbot";
}

/** As people call a channel: a direct message by who is at its other end. */
export function channelName(world: World, channel: Channel): string {
  return channel.kind === "im" ? nameOf(world, channel.peer) : channel.name;
}
