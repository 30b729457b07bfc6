/** Our own drawings, on a grid of 20 by 20. */

const PATHS = {
  bold: "M6 4h5a3 3 0 0 1 0 6H6zm0 6h6a3 3 0 0 1 0 6H6z",
  channel: "M7 3 5.5 17M14.5 3 13 17M3.5 7.5h14M2.5 12.5h14",
  circle: "M10 4a6 6 0 1 1 0 12 6 6 0 0 1 0-12z",
  close: "M5 5l10 10M15 5 5 15",
  done: "M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15zM6.5 10l2.5 2.5 4.5-5",
  down: "M5 8l5 5 5-5",
  failed: "M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15zM7.5 7.5l5 5M12.5 7.5l-5 5",
  file: "M5 2.5h7l3 3v12H5zM12 2.5v3h3",
  home: "M3 9.5 10 3l7 6.5M5 8v9h10V8",
  lock: "M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9",
  menu: "M3 5h14M3 10h14M3 15h14",
  message: "M3 4h14v10H9l-4 3.5V14H3z",
  moon: "M15.5 12.5A6.5 6.5 0 0 1 7.5 4.5a6.5 6.5 0 1 0 8 8z",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  plus: "M10 4v12M4 10h12",
  react: "M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM7.5 8h.01M12.5 8h.01M6.8 11.5a3.5 3.5 0 0 0 6.4 0",
  search: "M8.5 3a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM12.5 12.5 17 17",
  send: "M3 3.5 17.5 10 3 16.5 5 10zM5 10h6",
  shared:
    "M7 6a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM2.5 16c.5-3 8.5-3 9 0M13.5 7a2 2 0 1 1 0 4M14 13c2 0 3.3 1 3.5 3",
  spinner: "M10 3a7 7 0 1 1-7 7",
  stop: "M6 6h8v8H6z",
  sun: "M10 6.500a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM10 2v2M10 16v2M2 10h2M16 10h2M4.3 4.300l1.4 1.400M14.3 14.300l1.4 1.400M4.3 15.700l1.4-1.400M14.3 5.700l1.4-1.4",
  thread: "M3 4h14v8H8l-3 3v-3H3zM7 7h6M7 9.500h4",
  thumbs_down: "M6 12V4h7.500l2 6.500V12h-4l.7 4-1.7 1L6 12H3V4h3",
  thumbs_up: "M6 8v8h7.500l2-6.500V8h-4l.7-4-1.7-1L6 8H3v8h3",
  trash: "M4 5.500h12M8 5.500V3.500h4v2M5.5 5.5 6.5 17h7l1-11.5",
  unseen: "M3 10s2.5-5 7-5 7 5 7 5-2.5 5-7 5-7-5-7-5zM8 10a2 2 0 1 0 4 0 2 2 0 0 0-4 0z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
