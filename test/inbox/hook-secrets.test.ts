import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import { facebook } from "../../src/networks/facebook/index.ts";
import { verifyToken } from "../../src/networks/shared/hook-forms/meta.ts";
import { twitch } from "../../src/networks/twitch/index.ts";
import { isoTime } from "../../src/ports/clock.ts";
import { createTestService, testBaseUrl } from "../support/service.ts";
import { facebookApp, hookUrl } from "./facebook-bench.ts";

const madeUp = "made-up";
const { client_id, client_secret } = facebookApp;

interface OpenOptions {
  /** The host function's further results; null: none. */
  secretOf?(accountId: string): string | null;
}

/** A service whose accounts each name their own app; the inboxes are stored as if they had been connected. */
function open({ secretOf = (id) => (id === "owner" ? client_secret : madeUp) }: OpenOptions = {}) {
  const asked: string[] = [];
  const app = (id: string) => {
    asked.push(id);
    const secret = secretOf(id);
    return secret === null ? null : { client_id, client_secret: secret };
  };
  const adapter = facebook({ app, scopes: ["publish", "inbox"] });
  const hooks = adapter.inbox?.hooks;
  if (hooks === undefined) throw new Error("Facebook has hooks.");
  const verified: number[] = [];
  let readings = 0;
  let connected = 0;
  const counted = {
    ...adapter,
    inbox: {
      ...adapter.inbox,
      hooks: {
        ...hooks,
        form: {
          ...hooks.form,
          isGenuine: (...given: Parameters<typeof hooks.form.isGenuine>) => {
            verified.push(given[0].bytes.length);
            return hooks.form.isGenuine(...given);
          },
        },
        events: (...given: Parameters<typeof hooks.events>) => {
          readings += 1;
          return hooks.events(...given);
        },
      },
    },
  } as typeof adapter;
  const service = createTestService({ networks: [counted, twitch({ app })] });
  const handler = createHandler(service.social);
  const connect = async (accountId: string, external_id: string, network = "facebook") => {
    const id = `inb_${accountId}_${external_id}`;
    const of = { account_id: accountId, profile_id: `prof_${id}`, network, external_id, app_id: client_id };
    const row = { id, ...of, seq: 0, created_at: isoTime(service.clock.now() + ++connected), due_at: null };
    const claim = { lease_until: 0, epoch: 0, private: { connected_at: 0, sources: {}, pending_updates_until: 0 } };
    await service.storage.write([{ kind: "insert", collection: "inboxes", row: { ...row, ...claim } }]);
  };
  const send = (request: Request): Promise<Response> => service.clock.run(() => handler(request));
  const post = async (body: string, secret: string | null = client_secret, url = hookUrl): Promise<number> => {
    const signature = secret === null ? null : createHmac("sha256", secret).update(body).digest("hex");
    const headers: Record<string, string> = signature === null ? {} : { "x-hub-signature-256": `sha256=${signature}` };
    return (await send(new Request(url, { method: "POST", headers, body }))).status;
  };
  const shake = async (secret: string): Promise<number> => {
    const question = { "hub.mode": "subscribe", "hub.challenge": "1", "hub.verify_token": verifyToken(secret) };
    return (await send(new Request(`${hookUrl}?${new URLSearchParams(question)}`))).status;
  };
  return { ...service, connect, send, post, shake, asked, verified, readings: () => readings };
}

/** Facebook's event about a message to a Page. */
function messageTo(page: string, text = "Hello"): string {
  const message = { mid: `m_${page}`, text };
  const messaging = [{ sender: { id: "9" }, recipient: { id: page }, timestamp: 1, message }];
  return JSON.stringify({ object: "page", entry: [{ id: page, time: 1, messaging }] });
}

describe("an account that names another's app with an invented secret", () => {
  it.each([
    ["120 Pages of one account", () => "mallory", 120],
    ["accounts of which each has one", (number: number) => `mallory${number}`, 90],
  ] as const)("blocks no handshake of its owner: %s", async (_, accountOf, count) => {
    const { connect, shake } = open();
    await connect("owner", "1");
    for (let number = 0; number < count; number++) await connect(accountOf(number), `9${number}`);
    expect(await shake(client_secret)).toBe(200);
    expect(await shake("another")).toBe(403);
  });

  it("is not asked first once the owner's secret was right", async () => {
    const { connect, post, shake, asked } = open();
    await connect("owner", "1");
    for (let number = 0; number < 60; number++) await connect(`mallory${number}`, `9${number}`);
    expect(await shake(client_secret)).toBe(200);
    // An account that signs its own events all the time does not displace the owner.
    expect(await post(messageTo("90"), madeUp)).toBe(200);
    asked.length = 0;
    expect(await post(messageTo("1", "x".repeat(100_000)))).toBe(200);
    expect(asked.length).toBeLessThanOrEqual(10);
  });

  it("delays by hundreds of accounts only some events, which networks send again", async () => {
    const secrets = (id: string): string => (id === "owner" ? client_secret : id);
    const { connect, shake } = open({ secretOf: secrets });
    await connect("owner", "1");
    for (let number = 0; number < 450; number++) await connect(`mallory${number}`, `9${number}`);
    const statuses: number[] = [];
    for (let time = 0; time < 5; time++) statuses.push(await shake(client_secret));
    expect(statuses.at(-1)).toBe(200);
  });

  it("does not affect the owner where the host's function fails for it", async () => {
    const secretOf = (id: string): string => {
      if (id === "owner") return client_secret;
      throw new Error("No such tenant.");
    };
    const { connect, shake } = open({ secretOf });
    await connect("owner", "1");
    await connect("mallory", "2");
    expect(await shake(client_secret)).toBe(200);
    expect(await shake("another")).toBe(500);
  });
});

describe("an unsigned event", () => {
  /** A body that records how much of it was read. */
  function watched(): { body: ReadableStream<Uint8Array>; pieces(): number } {
    let pieces = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pieces += 1;
          if (pieces > 46) controller.close();
          else controller.enqueue(new Uint8Array(65_536));
        },
      },
      { highWaterMark: 0 },
    );
    return { body, pieces: () => pieces };
  }

  it.each([
    [
      "for an unknown app",
      `${testBaseUrl}/hooks/facebook/1`,
      { "x-hub-signature-256": `sha256=${"0".repeat(64)}` },
      404,
    ],
    ["without a signature", hookUrl, {}, 403],
    ["with a signature of another form", hookUrl, { "x-hub-signature-256": "sha256=0" }, 403],
    ["without Twitch's signature", `${testBaseUrl}/hooks/twitch/${client_id}`, {}, 403],
    ["for deletion in an unknown app", `${testBaseUrl}/hooks/facebook/1/deletion`, {}, 404],
  ] as const)("is answered before its body is read: %s", async (_, url, headers, status) => {
    const { connect, send } = open();
    await connect("owner", "1");
    await connect("owner", "2", "twitch");
    const { body, pieces } = watched();
    const request = new Request(url, { method: "POST", headers, body, duplex: "half" } as RequestInit);
    expect([(await send(request)).status, pieces()]).toEqual([status, 0]);
  });

  it("costs a few hash runs over a large body, and is not parsed, however many accounts name the app", async () => {
    const { connect, post, asked, verified, readings } = open({ secretOf: (id) => id });
    for (let number = 0; number < 300; number++) await connect(`mallory${number}`, `9${number}`);
    const body = messageTo("90", "x".repeat(2_900_000));
    expect(await post(body, "forged")).toBe(403);
    expect(readings()).toBe(0);
    expect(verified.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(20_000_000);
    expect(asked.length).toBeLessThan(20);
  });

  it("asks at most a hundred and fifty accounts for their app", async () => {
    const { connect, post, asked } = open({ secretOf: (id) => id });
    for (let number = 0; number < 400; number++) await connect(`mallory${number}`, "90");
    expect(await post(messageTo("90"), "forged")).toBe(403);
    expect(asked.length).toBeLessThanOrEqual(152);
  });
});
