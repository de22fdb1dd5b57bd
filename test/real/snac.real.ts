import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSnac } from "./snac.ts";
import { faults } from "./snac-front.ts";
import { openLane, type SnacCase } from "./snac-lane.ts";
import { byHand, type PostKind, postKinds } from "./snac-posts.ts";
import type { SnacVerdict } from "./snac-verdict.ts";

const server = await startSnac();
/** `POSTRIDER_KIND=thread` runs only the kinds of that name. */
const chosen = postKinds.filter(({ name }) => new RegExp(process.env.POSTRIDER_KIND ?? "").test(name));

/** Each kind meets every third fault, the next kind the next ones; `POSTRIDER_EVERY=1` runs all combinations. */
const every = Number(process.env.POSTRIDER_EVERY ?? 3);

function share<Each>(all: readonly Each[], number: number): Each[] {
  const offset = number + Math.floor(number / every);
  return all.filter((_, index) => (index + offset) % every === 0);
}

const faultsInProcess = faults.filter((fault) => !fault.startsWith("killed"));

/** On a busy machine. */
const timeoutMs = 300_000;

let folder: string;

beforeAll(async () => {
  if (typeof server !== "string") await server.addAccount("bob");
  folder = mkdtempSync(join(tmpdir(), "postrider-snac-lanes-"));
});

afterAll(async () => {
  if (typeof server !== "string") await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Outcome {
  where: string;
  what: SnacVerdict["what"];
}

const outcomes: Outcome[] = [];

afterAll(() => console.table(tally(outcomes)));

function tally(all: readonly Outcome[]): Record<string, Record<Outcome["what"], number>> {
  const rows: Record<string, Record<Outcome["what"], number>> = {};
  for (const { where, what } of all) {
    rows[where] ??= { exact: 0, refused: 0, undecided: 0, twice: 0, lost: 0, wrong: 0 };
    rows[where][what] += 1;
  }
  return rows;
}

/** Runs each case on a separate account for its kind. Returns the forbidden results. */
async function tryAll(kind: PostKind, cases: readonly { where: string; tried: SnacCase }[]): Promise<string[]> {
  if (typeof server === "string") return [];
  const lane = await openLane({ snac: server, kind, name: `user${accounts++}`, folder });
  const findings: string[] = [];
  for (const { where, tried } of cases) {
    const { what, message } = await lane.publish(tried);
    const said = `${where}${tried.byHand === null ? "" : `, "${tried.byHand.text.slice(0, 12)}…" by hand`}: ${what}, ${message}`;
    outcomes.push({ where, what });
    if (what === "undecided") console.log(`${kind.name}, ${said}`);
    else if (what !== "exact" && what !== "refused") findings.push(said);
  }
  findings.push(...lane.changedPictures().map((id) => `${id} shows other pictures than it was given`));
  await lane.stop();
  return findings;
}

let accounts = 1;

const reason = typeof server === "string" ? ` (skipped: ${server})` : "";

describe.skipIf(typeof server === "string")(`a small server, behind a front that fails a request${reason}`, () => {
  it.each(chosen)(
    "has $name once whenever it is reported as published, and never twice",
    async (kind) => {
      const number = postKinds.indexOf(kind);
      // Starting a process for each death takes seconds.
      const tried = share(number % 3 === 0 ? faults : faultsInProcess, number);
      const cases = tried.map((fault, index) => ({
        where: fault,
        tried: { fault, byHand: byHand[(number + index) % byHand.length] ?? null },
      }));
      expect(await tryAll(kind, cases)).toEqual([]);
    },
    timeoutMs,
  );

  it.each(chosen.filter(({ pictures = 0 }) => pictures > 0))(
    "has $name once when an upload fails",
    async (kind) => {
      const cases = share(faultsInProcess, postKinds.indexOf(kind)).map((uploadFault) => ({
        where: `upload ${uploadFault}`,
        tried: { uploadFault, byHand: null },
      }));
      expect(await tryAll(kind, cases)).toEqual([]);
    },
    timeoutMs,
  );

  it.each(chosen.filter((_, index) => index % 6 === 0))(
    "has $name once when the look after a lost response fails, too",
    async (kind) => {
      const cases = share(faultsInProcess, postKinds.indexOf(kind)).flatMap((lookFault) =>
        (["502 before", "502 after"] as const).map((fault) => ({
          where: `look ${lookFault}`,
          tried: { fault, lookFault, byHand: null },
        })),
      );
      expect(await tryAll(kind, cases)).toEqual([]);
    },
    timeoutMs,
  );

  it.each(chosen.filter(({ name }) => ["plain text", "for followers", "a thread"].includes(name)))(
    "has $name at most once when the access token dies before the look, and says which",
    async (kind) => {
      const cases = (["502 before", "502 after", "late post"] as const).map((fault) => ({
        where: `${fault}, token gone`,
        tried: { fault, tokenDies: true, byHand: null },
      }));
      expect(await tryAll(kind, cases)).toEqual([]);
    },
    timeoutMs,
  );
});
