import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { EventName } from "../../src/ports/events.ts";
import type { Scene } from "../networks/scene.ts";
import { scenes } from "../networks/scenes.ts";
import { allRows } from "../support/all-rows.ts";
import { recordingLogger } from "../support/logger.ts";
import { createTestService } from "../support/service.ts";

/** The facts that a host's own `fetch` has about a request, and its redirects. */
interface Told {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** URLs and headers that this package never gave it: of its redirects, its additions, its proxy. */
const canary = "cAnArY0f4n0ther5ystem-that-nobody-m4y-s33";
const ofOthers = [
  `https://bucket.s3.example/photo.jpg?X-Amz-Credential=AKIA${canary}&X-Amz-Signature=${canary}`,
  `https://api.telegram.example/bot123456:${canary}/getMe`,
  `https://discord.example/api/webhooks/1234567890/${canary}?wait=true`,
  `https://user:${canary}@proxy.example:8080/`,
  `postgres://postgres:${canary}@db.example/social`,
  `{"access_token":"${canary}"}`,
  `client_secret=${canary}&code=${canary}`,
  `authorization: Bearer ${canary}`,
  `Bearer ${canary}`,
].join(" ");

/** Each way to reveal too much, as a failed `fetch` throws it. */
const ways: Readonly<Record<string, (told: Told) => unknown>> = {
  "undici, with the address in its cause": ({ url, headers }) => {
    const cause = Object.assign(new Error(`other side closed ${url}`), { code: "UND_ERR_SOCKET", url, headers });
    return new TypeError("fetch failed", { cause });
  },
  "ky, with the whole request": ({ url, headers, body }) => {
    const request = new Request(url, { headers, ...(body !== "" && { method: "POST", body }) });
    return Object.assign(new Error(`Request failed: POST ${url}`), {
      name: "HTTPError",
      request,
      options: { headers },
    });
  },
  "axios, with its settings": ({ url, headers, body }) =>
    Object.assign(new Error(`timeout of 0ms exceeded ${ofOthers}`), {
      code: "ECONNABORTED",
      config: { url, headers, body },
    }),
  "a proxy, in every word of every part": ({ url, headers, body }) => {
    const said = `${url} ${JSON.stringify(headers)} ${body} ${ofOthers}`;
    const inner = Object.assign(new Error(said), { code: said, syscall: said, name: said, cause: said });
    inner.stack = `Error: ${said}\n    at send (/srv/app.js:1:1)`;
    return Object.assign(new AggregateError([inner, said, { said }], said, { cause: inner }), { code: "ECONNRESET" });
  },
  "an object that is no error": ({ url, headers }) => ({ message: `no route to ${url}`, url, headers }),
  "a text": ({ url }) => `no route to ${url} ${ofOthers}`,
  "an error that shows itself": ({ url, headers }) =>
    Object.assign(new Error(), {
      message: { url },
      stack: [url],
      code: { url },
      toString: () => url,
      toJSON: () => ({ url, headers }),
      [inspect.custom]: () => `${url} ${JSON.stringify(headers)}`,
    }),
};

const secretName = /token|secret|password|webhook|jwt|signature|authorization|^code$|verifier/i;
const minSecretLength = 12;

/** The texts under the names of secrets, at any depth. */
function secretsUnder(value: unknown, isSecret = false): string[] {
  if (typeof value === "string") return isSecret && value.length >= minSecretLength ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => secretsUnder(inner, isSecret || secretName.test(name)));
}

/** Every credential in a request as it crosses the wire. */
function secretsOf({ url, headers, body }: Told): string[] {
  const { searchParams, pathname } = new URL(url);
  const form = body.includes("=") && !body.startsWith("{") ? Object.fromEntries(new URLSearchParams(body)) : {};
  const parsed = body.startsWith("{") ? JSON.parse(body) : {};
  const [, webhook = ""] = /\/webhooks\/\d+\/([^/?]+)/.exec(pathname) ?? [];
  return [
    ...secretsUnder([Object.fromEntries(searchParams), form, parsed]),
    ...secretsUnder({ token: headers.authorization?.replace(/^\S+ /, "") ?? "" }),
    ...secretsUnder({ webhook }),
  ];
}

const everything = {
  depth: null,
  showHidden: true,
  getters: false,
  maxStringLength: null,
  maxArrayLength: null,
} as const;
const events: readonly EventName[] = ["post.failed", "post.published", "profile.connected", "profile.needs_attention"];

/** A service whose `fetch` reveals too much from some request on. */
function indiscreetService() {
  const plain = createTestService();
  const logger = recordingLogger();
  const outside: string[] = [];
  const secrets = new Set([canary]);
  /** How many requests still get a response; the next ones fail in `way`. */
  let left = Number.POSITIVE_INFINITY;
  let way: (told: Told) => unknown = () => new Error("none");
  const spied: typeof fetch = async (input, init) => {
    const request = new Request(input, init?.body instanceof ReadableStream ? { ...init, body: null } : init);
    const body = init?.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : String(init?.body ?? "");
    const told = { url: request.url, headers: Object.fromEntries(request.headers), body };
    for (const secret of secretsOf(told)) secrets.add(secret);
    if (left === 0) throw way(told);
    left -= 1;
    return plain.sandbox.http(input, init).catch(() => plain.sandbox.untrustedHttp(input, init));
  };
  const service = createTestService({ clock: plain.clock, http: spied, untrustedHttp: spied, logger });
  for (const name of events) service.social.on(name, (payload) => outside.push(inspect(payload, everything)));
  return {
    ...service,
    sandbox: plain.sandbox,
    secrets,
    failAfter(requests: number, failing: (told: Told) => unknown): void {
      left = requests;
      way = failing;
    },
    answer(): void {
      left = Number.POSITIVE_INFINITY;
    },
    async attempt<Value>(work: () => Promise<Value>): Promise<Value | null> {
      try {
        const value = await plain.clock.run(work);
        outside.push(inspect(value, everything));
        return value;
      } catch (error) {
        outside.push(inspect(error, everything), JSON.stringify(error), String(error));
        return null;
      }
    },
    /** Everything that a stranger could read afterwards. */
    async shown(): Promise<string> {
      const rows = JSON.stringify(await allRows(service.storage));
      return [...outside, ...logger.lines, rows, inspect(await service.social.posts.list(), everything)].join("\n");
    },
  };
}

/** The secrets that occur in a text, by their ends and the text before them. */
function leaked(shown: string, secrets: Iterable<string>): string[] {
  const found = [...secrets].filter((secret) => shown.includes(secret));
  return found.map((secret) => shown.slice(Math.max(0, shown.indexOf(secret) - 60), shown.indexOf(secret) + 12));
}

/** After how many requests of a publication it begins: while files are staged, at the commit, at the look. */
const answeredBefore = [0, 1, 2, 3, 5];

/** Connects, publishes, reads, checks and disconnects, each with requests that fail. */
async function leaksOf(scene: Scene, failing: (told: Told) => unknown, requests: number): Promise<string[]> {
  const service = indiscreetService();
  const { social, sandbox, clock, secrets, attempt } = service;
  const [kind] = scene.accounts;
  kind.prepare?.(sandbox);
  for (const first of [0, 1]) {
    service.failAfter(first, failing);
    await attempt(() => social.profiles.connect(kind.connect(sandbox, `zoe${first}`)));
  }
  service.answer();
  const profile = await attempt(() => social.profiles.connect(kind.connect(sandbox, "alice")));
  if (profile === null) throw new Error("The profile was not connected.");
  const needed = { [scene.network]: scene.needs?.(sandbox) ?? {} };
  service.failAfter(requests, failing);
  await attempt(() => social.posts.create({ profile_ids: [profile.id], text: "Out", networks: needed }));
  await clock.run(() => social.runDue());
  service.answer();
  await clock.advance(600_000);
  await clock.run(() => social.runDue());
  service.failAfter(0, failing);
  await attempt(() => social.profiles.check(profile.id));
  await attempt(() => social.profiles.disconnect(profile.id));
  await attempt(() => social.inbox.status());
  expect(secrets.size).toBeGreaterThan(1);
  return leaked(await service.shown(), secrets);
}

describe.each(Object.entries(ways))("a host's fetch that fails as %s", (way, failing) => {
  const turn = Object.keys(ways).indexOf(way);

  it.each(scenes.map((scene, index) => [scene.network, scene, index] as const))(
    "reveals nothing on %s",
    async (_, scene, index) => {
      const requests = answeredBefore[(turn + index) % answeredBefore.length] ?? 0;
      expect(await leaksOf(scene, failing, requests)).toEqual([]);
    },
  );

  it("reveals nothing of a file's URL", async () => {
    const service = indiscreetService();
    const { social, attempt } = service;
    service.failAfter(0, failing);
    const query = `X-Amz-Security-Token=${"s".repeat(20)}&X-Amz-Signature=${"f".repeat(64)}`;
    const url = `https://files.example/file/bot123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/photo.jpg?${query}`;
    await attempt(() => social.media.upload({ url }));
    await attempt(() => social.posts.validate({ profile_ids: [], text: "x", media: [url] }));
    const secrets = [canary, "f".repeat(64), "s".repeat(20), "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"];
    expect(leaked(await service.shown(), secrets)).toEqual([]);
  });

  it("reveals nothing of a request to a webhook receiver", async () => {
    const service = indiscreetService();
    const { social, attempt } = service;
    const endpoint = await attempt(() => social.webhooks.create({ url: "https://hooks.example/in" }));
    const secret = endpoint?.secret ?? "";
    expect(secret.length).toBeGreaterThan(minSecretLength);
    service.failAfter(0, failing);
    const tested = await service.clock.run(() => social.webhooks.test(endpoint?.id ?? ""));
    const log = await social.webhooks.deliveries.list(endpoint?.id ?? "");
    expect(leaked(`${inspect(tested, everything)} ${inspect(log, everything)}`, [canary, secret])).toEqual([]);
    expect(leaked(JSON.stringify(await allRows(service.storage)), [canary])).toEqual([]);
  });
});
