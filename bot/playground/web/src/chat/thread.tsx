/** A thread beside its channel; Escape closes it. */

import { useEffect, useRef } from "react";
import type { Channel } from "../contract";
import { Icon } from "../icons";
import { useApp } from "../state/app";
import { channelName, thread } from "../state/world";
import { Composer, type Fillable } from "./composer";
import { useDrop } from "./drop";
import { MessageList } from "./messages";
import { DropHere, Working } from "./parts";

interface Props {
  channel: Channel;
  root: string;
  /** Whether nothing else of the page is shown. */
  alone: boolean;
}

export function Thread({ channel, root, alone }: Props) {
  const { world, go } = useApp();
  const title = useRef<HTMLHeadingElement>(null);
  const composer = useRef<Fillable>(null);
  const drop = useDrop((files) => composer.current?.take(files));
  const messages = thread(world, channel.id, root);
  const close = () => {
    go(channel.id);
    const link = document.querySelector<HTMLElement>(`.main [data-ts="${CSS.escape(root)}"]`);
    link?.focus();
  };
  useEffect(() => {
    // One who cannot write there begins at its title; others at the field, which takes the focus.
    if (!document.activeElement?.closest(".side")) title.current?.focus();
  }, []);
  return (
    // Escape is a key beside the button that closes it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className="pane side"
      role={alone ? "main" : "complementary"}
      aria-label="Thread"
      {...drop.listeners}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) close();
      }}
    >
      <header className="pane-head">
        <h1 ref={title} tabIndex={-1}>
          Thread
        </h1>
        <p className="topic">
          {channel.kind === "im" ? "" : "#"}
          {channelName(world, channel)}
        </p>
        <button type="button" className="icon-button" aria-label="Close the thread" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <MessageList
        label="Messages in the thread"
        messages={messages}
        channel={channel}
        inThread
        foot={<Working channel={channel.id} thread={root} />}
      />
      {channel.is_member && !channel.is_archived && (
        <Composer
          ref={composer}
          channel={channel}
          thread={root}
          label="Reply in the thread"
          aside=""
        />
      )}
      {drop.over && <DropHere words="Drop to attach to your reply" />}
    </section>
  );
}
