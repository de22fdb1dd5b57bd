import { beforeEach, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import type { Scheduler } from "../../src/scheduler/scheduler.ts";
import type { SocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { connectMastodon } from "../support/connect.ts";
import { createProcess, type SimulatedProcess } from "../support/process.ts";

const hourMs = 3_600_000;
/** Alarms ring in the process that made a post: these tests are about what several find. */
const deaf: Scheduler = { start: async () => {}, wake: () => {}, stop: async () => {} };

let clock: ManualClock;
let sandbox: Sandbox;
let storage: Storage;
/** The processes that asked for a file, one for each time. */
let askedBy: string[];
/** How long the host of files takes, milliseconds. */
let fileTakesMs: number;

beforeEach(() => {
  clock = manualClock();
  sandbox = createSandbox({ clock });
  storage = memoryStorage({ clock });
  askedBy = [];
  fileTakesMs = 0;
});

function createWorker(name: string, { store = storage }: { store?: Storage } = {}): SimulatedProcess {
  const untrustedHttp: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url.endsWith(".png")) {
      askedBy.push(name);
      await clock.sleep(fileTakesMs);
    }
    return sandbox.untrustedHttp(input, init);
  };
  return createProcess({ storage: store, sandbox, clock, service: { untrustedHttp, scheduler: deaf } });
}

function scheduleFor(social: SocialService, profileId: string, { text, media }: { text: string; media?: string[] }) {
  const scheduled_at = new Date(clock.now() + hourMs).toISOString();
  return clock.run(() =>
    social.posts.create({ profile_ids: [profileId], text, scheduled_at, ...(media && { media }) }),
  );
}

const shownTexts = (): string[] => sandbox.mastodon.posts().map(({ text }) => text);

describe("a due post", () => {
  it("is started by one of several processes, also while that takes longer than a claim lasts", async () => {
    const [one, other] = [createWorker("one"), createWorker("other")];
    const { id } = await connectMastodon({ social: one.social, sandbox, clock });
    await scheduleFor(one.social, id, { text: "Hello", media: [sandbox.media.put("file.png", png(8, 8))] });
    await clock.run(() => one.social.start());
    await clock.advance(500);
    await clock.run(() => other.social.start());
    askedBy = [];
    fileTakesMs = 9_000;
    await clock.advance(hourMs + 8_000);
    expect(askedBy).toHaveLength(1);
    await clock.advance(30_000);
    expect(new Set(askedBy).size).toBe(1);
    expect(shownTexts()).toEqual(["Hello"]);
  });

  it("that a process was starting when it died goes out within 30 s", async () => {
    const dying = createWorker("dying");
    const { id } = await connectMastodon({ social: dying.social, sandbox, clock });
    await scheduleFor(dying.social, id, { text: "Hello", media: [sandbox.media.put("file.png", png(8, 8))] });
    await clock.run(() => dying.social.start());
    askedBy = [];
    fileTakesMs = 1_000;
    await clock.advance(hourMs + 900);
    expect(askedBy).toEqual(["dying"]);
    dying.kill();
    fileTakesMs = 0;
    const heir = createWorker("heir");
    await clock.run(() => heir.social.start());
    await clock.advance(20_000);
    expect(shownTexts()).toEqual([]);
    await clock.advance(9_000);
    expect(shownTexts()).toEqual(["Hello"]);
    await clock.run(() => heir.social.stop());
  });

  it("that a process is starting can still be changed, and goes out as it was changed", async () => {
    const { social } = createWorker("one");
    const { id } = await connectMastodon({ social, sandbox, clock });
    const post = await scheduleFor(social, id, { text: "Old", media: [sandbox.media.put("file.png", png(8, 8))] });
    await clock.run(() => social.start());
    fileTakesMs = 9_000;
    await clock.advance(hourMs + 100);
    await clock.run(() => social.posts.update(post.id, { text: "New", media: [] }));
    await clock.advance(30_000);
    expect(shownTexts()).toEqual(["New"]);
    await clock.run(() => social.stop());
  });

  it("goes out once where the storage cannot claim posts", async () => {
    const { claimPosts: _, ...store } = storage;
    const [one, other] = [createWorker("one", { store }), createWorker("other", { store })];
    const { id } = await connectMastodon({ social: one.social, sandbox, clock });
    for (const text of ["a", "b", "c"]) await scheduleFor(one.social, id, { text });
    for (const { social } of [one, other]) await clock.run(() => social.start());
    await clock.advance(hourMs + 2_000);
    expect(shownTexts().sort()).toEqual(["a", "b", "c"]);
    for (const { social } of [one, other]) await clock.run(() => social.stop());
  });
});

describe("a backlog", () => {
  it("that several processes start goes out on a profile one post a minute", async () => {
    const workers = ["one", "other", "third"].map((name) => createWorker(name));
    const [first] = workers;
    if (first === undefined) throw new Error("There is no worker.");
    const { id } = await connectMastodon({ social: first.social, sandbox, clock });
    for (let number = 0; number < 6; number++) await scheduleFor(first.social, id, { text: `post ${number}` });
    await clock.advance(2 * hourMs);
    await clock.run(() => Promise.all(workers.map(({ social }) => social.runDue({ atMost: 2 }))));
    for (const { social } of workers) await clock.run(() => social.start());
    const shown: number[] = [];
    for (let minute = 0; minute < 6; minute++) {
      await clock.advance(3_000);
      shown.push(shownTexts().length);
      await clock.advance(57_000);
    }
    expect(shown).toEqual([1, 2, 3, 4, 5, 6]);
    for (const { social } of workers) await clock.run(() => social.stop());
  });
});
