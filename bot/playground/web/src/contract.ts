// Made by `python -m bot.playground.page.typescript` from contract.py. Do not edit.

/** Hold what hardly changes while the page is served. */
export interface About {
  /** The id of the app's bot, who is among the people. */
  app: string;
  team: string;
  commands: Command[];
  shortcuts: Shortcut[];
  /** What there is to show, a question for each. */
  suggestions: Suggestion[];
  /** What the documents of the linked channel answer; none until that is known. */
  questions: Suggestion[];
  /** Links that begin so are messages here: `{permalinks}/archives/{channel}/p{ts without its dot}` with `?thread_ts=` for a reply. */
  permalinks: string;
  file_bytes: number;
  files: number;
  text_chars: number;
}

/** Tell that what there is to ask is known now, or has changed with the documents. */
export interface AboutIs {
  kind: "about";
  about: About;
}

/** List what happened since `seq` of the frame before. Each change says how a thing is now, as a whole. */
export interface Changes {
  type: "changes";
  seq: number;
  changes: (MessageIs | MessageGone | ChannelIs | ChannelGone | SessionIs | ModalsAre | HomeIs | AboutIs | ReadyIs | TeamsMessageIs | TeamsMessageGone | TeamsTyping)[];
}

/** A conversation as the person sees it. */
export interface Channel {
  id: string;
  /** Empty for a direct message, which is named for its `peer`. */
  name: string;
  kind: "public" | "private" | "im";
  topic: string;
  members: string[];
  is_member: boolean;
  is_archived: boolean;
  /** The names of the other organisations in it. */
  shared_with: string[];
  peer: string | null;
  app_is_in: boolean;
  /** The newest message that this person has read; those of others after it are unread. */
  read_ts: string | null;
  /** Whether there are older messages that are not shown. */
  earlier: boolean;
}

/** A channel is not seen any more. */
export interface ChannelGone {
  kind: "channel_gone";
  channel: string;
}

/** A channel is new, or is so now. */
export interface ChannelIs {
  kind: "channel";
  channel: Channel;
}

/** Close the form on top. */
export interface Close {
  id: number;
  type: "close";
  view: string;
}

/** A slash command, as the app's manifest and its help have it. */
export interface Command {
  command: string;
  about: string;
  usage: string;
  verbs: Verb[];
}

export type FromBrowser = Hello | Say | Slash | Press | Suggest | Submit | Close | UseShortcut | React | OpenHome | Stop | Read | TeamsSay | TeamsPress | TeamsOpen | TeamsSend | TeamsRate;

/** The first frame, and again to become somebody else. With `epoch` and `seq` it goes on. */
export interface Hello {
  type: "hello";
  /** Nobody named: whoever the page begins with. */
  person?: string | null;
  epoch?: string | null;
  seq?: number | null;
}

/** Show the app's home tab. */
export interface HomeIs {
  kind: "home";
  home: View | null;
}

/** A place to press: a message. */
export interface InMessage {
  channel: string;
  ts: string;
}

/** A place to press: a form or the home tab, by its id. */
export interface InView {
  view: string;
}

/** An option of an external select, as the app gave it. */
export interface MenuOption {
  text: Record<string, unknown>;
  value: string;
  description?: Record<string, unknown> | null;
}

/** A message. `blocks` are shown where there are some, else `text`, which is Slack's mrkdwn. */
export interface Message {
  channel: string;
  ts: string;
  /** The thread it is in. A root has none, or its own `ts`. */
  thread_ts: string | null;
  user: string | null;
  from_app: boolean;
  text: string;
  blocks: Record<string, unknown>[];
  attachments: Record<string, unknown>[];
  files: SharedFile[];
  reactions: Reaction[];
  edited: boolean;
  /** Only this person sees it. */
  private: boolean;
  streaming: boolean;
  /** A reply that stands in the channel, too. */
  broadcast: boolean;
  subtype: string | null;
}

/** A message is no more. It may never have been seen here. */
export interface MessageGone {
  kind: "gone";
  channel: string;
  ts: string;
}

/** A message is new, or is so now. */
export interface MessageIs {
  kind: "message";
  message: Message;
}

/** The whole stack of forms. */
export interface ModalsAre {
  kind: "modals";
  modals: View[];
}

/** Open the app's page: its home tab, or its messages. */
export interface OpenHome {
  id: number;
  type: "home";
  tab?: "home" | "messages";
}

/** List what an external select offers for what was typed, in Slack's form. */
export interface Options {
  options: Record<string, unknown>[];
  option_groups: Record<string, unknown>[];
}

/** Somebody of the team, of another team, or the app's bot. */
export interface Person {
  id: string;
  name: string;
  role: "member" | "admin" | "owner" | "guest" | "single_channel_guest" | "bot";
  team: string;
  /** Whether a browser may be this person. */
  playable: boolean;
  /** What there is to try as this person; empty for the others. */
  about: string;
}

/** Press a button, or choose in a menu. `value` tells the halves of a pair of buttons apart. */
export interface Press {
  id: number;
  type: "press";
  at: InMessage | InView;
  block_id: string;
  action_id: string;
  value?: string | null;
  chosen?: string | string[] | MenuOption | MenuOption[] | null;
}

/** A question that an agent suggests in a direct message. */
export interface Prompt {
  title: string;
  message: string;
}

/** Add one's reaction, or take it back. */
export interface React {
  id: number;
  type: "react";
  channel: string;
  ts: string;
  name: string;
  take_back?: boolean;
}

/** An emoji's name and who chose it. */
export interface Reaction {
  name: string;
  users: string[];
}

/** Mark a channel as read up to that message. */
export interface Read {
  id: number;
  type: "read";
  channel: string;
  ts: string;
}

/** Show whether the bot answers yet. Actions that reach it wait until it does. */
export interface Readiness {
  phase: "reading" | "starting" | "ready" | "failed";
  done: number;
  /** Of the sample documents that are read at the first start. */
  total: number;
  words: string;
}

/** Show how far the bot's start is. */
export interface ReadyIs {
  kind: "ready";
  ready: Readiness;
}

/** Answer, at any address, that it did not do what was asked. */
export interface Refusal {
  error: string;
}

/** Report what came of an action. `error` is a sentence for the person who did it. */
export interface Reply {
  type: "reply";
  id: number;
  ok: boolean;
  error: string | null;
  /** What is wrong with a form, by block id; the form stays open. */
  fields: Record<string, string>;
  /** Of the message that was posted. */
  ts: string | null;
  options: Options | null;
  /** What the app tells in Teams who pressed, and nobody else. */
  words: string | null;
  /** What a button of a card opened, or a dialog goes on with. */
  dialog: TeamsDialog | null;
}

/** Post a message, in a thread where one is named; `@MASIS` mentions the bot. */
export interface Say {
  id: number;
  type: "say";
  channel: string;
  text?: string;
  thread_ts?: string | null;
  files?: string[];
  broadcast?: boolean;
}

/** Hold what an agent tells of its work in one thread. `thread_ts` is null for a whole conversation. */
export interface Session {
  channel: string;
  thread_ts: string | null;
  /** `processing`, `active`, `suspended`, `closed`, or empty. */
  status: string;
  /** Such as “is looking through the documents”; empty when there is nothing to say. */
  loading: string;
  title: string;
  prompts: Prompt[];
  /** Whether Slack shows its own Stop button in the thread. */
  can_stop: boolean;
}

/** An agent tells something else now. */
export interface SessionIs {
  kind: "session";
  session: Session;
}

/** A file of a message. Its bytes are at `/files/{id}`. */
export interface SharedFile {
  id: string;
  name: string;
  title: string;
  filetype: string;
  pretty_type: string;
  mimetype: string;
  size: number;
  user: string;
}

/** An entry in a message's menu. */
export interface Shortcut {
  callback_id: string;
  name: string;
  about: string;
}

/** Send a slash command, which cannot be sent in a thread. */
export interface Slash {
  id: number;
  type: "command";
  channel: string;
  command: string;
  text?: string;
}

/** Everything at once: the answer to `hello`, and whenever a browser has fallen too far behind. */
export interface State {
  type: "state";
  epoch: string;
  seq: number;
  you: string;
  about: About;
  people: Person[];
  channels: Channel[];
  messages: Message[];
  sessions: Session[];
  /** The stack of forms, the top one last. */
  modals: View[];
  home: View | null;
  ready: Readiness;
  teams: TeamsTeam;
}

/** Press Slack's own Stop button. */
export interface Stop {
  id: number;
  type: "stop";
  channel: string;
  thread_ts: string;
}

/** Send the form on top, with everything that was typed and chosen: block id, action id. */
export interface Submit {
  id: number;
  type: "submit";
  view: string;
  values?: Record<string, Record<string, string | string[] | MenuOption | MenuOption[] | null>>;
}

/** Ask for an external select's options. */
export interface Suggest {
  id: number;
  type: "options";
  at: InMessage | InView;
  block_id: string;
  action_id: string;
  typed?: string;
}

/** A question to try, and what it shows. */
export interface Suggestion {
  about: string;
  text: string;
  /** The id of the only channel that it is for; empty for all that have none of their own. */
  channel: string;
}

/** A dialog that a button opened; it is sent as from its message. */
export interface TeamsDialog {
  message: string;
  title: string;
  card: Record<string, unknown>;
}

/** A message in Teams. `card` is an Adaptive Card of the app's, shown instead of `text`. */
export interface TeamsMessage {
  id: string;
  place: string;
  /** The message that its thread hangs from: its own id where it hangs from none. */
  thread: string;
  user: string;
  text: string;
  card: Record<string, unknown> | null;
  /** The names of what was sent with it. */
  files: string[];
  /** Only this person sees it. */
  private: boolean;
  /** Whether it carries Teams' label of what a machine made, and thumbs. */
  is_generated: boolean;
  /** Suggested words that a press says, while it is the last message of a chat. */
  prompts: string[];
  /** When it was written, in seconds. */
  at: string;
}

/** A message of Teams is no more. */
export interface TeamsMessageGone {
  kind: "teams_gone";
  id: string;
}

/** A message of Teams is new, or is so now. */
export interface TeamsMessageIs {
  kind: "teams_message";
  message: TeamsMessage;
}

/** Press a button of a card that opens a dialog. */
export interface TeamsOpen {
  id: number;
  type: "teams_open";
  message: string;
  data?: Record<string, unknown>;
}

/** A conversation of Teams: the team's channel, or one's own chat with the app. */
export interface TeamsPlace {
  id: string;
  name: string;
  kind: "channel" | "chat";
}

/** Press a button of a card (`Action.Execute`), with what was typed beside it. */
export interface TeamsPress {
  id: number;
  type: "teams_press";
  message: string;
  verb: string;
  data?: Record<string, unknown>;
}

/** Press a thumb under an answer in Teams. */
export interface TeamsRate {
  id: number;
  type: "teams_rate";
  message: string;
  good: boolean;
}

/** Write in Teams. `thread` is the post that it is a reply to, in one's own chat what is quoted. */
export interface TeamsSay {
  id: number;
  type: "teams_say";
  place: string;
  text?: string;
  thread?: string | null;
  files?: string[];
}

/** Send a dialog off, as from the message whose button opened it. */
export interface TeamsSend {
  id: number;
  type: "teams_send";
  message: string;
  data?: Record<string, unknown>;
}

/** What there is of Teams beside Slack. */
export interface TeamsTeam {
  name: string;
  /** What the team's channel is called. */
  channel: string;
  places: TeamsPlace[];
  messages: TeamsMessage[];
}

/** The app shows in one's own chat that it writes; `at` is since when, in seconds. */
export interface TeamsTyping {
  kind: "teams_typing";
  place: string;
  at: string;
}

export type ToBrowser = State | Changes | Reply;

export type UploadReply = Uploaded | Refusal;

/** Answer `POST /upload` when it took a file. */
export interface Uploaded {
  id: string;
  name: string;
  size: number;
}

/** Choose an entry of a message's menu. */
export interface UseShortcut {
  id: number;
  type: "shortcut";
  channel: string;
  ts: string;
  callback_id: string;
}

/** One way to use a command: `hint` stands where the person goes on typing. */
export interface Verb {
  verb: string;
  hint: string;
  about: string;
}

/** A form or what the app's home tab shows. */
export interface View {
  id: string;
  /** Changes whenever the content does. */
  hash: string;
  title: string;
  submit: string | null;
  close: string | null;
  callback_id: string;
  blocks: Record<string, unknown>[];
  /** What was typed and chosen, by block id and action id, in Slack's form. */
  values: Record<string, unknown>;
}
