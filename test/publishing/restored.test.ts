import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isoTime } from "../../src/ports/clock.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { SocialService } from "../../src/service.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { connectBluesky, connectDiscord, connectMastodon, connectWebhook } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { createTestService, type TestService } from "../support/service.ts";

let folder: string;
let service: TestService;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-restored-"));
  const clock = manualClock();
  service = createTestService({ clock, storage: sqliteStorage(join(folder, "social.db"), { clock }) });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Copies the file and its log, like a backup program, at one moment. */
function backUp(): void {
  for (const end of ["", "-wal"]) copyFileSync(join(folder, `social.db${end}`), join(folder, `backup.db${end}`));
}

/** A service on the backup, at the same moment, with the same networks. */
function restored(): SocialService {
  const { clock, sandbox } = service;
  const { http, untrustedHttp } = sandbox;
  const storage = sqliteStorage(join(folder, "backup.db"), { clock });
  return createTestService({ clock, storage, http, untrustedHttp }).social;
}

async function runFor(social: SocialService, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 20) {
    await service.clock.run(() => social.runDue());
    await service.clock.advance(20_000);
  }
}

function shown({ mastodon, bluesky, discord }: Sandbox): string[] {
  return [mastodon, bluesky, discord].flatMap((network) => network.posts().map(({ text }) => text)).sort();
}

describe("a store restored from a backup", () => {
  it("repeats no post that went out after the backup, and publishes the others once", async () => {
    const { social, clock, sandbox } = service;
    const profiles = [await connectMastodon(service), await connectBluesky(service), await connectDiscord(service)];
    const profile_ids = profiles.map(({ id }) => id);
    const made: string[] = [];
    for (const minutes of [2, 4, 6, 40]) {
      const scheduled_at = isoTime(clock.now() + minutes * 60_000);
      const create = { profile_ids, text: `In ${minutes} minutes something will have happened here`, scheduled_at };
      made.push((await clock.run(() => social.posts.create(create))).id);
    }
    await runFor(social, 180);
    const backedUpAt = clock.now();
    backUp();
    // After the backup two more go out; then the machine is lost until the last one is due, too.
    await runFor(social, 300);
    expect(shown(sandbox)).toHaveLength(9);
    await clock.advance(2_400_000);

    const again = restored();
    await clock.run(() => again.start({ restoredFrom: new Date(backedUpAt) }));
    await runFor(again, 600);
    await clock.run(() => again.stop());
    for (const id of made)
      expect((await again.posts.get(id)).targets.map(({ error }) => error)).toEqual([null, null, null]);
    expect(shown(sandbox)).toHaveLength(12);
    expect(new Set(shown(sandbox)).size).toBe(4);
  });

  it("publishes a thread of one request again only where it did not go out", async () => {
    const { social, clock, sandbox } = service;
    const { id: profileId } = await connectBluesky(service);
    const made: string[] = [];
    for (const minutes of [2, 40]) {
      const scheduled_at = isoTime(clock.now() + minutes * 60_000);
      const thread = [1, 2, 3].map((part) => `Part ${part} after ${minutes} minutes`);
      const networks = { bluesky: { replies: "nobody", disable_quotes: true } } as const;
      const create = { profile_ids: [profileId], thread, networks, scheduled_at };
      made.push((await clock.run(() => social.posts.create(create))).id);
    }
    const backedUpAt = clock.now();
    backUp();
    await runFor(social, 300);
    await clock.advance(2_400_000);

    const again = restored();
    await clock.run(() => again.start({ restoredFrom: new Date(backedUpAt) }));
    await runFor(again, 600);
    await clock.run(() => again.stop());
    const targets = await Promise.all(made.map(async (id) => (await again.posts.get(id)).targets[0]));
    expect(targets.map((target) => target?.status)).toEqual(["published", "published"]);
    expect(targets.flatMap((target) => target?.post_ids)).toEqual(sandbox.bluesky.posts().map(({ id }) => id));
    expect(shown(sandbox)).toHaveLength(6);
  });

  it("reports that a post may be live where it cannot be looked for", async () => {
    const { social, clock, sandbox } = service;
    const { id: profileId } = await connectWebhook(service);
    const scheduled_at = isoTime(clock.now() + 120_000);
    const create = { profile_ids: [profileId], text: "Once", scheduled_at };
    const { id } = await clock.run(() => social.posts.create(create));
    const backedUpAt = isoTime(clock.now());
    backUp();
    await runFor(social, 300);
    expect(sandbox.discord.posts()).toHaveLength(1);

    const again = restored();
    await clock.run(() => again.start({ restoredFrom: backedUpAt }));
    await runFor(again, 300);
    await clock.run(() => again.stop());
    const [target] = (await again.posts.get(id)).targets;
    expect(target).toMatchObject({ status: "failed", error: { code: "timeout" } });
    expect(target?.error?.message).toContain("backup");
    expect(sandbox.discord.posts()).toHaveLength(1);
  });

  it.each([
    ["text that is no time", "yesterday"],
    ["a time without a time zone", "2026-11-21T12:00:00"],
    ["a time in the future", "2099-01-01T00:00:00Z"],
    ["an invalid date", new Date(Number.NaN)],
  ])("rejects %s as its time", async (_, restoredFrom) => {
    const { social, clock } = service;
    const error = await failureOf(clock.run(() => social.start({ restoredFrom })));
    expect(error).toMatchObject({ code: "invalid_request", details: [{ field: "restoredFrom" }] });
  });
});
