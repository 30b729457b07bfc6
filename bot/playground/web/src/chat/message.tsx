/** One message: who said it and when, what it shows, and what can be done with it. */

import { useState } from "react";
import { Blocks } from "../blocks/blocks";
import { emoji, REACTIONS } from "../blocks/emoji";
import { isJson, str } from "../blocks/json";
import { Menu } from "../blocks/menu";
import { Mrkdwn } from "../blocks/text";
import type { Channel, Message, SharedFile } from "../contract";
import { Icon } from "../icons";
import { useApp } from "../state/app";
import { clock, dateOf, shortClock, size, whole } from "../state/time";
import { isReply, nameOf, thread } from "../state/world";
import { Avatar } from "./avatar";
import { SurfaceOf } from "./surfaces";

interface Props {
  message: Message;
  channel: Channel;
  inThread: boolean;
  compact: boolean;
  reachable: boolean;
  onFocus: () => void;
}

export function MessageItem({ message, channel, inThread, compact, reachable, onFocus }: Props) {
  const { world } = useApp();
  const [open, setOpen] = useState(false);
  const name = nameOf(world, message.user);
  const classes = ["message", compact && "compact", message.private && "private", open && "open"];
  return (
    <article
      className={classes.filter(Boolean).join(" ")}
      data-ts={message.ts}
      tabIndex={reachable ? 0 : -1}
      aria-label={`${name}, ${clock(message.ts)}${message.private ? ", only visible to you" : ""}`}
      onFocus={onFocus}
    >
      <div className="gutter">
        {compact ? (
          <time className="aside-time" aria-hidden>
            {shortClock(message.ts)}
          </time>
        ) : (
          <Avatar id={message.user ?? ""} name={name} app={message.user === world.about.app} />
        )}
      </div>
      <div className="body">
        {message.private && (
          <p className="only-you">
            <Icon name="unseen" /> Only visible to you
          </p>
        )}
        {!compact && <Byline message={message} name={name} />}
        <Content message={message} />
        <Files files={message.files} />
        <Reactions message={message} />
        {!inThread && !isReply(message) && <ThreadLink message={message} />}
        {!inThread && isReply(message) && <p className="muted small">replied in a thread</p>}
      </div>
      <Toolbar message={message} channel={channel} inThread={inThread} onToggle={setOpen} />
    </article>
  );
}

function Byline({ message, name }: { message: Message; name: string }) {
  const { world } = useApp();
  const team = world.people.find((each) => each.id === message.user)?.team;
  const elsewhere = team && team !== world.about.team && world.about.app !== message.user;
  return (
    <p className="byline">
      <strong>{name}</strong>
      {message.from_app && <span className="badge">App</span>}
      {elsewhere && <span className="badge">{team}</span>}
      <time dateTime={dateOf(message.ts).toISOString()} title={whole(message.ts)}>
        {clock(message.ts)}
      </time>
    </p>
  );
}

function Content({ message }: { message: Message }) {
  const { channel, ts } = message;
  return (
    <SurfaceOf at={{ channel, ts }} kind="message" here={channel}>
      {message.blocks.length > 0 ? (
        <Blocks of={message.blocks} />
      ) : (
        message.text && (
          <div className="paragraph">
            <Mrkdwn text={message.text} />
            {message.edited && !message.from_app && <small className="muted"> (edited)</small>}
          </div>
        )
      )}
      {message.attachments.filter(isJson).map((each, at) => (
        <div key={at} className="attachment">
          <Mrkdwn text={str(each, "text") || str(each, "fallback") || str(each, "title")} />
        </div>
      ))}
    </SurfaceOf>
  );
}

function Files({ files }: { files: readonly SharedFile[] }) {
  const { fileUrl } = useApp();
  if (!files.length) return null;
  return (
    <ul className="files">
      {files.map((file) => (
        <li key={file.id}>
          <a href={fileUrl(file.id)} download={file.name}>
            <Icon name="file" />
            <span>
              {file.title || file.name}
              <small>
                {file.pretty_type} · {size(file.size)}
              </small>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function useReact(message: Message) {
  const { world, act } = useApp();
  return (name: string) => {
    const mine = message.reactions.find((each) => each.name === name)?.users.includes(world.you);
    const { channel, ts } = message;
    void act({ type: "react", channel, ts, name, take_back: mine ?? false });
  };
}

function Reactions({ message }: { message: Message }) {
  const { world } = useApp();
  const react = useReact(message);
  const shown = message.reactions.filter((each) => each.users.length > 0);
  if (!shown.length) return null;
  return (
    <ul className="reactions">
      {shown.map(({ name, users }) => {
        const who = users.map((each) => nameOf(world, each)).join(", ");
        return (
          <li key={name}>
            <button
              type="button"
              aria-pressed={users.includes(world.you)}
              aria-label={`${name.replaceAll("_", " ")}, ${users.length}: ${who}`}
              title={who}
              onClick={() => react(name)}
            >
              <span aria-hidden>{emoji(name)}</span> {users.length}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function ThreadLink({ message }: { message: Message }) {
  const { world, go, spot } = useApp();
  const replies = thread(world, message.channel, message.ts).slice(1);
  const session = world.sessions[`${message.channel}/${message.ts}`];
  const working = session?.status === "processing" || Boolean(session?.loading);
  if (!replies.length && !working) return null;
  const people = [...new Set(replies.map((each) => each.user ?? ""))].slice(0, 4);
  const last = replies.at(-1);
  return (
    <button
      type="button"
      className="thread-link"
      aria-expanded={spot.thread === message.ts}
      onClick={() => go(message.channel, message.ts)}
    >
      <span className="faces">
        {people.map((id) => (
          <Avatar key={id} id={id} name={nameOf(world, id)} app={id === world.about.app} />
        ))}
      </span>
      <strong>{replies.length === 1 ? "1 reply" : `${replies.length} replies`}</strong>
      {working ? (
        <span className="muted">
          <Icon name="spinner" /> {nameOf(world, world.about.app)} is working…
        </span>
      ) : (
        last && <span className="muted">Last reply {clock(last.ts)}</span>
      )}
    </button>
  );
}

interface ToolbarProps {
  message: Message;
  channel: Channel;
  inThread: boolean;
  onToggle: (open: boolean) => void;
}

function Toolbar({ message, channel, inThread, onToggle }: ToolbarProps) {
  const { world, act, go } = useApp();
  const react = useReact(message);
  if (message.private) return null;
  const { ts } = message;
  return (
    <div className="toolbar" role="group" aria-label="Message actions">
      <Menu
        label="Add a reaction"
        className="icon-button"
        onToggle={onToggle}
        entries={REACTIONS.map((name) => ({
          id: name,
          words: name.replaceAll("_", " "),
          icon: <span aria-hidden>{emoji(name)}</span>,
        }))}
        onChoose={react}
      >
        <Icon name="react" />
      </Menu>
      {!inThread && (
        <button
          type="button"
          className="icon-button"
          aria-label="Reply in a thread"
          title="Reply in a thread"
          onClick={() => go(channel.id, message.thread_ts ?? ts)}
        >
          <Icon name="thread" />
        </button>
      )}
      {channel.app_is_in && world.about.shortcuts.length > 0 && (
        <Menu
          label="More actions"
          className="icon-button"
          onToggle={onToggle}
          entries={world.about.shortcuts.map((each) => ({
            id: each.callback_id,
            words: each.name,
            about: each.about,
          }))}
          onChoose={(callback_id) =>
            void act({ type: "shortcut", channel: channel.id, ts, callback_id })
          }
        >
          <Icon name="more" />
        </Menu>
      )}
    </div>
  );
}
