import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Connection, StartedConnection } from "../../src/connections/schema.ts";
import type { Route } from "../../src/http/route.ts";
import { routes } from "../../src/http/routes.ts";
import type { Conversation } from "../../src/inbox/schema.ts";
import { bluesky } from "../../src/networks/bluesky/index.ts";
import type { OptionChoices } from "../../src/networks/contract/choices.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import type { Delivery, Endpoint } from "../../src/webhooks/schema.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { png } from "../media/samples.ts";
import { allRows } from "../support/all-rows.ts";
import { connectBluesky } from "../support/connect.ts";
import { click, comeBack, ownPage, pageOf } from "../support/login.ts";
import { comparable, createRest, type Rest, type SendOptions } from "./rest.ts";

/** An account with a profile, a failed post that can be retried, a draft, and an endpoint with a delivery. */
interface Tenant {
  key: string;
  profile: Profile;
  post: Post;
  draft: Post;
  webhook: Endpoint;
  delivery: Delivery;
  /** The URL of an uploaded file. */
  file: string;
  /** A conversation with a message. */
  conversation: Conversation;
  /** A connection that waits to be finished. */
  connection: { id: string; code: string; option: string };
}

interface World extends Rest {
  owner: Tenant;
  stranger: Tenant;
}

async function createTenant(rest: Rest, account_id: string, handle: string): Promise<Tenant> {
  const { key } = await rest.social.keys.create({ account_id });
  const profile = await connectBluesky({ ...rest, social: rest.social.forAccount(account_id) }, handle);
  const url = rest.sandbox.receivers.url(account_id);
  const created = await rest.clock.run(() =>
    rest.social.forAccount(account_id).webhooks.create({ url, events: ["post.failed"] }),
  );
  const answer = { status: 400, json: { error: "InvalidRequest", message: "No." } };
  rest.sandbox.bluesky.faults.add({ kind: "refuse", answer, operation: "commit" });
  const { body } = await rest.send("POST", "/v1/posts", { key, json: { profile_ids: [profile.id], text: handle } });
  const { url: file } = await rest.clock.run(() => rest.social.forAccount(account_id).media.upload(png(2, 2)));
  const draft = await rest.send("POST", "/v1/posts", { key, json: { profile_ids: [profile.id], draft: true } });
  const { webhooks } = rest.social.forAccount(account_id);
  const [delivery] = await rest.clock.run(async () => {
    await rest.social.runDue();
    return (await webhooks.deliveries.list(created.id)).data;
  });
  if (delivery === undefined) throw new Error("Nothing was delivered.");
  const ann = rest.sandbox.bluesky.addAccount({ handle: `ann-${handle}` });
  rest.sandbox.bluesky.postAs(ann.did, { text: `Hello @${handle}` });
  const [conversation] = await rest.clock.run(async () => {
    await rest.clock.sleep(120_000);
    await rest.social.runDue();
    return (await rest.social.forAccount(account_id).inbox.conversations.list()).data;
  });
  if (conversation === undefined) throw new Error("Nobody has written.");
  return {
    key,
    profile,
    post: body.data as Post,
    draft: draft.body.data as Post,
    webhook: await webhooks.get(created.id),
    delivery,
    file,
    conversation,
    connection: await authorizedLogin(rest, key, account_id),
  };
}

async function authorizedLogin(rest: Rest, key: string, username: string): Promise<Tenant["connection"]> {
  rest.sandbox.mastodon.addAccount({ username });
  const login = { instance: "mastodon.sandbox.example" };
  const json = { network: "mastodon", redirect_url: ownPage, login };
  const { body } = await rest.send("POST", "/v1/profiles/connect", { key, json });
  const { connection_id: id, authorization_url } = body.data as StartedConnection;
  const back = await comeBack(rest, await click(rest.sandbox, authorization_url, `Allow as ${username}`));
  const code = pageOf(back).searchParams.get("code") ?? "";
  const shown = await rest.send("GET", `/v1/profiles/connect/${id}?code=${code}`, { key });
  return { id, code, option: (shown.body.data as Connection).options?.[0]?.id ?? "" };
}

/** An option whose values depend on the account. */
const choices: OptionChoices = { list: async ({ profile }) => [{ value: profile.external_id, name: "own" }] };

async function createWorld(): Promise<World> {
  const rest = await createRest({
    networks: [{ ...bluesky({ scopes: ["publish", "inbox"] }), choices }, mastodon({ app: { name: "Host" } })],
  });
  const owner = await createTenant(rest, "acct_1", "owner.sandbox.example");
  const stranger = await createTenant(rest, "acct_2", "stranger.sandbox.example");
  return { ...rest, owner, stranger };
}

/** For each kind of id: one of the owner's, and one that does not exist. */
const ids: Record<string, { of(tenant: Tenant): string; unknown: string }> = {
  profile: { of: ({ profile }) => profile.id, unknown: "prof_01kakdx7e8x1p5v4k9q2m3n6r7" },
  post: { of: ({ post }) => post.id, unknown: "post_01kakdx7e8x1p5v4k9q2m3n6r7" },
  draft: { of: ({ draft }) => draft.id, unknown: "post_01kakdx7e8x1p5v4k9q2m3n6r7" },
  webhook: { of: ({ webhook }) => webhook.id, unknown: "wh_01kakdx7e8x1p5v4k9q2m3n6r7" },
  delivery: { of: ({ delivery }) => delivery.id, unknown: "dlv_01kakdx7e8x1p5v4k9q2m3n6r7" },
  conversation: { of: ({ conversation }) => conversation.id, unknown: "cnv_01kakdx7e8x1p5v4k9q2m3n6r7" },
  connection: { of: ({ connection }) => connection.id, unknown: "conn_01kakdx7e8x1p5v4k9q2m3n6r7" },
  // Ids of the network that a connection reaches.
  option: { of: ({ connection }) => connection.option, unknown: "mastodon.sandbox.example:1" },
  // Ids of the network, of a user who wrote to one account only.
  participant: { of: ({ conversation }) => conversation.participant.id, unknown: "did:plc:nobody" },
  // The URL of a file is its only id.
  url: { of: ({ file }) => file, unknown: `https://app.example.com/media/${"0".repeat(32)}/${"0".repeat(32)}` },
};

/** `postId`, `profile_ids`, `profile_id` → `post`, `profile`. */
function kindOf(name: string): string {
  return name.replace(/(?:_ids?|Ids?)$/, "");
}

interface Request {
  method: string;
  path: string;
  options: SendOptions;
}

/** One place where an id can stand, and the requests that put it there. */
interface Place {
  name: string;
  kind: string;
  requests(id: string, caller: Tenant): Request[];
}

function pathPlaces(route: Route): Place[] {
  return [...route.path.matchAll(/\{(\w+Id)\}/g)].map(([parameter, name = ""]) => ({
    name: `${route.operation} path ${name}`,
    // Only a post that has not gone out can be cancelled.
    kind: route.operation === "cancelPost" ? "draft" : kindOf(name),
    requests: (id, caller) => [
      {
        method: route.method,
        path: route.path
          .replace(parameter, id)
          .replace("{option}", "list")
          .replaceAll(/\{(\w+)\}/g, (_, other: string) => idOf(kindOf(other), caller)),
        options: optionsOf(route, caller),
      },
    ],
  }));
}

function optionsOf(route: Route, { connection }: Tenant): SendOptions {
  // Each sign-in has a code of its own.
  if (route.operation === "finishConnection") return { json: { code: connection.code } };
  return route.body === null ? {} : { json: route.body.example };
}

/** Every field or parameter that is named like an id, at any depth. */
function idFields(schema: z.ZodType | null): string[] {
  if (schema === null) return [];
  const found: string[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { properties } = node as { properties?: JsonObject };
    found.push(...Object.keys(properties ?? {}).filter((name) => /(?:^|_)ids?$/.test(name)));
    Object.values(node).forEach(walk);
  };
  walk(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  return found;
}

const given = routes.flatMap((route) => [
  ...(route.operation === "deleteMedia" ? ["deleteMedia query url"] : []),
  ...idFields(route.query).map((name) => `${route.operation} query ${name}`),
  ...idFields(route.body?.schema ?? null).map((name) => `${route.operation} body ${name}`),
]);

const appPassword = "abcd-efgh-ijkl-mnop";

/** The requests with an id in their query or body. A new endpoint adds its places here. */
const inside: Record<string, Place["requests"]> = {
  "listPosts query profile_id": (id) => [{ method: "GET", path: `/v1/posts?profile_id=${id}`, options: {} }],
  "createPost body profile_ids": (id, { profile }) => addressed("/v1/posts", id, profile),
  "validatePost body profile_ids": (id, { profile }) => addressed("/v1/posts/validate", id, profile),
  "retryPost body profile_ids": (id, { post, profile }) =>
    [[id], [profile.id, id]].map((profile_ids) => ({
      method: "POST",
      path: `/v1/posts/${post.id}/retry`,
      options: { json: { profile_ids, force: true } },
    })),
  "updatePost body profile_ids": (id, { post, profile }) =>
    [[id], [profile.id, id]].map((profile_ids) => ({
      method: "PATCH",
      path: `/v1/posts/${post.id}`,
      options: { json: { profile_ids } },
    })),
  "listConversations query profile_id": (id) => [
    { method: "GET", path: `/v1/inbox/conversations?profile_id=${id}`, options: {} },
  ],
  "listConversations query participant_id": (id) => [
    { method: "GET", path: `/v1/inbox/conversations?participant_id=${encodeURIComponent(id)}`, options: {} },
  ],
  "listInboxChanges query profile_id": (id) => [
    { method: "GET", path: `/v1/inbox/changes?profile_id=${id}`, options: {} },
  ],
  "deleteMedia query url": (url) => [
    { method: "DELETE", path: `/v1/media?url=${encodeURIComponent(url)}`, options: {} },
  ],
  "finishConnection body option_ids": (id, { connection }) => [
    {
      method: "POST",
      path: `/v1/profiles/connect/${connection.id}`,
      options: { json: { code: connection.code, option_ids: [id] } },
    },
  ],
  "connectProfile body profile_id": (id, { profile }) => [
    {
      method: "POST",
      path: "/v1/profiles/connect",
      options: {
        json: {
          network: "bluesky",
          credentials: { identifier: profile.handle, app_password: appPassword },
          profile_id: id,
        },
      },
    },
  ],
};

function addressed(path: string, id: string, own: Profile): Request[] {
  return [[id], [own.id, id], [id, id]].map((profile_ids) => ({
    method: "POST",
    path,
    options: { json: { profile_ids, text: "Hello" } },
  }));
}

const places: Place[] = [
  ...routes.flatMap(pathPlaces),
  ...Object.entries(inside).map(([name, requests]) => ({ name, kind: kindOf(name.split(" ")[2] ?? ""), requests })),
];
const named = places.map((place) => [place.name, place] as const);

/** All stored rows, except the counters. */
async function stored({ storage }: World): Promise<string> {
  return JSON.stringify(await allRows(storage));
}

function idOf(kind: string, tenant: Tenant): string {
  const id = ids[kind]?.of(tenant);
  if (id === undefined) throw new Error(`Say in this test what a ${kind} is.`);
  return id;
}

describe("every place where an id can stand", () => {
  it("is covered here", () => {
    expect(Object.keys(inside).sort()).toEqual([...new Set(given)].sort());
    expect(places.map(({ kind }) => kind).filter((kind) => !(kind in ids))).toEqual([]);
    expect(named.length).toBeGreaterThanOrEqual(10);
  });

  it.each(named)(
    "%s: another account's id gets the same response as an unknown one, byte for byte",
    async (_name, place) => {
      const world = await createWorld();
      const { owner, stranger, send, sandbox } = world;
      const before = await stored(world);
      const published = sandbox.bluesky.posts().length;
      const foreign = place.requests(idOf(place.kind, owner), stranger);
      const unknown = place.requests(ids[place.kind]?.unknown ?? "", stranger);
      for (const [index, { method, path, options }] of foreign.entries()) {
        const other = unknown[index];
        if (other === undefined) throw new Error("The requests do not pair.");
        const toForeign = await send(method, path, { ...options, key: stranger.key });
        expect(await stored(world), `${method} ${path}`).toBe(before);
        const toUnknown = await send(other.method, other.path, { ...other.options, key: stranger.key });
        expect(comparable(toForeign), `${method} ${path}`).toEqual(comparable(toUnknown));
      }
      expect(await stored(world)).toBe(before);
      expect(sandbox.bluesky.posts()).toHaveLength(published);
    },
  );

  it.each(named)("%s: its owner's id works, so the test above can fail", async (_name, place) => {
    const { owner, stranger, send } = await createWorld();
    const [own] = place.requests(idOf(place.kind, owner), owner);
    const [theirs] = place.requests(idOf(place.kind, owner), stranger);
    if (own === undefined || theirs === undefined) throw new Error("There is no request.");
    const refused = await send(theirs.method, theirs.path, { ...theirs.options, key: stranger.key });
    const taken = await send(own.method, own.path, { ...own.options, key: owner.key });
    expect([200, 201, 204]).toContain(taken.status);
    expect(taken.text).not.toBe(refused.text);
  });
});

it("lists never show another account's data", async () => {
  const { send, owner, stranger } = await createWorld();
  for (const { path } of routes.filter(({ isList }) => isList)) {
    const own = path.replace("{webhookId}", stranger.webhook.id).replace("{conversationId}", stranger.conversation.id);
    const theirs = await send("GET", own, { key: stranger.key });
    const { profile, post, draft, webhook, delivery, file, conversation } = owner;
    const ids = [profile.id, post.id, draft.id, profile.external_id, webhook.id, delivery.id, file, conversation.id];
    for (const id of ids) expect(theirs.text).not.toContain(id);
    expect(theirs.body.meta?.pagination.total).toBe(path === "/v1/posts" ? 2 : 1);
  }
});

it("an account that connects another account's profile gets one of its own", async () => {
  const world = await createWorld();
  const { owner, stranger, send } = world;
  const credentials = { identifier: owner.profile.handle, app_password: appPassword };
  const json = { network: "bluesky", credentials };
  const { status, body } = await send("POST", "/v1/profiles/connect", { json, key: stranger.key });
  const [made] = (body.data as { profiles: Profile[] }).profiles;
  expect([status, made?.external_id]).toEqual([201, owner.profile.external_id]);
  expect(made?.id).not.toBe(owner.profile.id);
  await send("DELETE", `/v1/profiles/${made?.id}`, { key: stranger.key });
  expect((await send("GET", `/v1/profiles/${owner.profile.id}`, { key: owner.key })).body.data).toEqual(owner.profile);
});
