import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSnac } from "./snac.ts";
import { type Fault, faults } from "./snac-front.ts";
import { openLane } from "./snac-lane.ts";
import { byHand, postKinds } from "./snac-posts.ts";
import type { SnacVerdict } from "./snac-verdict.ts";

const server = await startSnac();
const chosen = postKinds.filter(({ name }) => name.includes(process.env.POSTRIDER_KIND ?? ""));

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-snac-lanes-"));
});

afterAll(async () => {
  if (typeof server !== "string") await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const outcomes: { fault: Fault; what: SnacVerdict["what"] }[] = [];

afterAll(() => {
  const kinds = ["exact", "undecided", "twice", "lost", "wrong"] as const;
  const count = (fault: Fault, what: string): number =>
    outcomes.filter((outcome) => outcome.fault === fault && outcome.what === what).length;
  console.table(
    Object.fromEntries(
      faults.map((fault) => [fault, Object.fromEntries(kinds.map((what) => [what, count(fault, what)]))]),
    ),
  );
});

const reason = typeof server === "string" ? ` (skipped: ${server})` : "";

describe.skipIf(typeof server === "string")(
  `posts on a small server behind a front that spoils one request${reason}`,
  () => {
    it.concurrent.each(chosen)(
      "$name: stands there once, or is not called published",
      async (kind) => {
        if (typeof server === "string") return;
        const number = postKinds.indexOf(kind);
        const lane = await openLane({ snac: server, kind, number, folder });
        const findings: string[] = [];
        for (const [index, fault] of faults.entries()) {
          const foreign = byHand[(number + index) % byHand.length] ?? null;
          const verdict = await lane.publish({ fault, byHand: foreign });
          outcomes.push({ fault, what: verdict.what });
          const words = `${fault}${foreign === null ? "" : `, "${foreign.text.slice(0, 12)}…" by hand`}: ${verdict.what} ${verdict.words}`;
          if (verdict.what === "undecided") console.log(`${kind.name}: ${words}`);
          else if (verdict.what !== "exact") findings.push(words);
        }
        findings.push(...lane.changedPictures().map((id) => `${id} shows other pictures than it was given`));
        await lane.stop();
        expect(findings).toEqual([]);
      },
      600_000,
    );
  },
);
