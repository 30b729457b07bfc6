/** One message in Teams: what a person wrote, or a card of the app's. */

import { useState } from "react";
import { Avatar } from "../chat/avatar";
import type { TeamsMessage } from "../contract";
import { Icon } from "../icons";
import { useApp } from "../state/app";
import { clock, dateOf, whole } from "../state/time";
import { nameOf } from "../state/world";
import { Card } from "./card";
import type { Teams } from "./useTeams";

interface Props {
  message: TeamsMessage;
  teams: Teams;
  isReply?: boolean;
  onQuote?: () => void;
}

export function TeamsItem({ message, teams, isReply = false, onQuote }: Props) {
  const { world } = useApp();
  const name = nameOf(world, message.user);
  const app = message.user === world.about.app;
  const classes = ["teams-message", isReply && "reply", message.user === world.you && "own"];
  return (
    <article
      className={classes.filter(Boolean).join(" ")}
      data-id={message.id}
      aria-label={`${name}, ${clock(message.at)}${message.private ? ", only visible to you" : ""}`}
    >
      <Avatar id={message.user} name={name} app={app} />
      <div className="body">
        <p className="byline">
          <strong>{name}</strong>
          <time dateTime={dateOf(message.at).toISOString()} title={whole(message.at)}>
            {clock(message.at)}
          </time>
          {message.is_generated && <span className="badge">AI generated</span>}
        </p>
        {message.private && (
          <p className="only-you">
            <Icon name="unseen" /> Only visible to you
          </p>
        )}
        {message.text && (
          <p className="teams-text">{called(message.text, world.about.app, world)}</p>
        )}
        {message.files.length > 0 && (
          <ul className="teams-files" aria-label="Files">
            {message.files.map((each, at) => (
              <li key={at}>
                <Icon name="file" /> {each}
              </li>
            ))}
          </ul>
        )}
        {message.card && (
          <Card of={message.card} onAct={(asked) => void teams.act(message.id, asked)} />
        )}
        {message.is_generated && (
          <div className="teams-foot">
            <Thumbs message={message} />
            {onQuote && (
              <button
                type="button"
                className="icon-button"
                onClick={onQuote}
                title="Go on with this"
              >
                <Icon name="thread" /> <span className="unseen">Go on with this</span>
              </button>
            )}
          </div>
        )}
      </div>
    </article>
  );
}

/** A text with the mentions of the app marked. */
function called(text: string, app: string, world: Parameters<typeof nameOf>[0]) {
  const name = `@${nameOf(world, app)}`;
  return text.split(new RegExp(`(${name})`, "iu")).map((part, at) =>
    part.toLowerCase() === name.toLowerCase() ? (
      <span key={at} className="mention">
        {part.slice(1)}
      </span>
    ) : (
      part
    ),
  );
}

/** Teams' own form for a thumb; here the thumb alone. */
function Thumbs({ message }: { message: TeamsMessage }) {
  const { act } = useApp();
  const [vote, setVote] = useState<boolean>();
  const press = (good: boolean) => {
    setVote(good);
    void act({ type: "teams_rate", message: message.id, good });
  };
  return (
    <div className="teams-thumbs" role="group" aria-label="Was this helpful?">
      {[true, false].map((good) => (
        <button
          key={String(good)}
          type="button"
          className="icon-button"
          aria-label={good ? "Good answer" : "Bad answer"}
          aria-pressed={vote === good}
          onClick={() => press(good)}
        >
          <Icon name={good ? "thumbs_up" : "thumbs_down"} />
        </button>
      ))}
    </div>
  );
}
