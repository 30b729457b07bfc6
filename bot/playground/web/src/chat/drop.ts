/** Files that are dragged over a pane and let go there. */

import { useEffect, useState, type DragEvent } from "react";

const holdsFiles = (moved: DataTransfer | null) => Boolean(moved?.types.includes("Files"));

/** What a pane listens to, and whether files are over it. */
export function useDrop(onFiles: (files: FileList) => void) {
  const [over, setOver] = useState(false);
  const listeners = {
    onDragOver: (event: DragEvent) => {
      if (!holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      const to = event.relatedTarget;
      if (!(to instanceof Node && event.currentTarget.contains(to))) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (!holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(false);
      onFiles(event.dataTransfer.files);
    },
  };
  return { over, listeners };
}

/** A file that misses its place is not opened instead of the page. */
export function useNoStrayDrops(): void {
  useEffect(() => {
    const stay = (event: globalThis.DragEvent) => {
      if (holdsFiles(event.dataTransfer)) event.preventDefault();
    };
    window.addEventListener("dragover", stay);
    window.addEventListener("drop", stay);
    return () => {
      window.removeEventListener("dragover", stay);
      window.removeEventListener("drop", stay);
    };
  }, []);
}
