/** What acts when it is pressed: buttons, menus of three dots, votes. */

import { useRef, useState } from "react";
import { Icon } from "../icons";
import { items, inner, maybe, said, str, type Json } from "./json";
import { target } from "./links";
import { Menu } from "./menu";
import { useSurface, type Held, type Place, type Surface } from "./surface";

export interface ElementProps {
  of: Json;
  at: Place;
}

/** A press, after its question where it asks one; `busy` until the app has answered. */
export function usePress(
  of: Json,
  at: Place,
): [boolean, (value?: string, chosen?: Held) => Promise<boolean>] {
  const surface = useSurface();
  const [busy, setBusy] = useState(false);
  const under = useRef(false);
  const press = async (value?: string, chosen?: Held) => {
    if (under.current) return false;
    under.current = true;
    setBusy(true);
    try {
      return await pressed(surface, of, at, value, chosen);
    } finally {
      under.current = false;
      setBusy(false);
    }
  };
  return [busy, press];
}

async function pressed(surface: Surface, of: Json, at: Place, value?: string, chosen?: Held) {
  const asks = maybe(of, "confirm");
  if (asks && !(await surface.confirm(asks))) return false;
  await surface.press({
    block: at.block,
    action: str(of, "action_id"),
    ...(value === undefined ? {} : { value }),
    ...(chosen === undefined ? {} : { chosen }),
  });
  return true;
}

export function Button({ of, at }: ElementProps) {
  const [busy, press] = usePress(of, at);
  const link = target(str(of, "url"));
  return (
    <button
      type="button"
      className={`button ${str(of, "style")}`}
      aria-label={str(of, "accessibility_label") || undefined}
      aria-busy={busy}
      title={link?.host}
      onClick={() => {
        if (link) window.open(link.href, "_blank", "noopener,noreferrer");
        void press(str(of, "value"));
      }}
    >
      {said(of, "text")}
      {link && <span className="host">({link.host})</span>}
    </button>
  );
}

export function IconButton({ of, at }: ElementProps) {
  const [busy, press] = usePress(of, at);
  const words = str(of, "accessibility_label") || said(of, "text");
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={words}
      title={words}
      aria-busy={busy}
      onClick={() => void press(str(of, "value"))}
    >
      <Icon name="trash" />
    </button>
  );
}

export function FeedbackButtons({ of, at }: ElementProps) {
  const [busy, press] = usePress(of, at);
  const [vote, setVote] = useState("");
  const sides = [
    { side: inner(of, "positive_button"), icon: "thumbs_up" },
    { side: inner(of, "negative_button"), icon: "thumbs_down" },
  ] as const;
  return (
    <span className="feedback" role="group" aria-label="Was this helpful?">
      {sides.map(({ side, icon }) => {
        const value = str(side, "value");
        const words = str(side, "accessibility_label") || said(side, "text");
        return (
          <button
            key={icon}
            type="button"
            className="icon-button"
            aria-label={words}
            title={words}
            aria-pressed={vote === value}
            aria-busy={busy}
            onClick={() =>
              void press(value).then((done) => {
                if (done) setVote(value);
              })
            }
          >
            <Icon name={icon} />
          </button>
        );
      })}
    </span>
  );
}

export function Overflow({ of, at }: ElementProps) {
  const [, press] = usePress(of, at);
  const options = items(of, "options");
  return (
    <Menu
      label="More choices"
      className="icon-button"
      entries={options.map((each) => ({
        id: str(each, "value"),
        words: said(each, "text"),
        about: said(each, "description"),
      }))}
      onChoose={(value) => {
        const link = target(str(options.find((each) => str(each, "value") === value) ?? {}, "url"));
        if (link) window.open(link.href, "_blank", "noopener,noreferrer");
        void press(undefined, value);
      }}
    >
      <Icon name="more" />
    </Menu>
  );
}
