// The playground as a process, and one person's tab on it, as the pictures' scenes use them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../../..");
const MASIS = process.env.SHOTS_MASIS ?? join(ROOT, ".venv/bin/masis");
const PYTHON = join(ROOT, ".venv/bin/python");

export const WIDE = { width: 1280, height: 800 };
export const ANSWER_MS = 180_000;

/** What a page logged as an error, or did not catch. */
export const trouble = [];

/** A playground of one's own, with these settings beside the environment's. */
export async function started(dataDir, settings = {}) {
  const program = spawn(MASIS, ["playground", "--no-open", "--data-dir", dataDir], {
    env: { ...process.env, NO_COLOR: "1", ...settings },
  });
  let said = "";
  const url = await new Promise((resolve, reject) => {
    const hear = (part) => {
      said += part;
      const address = /http:\/\/127\.0\.0\.1:\d+\/\?key=\S+/.exec(said);
      if (address) resolve(address[0]);
    };
    program.stdout.on("data", hear);
    program.stderr.on("data", hear);
    program.on("exit", () => reject(new Error(`the playground ended:\n${said}`)));
  });
  return { program, url, said: () => said };
}

/** A model service that writes more than messages hold, and then takes its time. */
export async function writer() {
  const program = spawn(PYTHON, ["-m", "tests.browser.writer"], { cwd: ROOT });
  const [said] = await once(program.stdout, "data");
  const models = Object.fromEntries(
    ["writer", "auditor", "judge"].map((role) => [
      `MASIS_${role.toUpperCase()}_MODEL`,
      `stub-${role}`,
    ]),
  );
  const settings = {
    MASIS_AGENTS: "model",
    MASIS_MODEL_BASE_URL: String(said).trim(),
    MASIS_MODEL_API_KEY: "none",
    MASIS_MODEL_CALLS_PER_MINUTE: "1000",
    ...models,
  };
  return { program, settings };
}

/** Ends a program that was started here, and waits until it has. */
export async function ended(program) {
  if (program.exitCode !== null) return;
  const end = once(program, "exit");
  program.kill("SIGTERM");
  await end;
}

/** The parts of the page that the scenes use. */
export class Player {
  constructor(page) {
    this.page = page;
    this.main = page.locator(".main");
    this.side = page.locator(".side");
    this.top = page.locator("dialog").last();
  }

  static async open(browser, url, options = {}) {
    const context = await browser.newContext({
      viewport: WIDE,
      reducedMotion: "reduce",
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on("pageerror", (error) => trouble.push(String(error)));
    page.on("console", (line) => {
      if (line.type() === "error") trouble.push(line.text());
    });
    await page.goto(url);
    await page.locator(".composer textarea").first().waitFor();
    return new Player(page);
  }

  async become(name) {
    await this.page.locator(".self-button").click();
    await this.page.getByRole("menuitemradio", { name }).click();
    await this.page.locator(".self-name", { hasText: name }).waitFor();
  }

  async goTo(name) {
    await this.page.locator(".rail .row", { hasText: name }).first().click();
  }

  async types(text, where = this.main) {
    const field = where.locator(".composer textarea");
    await field.fill(text);
    await field.press("Enter");
  }

  /** Ask in the channel, and open the thread in which the answer will come. */
  async asks(question) {
    const before = await this.main.locator(".thread-link").count();
    await this.types(`/masis ${question}`);
    const link = this.main.locator(".thread-link").nth(before);
    await link.waitFor();
    await link.click();
    await this.side.waitFor();
  }

  async press(words, where = this.side) {
    await where.getByRole("button", { name: words }).last().click();
  }

  async answered(count = 1) {
    await this.side
      .locator(".feedback")
      .nth(count - 1)
      .waitFor({ timeout: ANSWER_MS });
    await this.side.locator(".working:empty").waitFor({ state: "attached" });
  }

  /** A form with something in it: at first it may only say that it is on its way. */
  async form() {
    await this.top.locator(".modal-body .blocks > *").first().waitFor();
    await this.page.waitForTimeout(400);
  }

  async dismiss() {
    await this.page.keyboard.press("Escape");
    await this.page.locator("dialog").first().waitFor({ state: "detached" });
  }
}
