/** The place that blocks stand in, made of the page: a message, a form, or the home tab. */

import { useEffect, useMemo, useRef, type ReactNode } from "react";
import { SurfaceContext, type Form, type Surface } from "../blocks/surface";
import { useApp } from "../state/app";

type At = Parameters<ReturnType<typeof useApp>["press"]>[0];

interface Props {
  at: At;
  kind: Surface["kind"];
  here: string;
  form?: Form;
  children: ReactNode;
}

const NO_FORM: Form = { held: () => undefined, hold: () => undefined, errors: {} };

export function SurfaceOf({ at, kind, here, form = NO_FORM, children }: Props) {
  const app = useApp();
  // What is done is done with the newest page; a new object for every frame would have each
  // external menu ask anew.
  const latest = useRef(app);
  useEffect(() => {
    latest.current = app;
  });
  const { people, channels } = app.world;
  const place = JSON.stringify(at);
  const surface = useMemo<Surface>(() => {
    const at = JSON.parse(place) as At;
    return {
      kind,
      here,
      form,
      people,
      channels: Object.values(channels)
        .filter((each) => each.kind !== "im")
        .map(({ id, name }) => ({ id, name })),
      press: (pressed) => latest.current.press(at, pressed),
      options: async (block, action, typed) => {
        const asked = { type: "options", at, block_id: block, action_id: action, typed } as const;
        const reply = await latest.current.act(asked);
        if (!reply?.options) throw new Error("no options came");
        return reply.options;
      },
      upload: (file, progress) => latest.current.upload(file, progress),
      confirm: (asks) => latest.current.confirm(asks),
      follow: (href) => latest.current.follow(href),
    };
  }, [place, kind, here, form, people, channels]);
  return <SurfaceContext value={surface}>{children}</SurfaceContext>;
}
