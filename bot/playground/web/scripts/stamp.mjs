// Writes beside the bundle what it was built from, and what came of it: a hash over every file that
// the build reads, and one of each file it wrote. A Python test makes the same hashes, so that an
// old bundle, or one changed by hand, is found without node. `contract.ts` holds types alone, which
// leave nothing in the bundle, and has a test of its own.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const WEB = dirname(dirname(fileURLToPath(import.meta.url)));
const SINGLE = [
  "index.html",
  "package-lock.json",
  "package.json",
  "scripts/stamp.mjs",
  "tsconfig.json",
  "vite.config.ts",
];

const STATIC = join(WEB, "../page/static");
const BUILT = ["index.html", "assets/page.css", "assets/page.js", "licences.md"];

const hashed = (content) => createHash("sha256").update(content).digest("hex");
const listed = readdirSync(join(WEB, "src"), { recursive: true, withFileTypes: true })
  .filter((each) => each.isFile() && each.name !== "contract.ts")
  .map((each) =>
    join(each.parentPath, each.name)
      .slice(WEB.length + 1)
      .replaceAll("\\", "/"),
  );
const lines = [...SINGLE, ...listed]
  .sort()
  .map((path) => `${hashed(readFileSync(join(WEB, path)))}  ${path}\n`);
const bundle = Object.fromEntries(
  BUILT.map((name) => [name, hashed(readFileSync(join(STATIC, name)))]),
);
const stamp = { sources: hashed(lines.join("")), bundle };
writeFileSync(join(STATIC, "built.json"), `${JSON.stringify(stamp, null, 2)}\n`);
