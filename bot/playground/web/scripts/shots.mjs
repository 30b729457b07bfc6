// Plays the playground in headless Chromium, takes a picture of each scene into `shots/`, asks axe
// about it, and gives the README its two: `npm run shots`. Ends with 1 where axe finds more than
// something minor, the page logs an error, or a scene does not come to be. `npm run shots -- teams`
// plays Teams' scenes alone. `SHOTS_CHROMIUM` and
// `SHOTS_MASIS` name other programs, `SHOTS_DATA` a data folder that is kept.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { createServer } from "vite";
import { ANSWER_MS, Player, WIDE, ended, started, trouble, writer } from "./player.mjs";

const WEB = dirname(dirname(fileURLToPath(import.meta.url)));
const SHOTS = join(WEB, "shots");
const DOCS = join(WEB, "../../../docs");
/** What the README shows, by the scene that it is a picture of. */
const SHOWN = {
  "04-answer": "playground-answer.png",
  "08-clarification": "playground-clarification.png",
};
/** What docs/teams.md shows: cards by themselves. */
const CARDS = ["teams-answer", "teams-question", "teams-chart", "teams-audit"];
const ONLY = process.argv[2] ?? "";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const NARROW = { width: 400, height: 800 };
const TENDER = "When does Northmoor's framework tender for dosing equipment open?";
const DECIDES = "Who decides on Northmoor's framework tender?";
const BUDGET = "What is the approved service tooling budget for 2026?";
const LINES = "Show me revenue by line in 2025 as a pie chart";
const CLOSED = "Do we close between Christmas and New Year?";

const found = [];

/** What axe finds in the page as it is now; what is minor does not count. */
async function audited(page, name) {
  // Evaluated by the driver, not as a script of the page, whose policy allows its own alone.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(globalThis.document));
  for (const { id, impact, nodes } of violations) {
    const where = nodes.map((node) => `${node.target.join(" ")} (${node.failureSummary ?? ""})`);
    found.push({ name, id, impact, where: where.slice(0, 3) });
  }
}

async function shot(page, name) {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(200);
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
  await audited(page, name);
  console.log(name);
}

async function asker(browser, url) {
  const one = await Player.open(browser, url);
  await shot(one.page, "01-first-page");
  await one.page.locator(".banner").waitFor({ state: "detached", timeout: ANSWER_MS });
  await one.main.locator(".composer textarea").fill("/masis ");
  await shot(one.page, "02-completion");
  await one.asks(TENDER);
  await one.side.locator(".plan").waitFor();
  await shot(one.page, "03-progress");
  await one.answered();
  await shot(one.page, "04-answer");
  await one.press("How I got this");
  await one.form();
  await shot(one.page, "05-audit");
  await one.dismiss();
  await one.press("Passage");
  await one.form();
  await shot(one.page, "06-passage");
  await one.dismiss();
  await one.side.locator(".feedback button").last().click();
  await one.form();
  await shot(one.page, "07-feedback");
  await one.top.locator("textarea, input").first().fill("It left out the lot numbers.");
  await one.press("Send", one.top);
  await one.page.locator("dialog").first().waitFor({ state: "detached" });
  return one;
}

async function clarified(one) {
  await one.asks(BUDGET);
  // A run goes on while its page is loaded anew, and the page comes back to its thread.
  await one.page.reload();
  await one.side.locator(".plan").waitFor();
  await one.side.getByRole("button", { name: "Answer in a form" }).waitFor({ timeout: ANSWER_MS });
  await one.side.locator(".working:empty").waitFor({ state: "attached", timeout: ANSWER_MS });
  await shot(one.page, "08-clarification");
  await one.types("minutes/2026-04-16-operations-meeting.md counts", one.side);
  await one.answered();
  await shot(one.page, "09-reply-answered");
  await one.asks(CLOSED);
  await one.side.locator(".working:empty").waitFor({ state: "attached", timeout: ANSWER_MS });
  await one.side.locator(".message").nth(2).waitFor({ timeout: ANSWER_MS });
  await shot(one.page, "10-not-written-down");
  await one.types("/masis help", one.side);
  await one.page.locator(".toast").waitFor();
  await shot(one.page, "26-note");
  await one.press("Dismiss", one.page.locator(".toast"));
  await one.side.locator(".composer textarea").fill("");
}

async function linking(one) {
  await one.goTo("lunch");
  await one.types("/masis link");
  await one.form();
  await one.top.getByRole("combobox").last().click();
  await shot(one.page, "11-admin-links");
  await one.page.getByRole("option").first().click();
  await one.press("Link", one.top);
  await one.page.locator("dialog").first().waitFor({ state: "detached" });
  await one.main.locator(".message", { hasText: "handbook" }).last().waitFor();
  await shot(one.page, "12-linked");
  // Its retries give time to press.
  await one.asks(BUDGET);
  await one.press("Cancel");
  await one.top.waitFor();
  await shot(one.page, "27-confirm");
  await one.dismiss();
  await one.press("Close the thread");
  await one.types("/masis unlink");
  await one.main.locator(".message", { hasText: "no longer linked" }).waitFor();
  await shot(one.page, "28-unlinked");
}

/** A file from the desktop, which the browser itself drags over the page and lets go. */
async function dropping(one, folder) {
  await one.goTo("handbook");
  const path = join(folder, "canteen.md");
  const hours = "The canteen in Kettering opens at 07:30 and closes at 14:00.\n\n";
  writeFileSync(path, `# Canteen\n\n${hours.repeat(8_000)}`);
  const browser = await one.page.context().newCDPSession(one.page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  const drag = (type) => browser.send("Input.dispatchDragEvent", { type, x: 700, y: 300, data });
  await drag("dragEnter");
  await drag("dragOver");
  await one.main.locator(".drop-here").waitFor();
  await shot(one.page, "31-dragged-over");
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 150_000 };
  await browser.send("Network.emulateNetworkConditions", slow);
  await drag("drop");
  await one.main.locator(".given progress").waitFor();
  await one.page.waitForTimeout(1_000);
  await shot(one.page, "32-uploading");
  await browser.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
  await one.main.locator(".given .icon-done").waitFor({ timeout: ANSWER_MS });
}

async function adding(one) {
  await one.main.locator(".composer textarea").fill("@MASIS please add this to the documents");
  await shot(one.page, "13-file-chosen");
  await one.page.keyboard.press("Enter");
  const sent = one.main.locator(".message", { has: one.page.locator(".files") }).last();
  await sent.waitFor();
  await sent.hover();
  await sent.getByRole("button", { name: "More actions" }).click();
  await shot(one.page, "14-shortcuts");
  await one.page.getByRole("menuitem", { name: "Add files" }).click();
  await one.page.waitForTimeout(1_500);
  await shot(one.page, "15-files-added");
  if (await one.top.isVisible()) await one.dismiss();
  const said = one.main.locator(".message", { hasText: "framework tender" }).first();
  await said.hover();
  await said.getByRole("button", { name: "More actions" }).click();
  await one.page.getByRole("menuitem", { name: "Ask MASIS" }).click();
  await one.form();
  await shot(one.page, "33-asked-by-shortcut");
  await one.dismiss();
}

async function admin(browser, url, folder) {
  const one = await Player.open(browser, url);
  await one.become("Denise");
  await linking(one);
  await dropping(one, folder);
  await adding(one);
  await one.goTo("northmoor-water");
  await one.types(`/masis ${TENDER}`);
  await one.main.locator(".message", { hasText: "shared with another" }).waitFor();
  await shot(one.page, "29-shared-channel-refused");
  await one.goTo("MASIS home");
  await one.main.locator(".home .header").first().waitFor();
  await shot(one.page, "16-home");
  await one.press("Settings", one.main);
  await one.form();
  await shot(one.page, "17-settings");
  await one.dismiss();
}

/** Runs that take their time, and an answer that is longer than a message holds. */
async function held(browser, url) {
  const one = await Player.open(browser, url);
  await one.asks(TENDER);
  await one.answered();
  await shot(one.page, "34-long-answer-ends");
  await one.side.locator(".scroll").evaluate((box) => box.scrollTo({ top: 0 }));
  await shot(one.page, "35-long-answer-begins");
  const other = await Player.open(browser, url);
  await other.become("Denise");
  await one.asks(DECIDES);
  await other.asks(TENDER);
  for (const each of [one, other]) await each.side.locator(".working .button").waitFor();
  await shot(one.page, "36-two-at-once-asker");
  await shot(other.page, "37-two-at-once-admin");
  await one.page.reload();
  await one.side.locator(".working .button").waitFor();
  await shot(one.page, "38-loaded-anew-in-a-run");
  await one.press("Stop", one.side.locator(".working"));
  await one.side
    .locator(".message", { hasText: "Stopped" })
    .first()
    .waitFor({ timeout: ANSWER_MS });
  await one.side.locator(".working:empty").waitFor({ state: "attached" });
  await shot(one.page, "39-stopped");
}

async function guest(browser, url) {
  const one = await Player.open(browser, url);
  await one.page.locator(".self-button").click();
  await shot(one.page, "18-who-to-be");
  await one.page.getByRole("menuitemradio", { name: "Jonas" }).click();
  await one.page.locator(".self-name", { hasText: "Jonas" }).waitFor();
  await one.types(`/masis ${TENDER}`);
  await one.main.locator(".message.private").waitFor();
  await shot(one.page, "19-guest-refused");
}

async function looks(browser, url, spot) {
  const dark = await Player.open(browser, `${url}${spot}`, { colorScheme: "dark" });
  await dark.side.locator(".feedback").first().waitFor();
  await shot(dark.page, "20-dark");
  await dark.press("How I got this");
  await dark.form();
  await shot(dark.page, "21-dark-audit");
  await dark.dismiss();
  await dark.main.locator(".composer textarea").fill("/masis ");
  await shot(dark.page, "42-dark-completion");
  await dark.main.locator(".composer textarea").fill("");
  await dark.goTo("MASIS home");
  await dark.main.locator(".home .header").first().waitFor();
  await shot(dark.page, "43-dark-home");
  const narrow = await Player.open(browser, `${url}${spot}`, { viewport: NARROW });
  await shot(narrow.page, "22-narrow-channel");
  await narrow.main.locator(".thread-link").first().click();
  await shot(narrow.page, "23-narrow-thread");
  await narrow.press("Close the thread");
  await narrow.main.getByRole("button", { name: "Channels" }).click();
  await shot(narrow.page, "24-narrow-rail");
  await narrow.goTo("handbook");
  await narrow.main.locator(".composer textarea").fill("/masis ");
  await shot(narrow.page, "40-narrow-completion");
  await narrow.main.locator(".composer textarea").fill("How long is the notice period?");
  await shot(narrow.page, "41-narrow-unasked");
  await narrow.main.locator(".composer textarea").fill("");
  await narrow.main.getByRole("button", { name: "Channels" }).click();
  await narrow.goTo("MASIS");
  await narrow.main
    .locator(".prompts")
    .waitFor({ timeout: 5_000 })
    .catch(() => undefined);
  await shot(narrow.page, "25-narrow-direct");
}

/** A card by itself, with its name and its thumbs. */
async function pictured(one, name, words) {
  const item = one.main.locator(".teams-message", { hasText: words }).last();
  await item.waitFor({ timeout: ANSWER_MS });
  // As tall as it needs to be: what is scrolled away is not in a picture.
  await one.page.setViewportSize({ width: WIDE.width, height: 1_600 });
  await one.page.waitForTimeout(500);
  await item.screenshot({ path: join(SHOTS, `${name}.png`) });
  await one.page.setViewportSize(WIDE);
}

/** Teams beside Slack: a card for an answer, a question back, a chart, dialogs, a file. */
async function teams(browser, url, folder) {
  const one = await Player.open(browser, url);
  await one.page.locator(".banner").waitFor({ state: "detached", timeout: ANSWER_MS });
  await one.goTo("General");
  const thumbs = (at) => one.main.locator(".teams-thumbs").nth(at).waitFor({ timeout: ANSWER_MS });
  await shot(one.page, "50-teams-first");
  await one.types(`@MASIS ${TENDER}`, one.page.locator(".teams"));
  await one.main.getByRole("button", { name: "Cancel" }).waitFor();
  await shot(one.page, "51-teams-progress");
  await thumbs(0);
  await shot(one.page, "52-teams-answer");
  await pictured(one, "teams-answer", "11 January 2027");
  await one.press("How I got this", one.main);
  await one.top.locator(".ac-card").waitFor();
  await shot(one.page, "53-teams-audit");
  await one.page
    .locator("dialog.teams-dialog")
    .screenshot({ path: join(SHOTS, "teams-audit.png") });
  await one.dismiss();
  await one.press("Passage", one.main);
  await one.top.locator(".ac-card").waitFor();
  await shot(one.page, "54-teams-passage");
  await one.dismiss();
  await one.types(`@MASIS ${BUDGET}`, one.page.locator(".teams"));
  await one.main.getByLabel("Your reply").waitFor({ timeout: ANSWER_MS });
  await shot(one.page, "55-teams-question");
  await pictured(one, "teams-question", "The sources disagree");
  await one.main.getByLabel("Your reply").fill("the april one");
  await one.main.locator(".ac-card").getByRole("button", { name: "Reply", exact: true }).click();
  await thumbs(1);
  await shot(one.page, "56-teams-replied");
  await one.types(`@MASIS ${LINES}`, one.page.locator(".teams"));
  await thumbs(2);
  await one.page.locator(".ac-chart svg").last().waitFor();
  await shot(one.page, "57-teams-chart");
  await pictured(one, "teams-chart", "2025");
  await one.press("Reply to this post", one.main.locator(".teams-post").last());
  const reply = one.main.getByRole("textbox", { name: "Reply", exact: true });
  await reply.fill("@MASIS as a table");
  await reply.press("Enter");
  await thumbs(3);
  await shot(one.page, "61-teams-follow-up");
  await one.goTo("Chat with");
  await one.types("Hello!", one.page.locator(".teams"));
  const greeted = one.main.locator(".teams-message.own + .teams-message .ac-card");
  await greeted.waitFor({ timeout: ANSWER_MS });
  await one.main.locator(".prompts").waitFor({ timeout: ANSWER_MS });
  await shot(one.page, "62-teams-greeting");
  const path = join(folder, "canteen.md");
  writeFileSync(
    path,
    "# Canteen\n\nThe canteen in Kettering opens at 07:30 and closes at 14:00.\n",
  );
  await one.page.locator("input[type=file]").setInputFiles(path);
  await one.main.locator(".given .icon-done").waitFor({ timeout: ANSWER_MS });
  await one.types("When does the canteen in Kettering open?", one.page.locator(".teams"));
  await thumbs(0);
  await shot(one.page, "58-teams-file");
  const dark = await Player.open(browser, url, { colorScheme: "dark" });
  await dark.goTo("General");
  await dark.page.locator(".ac-chart svg").last().waitFor();
  await shot(dark.page, "59-teams-dark");
  await dark.press("How I got this", dark.main);
  await dark.top.locator(".ac-card").waitFor();
  await shot(dark.page, "63-teams-dark-audit");
  await dark.dismiss();
  await dark.become("Denise");
  await dark.goTo("General");
  await dark.types("@MASIS link", dark.page.locator(".teams"));
  await dark.press("Link this channel", dark.main);
  await dark.top.locator(".ac-card").waitFor({ timeout: ANSWER_MS });
  await shot(dark.page, "64-teams-dark-link");
  await dark.dismiss();
  await dark.types("@MASIS status", dark.page.locator(".teams"));
  await dark.press("Documents", dark.main);
  await dark.top.locator(".ac-card").waitFor({ timeout: ANSWER_MS });
  await shot(dark.page, "65-teams-dark-documents");
  await dark.dismiss();
  const narrow = await Player.open(browser, url, { viewport: NARROW });
  await narrow.main.getByRole("button", { name: "Channels" }).click();
  await narrow.goTo("General");
  await shot(narrow.page, "60-teams-narrow");
}

/** Charts, tables and forms that no conversation shows yet, from the tests' own blocks. */
async function gallery(browser) {
  const server = await createServer({
    root: WEB,
    logLevel: "error",
    server: { port: 0, host: "127.0.0.1" },
  });
  await server.listen();
  const { port } = server.httpServer.address();
  for (const theme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport: WIDE });
    await page.goto(`http://127.0.0.1:${port}/test/gallery.html#${theme}`);
    await page.locator(".gallery .legend").first().waitFor();
    await page.screenshot({ path: join(SHOTS, `30-blocks-${theme}.png`), fullPage: true });
    await audited(page, `30-blocks-${theme}`);
    console.log(`30-blocks-${theme}`);
  }
  await server.close();
}

async function played() {
  rmSync(SHOTS, { recursive: true, force: true });
  mkdirSync(SHOTS, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "masis-shots-"));
  const data = process.env.SHOTS_DATA ?? join(folder, "data");
  const programs = [];
  const begun = async (settings) => {
    programs.unshift(await started(data, settings));
    return programs[0].url;
  };
  const browser = await chromium.launch({
    executablePath: process.env.SHOTS_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  try {
    const url = await begun({});
    await teams(browser, url, folder);
    if (ONLY !== "teams") {
      const one = await asker(browser, url);
      const spot = new URL(one.page.url()).hash;
      await clarified(one);
      await admin(browser, url, folder);
      await guest(browser, url);
      await looks(browser, url, spot);
      const service = await writer();
      programs.push(service);
      await held(browser, await begun(service.settings));
      await gallery(browser);
    }
  } catch (error) {
    trouble.push(String(error), ...programs.map(({ said }) => said?.() ?? ""));
  } finally {
    await browser.close();
    for (const { program } of programs) await ended(program);
    rmSync(folder, { recursive: true, force: true });
  }
}

await played();
for (const { name, id, impact, where } of found) {
  console.log(`axe: ${impact} ${id} in ${name}: ${where.join(" | ")}`);
}
for (const line of trouble) console.log(`page: ${line}`);
const flaws = found.filter(({ impact }) => impact !== "minor");
process.exitCode = flaws.length || trouble.length ? 1 : 0;
if (!process.exitCode) {
  for (const card of CARDS) copyFileSync(join(SHOTS, `${card}.png`), join(DOCS, `${card}.png`));
  for (const [scene, picture] of Object.entries(ONLY ? {} : SHOWN)) {
    copyFileSync(join(SHOTS, `${scene}.png`), join(DOCS, picture));
  }
}
