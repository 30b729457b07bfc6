/** Small pieces that several panes share. */

import { Icon } from "../icons";
import type { Channel } from "../contract";
import { useApp } from "../state/app";
import { nameOf } from "../state/world";

/** On a narrow screen the way back to the list of channels. */
export function BackToRail() {
  const { show } = useApp();
  return (
    <button
      type="button"
      className="icon-button narrow-only"
      aria-label="Channels"
      onClick={() => show("rail")}
    >
      <Icon name="menu" />
    </button>
  );
}

export function ChannelIcon({ channel }: { channel: Channel }) {
  if (channel.shared_with.length) return <Icon name="shared" />;
  if (channel.kind === "im") return <Icon name="message" />;
  return <Icon name={channel.kind === "private" ? "lock" : "channel"} />;
}

/** What lies over a pane while files are dragged over it. */
export function DropHere({ words }: { words: string }) {
  return (
    <p className="drop-here">
      <span>
        <Icon name="file" /> {words}
      </span>
    </p>
  );
}

/** What an agent tells of its work in a thread, with Slack's own Stop. */
export function Working({ channel, thread }: { channel: string; thread: string }) {
  const { world, act } = useApp();
  const session = world.sessions[`${channel}/${thread}`];
  const busy = session && (session.loading || session.can_stop);
  return (
    <div className="working" role="status">
      {busy && (
        <>
          <Icon name="spinner" />
          <span>
            {nameOf(world, world.about.app)} {session.loading || "is working"}…
          </span>
        </>
      )}
      {session?.can_stop && (
        <button
          type="button"
          className="button small"
          onClick={(event) => {
            void act({ type: "stop", channel, thread_ts: thread });
            // The button goes, and the focus would go with it.
            const pane = event.currentTarget.closest(".pane");
            pane?.querySelector<HTMLElement>("[data-entry]")?.focus();
          }}
        >
          <Icon name="stop" /> Stop
        </button>
      )}
    </div>
  );
}
