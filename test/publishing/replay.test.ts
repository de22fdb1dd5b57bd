import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { memoryMediaStore } from "../../src/media/memory.ts";
import type { MediaStore } from "../../src/media/store/store.ts";
import type { FaultKind } from "../../src/sandbox/faults.ts";
import { png } from "../media/samples.ts";
import { createTestService, type TestService } from "../support/service.ts";

/** The content of a publishing request. */
interface Sent {
  nonce: string;
  content: string;
  files: string[];
}

interface Desk extends TestService {
  sent: Sent[];
  url: string;
  /** Publishes a text with an image, and runs until no work is left. */
  publish(): Promise<{ status: string; error: unknown }>;
}

/**
 * A bot on Discord, where a repetition under the same nonce is dropped. `mediaStore`: keeps files
 * before they are sent.
 */
function desk({ mediaStore }: { mediaStore?: MediaStore } = {}): Desk {
  const sent: Sent[] = [];
  const http: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.method === "POST" && request.url.endsWith("/messages")) sent.push(await read(request.clone()));
    return service.sandbox.http(request);
  };
  const service = createTestService({ http, mediaStore });
  const { social, clock, sandbox } = service;
  const url = sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" });
  return {
    ...service,
    sent,
    url,
    async publish() {
      const credentials = { bot_token: sandbox.discord.addBot(), channel_id: sandbox.discord.addChannel() };
      const profile = await clock.run(() => social.profiles.connect({ network: "discord", credentials }));
      const post = { profile_ids: [profile.id], text: "Hello", media: [{ url, alt: "a dot" }] };
      const { id } = await clock.run(() => social.posts.create(post));
      for (let looks = 0; looks < 30; looks++) {
        await clock.advance(20_000);
        await clock.run(() => social.runDue());
      }
      const [target] = (await social.posts.get(id)).targets;
      return { status: target?.status ?? "none", error: target?.error };
    },
  };
}

async function read(request: Request): Promise<Sent> {
  const form = await request.formData();
  const { nonce, content } = JSON.parse(await partOf(form, "payload_json")) as { nonce: string; content: string };
  const files: string[] = [];
  for (const value of form.values())
    if (typeof value !== "string" && value.type !== "application/json") files.push(await hexOf(value));
  return { nonce, content, files };
}

async function partOf(form: FormData, name: string): Promise<string> {
  const value = form.get(name);
  return value === null || typeof value === "string" ? String(value) : value.text();
}

async function hexOf(file: Blob): Promise<string> {
  return Buffer.from(await file.arrayBuffer()).toString("hex");
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

describe("a request whose response was lost, under a key that drops repetitions", () => {
  it.each<[string, FaultKind]>([
    ["that never arrived", { kind: "drop_before" }],
    ["that was carried out", { kind: "drop_after" }],
  ])("goes out again, with the same bytes and files: one %s", async (_, fault) => {
    const { sandbox, sent, publish } = desk();
    sandbox.discord.faults.add({ ...fault, operation: "commit" });
    expect(await publish()).toEqual({ status: "published", error: null });
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    expect(sent[0]).toMatchObject({ content: "Hello", files: [hex(png(8, 8))] });
    expect(sandbox.discord.posts()).toHaveLength(1);
  });

  it("does not go out with a file that has changed: a look searches for the lost one, then it goes out under another key", async () => {
    const { sandbox, sent, publish } = desk();
    sandbox.discord.faults.add({ kind: "drop_before", operation: "commit" });
    changeAfterFirst(sent, () => sandbox.media.put("picture.png", png(9, 9), { contentType: "image/png" }));
    expect(await publish()).toEqual({ status: "published", error: null });
    expect(sent.map(({ files }) => files)).toEqual([[hex(png(8, 8))], [hex(png(9, 9))]]);
    expect(sent[1]?.nonce).not.toBe(sent[0]?.nonce);
    expect(sandbox.discord.posts()).toHaveLength(1);
  });

  it("does not go out with a file that has changed where it was carried out: the first image stays", async () => {
    const { sandbox, sent, publish } = desk();
    sandbox.discord.faults.add({ kind: "drop_after", operation: "commit" });
    changeAfterFirst(sent, () => sandbox.media.put("picture.png", png(9, 9), { contentType: "image/png" }));
    expect(await publish()).toEqual({ status: "published", error: null });
    expect(sent).toHaveLength(1);
    expect(sandbox.discord.posts()).toHaveLength(1);
  });

  it("does not go out with a file that has become empty, and the post fails because of the file", async () => {
    const { sandbox, sent, publish } = desk();
    sandbox.discord.faults.add({ kind: "drop_before", operation: "commit" });
    changeAfterFirst(sent, () => sandbox.media.put("picture.png", new Uint8Array(0), { contentType: "text/plain" }));
    expect(await publish()).toMatchObject({ status: "failed", error: { code: "media_error" } });
    expect(sent).toHaveLength(1);
    expect(sandbox.discord.posts()).toEqual([]);
  });

  it("goes out with the kept file, whatever its source serves by then", async () => {
    const { sandbox, sent, publish } = desk({ mediaStore: memoryMediaStore() });
    sandbox.discord.faults.add({ kind: "drop_before", operation: "commit" });
    changeAfterFirst(sent, () => sandbox.media.put("picture.png", png(9, 9), { contentType: "image/png" }));
    expect(await publish()).toEqual({ status: "published", error: null });
    expect(sent.map(({ files }) => files)).toEqual([[hex(png(8, 8))], [hex(png(8, 8))]]);
    expect(sent[1]?.nonce).toBe(sent[0]?.nonce);
    expect(sandbox.discord.posts()).toHaveLength(1);
  });
});

/** Changes the world as soon as the first request is on its way. */
function changeAfterFirst(sent: Sent[], change: () => unknown): void {
  const push = sent.push.bind(sent);
  sent.push = (...items) => {
    if (sent.length === 0) change();
    return push(...items);
  };
}
