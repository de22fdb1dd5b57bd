import { describe, expect, it } from "vitest";
import { createEvents } from "../../src/ports/events.ts";
import { randomIds } from "../../src/ports/ids.ts";
import type { EventPayloads } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { isConflictIn, type Operation, type Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { createOutbox } from "../../src/webhooks/outbox.ts";
import { connectMastodon } from "../support/connect.ts";
import { recordingLogger, silentLogger } from "../support/logger.ts";
import { profileEvent, type WebhookBench, webhookBench } from "../support/webhooks.ts";

/** A storage that records every write, and runs a callback before the first one that records a delivery. */
function watchedStorage() {
  const clock = manualClock();
  const storage = memoryStorage({ clock });
  const writes: Operation[][] = [];
  let interfere: (() => Promise<unknown>) | null = null;
  const isRecord = ({ kind, collection }: Operation): boolean => kind === "insert" && collection === "deliveries";
  const watched: Storage = {
    ...storage,
    async write(operations) {
      const meddler = interfere;
      if (meddler !== null && operations.some((each) => isRecord(each) || each.collection === "posts")) {
        interfere = null;
        await meddler();
      }
      await storage.write(operations);
      writes.push([...operations]);
    },
  };
  function interfereWith(work: () => Promise<unknown>): void {
    interfere = work;
  }
  return { clock, storage: watched, writes, interfereWith };
}

const touched = (operations: readonly Operation[]): string[] =>
  operations.map(({ kind, collection }) => `${kind} ${collection}`);

describe("an outcome", () => {
  it("is in one write with its deliveries and the due times of their endpoints", async () => {
    const { clock, storage, writes } = watchedStorage();
    const bench = webhookBench({ clock, storage });
    const profile = await connectMastodon(bench);
    await bench.endpoint("a");
    await bench.endpoint("b");
    writes.length = 0;
    await clock.run(() => bench.social.posts.create({ profile_ids: [profile.id], text: "Hello" }));
    const settling = writes.filter((operations) => touched(operations).includes("insert deliveries"));
    expect(settling.map(touched)).toEqual([
      [
        "check profiles",
        "update posts",
        "update targets",
        "update endpoints",
        "insert deliveries",
        "update endpoints",
        "insert deliveries",
      ],
    ]);
    expect(settling[0]?.[1]).toMatchObject({ change: { status: "published" } });
    expect(settling[0]?.[3]).toMatchObject({ change: { due_at: clock.now() } });
    expect(
      writes
        .flat()
        .filter((each) => each.collection === "posts" && "change" in each && each.change.status === "published"),
    ).toHaveLength(1);
  });

  it.each([
    ["connecting", "insert profiles"],
    ["breaking", "update profiles"],
    ["disconnecting", "update profiles"],
  ])("of a profile is in one write with its delivery: %s", async (what, first) => {
    const { clock, storage, writes } = watchedStorage();
    const bench = webhookBench({ clock, storage });
    await bench.endpoint("a");
    const { instance, access_token } = bench.sandbox.mastodon.addAccount({ username: "alice" });
    const { profiles } = bench.social;
    const { id } = await clock.run(() =>
      profiles.connect({ network: "mastodon", credentials: { instance, access_token } }),
    );
    if (what !== "connecting") writes.length = 0;
    if (what === "breaking") {
      bench.sandbox.mastodon.revoke(access_token);
      await clock.run(() => profiles.check(id));
    }
    if (what === "disconnecting") await clock.run(() => profiles.disconnect(id));
    const recording = writes.map(touched).filter((each) => each.includes("insert deliveries"));
    expect(recording).toEqual([[first, "update endpoints", "insert deliveries"]]);
  });
});

type Meddle = (bench: WebhookBench, endpointId: string) => Promise<unknown>;

/** The changes between the outbox's read and its write, and the number of deliveries afterwards. */
const meddlers: [string, Meddle, number][] = [
  ["is disabled", (bench, id) => bench.social.webhooks.update(id, { status: "disabled" }), 0],
  ["is deleted", (bench, id) => bench.social.webhooks.delete(id), 0],
  ["subscribes to something else", (bench, id) => bench.social.webhooks.update(id, { events: ["post.failed"] }), 0],
  ["subscribes to everything", (bench, id) => bench.social.webhooks.update(id, { events: [] }), 1],
  [
    "moves to another URL",
    (bench, id) => bench.social.webhooks.update(id, { url: bench.sandbox.receivers.url("b") }),
    1,
  ],
  ["gets a new secret", (bench, id) => bench.social.webhooks.rotateSecret(id), 1],
  [
    "is disabled and resumed",
    async ({ social }, id) => {
      await social.webhooks.update(id, { status: "disabled" });
      await social.webhooks.update(id, { status: "active" });
    },
    1,
  ],
];

describe("an endpoint that changes between the outbox's read and its write", () => {
  it.each(meddlers)(
    "gets the events of its subscription at the write, and the post is published: it %s",
    async (_, meddle, count) => {
      const { clock, storage, interfereWith } = watchedStorage();
      const bench = webhookBench({ clock, storage });
      const profile = await connectMastodon(bench);
      const { id } = await bench.endpoint("a", { events: ["post.published"] });
      const steady = await bench.endpoint("steady");
      let meddled = 0;
      const settles = (): void =>
        interfereWith(async () => {
          const posts = await storage.find("posts", { where: { status: "publishing" } });
          if (posts.total === 0) return settles();
          meddled += 1;
          await meddle(bench, id);
        });
      settles();
      const post = await clock.run(() => bench.social.posts.create({ profile_ids: [profile.id], text: "Hello" }));
      expect(meddled).toBe(1);
      expect(post.status).toBe("published");
      const { rows } = await storage.find("deliveries", { where: { webhook_id: id } });
      expect(rows).toHaveLength(count);
      expect(await bench.log(steady.id)).toHaveLength(1);
      await bench.deliver();
      expect(bench.taken().filter(({ receiver }) => receiver !== "steady")).toHaveLength(count);
    },
  );

  it("gets the next event when it is new", async () => {
    const { clock, storage, interfereWith } = watchedStorage();
    const bench = webhookBench({ clock, storage });
    await bench.endpoint("a");
    let late = "";
    interfereWith(async () => {
      late = (await bench.social.webhooks.create({ url: bench.sandbox.receivers.url("late") })).id;
    });
    await bench.happen(2);
    expect(await bench.log(late)).toHaveLength(1);
  });

  it("without end makes the outcome fail as a whole, not halfway", async () => {
    const { clock, storage, interfereWith } = watchedStorage();
    const bench = webhookBench({ clock, storage });
    const { id } = await bench.endpoint("a");
    let times = 0;
    const always = (): void =>
      interfereWith(async () => {
        times += 1;
        await bench.social.webhooks.update(id, { description: `${times}` });
        always();
      });
    always();
    const row = { id: "post_1", account_id: "default", created_at: "2026-11-21T12:00:00.000Z" };
    const operations: Operation[] = [{ kind: "insert", collection: "posts", row }];
    await expect(bench.outbox.write(operations, profileEvent(), clock.now())).rejects.toSatisfy((error) =>
      isConflictIn("endpoints", error),
    );
    expect(times).toBe(21);
    expect(await storage.get("posts", "post_1")).toBeNull();
    expect((await storage.find("deliveries", { where: {} })).total).toBe(0);
  });
});

/** Never applied. */
const impossible: Operation = { kind: "check", collection: "posts", id: "post_1", where: {} };

/** An outbox over one endpoint, with a listener. */
async function heardOutbox(
  listener: (payload: EventPayloads["profile.connected"]) => unknown,
  logger = recordingLogger(),
) {
  const { storage, clock, endpoint } = webhookBench();
  const { id } = await endpoint("a");
  const events = createEvents<EventPayloads>(logger);
  events.on("profile.connected", listener);
  const woken: [number, string][] = [];
  const wake = (at: number, key: string): void => void woken.push([at, key]);
  const outbox = createOutbox({ storage, ids: randomIds, events, wake });
  const count = async (): Promise<number> => (await storage.find("deliveries", { where: {} })).total;
  return { storage, clock, outbox, endpointId: id, woken, count, logger };
}

describe("an outcome that cannot be written", () => {
  it("is tried once, and not again", async () => {
    const { clock, storage, interfereWith } = watchedStorage();
    const bench = webhookBench({ clock, storage });
    await bench.endpoint("a");
    let times = 0;
    const count = (): void =>
      interfereWith(async () => {
        times += 1;
        count();
      });
    count();
    await expect(bench.outbox.write([impossible], profileEvent(), clock.now())).rejects.toSatisfy((error) =>
      isConflictIn("posts", error),
    );
    expect(times).toBe(1);
  });
});

describe("the host's listeners", () => {
  it("are called after the commit", async () => {
    let found: Promise<number> | null = null;
    const heard = await heardOutbox(() => {
      found = heard.count();
    });
    await heard.outbox.write([], profileEvent(), heard.clock.now());
    expect(await found).toBe(1);
    expect(heard.woken).toEqual([[heard.clock.now(), heard.endpointId]]);
  });

  it("are not called for an outcome that was not written", async () => {
    let calls = 0;
    const heard = await heardOutbox(() => {
      calls += 1;
    });
    await expect(heard.outbox.write([impossible], profileEvent(), 0)).rejects.toSatisfy((error) =>
      isConflictIn("posts", error),
    );
    expect([calls, await heard.count(), heard.woken]).toEqual([0, 0, []]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("oops");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("oops");
      },
    ],
  ])("cause no failure when one %s", async (_, listener) => {
    const heard = await heardOutbox(listener);
    await heard.outbox.write([], profileEvent(), heard.clock.now());
    await new Promise((resolve) => setImmediate(resolve));
    expect(await heard.count()).toBe(1);
    expect(heard.logger.lines).toEqual([expect.stringContaining("a listener threw")]);
  });

  it("change no delivery when they change their payload", async () => {
    const heard = await heardOutbox((payload) => {
      payload.profile.name = "Mallory";
    });
    const event = profileEvent();
    await heard.outbox.write([], event, heard.clock.now());
    expect(event.payload).toMatchObject({ profile: { name: "Mallory" } });
    const { rows } = await heard.storage.find("deliveries", { where: {} });
    expect(JSON.stringify(rows)).toContain("Alice");
    expect(JSON.stringify(rows)).not.toContain("Mallory");
  });

  it("get events that no endpoint is subscribed to", async () => {
    const storage = memoryStorage({ clock: manualClock() });
    const events = createEvents(silentLogger);
    const heard: unknown[] = [];
    events.on("profile.connected", (payload) => heard.push(payload));
    const outbox = createOutbox({ storage, ids: randomIds, events, wake: () => {} });
    await outbox.write([], profileEvent(), 0);
    await outbox.write([], null, 0);
    expect(heard).toEqual([profileEvent().payload]);
  });
});
