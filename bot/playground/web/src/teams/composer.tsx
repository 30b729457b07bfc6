/** Where one writes in Teams: a post, a reply, or a message to the app alone, there with files. */

import { useEffect, useImperativeHandle, useRef, useState, type Ref } from "react";
import { FileLine } from "../blocks/fields";
import { FilePicker } from "../chat/composer";
import { useFiles } from "../chat/files";
import type { TeamsPlace } from "../contract";
import { Icon } from "../icons";
import { useApp } from "../state/app";
import { nameOf } from "../state/world";

export interface TeamsFillable {
  fill: (text: string) => void;
}

interface Props {
  place: TeamsPlace;
  /** The post that it is a reply to, or in one's own chat what is quoted. */
  thread: string | null;
  label: string;
  /** What stands above it. */
  aside: string;
  onSent: () => void;
  onLeave?: (() => void) | undefined;
  /** Whether it takes the focus. */
  begins?: boolean;
  ref?: Ref<TeamsFillable>;
}

export function TeamsComposer({
  place,
  thread,
  label,
  aside,
  onSent,
  onLeave,
  begins,
  ref,
}: Props) {
  const app = useApp();
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useFiles();
  const name = nameOf(app.world, app.world.about.app);
  const isChat = place.kind === "chat";
  const ready = (typed.trim() !== "" || files.ids.length > 0) && !files.under && !busy;
  const fill = (text: string) => {
    setTyped(text);
    field.current?.focus();
  };
  useImperativeHandle(ref, () => ({ fill }));
  useEffect(() => {
    if (begins ?? thread) field.current?.focus();
  }, [begins, thread]);
  const send = async () => {
    if (!ready) return;
    setBusy(true);
    const [text, sent] = [typed.trim(), files.given];
    setTyped("");
    files.clear();
    const done = app.act({ type: "teams_say", place: place.id, text, thread, files: files.ids });
    onSent();
    const reply = await done;
    setBusy(false);
    if (!reply) {
      setTyped((now) => now || text);
      files.restore(sent);
    }
  };
  const uncalled =
    !isChat && typed.trim() !== "" && !typed.toLowerCase().includes(`@${name.toLowerCase()}`);
  return (
    <div className="composer teams-composer">
      {aside && (
        <p className="note">
          {aside}{" "}
          <button type="button" className="link" onClick={onLeave}>
            Ask something new instead
          </button>
        </p>
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
          maxLength={app.world.about.text_chars}
          placeholder={label}
          aria-label={label}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === "Enter" && !event.shiftKey) {
              event.preventDefault();
              void send();
            } else if (event.key === "Escape" && onLeave) {
              event.preventDefault();
              onLeave();
            }
          }}
        />
        <div className="tools">
          {isChat ? (
            <FilePicker onTake={files.take} />
          ) : (
            <button
              type="button"
              className="icon-button"
              aria-label={`Mention ${name}`}
              title={`Mention ${name}`}
              onClick={() => fill(`@${name} ${typed}`)}
            >
              @
            </button>
          )}
          <span className="keys" aria-hidden>
            <kbd>Shift</kbd> + <kbd>Enter</kbd> for a new line
          </span>
          {uncalled && (
            <button
              type="button"
              className="button small"
              title={`Without a mention ${name} does not hear it`}
              onClick={() => fill(`@${name} ${typed}`)}
            >
              Ask {name}
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
    </div>
  );
}
