/** The files of a message that is being written. */

import { useRef, useState } from "react";
import { useApp } from "../state/app";
import { size } from "../state/time";

export interface Given {
  key: number;
  name: string;
  share: number;
  id?: string;
  trouble?: string;
}

export function useFiles() {
  const { world, upload, tell } = useApp();
  const [given, setGiven] = useState<readonly Given[]>([]);
  const next = useRef(0);
  const change = (key: number, to: Partial<Given>) =>
    setGiven((all) => all.map((each) => (each.key === key ? { ...each, ...to } : each)));

  const take = (files: Iterable<File>) => {
    const room = world.about.files - given.length;
    const all = [...files];
    if (all.length > room) tell(`A message takes ${world.about.files} files.`);
    for (const file of all.slice(0, room)) {
      const key = next.current++;
      if (file.size > world.about.file_bytes) {
        tell(`${file.name} is larger than ${size(world.about.file_bytes)}.`);
        continue;
      }
      setGiven((held) => [...held, { key, name: file.name, share: 0 }]);
      upload(file, (share) => change(key, { share })).then(
        ({ id }) => change(key, { id, share: 1 }),
        (error: unknown) =>
          change(key, { trouble: error instanceof Error ? error.message : "It was not taken." }),
      );
    }
  };
  return {
    given,
    ids: given.flatMap((each) => each.id ?? []),
    under: given.some((each) => !each.id && !each.trouble),
    take,
    remove: (key: number) => setGiven((all) => all.filter((each) => each.key !== key)),
    clear: () => setGiven([]),
    restore: (before: readonly Given[]) => setGiven(before),
  };
}
