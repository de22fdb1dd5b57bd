import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bluesky } from "../src/networks/bluesky/index.ts";
import { systemClock } from "../src/ports/clock.ts";
import { createSandbox, type Sandbox } from "../src/sandbox/sandbox.ts";
import { type ServedSandbox, serveSandbox } from "../src/sandbox/serve.ts";
import { createSocialService, type SocialService } from "../src/service.ts";
import { memoryStorage } from "../src/storage/memory.ts";
import { sqliteStorage } from "../src/storage/sqlite/index.ts";
import { manualClock } from "../src/testing/clock.ts";
import { type BuiltProgram, buildProgram } from "./support/built-programs.ts";
import { commitOf } from "./support/commit-watch.ts";
import { connectBluesky } from "./support/connect.ts";
import { silentLogger } from "./support/logger.ts";
import { createProcess } from "./support/process.ts";
import type { UntilSigtermMessage } from "./support/publisher-until-sigterm.ts";
import { testKey } from "./support/service.ts";

describe("SIGTERM in the middle of a publication", () => {
  let publisher: BuiltProgram;
  let folder: string;
  let sandbox: Sandbox;
  let line: ServedSandbox;
  let child: ChildProcess;
  /** The fault of a publishing request, before it is carried out. */
  let onCommit: () => Promise<unknown>;

  beforeAll(async () => {
    publisher = await buildProgram(new URL("support/publisher-until-sigterm.ts", import.meta.url));
  });
  afterAll(() => publisher.remove());

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "postrider-stop-"));
    sandbox = createSandbox();
    onCommit = async () => undefined;
    line = await serveSandbox(async (input, init) => {
      const request = new Request(input, init);
      if (commitOf(sandbox, request) !== null) await onCommit();
      return sandbox.http(request);
    });
  });

  afterEach(async () => {
    child?.kill("SIGKILL");
    await line.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function said(word: UntilSigtermMessage): Promise<void> {
    return new Promise((resolve) => {
      child.on("message", (message) => {
        if (message === word) resolve();
      });
    });
  }

  function openService(): SocialService {
    // Two minutes behind the child: a post that is scheduled soon is due there already.
    const clock = { ...systemClock, now: () => systemClock.now() - 120_000 };
    return createSocialService({
      clock,
      storage: sqliteStorage(join(folder, "social.db"), { clock }),
      networks: [bluesky()],
      encryptionKey: testKey,
      http: sandbox.http,
      untrustedHttp: sandbox.untrustedHttp,
      logger: silentLogger,
    });
  }

  it.each(["was scheduled", "is sent at once"])("lets a post that %s finish, then the process ends", async (how) => {
    const social = openService();
    const { handle, password } = sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
    const credentials = { identifier: handle, app_password: password };
    const { id } = await social.profiles.connect({ network: "bluesky", credentials });
    const body = { profile_ids: [id], text: "Once", idempotency_key: "only once" };
    if (how === "was scheduled") {
      await social.posts.create({ ...body, scheduled_at: new Date(systemClock.now() - 30_000).toISOString() });
    }

    child = fork(publisher.path, [join(folder, "social.db"), line.url], { execArgv: [] });
    const ended = once(child, "exit");
    const ending = said("ending");
    onCommit = () => {
      child.kill("SIGTERM");
      return ending;
    };
    await said("ready");
    if (how === "is sent at once") child.send(body);
    expect(await ended).toEqual([0, null]);

    const { data } = await social.posts.list();
    expect(data).toMatchObject([{ status: "published", targets: [{ status: "published", attempts: 1 }] }]);
    expect(sandbox.bluesky.posts().map((post) => post.id)).toEqual(data[0]?.targets[0]?.post_ids);
  });
});

it("a stop whose grace period ends hands over: the next process finds the post's outcome", async () => {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  const shared = { clock, sandbox, storage: memoryStorage({ clock }) };
  const first = createProcess(shared);
  const { id } = await connectBluesky({ ...shared, social: first.social });
  sandbox.bluesky.faults.add({ kind: "accept_late", seconds: 40, operation: "commit" });
  await first.social.start();
  void first.social.posts.create({ profile_ids: [id], text: "Once" });
  await clock.advance(100);
  const stoppedAt = clock.monotonic();
  await clock.run(() => first.social.stop(3_000));
  expect(clock.monotonic() - stoppedAt).toBe(3_000);
  first.kill();

  const next = createProcess(shared);
  await next.social.start();
  await clock.advance(600_000);
  await clock.run(() => next.social.stop());
  expect(sandbox.bluesky.posts()).toHaveLength(1);
  expect((await next.social.posts.list()).data).toMatchObject([{ status: "published" }]);
});
