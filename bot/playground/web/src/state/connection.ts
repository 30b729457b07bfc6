/** One websocket to the page's server, which comes back by itself and goes on where it was. */

import type { Changes, Hello, Reply, State, FromBrowser } from "../contract";

const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000];
const WRONG_WORDS = 1008;
const REPLY_MS = 60_000;

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type Deed = Without<Exclude<FromBrowser, Hello>, "id">;
export type Status = "connecting" | "live" | "lost" | "refused";

export interface Listener {
  heard: (frame: State | Changes) => void;
  status: (status: Status) => void;
}

interface Waiting {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
  timer: ReturnType<typeof setTimeout>;
}

export class Connection {
  #socket: WebSocket | undefined;
  #waiting = new Map<number, Waiting>();
  #next = 1;
  #tries = 0;
  #closed = false;
  #again: ReturnType<typeof setTimeout> | undefined;
  #person: string | undefined;
  #at: { epoch: string; seq: number } | undefined;

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
  ) {}

  open(person?: string): void {
    this.#person = person;
    this.#closed = false;
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#again);
    this.#socket?.close();
  }

  /** Become somebody else: a whole state follows. */
  become(person: string): void {
    this.#person = person;
    this.#at = undefined;
    this.#hello();
  }

  /**
   * Do something, and hear what came of it.
   *
   * @throws Error with a sentence for the person: it was refused, or the connection broke.
   */
  async do(deed: Deed): Promise<Reply> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN)
      throw new Error("Not connected. Try again in a moment.");
    const id = this.#next++;
    const reply = await new Promise<Reply>((resolve, reject) => {
      const timer = setTimeout(
        () => this.#settle(id)?.reject(new Error("No answer came.")),
        REPLY_MS,
      );
      this.#waiting.set(id, { resolve, reject, timer });
      socket.send(JSON.stringify({ ...deed, id }));
    });
    if (!reply.ok && Object.keys(reply.fields).length === 0) {
      throw new Error(reply.error ?? "That did not work.");
    }
    return reply;
  }

  #connect(): void {
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    socket.onopen = () => this.#hello();
    socket.onmessage = (event) => this.#heard(String(event.data));
    socket.onclose = (event) => {
      if (this.#socket !== socket) return;
      for (const id of [...this.#waiting.keys()]) {
        this.#settle(id)?.reject(new Error("The connection broke before the answer came."));
      }
      if (this.#closed) return;
      if (event.code === WRONG_WORDS) {
        this.listener.status("refused");
        return;
      }
      this.listener.status("lost");
      const wait = WAITS_MS[Math.min(this.#tries++, WAITS_MS.length - 1)];
      this.#again = setTimeout(() => this.#connect(), wait);
    };
  }

  #hello(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const hello: Hello = { type: "hello", person: this.#person ?? null, ...this.#at };
    this.#socket.send(JSON.stringify(hello));
  }

  #heard(text: string): void {
    const frame = JSON.parse(text) as State | Changes | Reply;
    if (frame.type === "reply") {
      this.#settle(frame.id)?.resolve(frame);
      return;
    }
    this.#tries = 0;
    if (frame.type === "state") {
      this.#at = { epoch: frame.epoch, seq: frame.seq };
      this.#person = frame.you;
    } else if (this.#at) this.#at.seq = frame.seq;
    this.listener.status("live");
    this.listener.heard(frame);
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting) clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    return waiting;
  }
}
