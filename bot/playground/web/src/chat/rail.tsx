/** The team, its conversations, the app, and who one is. */

import { Menu } from "../blocks/menu";
import type { Channel, Person } from "../contract";
import { Icon, type IconName } from "../icons";
import { HOME } from "../state/address";
import { useApp } from "../state/app";
import { useTheme } from "../state/theme";
import { channelName, nameOf, unread } from "../state/world";
import { Avatar } from "./avatar";
import { ChannelIcon } from "./parts";

const ROLES: Readonly<Record<Person["role"], string>> = {
  member: "member",
  admin: "admin",
  owner: "owner",
  guest: "guest",
  single_channel_guest: "guest of one channel",
  bot: "app",
};

/** `alone` says that nothing else of the page is shown. */
export function Rail({ alone }: { alone: boolean }) {
  const { world } = useApp();
  const all = Object.values(world.channels).sort((a, b) => a.name.localeCompare(b.name));
  const direct = all.filter((each) => each.kind === "im");
  const app = nameOf(world, world.about.app);
  return (
    <div className="pane rail" role={alone ? "main" : undefined}>
      <nav className="pane whole" aria-label={`${world.about.team}, conversations`}>
        <header className="rail-head">
          <h1>{world.about.team}</h1>
          <span>Playground</span>
        </header>
        <div className="scroll">
          <Group title="Channels">
            {all
              .filter((each) => each.kind !== "im")
              .map((each) => (
                <ChannelRow key={each.id} channel={each} />
              ))}
          </Group>
          <Group title="Direct messages">
            {direct.map((each) => (
              <ChannelRow key={each.id} channel={each} />
            ))}
          </Group>
          <Group title="Apps">
            <Row place={HOME} icon="home" words={`${app} home`} />
          </Group>
          <Group title="Microsoft Teams">
            {world.teams.places.map((each) => (
              <Row
                key={each.id}
                place={each.id}
                icon={each.kind === "chat" ? "message" : "shared"}
                words={each.kind === "chat" ? `Chat with ${each.name}` : each.name}
              />
            ))}
          </Group>
        </div>
        <Self />
      </nav>
    </div>
  );
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}

function ChannelRow({ channel }: { channel: Channel }) {
  const { world, spot, go } = useApp();
  const count = unread(world, channel);
  const here = spot.place === channel.id;
  const notes = [
    channel.shared_with.length && `shared with ${channel.shared_with.join(", ")}`,
    !channel.is_member && "you are not in it",
    count && !here && `${count} unread`,
  ].filter(Boolean);
  return (
    <li>
      <button
        type="button"
        className={`row${count && !here ? " unread" : ""}${channel.is_member ? "" : " outside"}`}
        aria-current={here ? "page" : undefined}
        data-entry={here ? "" : undefined}
        title={channel.topic || undefined}
        onClick={() => go(channel.id)}
      >
        {channel.peer === world.about.app ? (
          <Avatar id={channel.peer} name="" app />
        ) : (
          <ChannelIcon channel={channel} />
        )}
        <span className="name">{channelName(world, channel)}</span>
        {notes.length > 0 && <span className="unseen">, {notes.join(", ")}</span>}
        {count > 0 && !here && (
          <span className="count" aria-hidden>
            {count}
          </span>
        )}
      </button>
    </li>
  );
}

function Row({ place, icon, words }: { place: string; icon: IconName; words: string }) {
  const { spot, go } = useApp();
  return (
    <li>
      <button
        type="button"
        className="row"
        aria-current={spot.place === place ? "page" : undefined}
        data-entry={spot.place === place ? "" : undefined}
        onClick={() => go(place)}
      >
        <Icon name={icon} />
        <span className="name">{words}</span>
      </button>
    </li>
  );
}

function Self() {
  const { world, become } = useApp();
  const [theme, switchTheme] = useTheme();
  const playable = world.people.filter((each) => each.playable);
  const you = world.people.find((each) => each.id === world.you);
  return (
    <footer className="self">
      <Menu
        label="Be somebody else"
        named
        className="self-button"
        align="start"
        heading="Be somebody else"
        entries={playable.map((each) => ({
          id: each.id,
          words: `${each.name} · ${ROLES[each.role]}`,
          about: each.about,
          icon: <Avatar id={each.id} name={each.name} />,
          current: each.id === world.you,
        }))}
        onChoose={become}
      >
        <Avatar id={world.you} name={you?.name ?? ""} />
        <span className="self-name">
          <strong>{you?.name}</strong> <small>{you ? ROLES[you.role] : ""}</small>
          <span className="unseen">: be somebody else</span>
        </span>
        <Icon name="down" />
      </Menu>
      <button
        type="button"
        className="icon-button"
        aria-label={theme === "dark" ? "Switch to light" : "Switch to dark"}
        title={theme === "dark" ? "Switch to light" : "Switch to dark"}
        onClick={switchTheme}
      >
        <Icon name={theme === "dark" ? "sun" : "moon"} />
      </button>
    </footer>
  );
}
