/** The app's own page. */

import { useEffect, useRef } from "react";
import { Blocks } from "../blocks/blocks";
import { useApp } from "../state/app";
import { nameOf } from "../state/world";
import { Avatar } from "./avatar";
import { BackToRail } from "./parts";
import { SurfaceOf } from "./surfaces";

export function Home() {
  const { world, act, go } = useApp();
  const title = useRef<HTMLHeadingElement>(null);
  const name = nameOf(world, world.about.app);
  const direct = Object.values(world.channels).find((each) => each.peer === world.about.app);
  useEffect(() => {
    void act({ type: "home", tab: "home" });
    title.current?.focus();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each person who opens it
  }, [world.you]);
  return (
    <main className="pane main" aria-label={`${name}, home`}>
      <header className="pane-head">
        <BackToRail />
        <h1 ref={title} tabIndex={-1}>
          <Avatar id={world.about.app} name={name} app /> {name}
        </h1>
        <nav className="tabs" aria-label={`Pages of ${name}`}>
          <button type="button" aria-current="page">
            Home
          </button>
          {direct && (
            <button type="button" onClick={() => go(direct.id)}>
              Messages
            </button>
          )}
        </nav>
      </header>
      <div className="scroll home">
        {world.home ? (
          <SurfaceOf at={{ view: world.home.id }} kind="home" here="">
            <Blocks of={world.home.blocks} />
          </SurfaceOf>
        ) : (
          <p className="muted" role="status">
            {name} has not shown its page yet.
          </p>
        )}
      </div>
    </main>
  );
}
