import { afterEach, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import type { SeenRequest } from "../../src/testing/network-bench.ts";
import { contractAbsent, contractFindings } from "../networks/discord/openapi.ts";

const userAgent = "DiscordBot (https://example.com, 1.0)";

interface Scene {
  clock: ManualClock;
  sandbox: Sandbox;
  bot: string;
  channel: string;
}

const seen: SeenRequest[] = [];

afterEach(async () => {
  expect(await contractFindings(seen.splice(0))).toEqual([]);
});

function scene(type: "text" | "forum" | "announcement" = "text"): Scene {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  const channel = sandbox.discord.addChannel({ type });
  return { clock, sandbox, bot: sandbox.discord.addBot(), channel };
}

interface Reply {
  status: number;
  headers: Headers;
  json: unknown;
}

async function call(
  { sandbox, bot }: Pick<Scene, "sandbox" | "bot">,
  method: string,
  path: string,
  options: { json?: unknown; form?: FormData; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const url = new URL(path.startsWith("https:") ? path : `https://discord.com/api/v10${path}`);
  const body = options.form ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
  const request = new Request(url, {
    method,
    headers: {
      "user-agent": userAgent,
      authorization: `Bot ${bot}`,
      ...(options.json === undefined ? {} : { "content-type": "application/json" }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const bytes = new Uint8Array(await request.clone().arrayBuffer());
  const response = await sandbox.http(request);
  const text = await response.text();
  const json: unknown = text === "" ? undefined : JSON.parse(text);
  const { headers } = request;
  seen.push({ method, operation: "", url, headers, bytes, answer: { status: response.status, json } });
  return { status: response.status, headers: response.headers, json };
}

function send(scene: Scene, json: unknown): Promise<Reply> {
  return call(scene, "POST", `/channels/${scene.channel}/messages`, { json });
}

function idOf({ json }: Reply): string {
  return (json as { id: string }).id;
}

function form(payload: unknown, files: Record<string, Uint8Array> = {}): FormData {
  const made = new FormData();
  made.set("payload_json", typeof payload === "string" ? payload : JSON.stringify(payload));
  for (const [name, bytes] of Object.entries(files)) made.set(name, new File([bytes.slice()], "name.png"));
  return made;
}

const oneByte = Uint8Array.of(1);

describe("the simulated Discord", () => {
  it("is checked against Discord's own OpenAPI document", (context) => {
    if (contractAbsent !== null) context.skip(contractAbsent);
    expect(contractAbsent).toBeNull();
  });

  it("returns the same message for a repeated nonce for five minutes, and creates a new one after that", async () => {
    const at = scene();
    const body = { content: "once", nonce: "n-1", enforce_nonce: true };
    const first = await send(at, body);
    await at.clock.advance(5 * 60_000);
    const second = await send(at, body);
    expect([first.status, second.status, idOf(second)]).toEqual([200, 200, idOf(first)]);
    await at.clock.advance(1);
    expect(idOf(await send(at, body))).not.toBe(idOf(first));
    expect(at.sandbox.discord.posts()).toHaveLength(2);
  });

  it("respects a nonce only if it is enforced, and for one author", async () => {
    const at = scene();
    const body = { content: "twice", nonce: "n-1" };
    await send(at, body);
    await send(at, body);
    await send(at, { ...body, nonce: "n-2", enforce_nonce: true });
    await send({ ...at, bot: at.sandbox.discord.addBot() }, { ...body, nonce: "n-2", enforce_nonce: true });
    expect(at.sandbox.discord.posts()).toHaveLength(4);
  });

  it("returns an error for a repeated nonce whose message was deleted", async () => {
    const at = scene();
    const body = { content: "once", nonce: "n-1", enforce_nonce: true };
    at.sandbox.discord.deleteMessage(idOf(await send(at, body)));
    expect(await send(at, body)).toMatchObject({ status: 404, json: { code: 10008 } });
  });

  it("shows another program's messages with the same bot, without a nonce", async () => {
    const there = scene();
    const id = there.sandbox.discord.postAs({ channel: there.channel, text: "by another program" });
    const mine = await call(there, "POST", `/channels/${there.channel}/messages`, { json: { content: "mine" } });
    const { author } = mine.json as { author: object };
    await expect(call(there, "GET", `/channels/${there.channel}/messages/${id}`)).resolves.toMatchObject({
      status: 200,
      json: { id, content: "by another program", author },
    });
    expect(there.sandbox.discord.posts().map(({ text }) => text)).toEqual(["by another program", "mine"]);
    const other = { channel: there.channel, text: "a", bot: "unknown" };
    expect(() => there.sandbox.discord.postAs(other)).toThrow("no such bot");
  });

  it("ignores a webhook's nonce", async () => {
    const at = scene();
    const url = at.sandbox.discord.addWebhook({ channel: at.channel }).replace("/api/", "/api/v10/");
    const json = { content: "twice", nonce: "n-1", enforce_nonce: true };
    await call(at, "POST", `${url}?wait=true`, { json });
    await call(at, "POST", `${url}?wait=true`, { json });
    expect(at.sandbox.discord.posts()).toHaveLength(2);
  });

  it("responds without a body to a webhook that does not wait", async () => {
    const at = scene();
    const url = at.sandbox.discord.addWebhook({ channel: at.channel }).replace("/api/", "/api/v10/");
    expect(await call(at, "POST", url, { json: { content: "x" } })).toMatchObject({ status: 204, json: undefined });
  });

  it.each([
    ["a text of 2001", { content: "x".repeat(2001) }, 50035],
    ["an empty message", { content: "  " }, 50006],
    ["an unknown kind of mention", { content: "x", allowed_mentions: { parse: ["here"] } }, 50035],
    ["a kind of mention beside its ids", { content: "x", allowed_mentions: { parse: ["users"], users: ["1"] } }, 50035],
    ["a nonce of 26", { content: "x", nonce: "x".repeat(26) }, 50035],
    ["a flag that senders may not set", { content: "x", flags: 1 }, 50035],
    ["11 embeds", { embeds: Array.from({ length: 11 }, () => ({ title: "x" })) }, 50035],
    [
      "embeds of 6001 characters in total",
      { embeds: [{ description: "x".repeat(4000) }, { description: "x".repeat(2001) }] },
      50035,
    ],
    ["an embed's title of 257", { embeds: [{ title: "x".repeat(257) }] }, 50035],
    ["attachments without files", { content: "x", attachments: [{ id: "0" }] }, 50146],
    ["a reply to nothing", { content: "x", message_reference: { message_id: "5" } }, 50035],
  ])("rejects %s", async (_, json, code) => {
    const at = scene();
    expect(await send(at, json)).toMatchObject({ status: 400, json: { code, message: expect.any(String) } });
    expect(at.sandbox.discord.posts()).toEqual([]);
  });

  it("names the wrong field in nested errors", async () => {
    const { json } = await send(scene(), { embeds: [{ title: "x".repeat(257) }] });
    expect(json).toMatchObject({
      errors: { embeds: { 0: { title: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] } } } },
    });
  });

  it("accepts the files that the payload names, and no others", async () => {
    const at = scene();
    const path = `/channels/${at.channel}/messages`;
    const attachments = [{ id: "0", filename: "a b.png", description: "alt" }];
    const good = await call(at, "POST", path, { form: form({ attachments }, { "files[0]": oneByte }) });
    expect(good.json).toMatchObject({ attachments: [{ filename: "a_b.png", size: 1, description: "alt" }] });
    const wrong: [FormData, number][] = [
      [form({ attachments }, { "files[1]": oneByte }), 50146],
      [form({ attachments: [] }, { "files[0]": oneByte }), 50146],
      [form({ attachments }, { "files[0]": oneByte, other: oneByte }), 50035],
      [form("{", { "files[0]": oneByte }), 50109],
    ];
    for (const [body, code] of wrong) {
      expect((await sandboxCall(at, path, body)).json).toMatchObject({ code });
    }
    expect(at.sandbox.discord.posts()).toMatchObject([{ media: 1, alt: ["alt"] }]);
  });

  it("rejects a file above 10 MiB and an eleventh file", async () => {
    const at = scene();
    const path = `/channels/${at.channel}/messages`;
    const large = form({ attachments: [{ id: "0" }] }, { "files[0]": new Uint8Array(10 * 1024 * 1024 + 1) });
    expect(await sandboxCall(at, path, large)).toMatchObject({ status: 413, json: { code: 40005 } });
    const names = Array.from({ length: 11 }, (_, index) => [`files[${index}]`, oneByte] as const);
    const many = form({ content: "x" }, Object.fromEntries(names));
    expect(await sandboxCall(at, path, many)).toMatchObject({ status: 400, json: { code: 30015 } });
  });

  it.each([
    ["an unknown token", { authorization: "Bot nobody" }, 401, 0],
    ["a user agent of another form", { "user-agent": "node" }, 403, 40333],
  ])("rejects %s", async (_, headers, status, code) => {
    const at = scene();
    const answer = await call(at, "GET", "/users/@me", { headers });
    expect(answer).toMatchObject({ status, json: { code } });
  });

  it.each([
    ["VIEW_CHANNEL", 50001],
    ["SEND_MESSAGES", 50013],
  ] as const)("rejects a bot without %s", async (permission, code) => {
    const at = scene();
    at.sandbox.discord.deny({ channel: at.channel, permissions: [permission] });
    expect(await send(at, { content: "x" })).toMatchObject({ status: 403, json: { code } });
  });

  it("rejects a plain message in a forum, and a thread without a name", async () => {
    const at = scene("forum");
    expect((await send(at, { content: "x" })).json).toMatchObject({ code: 40058 });
    const path = `/channels/${at.channel}/threads`;
    const nameless = await call(at, "POST", path, { json: { name: "", message: { content: "x" } } });
    expect(nameless.json).toMatchObject({ code: 50035 });
    const opened = await call(at, "POST", path, { json: { name: "Name", message: { content: "x" } } });
    expect(opened).toMatchObject({ status: 201, json: { name: "Name", message: { id: idOf(opened) } } });
  });

  it("requires the thread's name from a webhook in a forum, and rejects it elsewhere", async () => {
    const at = scene("forum");
    const text = at.sandbox.discord.addChannel();
    const inForum = at.sandbox.discord.addWebhook({ channel: at.channel }).replace("/api/", "/api/v10/");
    const inText = at.sandbox.discord.addWebhook({ channel: text }).replace("/api/", "/api/v10/");
    const json = { content: "x" };
    expect((await call(at, "POST", inForum, { json })).json).toMatchObject({ code: 220001 });
    expect((await call(at, "POST", inText, { json: { ...json, thread_name: "x" } })).json).toMatchObject({
      code: 220003,
    });
  });

  it("has the rate limit in every response, and the wait when it is reached", async () => {
    const at = scene();
    expect((await send(at, { content: "x" })).headers.get("x-ratelimit-bucket")).toMatch(/^\w+$/);
    at.sandbox.discord.rateLimit(1.5);
    const limited = await send(at, { content: "x" });
    expect(limited).toMatchObject({ status: 429, json: { retry_after: 1.5, global: false } });
    expect(limited.headers.get("retry-after")).toBe("2");
    expect(limited.headers.get("x-ratelimit-reset-after")).toBe("1.500");
    await at.clock.advance(1_500);
    expect((await send(at, { content: "x" })).status).toBe(200);
  });

  it("pages in both directions, newest first", async () => {
    const at = scene();
    const ids = ["1", "2", "3", "4"].map((text) => at.sandbox.discord.say({ channel: at.channel, text }));
    const list = async (query: string): Promise<string[]> => {
      const { json } = await call(at, "GET", `/channels/${at.channel}/messages?${query}`);
      return (json as { content: string }[]).map(({ content }) => content);
    };
    expect(await list("limit=2")).toEqual(["4", "3"]);
    expect(await list(`limit=2&before=${ids[2]}`)).toEqual(["2", "1"]);
    expect(await list(`limit=2&after=${ids[0]}`)).toEqual(["3", "2"]);
    expect((await call(at, "GET", `/channels/${at.channel}/messages?limit=101`)).status).toBe(400);
  });

  it("shows an empty channel to a bot without access to its history", async () => {
    const at = scene();
    await send(at, { content: "x" });
    at.sandbox.discord.deny({ channel: at.channel, permissions: ["READ_MESSAGE_HISTORY"] });
    expect(await call(at, "GET", `/channels/${at.channel}/messages`)).toMatchObject({ status: 200, json: [] });
  });

  it("crossposts an announcement once", async () => {
    const at = scene("announcement");
    const id = idOf(await send(at, { content: "x" }));
    const path = `/channels/${at.channel}/messages/${id}/crosspost`;
    expect((await call(at, "POST", path)).status).toBe(200);
    expect(await call(at, "POST", path)).toMatchObject({ status: 400, json: { code: 40033 } });
  });
});

/** Without the contract check, which supports only JSON. */
async function sandboxCall(at: Scene, path: string, body: FormData): Promise<Reply> {
  const answer = await call(at, "POST", path, { form: body });
  seen.pop();
  return answer;
}
