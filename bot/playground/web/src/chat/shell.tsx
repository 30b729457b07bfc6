/** The frame: rail, the conversation or the app's home, a thread, and what lies over them. */

import { useEffect } from "react";
import { HOME } from "../state/address";
import { useApp } from "../state/app";
import { useNarrow } from "../state/narrow";
import { channelName } from "../state/world";
import { Announcer } from "./announcer";
import { Conversation } from "./conversation";
import { useNoStrayDrops } from "./drop";
import { Home } from "./home";
import { Modals } from "./modals";
import { Rail } from "./rail";
import { Thread } from "./thread";
import { TeamsConversation } from "../teams/place";

const REGIONS = [".rail", ".main", ".side"];

/** F6 goes from region to region, as in other chats and in browsers. */
function useRegions(): void {
  useEffect(() => {
    const heard = (event: KeyboardEvent) => {
      if (event.key !== "F6" || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      const all = REGIONS.flatMap((each) => document.querySelector<HTMLElement>(each) ?? []);
      const shown = all.filter((each) => each.offsetParent !== null);
      const at = shown.findIndex((each) => each.contains(document.activeElement));
      const step = event.shiftKey ? shown.length - 1 : 1;
      const next = shown[(at + step) % shown.length];
      next?.querySelector<HTMLElement>("[data-entry], button, textarea, a[href]")?.focus();
    };
    window.addEventListener("keydown", heard);
    return () => window.removeEventListener("keydown", heard);
  }, []);
}

export function Shell() {
  useRegions();
  useNoStrayDrops();
  const { world, spot, pane, status } = useApp();
  const narrow = useNarrow();
  const channel = world.channels[spot.place];
  const teams = world.teams.places.find((each) => each.id === spot.place);
  const place = channel
    ? `${channel.kind === "im" ? "" : "#"}${channelName(world, channel)}`
    : teams
      ? `${teams.name} in Teams`
      : "Home";
  useEffect(() => {
    document.title = `${place} · MASIS playground`;
  }, [place]);
  const threaded = channel && spot.thread && world.messages[channel.id]?.[spot.thread];
  const shown = pane === "thread" && !threaded ? "main" : pane;
  return (
    <div className="shell" data-pane={shown}>
      <Banner />
      <Rail alone={narrow && shown === "rail"} />
      {teams ? (
        <TeamsConversation key={`${world.you}/${teams.id}`} place={teams} />
      ) : channel && spot.place !== HOME ? (
        <Conversation key={`${world.you}/${channel.id}`} channel={channel} />
      ) : (
        <Home key={world.you} />
      )}
      {threaded && (
        <Thread
          key={`${world.you}/${spot.thread}`}
          channel={channel}
          root={spot.thread}
          alone={narrow && shown === "thread"}
        />
      )}
      <Modals />
      <Announcer />
      <p className="unseen" role="status">
        {status === "lost" ? "The connection is lost; connecting again." : ""}
      </p>
    </div>
  );
}

/** How far the bot's start is, and a connection that is lost. */
function Banner() {
  const { world, status } = useApp();
  const { phase, done, total, words } = world.ready;
  if (status === "lost" || status === "refused") {
    return (
      <div className="banner trouble">
        {status === "lost"
          ? "The connection to the playground is lost. Connecting again…"
          : "The playground refused this page. Reload it."}
      </div>
    );
  }
  if (phase === "ready") return null;
  return (
    <div className={phase === "failed" ? "banner trouble" : "banner"} role="status">
      <span>{words}</span>
      {phase === "reading" && total > 0 && (
        <>
          <progress value={done} max={total} aria-label="Sample documents" />
          <span>
            {done} of {total}
          </span>
        </>
      )}
    </div>
  );
}
