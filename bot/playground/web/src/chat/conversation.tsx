/** A channel: its head, its messages, and where one writes. */

import { useEffect, useRef } from "react";
import type { Channel } from "../contract";
import { Icon } from "../icons";
import { HOME } from "../state/address";
import { useApp } from "../state/app";
import { channelName, newest, roots } from "../state/world";
import { Avatar } from "./avatar";
import { asked, ideas } from "./completion";
import { Composer, type Fillable } from "./composer";
import { useDrop } from "./drop";
import { MessageList } from "./messages";
import { BackToRail, ChannelIcon, DropHere } from "./parts";

export function Conversation({ channel }: { channel: Channel }) {
  const { world, act } = useApp();
  const name = channelName(world, channel);
  const last = newest(world, channel.id);
  const unseen = last !== undefined && last > (channel.read_ts ?? "");
  useEffect(() => {
    if (unseen) void act({ type: "read", channel: channel.id, ts: last });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `act` is new with every frame
  }, [unseen, last, channel.id]);
  const withApp = channel.peer === world.about.app;
  useEffect(() => {
    if (withApp) void act({ type: "home", tab: "messages" });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each time it is opened
  }, [withApp]);
  const composer = useRef<Fillable>(null);
  const drop = useDrop((files) => composer.current?.take(files));
  const messages = roots(world, channel.id);
  const prefix = channel.kind === "im" ? "" : "#";
  return (
    <main className="pane main" aria-label={`${prefix}${name}`} {...drop.listeners}>
      <Head channel={channel} name={name} />
      <MessageList
        label={`Messages in ${prefix}${name}`}
        messages={messages}
        channel={channel}
        intro={
          <Intro channel={channel} name={name} onIdea={(text) => composer.current?.fill(text)} />
        }
      />
      {channel.is_archived ? (
        <p className="note">This channel is archived.</p>
      ) : (
        <Composer
          ref={composer}
          channel={channel}
          thread={null}
          label={`Message ${prefix}${name}`}
          aside={
            channel.is_member ? "" : `You are not in #${name}: you can read, and use commands.`
          }
        />
      )}
      {drop.over && <DropHere words={`Drop to attach to ${prefix}${name}`} />}
    </main>
  );
}

function Head({ channel, name }: { channel: Channel; name: string }) {
  const { world, go } = useApp();
  const app = channel.peer === world.about.app;
  return (
    <header className="pane-head">
      <BackToRail />
      <h1>
        {app ? <Avatar id={world.about.app} name={name} app /> : <ChannelIcon channel={channel} />}
        {name}
      </h1>
      {channel.shared_with.length > 0 && (
        <span className="pill">Shared with {channel.shared_with.join(", ")}</span>
      )}
      {app ? (
        <nav className="tabs" aria-label={`Pages of ${name}`}>
          <button type="button" onClick={() => go(HOME)}>
            Home
          </button>
          <button type="button" aria-current="page">
            Messages
          </button>
        </nav>
      ) : (
        <p className="topic">{channel.topic}</p>
      )}
      {channel.kind !== "im" && (
        <span className="members" title={`${channel.members.length} members`}>
          <Icon name="shared" /> {channel.members.length}
          <span className="unseen"> members</span>
        </span>
      )}
    </header>
  );
}

interface IntroProps {
  channel: Channel;
  name: string;
  onIdea: (text: string) => void;
}

function Intro({ channel, name, onIdea }: IntroProps) {
  const { world } = useApp();
  const app = world.people.find((each) => each.id === world.about.app)?.name ?? "";
  return (
    <div className="intro">
      {channel.earlier && <p className="muted">Older messages are not shown.</p>}
      <h2>{channel.kind === "im" ? name : `#${name}`}</h2>
      <p>
        {channel.kind === "im"
          ? `Between you and ${name}.`
          : channel.topic || `The beginning of #${name}.`}
      </p>
      {channel.app_is_in && channel.kind !== "im" && (
        <p className="muted">
          {app} is here: ask with <code>/masis</code> and a question, or mention <code>@{app}</code>
          .
        </p>
      )}
      {channel.app_is_in && ideas(world.about, channel.id).length > 0 && (
        <ul className="ideas-grid" aria-label="Things to try">
          {ideas(world.about, channel.id).map(({ text, about }) => (
            <li key={text}>
              <button type="button" onClick={() => onIdea(asked(text, channel, world.about))}>
                <small>{about}</small>
                {text}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
