import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

// What a browser has, and the stand-in for one lacks or does by halves.
Object.assign(HTMLElement.prototype, { showPopover: () => undefined });
Object.assign(Element.prototype, { scrollIntoView: () => undefined, scrollTo: () => undefined });

afterEach(cleanup);
// A setter that browsers have, and what draws cards uses.
for (const each of [Event.prototype, window.Event.prototype]) {
  Object.defineProperty(each, "cancelBubble", {
    configurable: true,
    set(this: Event, is: boolean) {
      if (is) this.stopPropagation();
    },
  });
}
