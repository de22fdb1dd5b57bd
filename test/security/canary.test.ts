import { inspect } from "node:util";
import { beforeEach, expect, it } from "vitest";
import type { EventName } from "../../src/ports/events.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import { allRows } from "../support/all-rows.ts";
import { connectAll, connectWebhook } from "../support/connect.ts";
import { recordingLogger } from "../support/logger.ts";
import { createTestService, type TestService } from "../support/service.ts";

/** Everything that a stranger could read afterwards. */
let outside: string[];
let secrets: Set<string>;
let service: TestService;
let profiles: Profile[];
let logger: ReturnType<typeof recordingLogger>;
/** The substitute response of the networks or the host's own fetch to a request; null: the real one. */
let instead: ((said: string, request: Request) => Response) | null;

beforeEach(async () => {
  instead = null;
  outside = [];
  secrets = new Set();
  logger = recordingLogger();
  const plain = createTestService();
  const spied: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    noteSecrets(request.url, request.headers);
    if (instead === null) return plain.sandbox.http(input, init);
    const body = typeof init?.body === "object" ? new TextDecoder().decode(init.body as Uint8Array) : "";
    return instead(`${request.url} ${request.headers.get("authorization")} ${body}`, request);
  };
  service = {
    ...createTestService({ clock: plain.clock, http: spied, untrustedHttp: spied, logger }),
    sandbox: plain.sandbox,
    clock: plain.clock,
  };
  for (const name of allEvents) service.social.on(name, (payload) => outside.push(inspect(payload, deep)));
  const account = service.sandbox.bluesky.addAccount;
  service.sandbox.bluesky.addAccount = (given) => {
    const made = account(given);
    secrets.add(made.password);
    return made;
  };
  profiles = [...(await connectAll(service)), await connectWebhook(service)];
});

const allEvents: readonly EventName[] = [
  "post.published",
  "post.partially_published",
  "post.failed",
  "profile.connected",
  "profile.disconnected",
  "profile.needs_attention",
];

const deep = { depth: 20, maxStringLength: null, maxArrayLength: null, showHidden: true } as const;

/** Records every credential that crosses the wire. */
function noteSecrets(url: string, headers: Headers): void {
  const [, token] = /^(?:Bearer|Bot) (.+)$/.exec(headers.get("authorization") ?? "") ?? [];
  if (token !== undefined) secrets.add(token);
  const [, webhookToken] = /\/webhooks\/\d+\/([^/?]+)/.exec(url) ?? [];
  if (webhookToken !== undefined) secrets.add(webhookToken);
}

async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    outside.push(inspect(await service.clock.run(work), deep));
  } catch (error) {
    outside.push(inspect(error, deep), JSON.stringify(error));
  }
}

it("no credential appears in responses, errors and their causes, events, logs and stored rows", async () => {
  const { social, sandbox, clock, storage } = service;
  const profile_ids = profiles.map(({ id }) => id);
  const networks = [sandbox.bluesky, sandbox.mastodon, sandbox.discord];
  await attempt(() => social.posts.create({ profile_ids, text: "All well" }));
  for (const kind of ["drop_after", "cut_body", "hang"] as const) {
    for (const network of networks) network.faults.add({ kind, times: 3 });
    await attempt(() => social.posts.create({ profile_ids, text: `Not so well: ${kind}` }));
  }
  for (const network of networks) {
    network.faults.add({
      kind: "refuse",
      times: 4,
      answer: { status: 403, json: { code: 50013, error: "no", message: "no" } },
    });
  }
  await attempt(() => social.posts.create({ profile_ids, text: "Refused" }));
  for (const network of networks) network.faults.clear();
  sandbox.bluesky.expireTokens();
  await attempt(() => social.posts.create({ profile_ids, text: "Renewed" }));
  for (const id of profile_ids) await attempt(() => social.profiles.check(id));
  await attempt(() =>
    social.profiles.connect({ network: "bluesky", credentials: { identifier: "x", app_password: "y", extra: 1 } }),
  );
  for (const id of profile_ids) await attempt(() => social.profiles.disconnect(id));
  await clock.run(() => social.runDue());
  outside.push(inspect(await social.profiles.list(), deep), inspect(await social.posts.list(), deep), ...logger.lines);
  outside.push(JSON.stringify(await allRows(storage)));

  expect(secrets.size).toBeGreaterThanOrEqual(5);
  const everything = outside.join("\n");
  for (const secret of secrets) {
    expect(secret.length, "a secret worth looking for").toBeGreaterThan(7);
    expect(everything.includes(secret), `a credential is in the open: …${secret.slice(-6)}`).toBe(false);
  }
});

/** A refusal in the format of each network, which repeats the whole request. */
function echo(status: number): (said: string) => Response {
  return (said) => Response.json({ error: said, error_description: said, message: said, code: 1 }, { status });
}

/** A host's own fetch that puts its arguments wherever an error can hold them. */
function indiscreet(said: string, request: Request): never {
  const headers = Object.fromEntries(request.headers);
  const cause = Object.assign(new Error(`socket of ${said}`, { cause: said }), { code: "ECONNRESET", headers });
  throw Object.assign(new TypeError(`fetch failed: ${said}`, { cause }), { config: { headers, said }, request: said });
}

it("no credential appears that a network or the host's own fetch repeats", async () => {
  const { social, clock, storage } = service;
  const profile_ids = profiles.map(({ id }) => id);
  const given = { app_password: "canary-app-password", access_token: "canary-access-token" };
  const logins = [
    { network: "bluesky", credentials: { identifier: "zoe.bsky.social", app_password: given.app_password } },
    { network: "mastodon", credentials: { instance: "mastodon.social", access_token: given.access_token } },
  ] as const;
  for (const secret of Object.values(given)) secrets.add(secret);
  for (const way of [echo(400), echo(401), echo(403), echo(422), echo(500), indiscreet]) {
    instead = way;
    for (const login of logins) await attempt(() => social.profiles.connect(login));
    for (const id of profile_ids) await attempt(() => social.profiles.check(id));
    await attempt(() => social.posts.create({ profile_ids, text: "Repeated" }));
    await clock.run(() => social.runDue());
    instead = null;
    for (const id of profile_ids) await attempt(() => social.profiles.check(id));
  }
  outside.push(inspect(await social.profiles.list(), deep), inspect(await social.posts.list(), deep), ...logger.lines);
  outside.push(JSON.stringify(await allRows(storage)));
  const everything = outside.join("\n");
  expect(everything, "the words of networks").toContain("[secret]");
  for (const secret of secrets) {
    expect(everything.includes(secret), `a credential is in the open: …${secret.slice(-6)}`).toBe(false);
  }
});

it("stored credentials stay sealed, each in its place", async () => {
  const { storage } = service;
  const { rows } = await storage.find("profiles", { where: {} });
  const stored = JSON.stringify(rows);
  for (const secret of secrets) expect(stored.includes(secret)).toBe(false);
  const [one, other] = rows;
  expect(one).toBeDefined();
  expect(other).toBeDefined();
  if (one === undefined || other === undefined) return;
  const moved = { ...(one.private as object), secret: (other.private as { secret: string }).secret } as never;
  await storage.write([{ kind: "update", collection: "profiles", id: one.id, change: { private: moved }, where: {} }]);
  await expect(service.clock.run(() => service.social.profiles.check(one.id))).rejects.toThrow("do not open");
});
