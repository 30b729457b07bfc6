/** Where one writes: Enter sends, Shift+Enter begins a line, `/` and `@` complete, files drop in. */

import {
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type KeyboardEvent,
  type Ref,
} from "react";
import { FileLine } from "../blocks/fields";
import { Menu } from "../blocks/menu";
import type { Channel } from "../contract";
import { Icon } from "../icons";
import { useApp } from "../state/app";
import { asked, commandOf, completions, ideasHere, unasked, type Completion } from "./completion";
import { useFiles } from "./files";

interface Props {
  channel: Channel;
  thread: string | null;
  label: string;
  /** What stands above it. */
  aside: string;
  ref?: Ref<Fillable>;
}

/** What is chosen elsewhere, or dropped on its pane, may be put into it. */
export interface Fillable {
  fill: (text: string) => void;
  take: (files: FileList) => void;
}

/** What was begun in each place, until the page is closed. */
const drafts = new Map<string, string>();

export function Composer({ channel, thread, label, aside, ref }: Props) {
  const app = useApp();
  const { world } = app;
  const id = useId();
  const place = `${world.you}/${channel.id}/${thread ?? ""}`;
  const [typed, setTyped] = useState(() => drafts.get(place) ?? "");
  const [active, setActive] = useState(0);
  const [moved, setMoved] = useState(false);
  const [shut, setShut] = useState(false);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useFiles();

  const write = (text: string) => {
    drafts.set(place, text);
    setTyped(text);
    setActive(0);
    setMoved(false);
    setShut(false);
  };
  const fill = (text: string) => {
    write(text);
    field.current?.focus();
  };
  useEffect(() => {
    // Where there is no keyboard, one would rise over half of the page.
    if (!window.matchMedia("(pointer: coarse)").matches) field.current?.focus();
  }, []);
  useImperativeHandle(ref, () => ({ fill, take: files.take }));
  const people = world.people.filter(
    (each) => each.id === world.about.app || channel.members.includes(each.id),
  );
  const offered =
    shut || (thread && typed.startsWith("/")) ? [] : completions(typed, world.about, people);
  const command = commandOf(typed, world.about);
  const asking = thread ? undefined : unasked(typed, channel, world);
  const ready = (typed.trim() !== "" || files.ids.length > 0) && !files.under && !busy;

  const send = async () => {
    if (!ready) return;
    if (command && thread) {
      app.tell(`${command.command} cannot be used in a thread. Write it in the channel.`);
      return;
    }
    setBusy(true);
    const text = typed;
    const sent = files.given;
    write("");
    files.clear();
    const where = { channel: channel.id };
    const reply = command
      ? await app.act({ type: "command", ...where, ...command })
      : await app.act({
          type: "say",
          ...where,
          text: text.trim(),
          thread_ts: thread,
          files: files.ids,
        });
    setBusy(false);
    // What did not get through is given back, unless something else was begun.
    if (!reply && !drafts.get(place)) {
      write(text);
      files.restore(sent);
    }
  };
  const choose = (one: Completion) => fill(one.text);
  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const one = offered[active];
    const last = offered.length - 1;
    const changes = one && one.text.trim() !== typed.trim();
    const move = (to: number) => {
      event.preventDefault();
      setActive(to);
      setMoved(true);
    };
    if (one && event.key === "ArrowDown") {
      move(active >= last ? 0 : active + 1);
    } else if (one && event.key === "ArrowUp") {
      move(active <= 0 ? last : active - 1);
    } else if (one && event.key === "Escape") {
      event.preventDefault();
      setShut(true);
    } else if (
      one &&
      changes &&
      !event.shiftKey &&
      (event.key === "Tab" || (event.key === "Enter" && (moved || !one.free)))
    ) {
      event.preventDefault();
      choose(one);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void send();
    }
  };
  return (
    <div className="composer">
      {aside && <p className="note">{aside}</p>}
      <Prompts channel={channel} thread={thread} onChoose={fill} />
      {offered.length > 0 && (
        <Completions id={id} offered={offered} active={active} onChoose={choose} />
      )}
      <div className="box">
        {files.given.length > 0 && (
          <ul className="given" aria-label="Files to send">
            {files.given.map((each) => (
              <li key={each.key}>
                <FileLine given={each} onRemove={() => files.remove(each.key)} />
              </li>
            ))}
          </ul>
        )}
        <textarea
          ref={field}
          data-entry
          rows={Math.min(8, typed.split("\n").length)}
          value={typed}
          maxLength={world.about.text_chars}
          placeholder={label}
          aria-label={label}
          aria-autocomplete="list"
          aria-controls={offered.length ? `${id}-list` : undefined}
          aria-activedescendant={offered[active] ? `${id}-${active}` : undefined}
          onChange={(event) => write(event.target.value)}
          onKeyDown={keys}
          onPaste={(event) => {
            if (!event.clipboardData.files.length) return;
            event.preventDefault();
            files.take(event.clipboardData.files);
          }}
        />
        <div className="tools">
          <FilePicker onTake={files.take} />
          <button
            type="button"
            className="icon-button"
            aria-label="Mention somebody"
            title="Mention somebody"
            onClick={() => fill(typed && !/\s$/.test(typed) ? `${typed} @` : `${typed}@`)}
          >
            @
          </button>
          {!thread && (
            <>
              <button
                type="button"
                className="icon-button"
                aria-label="Use a command"
                title="Use a command"
                onClick={() => fill("/")}
              >
                /
              </button>
              <Ideas channel={channel} onChoose={fill} />
            </>
          )}
          <span className="keys" aria-hidden>
            <kbd>Shift</kbd> + <kbd>Enter</kbd> for a new line
          </span>
          {asking && (
            <button
              type="button"
              className="button small"
              title={`Without ${asking.command} or a mention, ${asking.app} does not read it`}
              onClick={() => fill(asked(typed.trim(), channel, world.about))}
            >
              Ask {asking.app}
            </button>
          )}
          <button
            type="button"
            className="send"
            aria-label="Send"
            title="Send"
            aria-disabled={!ready}
            onClick={() => void send()}
          >
            <Icon name="send" />
          </button>
        </div>
      </div>
      <p className="unseen" role="status">
        {offered.length > 0
          ? `${offered.length} ${offered.length === 1 ? "suggestion" : "suggestions"}; arrows choose, Tab takes one.`
          : ""}
      </p>
    </div>
  );
}

interface CompletionsProps {
  id: string;
  offered: readonly Completion[];
  active: number;
  onChoose: (one: Completion) => void;
}

function Completions({ id, offered, active, onChoose }: CompletionsProps) {
  return (
    <div className="completions">
      <div id={`${id}-list`} className="listbox" role="listbox" aria-label="Suggestions">
        {offered.map((one, at) => (
          // The field keeps the focus; its keys choose.
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={`${one.words} ${one.hint}`}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            className={at === active ? "entry active" : "entry"}
            ref={(row) => {
              if (row && at === active) row.scrollIntoView({ block: "nearest" });
            }}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(one)}
          >
            <span>
              <strong>{one.words}</strong> <span className="muted">{one.hint}</span>
            </span>
            <small>{one.about}</small>
          </div>
        ))}
      </div>
      <p className="completions-foot" aria-hidden>
        <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>Tab</kbd> take · <kbd>Esc</kbd> close
      </p>
    </div>
  );
}

export function FilePicker({ onTake }: { onTake: (files: FileList) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={(event) => {
          if (event.target.files) onTake(event.target.files);
          event.target.value = "";
        }}
      />
      <button
        type="button"
        className="icon-button"
        aria-label="Attach files"
        title="Attach files"
        onClick={() => picker.current?.click()}
      >
        <Icon name="plus" />
      </button>
    </>
  );
}

/** Questions to try. */
function Ideas({ channel, onChoose }: { channel: Channel; onChoose: (text: string) => void }) {
  const { about } = useApp().world;
  const { questions, suggestions } = ideasHere(about, channel.id);
  const entries = [...questions, ...suggestions];
  if (!entries.length) return null;
  return (
    <Menu
      label="Things to try"
      named
      className="ideas"
      align="start"
      heading="Things to try"
      entries={entries.map(({ text, about }) => ({ id: text, words: text, about }))}
      onChoose={(text) => onChoose(asked(text, channel, about))}
    >
      Things to try <Icon name="down" />
    </Menu>
  );
}

/** What an agent suggests in a direct message. */
function Prompts({
  channel,
  thread,
  onChoose,
}: Pick<Props, "channel" | "thread"> & { onChoose: (text: string) => void }) {
  const { world } = useApp();
  const prompts = world.sessions[`${channel.id}/${thread ?? ""}`]?.prompts ?? [];
  if (!prompts.length) return null;
  return (
    <ul className="prompts" aria-label="Suggested questions">
      {prompts.map(({ title, message }) => (
        <li key={title}>
          <button type="button" className="button small" onClick={() => onChoose(message)}>
            {title}
          </button>
        </li>
      ))}
    </ul>
  );
}
