import type { About, Channel, Message, State, View } from "../src/contract";

export function channel(told: Partial<Channel> = {}): Channel {
  return {
    id: "C1",
    name: "handbook",
    kind: "public",
    topic: "",
    members: ["U1", "U2", "B1"],
    is_member: true,
    is_archived: false,
    shared_with: [],
    peer: null,
    app_is_in: true,
    read_ts: null,
    earlier: false,
    ...told,
  };
}

export function message(told: Partial<Message> = {}): Message {
  return {
    channel: "C1",
    ts: "1700000001.000100",
    thread_ts: null,
    user: "U2",
    from_app: false,
    text: "hello",
    blocks: [],
    attachments: [],
    files: [],
    reactions: [],
    edited: false,
    private: false,
    streaming: false,
    broadcast: false,
    subtype: null,
    ...told,
  };
}

export function view(told: Partial<View> = {}): View {
  return {
    id: "V1",
    hash: "1",
    title: "A form",
    submit: "Send",
    close: "Cancel",
    callback_id: "form",
    blocks: [],
    values: {},
    ...told,
  };
}

export const about: About = {
  app: "B1",
  team: "Northmoor",
  commands: [
    {
      command: "/masis",
      about: "Ask the documents of this channel",
      usage: "[question]",
      verbs: [
        { verb: "", hint: "question", about: "Ask" },
        { verb: "help", hint: "", about: "What can be asked" },
        { verb: "history", hint: "", about: "Your recent questions" },
        { verb: "link", hint: "workspace", about: "Link this channel" },
      ],
    },
  ],
  shortcuts: [{ callback_id: "ask", name: "Ask MASIS about this", about: "" }],
  questions: [],
  suggestions: [{ about: "A cited answer", text: "/masis How much leave?", channel: "" }],
  permalinks: "https://northmoor.example",
  file_bytes: 1_000,
  files: 10,
  text_chars: 40_000,
};

export function state(told: Partial<State> = {}): State {
  return {
    type: "state",
    epoch: "e1",
    seq: 0,
    you: "U1",
    about,
    people: [
      { id: "U1", name: "Ann", role: "member", team: "Northmoor", playable: true, about: "asks" },
      {
        id: "U2",
        name: "Olivia",
        role: "admin",
        team: "Northmoor",
        playable: true,
        about: "links",
      },
      { id: "B1", name: "MASIS", role: "bot", team: "Northmoor", playable: false, about: "" },
    ],
    channels: [channel()],
    messages: [],
    sessions: [],
    modals: [],
    home: null,
    ready: { phase: "ready", done: 0, total: 0, words: "" },
    teams: {
      name: "Northmoor",
      channel: "General",
      places: [
        { id: "teams-channel", name: "General", kind: "channel" },
        { id: "teams-chat", name: "MASIS", kind: "chat" },
      ],
      messages: [],
    },
    ...told,
  };
}
