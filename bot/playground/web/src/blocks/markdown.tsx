/** The `markdown` block: standard Markdown by react-markdown, which makes elements and no HTML. */

import type { ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { target } from "./links";
import { ChannelName, Link, UserName } from "./text";

const MENTION = /<([@#])([A-Z0-9]{2,20})(?:\|[^<>\n]*)?>/g;
const HELD = /\uE000([@#])([A-Z0-9]+)\uE001/;
const PRIVATE = /[\uE000\uE001]/g;

/**
 * Live mentions stand as they are in the source; an escaped one (`&lt;@U1&gt;`) is text. So they
 * are marked before Markdown decodes what is escaped.
 */
function held(source: string): string {
  return source.replace(PRIVATE, "").replace(MENTION, "\uE000$1$2\uE001");
}

function named(children: ReactNode): ReactNode {
  if (Array.isArray(children)) return children.map((each: ReactNode) => named(each));
  if (typeof children !== "string") return children;
  return children.split(/(\uE000[@#][A-Z0-9]+\uE001)/).map((part, at) => {
    const [, mark, id] = HELD.exec(part) ?? [];
    if (!id) return part;
    return mark === "@" ? <UserName key={at} id={id} /> : <ChannelName key={at} id={id} />;
  });
}

// Slack shows one size of heading, no pictures, and lists with boxes that cannot be ticked.
const COMPONENTS: Components = {
  h1: ({ children }) => <p className="md-heading">{named(children)}</p>,
  h2: ({ children }) => <p className="md-heading">{named(children)}</p>,
  h3: ({ children }) => <p className="md-heading">{named(children)}</p>,
  h4: ({ children }) => <p className="md-heading">{named(children)}</p>,
  h5: ({ children }) => <p className="md-heading">{named(children)}</p>,
  h6: ({ children }) => <p className="md-heading">{named(children)}</p>,
  p: ({ children }) => <p>{named(children)}</p>,
  li: ({ children, className }) => <li className={className}>{named(children)}</li>,
  strong: ({ children }) => <strong>{named(children)}</strong>,
  em: ({ children }) => <em>{named(children)}</em>,
  td: ({ children, style }) => <td style={style}>{named(children)}</td>,
  th: ({ children, style }) => <th style={style}>{named(children)}</th>,
  a: ({ href, children }) => <Link href={href ?? ""}>{children}</Link>,
  img: ({ src, alt }) =>
    typeof src === "string" && src ? <Link href={src}>{alt?.trim() ? alt : src}</Link> : null,
  input: ({ checked }) => <span aria-hidden>{checked ? "☑ " : "☐ "}</span>,
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  table: ({ children }) => (
    <div className="table-wrap" role="group" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
};

export function Markdown({ text }: { text: string }) {
  return (
    <div className="markdown">
      <ReactMarkdown
        remarkPlugins={[[remarkGfm, { singleTilde: false }]]}
        components={COMPONENTS}
        urlTransform={(url) => target(url)?.href ?? ""}
      >
        {held(text)}
      </ReactMarkdown>
    </div>
  );
}
