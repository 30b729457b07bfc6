/** The page: it connects, keeps the world, and gives both to its parts. */

import { useCallback, useEffect, useMemo, useState } from "react";
import { ConfirmDialog, type Question } from "./chat/confirm";
import { Shell } from "./chat/shell";
import { Toasts, type Toast } from "./chat/toasts";
import { HOME, hashOf, permalink, spotOf, type Spot } from "./state/address";
import { AppContext, type App, type Pane } from "./state/app";
import { Connection, type Status } from "./state/connection";
import { upload } from "./state/upload";
import { changed, isReply, worldOf, type World } from "./state/world";

const KEY = new URLSearchParams(location.search).get("key") ?? "";
const TOASTS = 4;

function live(): string {
  const url = new URL(`live?${new URLSearchParams({ key: KEY }).toString()}`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  return url.href;
}

export function Page() {
  const [world, setWorld] = useState<World>();
  const [status, setStatus] = useState<Status>("connecting");
  const [spot, setSpot] = useState<Spot>(() => spotOf(location.hash));
  const [pane, setPane] = useState<Pane>("main");
  const [toasts, setToasts] = useState<Toast[]>([]);
  const [question, setQuestion] = useState<Question>();
  const tell = useCallback((words: string) => {
    setToasts((all) => [...all, { id: (all.at(-1)?.id ?? 0) + 1, words }].slice(-TOASTS));
  }, []);

  const [first] = useState(spot.person);
  const [connection] = useState(
    () =>
      new Connection(live(), {
        heard: (frame) =>
          setWorld((held) => {
            if (frame.type === "state") return worldOf(frame);
            return held && changed(held, frame);
          }),
        status: setStatus,
      }),
  );
  useEffect(() => {
    connection.open(first || undefined);
    return () => connection.close();
  }, [connection, first]);

  // A place that is not there any more, or not for this person, gives way to the first channel.
  const here = world ? settled(world, spot) : spot;
  useEffect(() => {
    if (world) history.replaceState(null, "", `${location.search}${hashOf(here)}`);
  }, [world, here]);

  const notes = useMemo(() => {
    const gone = (id: number) => setToasts((all) => all.filter((each) => each.id !== id));
    return <Toasts toasts={toasts} onGone={gone} />;
  }, [toasts]);
  const app = useMemo<App | undefined>(() => {
    if (!world) return undefined;
    const go: App["go"] = (place, thread = "") => {
      setSpot((held) => ({ ...held, place, thread }));
      setPane(thread ? "thread" : "main");
    };
    const act: App["act"] = async (deed) => {
      try {
        return await connection.do(deed);
      } catch (error) {
        tell(error instanceof Error ? error.message : "That did not work.");
        return undefined;
      }
    };
    return {
      world,
      status,
      spot: here,
      pane,
      go,
      show: setPane,
      become: (person) => {
        setSpot({ person, place: here.place, thread: "" });
        setPane("main");
        connection.become(person);
      },
      act,
      press: async (at, { block, action, value = null, chosen = null }) => {
        await act({ type: "press", at, block_id: block, action_id: action, value, chosen });
      },
      upload: (file, progress) => upload(file, { key: KEY, person: world.you }, progress),
      confirm: (asks) => new Promise((answer) => setQuestion({ asks, answer })),
      tell,
      notes,
      follow: (href) => {
        const to = permalink(href, world.about.permalinks);
        if (!to || !world.channels[to.channel]) return false;
        const message = world.messages[to.channel]?.[to.ts];
        const root = to.thread || (message && isReply(message) ? message.thread_ts : to.ts);
        go(to.channel, root ?? "");
        return true;
      },
      fileUrl: (id) =>
        `files/${encodeURIComponent(id)}?${new URLSearchParams({ key: KEY, person: world.you }).toString()}`,
    };
  }, [world, status, here, pane, tell, notes, connection]);

  return (
    <>
      {app ? (
        <AppContext value={app}>
          <Shell />
        </AppContext>
      ) : (
        <Waiting status={status} />
      )}
      {question && <ConfirmDialog question={question} onDone={() => setQuestion(undefined)} />}
      {!world?.modals.length && notes}
    </>
  );
}

function settled(world: World, spot: Spot): Spot {
  const person = world.you;
  const isTeams = world.teams.places.some((each) => each.id === spot.place);
  if (isTeams || spot.place === HOME || world.channels[spot.place]) return { ...spot, person };
  const all = Object.values(world.channels);
  const first = all.find((each) => each.is_member && each.kind !== "im") ?? all[0];
  return { person, place: first?.id ?? HOME, thread: "" };
}

function Waiting({ status }: { status: Status }) {
  const words = {
    connecting: "Opening the playground…",
    live: "Opening the playground…",
    lost: "The playground does not answer. Is `masis playground` still running?",
    refused: "The playground did not take this page. Open the address from its terminal anew.",
  };
  return (
    <main className="waiting">
      <h1>MASIS playground</h1>
      <p role="status">{words[status]}</p>
    </main>
  );
}
