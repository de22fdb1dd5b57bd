import { describe, expect, it } from "vitest";
import type { MediaStore } from "../../src/media/store/store.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { createSocialService, type SocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { join as joined, jpeg, text } from "../media/samples.ts";
import { expectAgreement, folderStore, hourMs, mediaRows, streamOf, type WatchedStore } from "../support/hosting.ts";
import { silentLogger } from "../support/logger.ts";
import { testBaseUrl, testKey } from "../support/service.ts";

/** A fault at one moment: the process dies there, before or after the call, or the call fails. */
type Fate = "dies" | "fails";

interface World {
  clock: ManualClock;
  storage: Storage;
  kept: WatchedStore;
}

interface Mortal {
  social: SocialService;
  died: Promise<void>;
  moments(): number;
  /** Closes the files of a dead process; the test's process lives on. */
  bury(): Promise<void>;
}

const broken = new Error("It is broken.");

/** A process with a fault at one moment. Each call to database and store has two: before and after. */
function createMortal({ clock, storage, kept }: World, fate: Fate = "dies", at: number | null = null): Mortal {
  let moment = 0;
  let isDead = false;
  let announce = (): void => {};
  const died = new Promise<void>((resolve) => {
    announce = resolve;
  });
  let bury = (): void => {};
  const grave = new Promise<never>((_, reject) => {
    bury = () => reject(new Error("It is dead."));
  });
  grave.catch(() => undefined);

  function pass(): Promise<never> | null {
    const isNow = moment === at;
    moment += 1;
    if (isNow && fate === "fails") throw broken;
    if (isNow) {
      isDead = true;
      announce();
    }
    return isDead ? grave : null;
  }

  async function through<Value>(call: () => Promise<Value>): Promise<Value> {
    await pass();
    const answer = await call();
    await pass();
    return answer;
  }

  const { store } = kept;
  const mortalStore: MediaStore = {
    put: (key, body, options) => through(() => store.put(key, breaking(body), options)),
    head: (key) => through(() => store.head(key)),
    read: (key, range) => through(async () => inMemory(await store.read(key, range))),
    delete: (key, options) => through(() => store.delete(key, options)),
    upload: async () => ({ upload_url: "https://store.example/put", headers: {} }),
  };

  /** A moment when half of the file is written. */
  function breaking(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    let pieces = 0;
    return body.pipeThrough(
      new TransformStream({
        async transform(piece, controller) {
          pieces += 1;
          if (pieces === 2) await pass();
          controller.enqueue(piece);
        },
      }),
    );
  }

  const { http, untrustedHttp } = createSandbox({ clock });
  const social = createSocialService({
    storage: { ...storage, write: (operations) => through(() => storage.write(operations)) },
    mediaStore: mortalStore,
    baseUrl: testBaseUrl,
    encryptionKey: testKey,
    clock,
    http,
    untrustedHttp,
    logger: silentLogger,
  });
  return {
    social,
    died,
    moments: () => moment,
    async bury() {
      bury();
      await clock.advance(0);
    },
  };
}

async function inMemory(stream: ReadableStream<Uint8Array> | null): Promise<ReadableStream<Uint8Array> | null> {
  return stream === null ? null : (await new Response(stream).blob()).stream();
}

/** A file longer than the part that identifies its type. */
const picture = joined(jpeg(200, 100).subarray(0, -2), new Uint8Array(200_000).fill(0x5a), jpeg(200, 100).subarray(-2));

const scenarios: [string, (social: SocialService, world: World) => Promise<unknown>][] = [
  ["a file is uploaded", ({ media }) => media.upload(streamOf(picture, 20_000))],
  ["a file of known length is uploaded", ({ media }) => media.upload(picture)],
  ["a file is refused after it was stored", ({ media }) => media.upload(picture.slice(0, -1))],
  ["a file that is none is refused", ({ media }) => media.upload(text("no picture"))],
  [
    "a file is uploaded and deleted",
    async ({ media }) => {
      const { url } = await media.upload(picture);
      await media.delete(url);
    },
  ],
  [
    "a file is sent to the store directly, and asked for",
    async ({ media }, { kept }) => {
      const { url } = await media.createUpload({ content_type: "image/jpeg", size_bytes: picture.length });
      const key = url.slice(`${testBaseUrl}/media/`.length);
      await kept.store.put(key, streamOf(picture), {
        contentType: "image/jpeg",
        sizeBytes: null,
        remember: async () => {},
      });
      await media.get(url);
    },
  ],
  [
    "an expired file is swept",
    async (social, { clock }) => {
      await social.media.upload(picture);
      await clock.sleep(25 * hourMs);
      await social.runDue();
    },
  ],
];

async function play(scenario: (typeof scenarios)[number][1], fate: Fate, at: number | null): Promise<number> {
  const clock = manualClock();
  const kept = folderStore();
  const world: World = { clock, storage: memoryStorage({ clock }), kept };
  const mortal = createMortal(world, fate, at);
  try {
    await clock.run(() => Promise.race([scenario(mortal.social, world).catch(() => undefined), mortal.died]));
    const moments = mortal.moments();
    const when = `${fate} at ${at}`;
    await expectAgreement(world.storage, kept, when);
    await recover(world);
    await expectAgreement(world.storage, kept, `${when}, swept`);
    expect(kept.names(), `what stays for ever, ${when}`).toEqual([]);
    expect(await mediaRows(world.storage), when).toEqual([]);
    return moments;
  } finally {
    await mortal.bury();
    kept.cleanup();
  }
}

/** Another process, and two days. */
async function recover(world: World): Promise<void> {
  const { social } = createMortal(world);
  for (let hours = 0; hours < 50; hours += 5) {
    await world.clock.advance(5 * hourMs);
    await world.clock.run(async () => void (await social.runDue()));
  }
}

describe.each(scenarios)("when %s", (what, scenario) => {
  it.each<Fate>(["dies", "fails"])("and the process %s at any moment, no file is left two days later", async (fate) => {
    const moments = await play(scenario, fate, null);
    // A file of another kind is rejected before any write.
    expect(moments > 8).toBe(!what.includes("that is none"));
    for (let at = 0; at < moments; at++) await play(scenario, fate, at);
  });
});
