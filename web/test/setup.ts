import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

// What a browser has and the stand-in for one lacks.
HTMLElement.prototype.showPopover ??= () => undefined;
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
};
Element.prototype.scrollIntoView ??= () => undefined;
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

afterEach(cleanup);
