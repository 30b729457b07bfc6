/** Rich text, nested to any depth that a person would write. */

import { Fragment, type ReactNode } from "react";
import { emoji } from "./emoji";
import { flag, inner, items, num, str, type Json } from "./json";
import { ChannelName, Link, UserName } from "./text";

const DEEPEST = 12;

export function RichText({ of }: { of: Json }) {
  return (
    <div className="rich">
      <Parts of={items(of, "elements")} depth={0} />
    </div>
  );
}

function Parts({ of, depth }: { of: readonly Json[]; depth: number }) {
  if (depth > DEEPEST) return null;
  return of.map((part, at) => <Fragment key={at}>{shown(part, depth)}</Fragment>);
}

function shown(part: Json, depth: number): ReactNode {
  const inside = <Parts of={items(part, "elements")} depth={depth + 1} />;
  switch (str(part, "type")) {
    case "rich_text_section":
      return <div>{inside}</div>;
    case "rich_text_quote":
      return <blockquote>{inside}</blockquote>;
    case "rich_text_preformatted":
      return <pre tabIndex={0}>{inside}</pre>;
    case "rich_text_list":
      return <List of={part} depth={depth} />;
    case "text":
      return styled(str(part, "text"), inner(part, "style"));
    case "link":
      return <Link href={str(part, "url")}>{str(part, "text") || str(part, "url")}</Link>;
    case "user":
      return <UserName id={str(part, "user_id")} />;
    case "channel":
      return <ChannelName id={str(part, "channel_id")} />;
    case "broadcast":
      return <span className="mention">@{str(part, "range")}</span>;
    case "usergroup":
      return <span className="mention">@{str(part, "usergroup_id")}</span>;
    case "emoji":
      return emoji(str(part, "name"));
    case "date":
      return str(part, "fallback");
    case "color":
      return <code>{str(part, "value")}</code>;
    default:
      return str(part, "text");
  }
}

function List({ of, depth }: { of: Json; depth: number }) {
  const rows = items(of, "elements").map((each, at) => (
    <li key={at}>
      <Parts of={[each]} depth={depth + 1} />
    </li>
  ));
  const indent = { marginInlineStart: `${Math.min(num(of, "indent") ?? 0, 8) * 1.5}rem` };
  if (str(of, "style") !== "ordered") return <ul style={indent}>{rows}</ul>;
  return (
    <ol style={indent} start={(num(of, "offset") ?? 0) + 1}>
      {rows}
    </ol>
  );
}

function styled(text: string, style: Json): ReactNode {
  let shown: ReactNode = text;
  if (flag(style, "code")) shown = <code>{shown}</code>;
  if (flag(style, "bold")) shown = <strong>{shown}</strong>;
  if (flag(style, "italic")) shown = <em>{shown}</em>;
  if (flag(style, "strike")) shown = <s>{shown}</s>;
  return shown;
}

/** The words of rich text alone. */
export function words(of: Json): string {
  const own = str(of, "text") || str(of, "fallback");
  return [own, ...items(of, "elements").map(words)].filter(Boolean).join("");
}
