/** Texts: Slack's markup and plain text, as React nodes and never as HTML. */

import { Fragment, type ReactNode } from "react";
import { target } from "./links";
import { read, type Piece } from "./mrkdwn";
import { str, type Json } from "./json";
import { useSurface } from "./surface";

export function Text({ of }: { of: Json }) {
  const text = str(of, "text");
  return str(of, "type") === "mrkdwn" ? <Mrkdwn text={text} /> : <>{text}</>;
}

export function Mrkdwn({ text }: { text: string }) {
  return <Pieces of={read(text)} />;
}

function Pieces({ of }: { of: readonly Piece[] }) {
  return of.map((piece, at) => <Fragment key={at}>{shown(piece)}</Fragment>);
}

function shown(piece: Piece): ReactNode {
  switch (piece.kind) {
    case "text":
      return piece.text;
    case "break":
      return <br />;
    case "code":
      return <code>{piece.text}</code>;
    case "pre":
      return <pre tabIndex={0}>{piece.text}</pre>;
    case "quote":
      return (
        <blockquote>
          <Pieces of={piece.inside} />
        </blockquote>
      );
    case "bold":
      return (
        <strong>
          <Pieces of={piece.inside} />
        </strong>
      );
    case "italic":
      return (
        <em>
          <Pieces of={piece.inside} />
        </em>
      );
    case "strike":
      return (
        <s>
          <Pieces of={piece.inside} />
        </s>
      );
    case "user":
      return <UserName id={piece.id} label={piece.label} />;
    case "channel":
      return <ChannelName id={piece.id} label={piece.label} />;
    case "broadcast":
      return <span className="mention">{piece.name}</span>;
    case "link":
      return <Link href={piece.href}>{piece.label}</Link>;
  }
}

export function UserName({ id, label = "" }: { id: string; label?: string }) {
  const { people } = useSurface();
  const name = people.find((each) => each.id === id)?.name ?? (label || id);
  return <span className="mention">@{name}</span>;
}

export function ChannelName({ id, label = "" }: { id: string; label?: string }) {
  const { channels } = useSurface();
  const name = channels.find((each) => each.id === id)?.name ?? (label || id);
  return <span className="mention">#{name}</span>;
}

/** A link with where it leads behind it, unless its words say so; a dead one stays text. */
export function Link({ href, children }: { href: string; children: ReactNode }) {
  const { follow } = useSurface();
  const to = target(href);
  if (!to) return <>{children}</>;
  const words = typeof children === "string" ? children : "";
  const here = to.host === location.host;
  return (
    <a
      href={to.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      onClick={(event) => {
        if (follow(to.href)) event.preventDefault();
      }}
    >
      {children}
      {!here && !words.includes(to.host) && <span className="host">({to.host})</span>}
    </a>
  );
}
