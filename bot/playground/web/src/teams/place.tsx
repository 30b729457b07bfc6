/** A conversation of Teams: posts with their replies, or one's own chat with the app. */

import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { ideas } from "../chat/completion";
import { Dialog } from "../chat/dialog";
import { BackToRail } from "../chat/parts";
import type { TeamsMessage, TeamsPlace } from "../contract";
import { Icon } from "../icons";
import { useApp } from "../state/app";
import { nameOf, teamsMessages } from "../state/world";
import { Card } from "./card";
import { TeamsComposer, type TeamsFillable } from "./composer";
import { TeamsItem } from "./message";
import { useTeams, type Teams } from "./useTeams";

const NEAR_END = 80;
/** For which Teams shows that somebody writes. */
const TYPING_MS = 10_000;

export function TeamsConversation({ place }: { place: TeamsPlace }) {
  const { world } = useApp();
  const teams = useTeams();
  const composer = useRef<TeamsFillable>(null);
  const [quoted, setQuoted] = useState<string>();
  const messages = teamsMessages(world, place.id);
  const isChat = place.kind === "chat";
  const name = isChat ? nameOf(world, world.about.app) : place.name;
  const where = isChat ? `Chat with ${name}` : `${world.teams.name}, ${name}`;
  return (
    <main className={`pane main teams ${place.kind}`} aria-label={`${where}, in Teams`}>
      <header className="pane-head">
        <BackToRail />
        <h1>
          <Icon name={isChat ? "message" : "shared"} />
          {isChat ? name : `${world.teams.name} › ${name}`}
        </h1>
        <span className="pill">Microsoft Teams</span>
        <p className="topic">
          {isChat
            ? "Your own chat with the bot: no mention is needed"
            : "A stand-in: the bot hears what mentions it, and nothing else"}
        </p>
      </header>
      <Scrolled
        last={`${messages.at(-1)?.id ?? ""}/${messages.length}`}
        own={messages.at(-1)?.user === world.you}
      >
        <Ideas place={place} onIdea={(text) => composer.current?.fill(text)} />
        {isChat ? (
          <Flat messages={messages} teams={teams} onQuote={setQuoted} />
        ) : (
          <Posts messages={messages} teams={teams} />
        )}
        <Writing place={place} last={messages.at(-1)} />
      </Scrolled>
      <Prompts place={place} last={messages.at(-1)} />
      <TeamsComposer
        ref={composer}
        place={place}
        thread={quoted ?? null}
        label={isChat ? `Message ${name}` : "Start a post"}
        aside={quoted ? "Your message goes on with the answer that you chose." : ""}
        onSent={() => setQuoted(undefined)}
        onLeave={quoted ? () => setQuoted(undefined) : undefined}
      />
      {teams.dialog && <TeamsDialogBox teams={teams} />}
    </main>
  );
}

/** It stays at its end unless somebody reads further up. */
interface ScrolledProps {
  last: string;
  /** Whether the last of it is one's own. */
  own: boolean;
  children: React.ReactNode;
}

function Scrolled({ last, own, children }: ScrolledProps) {
  const box = useRef<HTMLDivElement>(null);
  const inside = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const before = useRef(0);
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight });
  useLayoutEffect(() => {
    const grown = new ResizeObserver(() => {
      if (atEnd.current) toEnd();
    });
    if (inside.current) grown.observe(inside.current);
    return () => grown.disconnect();
  }, []);
  useEffect(() => {
    atEnd.current ||= own;
    if (atEnd.current) toEnd();
  }, [last, own]);
  return (
    <div className="list">
      <div
        ref={box}
        className="scroll"
        tabIndex={0}
        role="group"
        aria-label="Messages"
        onScroll={({ currentTarget: at }) => {
          // What grows below does not scroll by itself: only who goes up leaves the end.
          const isNear = at.scrollHeight - at.scrollTop - at.clientHeight < NEAR_END;
          if (isNear || at.scrollTop < before.current) atEnd.current = isNear;
          before.current = at.scrollTop;
        }}
      >
        <div ref={inside}>{children}</div>
      </div>
    </div>
  );
}

interface IdeasProps {
  place: TeamsPlace;
  onIdea: (text: string) => void;
}

function Ideas({ place, onIdea }: IdeasProps) {
  const { world } = useApp();
  const app = nameOf(world, world.about.app);
  const offered = ideas(world.about, "");
  return (
    <div className="intro">
      <h2>{place.kind === "chat" ? app : place.name}</h2>
      <p className="muted">
        The same bot over the same documents, as Microsoft Teams would show it: its messages are
        Adaptive Cards.
      </p>
      {offered.length > 0 && (
        <ul className="ideas-grid" aria-label="Things to try">
          {offered.map(({ text, about }) => (
            <li key={text}>
              <button
                type="button"
                onClick={() => onIdea(place.kind === "chat" ? text : `@${app} ${text}`)}
              >
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

interface LastOf {
  place: TeamsPlace;
  last: TeamsMessage | undefined;
}

/** The app shows that it writes, until its message stands there or some seconds have gone by. */
function Writing({ place, last }: LastOf) {
  const { world } = useApp();
  const since = world.teamsTyping[place.id];
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    const left = Number(since) * 1000 + TYPING_MS - Date.now();
    if (!(left > 0)) return;
    const begins = setTimeout(() => setShown(since), 0);
    const ends = setTimeout(() => setShown(undefined), left);
    return () => {
      clearTimeout(begins);
      clearTimeout(ends);
    };
  }, [since]);
  if (!shown || shown !== since || last?.user !== world.you) return null;
  return (
    <p className="teams-writing" role="status">
      {nameOf(world, world.about.app)} is writing…
    </p>
  );
}

/** Words to say next: a press says them, while they stand under the last message. */
function Prompts({ place, last }: LastOf) {
  const app = useApp();
  if (!last?.prompts.length) return null;
  const say = (text: string) =>
    app.act({ type: "teams_say", place: place.id, text, thread: null, files: [] });
  return (
    <ul className="prompts" aria-label="Suggested replies">
      {last.prompts.map((text) => (
        <li key={text}>
          <button type="button" className="button small" onClick={() => void say(text)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface Listed {
  messages: readonly TeamsMessage[];
  teams: Teams;
}

function Flat({ messages, teams, onQuote }: Listed & { onQuote: (id: string) => void }) {
  return messages.map((each) => (
    <TeamsItem
      key={each.id}
      message={each}
      teams={teams}
      {...(each.is_generated ? { onQuote: () => onQuote(each.id) } : {})}
    />
  ));
}

function Posts({ messages, teams }: Listed) {
  const threads = [...new Set(messages.map((each) => each.thread))];
  return threads.map((thread) => (
    <Post
      key={thread}
      thread={thread}
      messages={messages.filter((each) => each.thread === thread)}
      teams={teams}
    />
  ));
}

function Post({ thread, messages, teams }: Listed & { thread: string }) {
  const { world } = useApp();
  const [replying, setReplying] = useState(false);
  const place = world.teams.places.find((each) => each.kind === "channel");
  return (
    <div className="teams-post" role="group" aria-label="Post">
      {messages.map((each) => (
        <TeamsItem key={each.id} message={each} teams={teams} isReply={each.id !== thread} />
      ))}
      {place && replying ? (
        <TeamsComposer
          place={place}
          thread={thread}
          label="Reply"
          aside=""
          onSent={() => setReplying(false)}
          onLeave={() => setReplying(false)}
          begins
        />
      ) : (
        <button
          type="button"
          className="teams-reply"
          aria-label="Reply to this post"
          onClick={() => setReplying(true)}
        >
          <Icon name="thread" /> Reply
        </button>
      )}
    </div>
  );
}

function TeamsDialogBox({ teams }: { teams: Teams }) {
  const id = useId();
  const { notes } = useApp();
  const { dialog } = teams;
  if (!dialog) return null;
  return (
    <Dialog className="dialog modal teams-dialog" labelledBy={id} onClose={teams.close}>
      <div className="modal-whole">
        <header className="modal-head">
          <h2 id={id}>{dialog.title}</h2>
          <button type="button" className="icon-button" aria-label="Close" onClick={teams.close}>
            <Icon name="close" />
          </button>
        </header>
        <div className="modal-body" role="group" aria-labelledby={id} tabIndex={0}>
          <Card of={dialog.card} onAct={(asked) => void teams.act(dialog.message, asked)} />
        </div>
      </div>
      {notes}
    </Dialog>
  );
}
