import { describe, expect, it } from "vitest";
import type { CommitBody, CommitRequest } from "../../src/networks/contract/commit.ts";
import type { MediaSource, StoredFile } from "../../src/networks/contract/plan.ts";
import { type CommitRules, readBackRules } from "../../src/networks/contract/publish.ts";
import type { FileSlice, NetworkResponse } from "../../src/networks/contract/request.ts";
import { createAppLimits } from "../../src/networks/runtime/app-limits.ts";
import { type Exchange, TransportFailure } from "../../src/outbound/http.ts";
import { commitPart, replayIntent } from "../../src/sending/commit.ts";
import { hashOfBody, type IntentRow, type Keys, settledKeptMs, sha256 } from "../../src/sending/intent.ts";
import type { PartRun } from "../../src/sending/part-run.ts";
import { recordPossibleSend } from "../../src/sending/restored.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Operation, Where } from "../../src/storage/storage.ts";
import { fromRow, toRow } from "../../src/storage/typed.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { PublishingError } from "../../src/wire/errors.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { LeaseLost } from "../../src/work/lease.ts";

const now = Date.parse("2026-11-22T12:00:00.000Z");
const picture = new TextEncoder().encode("a picture");
const yes = { status: 200, headers: new Headers(), body: { id: "1" } } as NetworkResponse;

interface Given {
  /** The network's response, or the error of the exchange. */
  send?: (exchange: Exchange) => Promise<NetworkResponse>;
  rules?: Partial<CommitRules>;
  /** True: the request holds an image. */
  withFile?: boolean;
  body?: (key: string) => CommitBody;
  readMedia?: PartRun["ports"]["readMedia"];
  /** True: the image is kept in the media store. */
  stored?: StoredFile;
  /** The URL to which `sign` sends the request. */
  url?: string;
  /** True: another process has claimed the profile. */
  isLost?: boolean;
  hasSlept?: boolean;
  /** How far the wall clock advances while the intent is written, milliseconds. */
  writeTakesMs?: number;
}

function withFile(json: JsonObject): CommitBody {
  return {
    multipart: [
      { name: "payload", json },
      { name: "f", filename: "f.png", media: 0 },
    ],
  };
}

/** One part about to be committed, over a store that holds its profile. */
async function bench(given: Given = {}) {
  const storage = memoryStorage();
  await storage.write([{ kind: "insert", collection: "profiles", row: { id: "prof_1", epoch: given.isLost ? 2 : 1 } }]);
  const check: Operation = { kind: "check", collection: "profiles", id: "prof_1", where: { epoch: 1 } };
  const sent: Exchange[] = [];
  const made: string[] = [];
  const noted: string[] = [];
  const begun: { id: string; ms: number; where?: Where }[] = [];
  const inserted = new Map<string, IntentRow>();
  const ended: string[] = [];
  let wall = now;
  const requestWith = (key: string): CommitRequest => ({
    method: "POST",
    url: "https://social.example/posts",
    body: given.body?.(key) ?? (given.withFile ? withFile({ text: "Hello", key }) : { json: { text: "Hello", key } }),
  });
  const run = {
    ports: {
      storage,
      clock: { ...manualClock(), now: () => wall, monotonic: () => 0 },
      ids: {
        create: (kind: string) => `${kind}_${made.push(kind)}`,
        bytes: (length: number) => new Uint8Array(length),
      },
      sentHere: { note: (id: string) => void noted.push(id) },
      pace: async () => {},
      session: {
        appLimits: createAppLimits(),
        openMedia: async (_source: MediaSource, { slice }: { slice?: FileSlice }) => {
          const bytes = picture.subarray(slice?.from, slice?.to);
          return { stream: new Blob([bytes.slice()]).stream(), size_bytes: bytes.length };
        },
      },
      readMedia: given.readMedia ?? (async (_source, { slice }) => picture.subarray(slice?.from, slice?.to)),
      outbound: {
        timeAt: (host: string) => now + (host === "social.example" ? 3_000 : 0),
        async send(exchange: Exchange) {
          exchange.beforeSending?.();
          sent.push(exchange);
          return (given.send ?? (async () => yes))(exchange);
        },
      },
    },
    lease: {
      id: "prof_1",
      now: () => now,
      hasClockJumped: () => given.hasSlept === true,
      check: () => check,
      ensure: async () => {},
      async beginRequest(id: string, ms: number, alongside: { operations: Operation[]; where?: Where }) {
        begun.push({ id, ms, ...alongside });
        wall += given.writeTakesMs ?? 0;
        await storage.write([check, ...alongside.operations]);
        for (const operation of alongside.operations)
          if (operation.kind === "insert") inserted.set(operation.row.id, fromRow<IntentRow>(operation.row));
      },
      endRequest<Value>(id: string, write: (shortening: Operation[]) => Promise<Value>) {
        ended.push(id);
        return write([]);
      },
    },
    adapter: {
      spec: { network: "network", name: "Network", hosts: ["social.example"], media: { types: [] } },
      connect: { sign: (request: object) => ({ ...request, url: given.url ?? "https://social.example/posts" }) },
      errors: { body: undefined, rows: [] },
    },
    credentials: {
      outlive: async () => {},
      secret: () => ({}),
      profile: () => ({ external_id: "account", account_id: "default", private: { host: null } }),
    },
    publisher: {
      rules: { ...readBackRules, replaySeconds: 100, ...given.rules },
      media: [{ url: "https://media.example/f.png", mime_type: "image/png", stored: given.stored }],
      keys: (_count: number, bodyHash: string) => [`key of ${bodyHash.slice(0, 8)}`],
      requestFor: ([key]: Keys) => ({
        staged: [{}],
        request: () => requestWith(key),
        accepted: () => ({ live: { id: "1", url: null, ref: null } }),
      }),
    },
    index: 0,
    subjectId: "tgt_1",
    guard: () => [],
    unresolvedIntents: [],
  } as unknown as PartRun;

  async function stored(id: string): Promise<IntentRow> {
    return fromRow<IntentRow>((await storage.get("intents", id)) ?? expect.unreachable());
  }
  /** As it was stored before its request was sent. */
  function opened(id: string): Required<IntentRow["private"]> {
    return (inserted.get(id) ?? expect.unreachable()).private as Required<IntentRow["private"]>;
  }
  return { run, storage, sent, made, noted, begun, ended, stored, opened };
}

async function textOf(exchange: Exchange | undefined): Promise<string> {
  const { content = new Uint8Array() } = exchange?.body ?? {};
  return new Response("stream" in content ? content.stream : content.slice()).text();
}

const bodyHash = (): string => hashOfBody({ json: { text: "Hello", key: "" } }, []);
const key = `key of ${bodyHash().slice(0, 8)}`;

describe("a commit", () => {
  it("is on record before its first byte, and with its response after the last", async () => {
    const { run, sent, made, noted, begun, ended, stored, opened } = await bench({
      async send() {
        expect(await stored("intent_1")).toMatchObject({
          state: "open",
          number: 3,
          private: { key, send_by: now + 5_000, other_clocks: { machine: now, network: now + 3_000 } },
        });
        return yes;
      },
    });
    const recorded = await commitPart(run, { number: 3, until: null });
    expect(recorded).toMatchObject({ id: "intent_1", profile_id: "prof_1", subject_id: "tgt_1", state: "accepted" });
    expect(opened("intent_1").body).toEqual({ json: { text: "Hello", key } });
    const settled = await stored("intent_1");
    expect([settled.state, settled.due_at]).toEqual(["accepted", now + settledKeptMs]);
    expect(Object.keys(settled.private)).not.toContain("body");
    expect([made, noted]).toEqual([["intent", "publication"], ["intent_1"]]);
    expect(begun).toMatchObject([{ id: "intent_1", ms: 30_000, where: { status: "connected" } }]);
    expect(ended).toEqual(["intent_1"]);
    expect(sent).toMatchObject([{ method: "POST", hardEndMs: 30_000, trust: "fixed" }]);
    expect(new TextDecoder().decode(sent[0]?.body?.content as Uint8Array)).toBe(JSON.stringify({ text: "Hello", key }));
  });

  it("is neither written nor sent once its time is over", async () => {
    const { run, storage, sent } = await bench();
    expect(await commitPart(run, { number: 1, until: now - 1 })).toBe("too_late");
    expect((await storage.find("intents", { where: {} })).rows).toEqual([]);
    expect(sent).toEqual([]);
    expect(await commitPart(run, { number: 1, until: now })).toMatchObject({ state: "accepted" });
  });

  it("sends its files beside the fields, and hashes both", async () => {
    const { run, sent, opened } = await bench({ withFile: true });
    await commitPart(run, { number: 1, until: null });
    const hashes = [sha256(picture)];
    const record = opened("intent_1");
    const drafted = hashOfBody(withFile({ text: "Hello", key: "" }), hashes);
    expect(record.key).toBe(`key of ${drafted.slice(0, 8)}`);
    expect(record.body).toEqual(withFile({ text: "Hello", key: record.key }));
    expect(record.hash).toBe(hashOfBody(record.body, hashes));
    const body = new TextDecoder().decode(sent[0]?.body?.content as Uint8Array);
    expect(body).toContain('name="payload"');
    expect(body).toContain('name="f"; filename="f.png"');
    expect(body).toContain("a picture");
  });

  it("sends a form where the network expects one, and stores the form as sent", async () => {
    const { run, sent, opened } = await bench({ body: (given) => ({ form: { creation_id: "17", key: given } }) });
    await commitPart(run, { number: 1, until: null });
    const record = opened("intent_1");
    expect(record.body).toEqual({ form: { creation_id: "17", key: record.key } });
    const body = sent[0]?.body;
    expect(body?.contentType).toBe("application/x-www-form-urlencoded");
    expect(Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body?.content as Uint8Array)))).toEqual({
      creation_id: "17",
      key: record.key,
    });
  });

  it("sends texts and files as multipart fields where the network does not accept JSON", async () => {
    const multipart = [
      { name: "caption", value: "Hello" },
      { name: "source", filename: "f.png", media: 0 },
    ];
    const { run, sent } = await bench({ body: () => ({ multipart }) });
    await commitPart(run, { number: 1, until: null });
    const body = new TextDecoder().decode(sent[0]?.body?.content as Uint8Array);
    expect(body).toContain('name="caption"\r\n\r\nHello\r\n');
    expect(body).toContain('name="source"; filename="f.png"\r\nContent-Type: image/png\r\n\r\na picture\r\n');
  });

  const slice: CommitBody = { slice: { media: 0, from: 2, to: 6 } };
  const stored = { key: "a/b" };

  it.each([
    ["at a URL", {}, sha256(picture.subarray(2, 6))],
    ["kept", { stored }, sha256("a/b 2-6")],
  ])("sends a slice of a file that is %s, and hashes the slice", async (_where, given, hash) => {
    const { run, sent, ...at } = await bench({ body: () => slice, ...given });
    await commitPart(run, { number: 1, until: null });
    const [exchange] = sent;
    expect(exchange?.body?.contentType).toBe("image/png");
    expect(await textOf(exchange)).toBe("pict");
    const record = at.opened("intent_1");
    expect([record.body, record.hash]).toEqual([slice, hashOfBody(slice, [hash])]);
  });

  it("does not read a kept file before it sends it, and hashes the file's key", async () => {
    const readMedia = () => expect.unreachable();
    const { run, sent, ...at } = await bench({ withFile: true, stored, readMedia });
    await commitPart(run, { number: 1, until: null });
    const record = at.opened("intent_1");
    expect(record.hash).toBe(hashOfBody(record.body, [sha256("a/b")]));
    expect(sent[0]?.body?.content).toMatchObject({ sizeBytes: expect.any(Number) });
    expect(await textOf(sent[0])).toContain("a picture");
  });

  it("reaches no host but the network's: no intent is written for another host", async () => {
    const { run, storage, sent } = await bench({ url: "https://elsewhere.example/posts" });
    await expect(commitPart(run, { number: 1, until: null })).rejects.toThrow("elsewhere.example");
    expect([sent, (await storage.find("intents", { where: {} })).total]).toEqual([[], 0]);
  });

  it.each([
    ["not_sent", "not_sent"],
    ["timeout", "unknown"],
    ["unknown", "unknown"],
  ] as const)("whose request failed as %s leaves the intent %s", async (kind, state) => {
    const { run, stored } = await bench({ send: () => Promise.reject(new TransportFailure(kind, "It broke off.")) });
    expect(await commitPart(run, { number: 1, until: null })).toMatchObject({ state });
    expect(await stored("intent_1")).toMatchObject({ state, private: { message: "It broke off." } });
  });

  it("rethrows an error that the transport did not cause", async () => {
    const { run, stored } = await bench({ send: () => Promise.reject(new Error("a fault of ours")) });
    await expect(commitPart(run, { number: 1, until: null })).rejects.toThrow("a fault of ours");
    expect((await stored("intent_1")).state).toBe("open");
  });

  it.each([
    ["the clocks have parted", { hasSlept: true }, true],
    ["the wall clock advanced by more than the limit", { writeTakesMs: 5_001 }, true],
    ["the write took exactly the limit", { writeTakesMs: 5_000 }, false],
  ])("is called off before its first byte when %s", async (_what, given, isCalledOff) => {
    const { run, sent } = await bench(given);
    const committed = commitPart(run, { number: 1, until: null });
    if (isCalledOff) await expect(committed).rejects.toThrow("was paused");
    else await committed;
    expect(sent).toHaveLength(isCalledOff ? 0 : 1);
  });
});

/** An intent that lost its response, as the store holds it. */
async function lost(given: Given, change: Partial<IntentRow["private"]> = {}) {
  const at = await bench({ ...given, send: () => Promise.reject(new TransportFailure("timeout", "No answer.")) });
  await commitPart(at.run, { number: 1, until: null });
  const row = await at.stored("intent_1");
  const intent: IntentRow = { ...row, private: { ...row.private, ...change } };
  await at.storage.write([
    { kind: "delete", collection: "intents", id: row.id },
    { kind: "insert", collection: "intents", row: toRow(intent) },
  ]);
  at.sent.length = 0;
  return { ...at, intent };
}

describe("a repetition", () => {
  it("sends the stored body, after its new end is on record", async () => {
    const { run, intent, sent, stored, begun, ended } = await lost(
      { withFile: true },
      { opened_at: now - 20_000, hard_end: now },
    );
    await replayIntent(run, intent);
    expect((await stored("intent_1")).private.hard_end).toBe(now + 5_000 + 30_000);
    expect(ended).toEqual(begun.map(({ id }) => id));
    expect(begun.at(-1)).toMatchObject({
      id: "intent_1",
      ms: 30_000,
      operations: [{ kind: "update", collection: "intents", id: "intent_1", where: { state: "unknown" } }],
    });
    expect(sent).toHaveLength(1);
    expect(new TextDecoder().decode(sent[0]?.body?.content as Uint8Array)).toContain(intent.private.key);
  });

  it("sends no files where its intent had none, whatever the part would become today", async () => {
    const { run, intent, sent } = await lost({});
    const today = run.publisher.requestFor(["key"]);
    const request = () => ({ ...today.request(), body: withFile({ text: "Hello" }) });
    await replayIntent({ ...run, publisher: { ...run.publisher, requestFor: () => ({ ...today, request }) } }, intent);
    expect(sent).toMatchObject([{ body: { contentType: "application/json" } }]);
  });

  it.each([
    ["has changed", async () => new TextEncoder().encode("another picture")],
    ["is gone", () => Promise.reject(new PublishingError("media_error", "There is no such file."))],
  ])("is never sent when its file %s", async (_what, readMedia) => {
    const { run, intent, sent, stored } = await lost({ withFile: true });
    await replayIntent({ ...run, ports: { ...run.ports, readMedia } }, intent);
    expect(sent).toEqual([]);
    expect(await stored("intent_1")).toMatchObject({
      state: "unknown",
      private: { message: expect.stringContaining("cannot be sent again"), replay_at: null },
    });
  });

  it("is not sent when its file is no longer kept", async () => {
    const { run, intent, sent, ...at } = await lost({ withFile: true, stored: { key: "a" } });
    const openMedia = () => Promise.reject(new PublishingError("media_error", "It is no longer in the media store."));
    await replayIntent({ ...run, ports: { ...run.ports, session: { ...run.ports.session, openMedia } } }, intent);
    expect(sent).toEqual([]);
    expect((await at.stored("intent_1")).private.message).toContain("cannot be sent again");
  });

  it("does not mistake an error of ours for a missing file", async () => {
    const { run, intent } = await lost({ withFile: true });
    const readMedia = () => Promise.reject(new Error("a fault of ours"));
    await expect(replayIntent({ ...run, ports: { ...run.ports, readMedia } }, intent)).rejects.toThrow(
      "a fault of ours",
    );
  });

  it("that was not sent leaves its intent unknown", async () => {
    const { run, intent, stored } = await lost({});
    const send = () => Promise.reject(new TransportFailure("not_sent", "It could not be reached."));
    const ports = { ...run.ports, outbound: { ...run.ports.outbound, send } };
    expect(await replayIntent({ ...run, ports }, intent)).toMatchObject({ state: "unknown" });
    expect((await stored("intent_1")).state).toBe("unknown");
  });

  it.each([
    [100_000, false],
    [100_001, true],
  ])("begun %i ms after its intent, under a key that the network remembers for 100 s", async (ageMs, isCalledOff) => {
    const { run, intent, sent } = await lost({}, { opened_at: now - ageMs });
    const replayed = replayIntent(run, intent).catch((error: unknown) => error);
    expect(String(await replayed).includes("was paused")).toBe(isCalledOff);
    expect(sent).toHaveLength(isCalledOff ? 0 : 1);
  });
});

describe("a request that a restored store does not contain", () => {
  it("is put on record as one whose response was lost", async () => {
    const { run, made, stored } = await bench();
    const supposed = await recordPossibleSend(run, 4, now - 60_000);
    expect(made).toEqual(["intent"]);
    expect(supposed).toMatchObject({
      state: "unknown",
      number: 4,
      private: {
        is_restored: true,
        replay_at: null,
        unknown_since: now,
        hard_end: now,
        opened_at: now - 60_000,
        message: expect.stringContaining("restored from a backup"),
      },
    });
    expect(await stored(supposed.id)).toEqual(supposed);
  });

  it("is not put on record by a process that no longer holds the profile", async () => {
    const { run, storage } = await bench({ isLost: true });
    await expect(recordPossibleSend(run, 1, now)).rejects.toThrow(LeaseLost);
    expect((await storage.find("intents", { where: {} })).total).toBe(0);
  });
});
