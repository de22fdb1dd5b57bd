import type { Connection, StartedConnection } from "../../src/connections/schema.ts";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { memoryMediaStore } from "../../src/media/memory.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { type Ids, idPrefixes } from "../../src/ports/ids.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { sceneOf } from "../networks/scenes.ts";
import { connectFirst } from "../support/connect.ts";
import { click, comeBack, loginNetworks, ownPage, pageOf } from "../support/login.ts";
import { type Answer, createRest, type Rest, type SendOptions, stalling } from "./rest.ts";

type Operation = { requestBody?: { content: { "application/json": { example: Record<string, unknown> } } } };

const document = openApiDocument({ basePath: "" });
const paths = document.paths as unknown as Record<string, Record<string, Operation>>;

/** The request that the document suggests for an endpoint. */
export function sentTo(path: string, method = "post"): Record<string, unknown> {
  const example = paths[path]?.[method]?.requestBody?.content["application/json"].example;
  if (example === undefined) throw new Error(`${path} has no example.`);
  return example;
}

/** Ids that every run creates again. */
function exampleIds(): Ids {
  const made = new Map<string, number>();
  const next = (kind: string): number => {
    const count = made.get(kind) ?? 0;
    made.set(kind, count + 1);
    return count;
  };
  return {
    create: (kind) => `${idPrefixes[kind]}01kakdx7e8x1p5v4k9q2m3n6r${(7 + next(kind)).toString(32)}`,
    bytes(length) {
      const run = next("bytes");
      return Uint8Array.from({ length }, (_, index) => index * 7 + run);
    },
  };
}

/** The responses of the OpenAPI document: by the name of the schema, and failures by their status. */
export interface RecordedExamples {
  answers: Record<string, unknown>;
  failures: Record<string, unknown>;
}

/** Asks simulated networks for one response of each kind. The same in every run. */
export async function recordExamples(): Promise<RecordedExamples> {
  const answers = {
    ...(await ofPosts()),
    ...(await ofLogins()),
    ...(await ofOptions()),
    ...(await ofMedia()),
    ...(await ofWebhooks()),
    ...(await ofInbox()),
  };
  return { answers, failures: await ofFailures() };
}

/** A service with all objects that the document's requests name. */
export async function exampleWorld(options: Parameters<typeof createRest>[0] = {}): Promise<Rest> {
  const rest = await createRest({ ids: exampleIds(), ...options });
  rest.sandbox.bluesky.addAccount({ handle: "alice.sandbox.example", password: "abcd-efgh-ijkl-mnop" });
  rest.sandbox.media.put("hills.png", png(1_200, 800), { contentType: "image/png" });
  return rest;
}

type Ask = (method: string, path: string, options?: SendOptions) => Promise<unknown>;

/** Sends a request, and returns the data of its response. */
function asker({ send }: Rest): Ask {
  return async (...asked) => (await send(...asked)).body.data;
}

async function ofPosts() {
  const rest = await exampleWorld();
  const ask = asker(rest);
  await ask("POST", "/v1/profiles/connect", { json: sentTo("/v1/profiles/connect") });
  const [Profile] = (await ask("GET", "/v1/profiles")) as unknown[];
  const PostPlan = await ask("POST", "/v1/posts/validate", { json: sentTo("/v1/posts/validate") });
  const Post = await ask("POST", "/v1/posts", { json: sentTo("/v1/posts") });
  const profiles = await rest.send("GET", "/v1/profiles");
  const posts = await rest.send("GET", "/v1/posts");
  const networks = (await ask("GET", "/v1/networks")) as { network: string }[];
  const Network = networks.find(({ network }) => network === "bluesky");
  const paginations = {
    Pagination: profiles.body.meta?.pagination,
    CursorPagination: posts.body.meta?.pagination,
  };
  return { Post, PostPlan, Profile, Network, ...paginations };
}

async function ofLogins() {
  const rest = await exampleWorld({ networks: loginNetworks() });
  const ask = asker(rest);
  rest.sandbox.mastodon.addAccount({ username: "alice" });
  const login = { network: "mastodon", redirect_url: ownPage, login: { instance: "mastodon.sandbox.example" } };
  const started = (await ask("POST", "/v1/profiles/connect", { json: login })) as StartedConnection;
  const page = pageOf(await comeBack(rest, await click(rest.sandbox, started.authorization_url, "Allow as alice")));
  const path = `/v1/profiles/connect/${started.connection_id}?code=${page.searchParams.get("code")}`;
  const connection = (await ask("GET", path)) as Connection;
  return { StartedConnection: started, Connection: connection };
}

async function ofOptions() {
  const rest = await exampleWorld();
  const { id, external_id } = await connectFirst(rest, sceneOf("youtube"));
  rest.sandbox.youtube.addPlaylist(external_id, "Summer tour");
  const [OptionChoice] = (await asker(rest)("GET", `/v1/profiles/${id}/choices/playlist_id`)) as unknown[];
  return { OptionChoice };
}

async function ofMedia() {
  const store = memoryMediaStore();
  const upload = async (key: string, { contentType }: { contentType: string }) => ({
    upload_url: `https://app-media.s3.example.com/${key}?X-Amz-Signature=…`,
    headers: { "content-type": contentType },
  });
  const rest = await exampleWorld({ mediaStore: { ...store, upload } });
  const ask = asker(rest);
  const HostedMedia = await ask("POST", "/v1/media", { json: sentTo("/v1/media") });
  const MediaUpload = await ask("POST", "/v1/media/uploads", { json: sentTo("/v1/media/uploads") });
  return { HostedMedia, MediaUpload };
}

async function ofWebhooks() {
  const rest = await exampleWorld();
  const ask = asker(rest);
  await ask("POST", "/v1/profiles/connect", { json: sentTo("/v1/profiles/connect") });
  const CreatedWebhook = (await ask("POST", "/v1/webhooks", { json: sentTo("/v1/webhooks") })) as { id: string };
  await ask("POST", "/v1/posts", { json: sentTo("/v1/posts") });
  await rest.clock.run(() => rest.social.runDue());
  const path = `/v1/webhooks/${CreatedWebhook.id}`;
  const [Delivery] = (await ask("GET", `${path}/deliveries`)) as unknown[];
  const Webhook = await ask("GET", path);
  const WebhookTest = await ask("POST", `${path}/test`);
  const WebhookSecret = await ask("POST", `${path}/secret`, { json: sentTo("/v1/webhooks/{webhookId}/secret") });
  return { CreatedWebhook, Webhook, Delivery, WebhookTest, WebhookSecret };
}

async function ofInbox() {
  const rest = await exampleWorld({ networks: [mastodon({ scopes: ["publish", "inbox"] })] });
  const ask = asker(rest);
  const ann = rest.sandbox.mastodon.addAccount({ username: "ann" });
  const { instance, access_token } = rest.sandbox.mastodon.addAccount({ username: "alice" });
  const credentials = { instance, access_token };
  await ask("POST", "/v1/profiles/connect", { json: { network: "mastodon", credentials } });
  rest.sandbox.mastodon.postAs(ann.external_id, { text: "@alice do you ship to Norway?" });
  await rest.clock.advance(60_000);
  await rest.clock.run(() => rest.social.runDue());
  const [Conversation] = (await ask("GET", "/v1/inbox/conversations")) as { id: string }[];
  const path = `/v1/inbox/conversations/${Conversation?.id}/messages`;
  const json = sentTo("/v1/inbox/conversations/{conversationId}/messages");
  const InboxMessage = await ask("POST", path, { json });
  const [InboxStatus] = (await ask("GET", "/v1/inbox/status")) as { profile_id: string }[];
  const InboxChanges = await ask("GET", `/v1/inbox/changes?profile_id=${InboxStatus?.profile_id}`);
  return { Conversation, InboxMessage, InboxChanges, InboxStatus };
}

/** One failure of each status, provoked. */
async function ofFailures(): Promise<Record<string, unknown>> {
  let isCovered = true;
  const { send, social, sandbox, clock } = await exampleWorld({ entitlements: () => isCovered });
  const example = sentTo("/v1/posts");
  await send("POST", "/v1/profiles/connect", { json: sentTo("/v1/profiles/connect") });
  const { body } = await send("POST", "/v1/posts", { json: example });
  const { id } = body.data as Post;
  const [profileId] = example.profile_ids as string[];
  const reader = (await social.keys.create({ scopes: ["read"] })).key;
  const { idempotency_key: _, ...unkeyed } = example;

  const answers = [
    await send("POST", "/v1/posts", { json: { ...unkeyed, text: "Hills, ".repeat(50) } }),
    await send("GET", "/v1/posts", { key: null }),
    await send("POST", "/v1/posts", { json: example, key: reader }),
    await send("GET", "/v1/posts/post_01kakdx7e8x1p5v4k9q2m3n6rz"),
    await send("POST", `/v1/posts/${id}/retry`),
    await send("POST", "/v1/posts", { raw: stalling('{"text":"Three rows ') }),
    await send("POST", "/v1/posts", { raw: "x".repeat(2_000_000) }),
    await send("POST", "/v1/posts", { raw: "text", headers: { "content-type": "text/plain" } }),
  ];
  isCovered = false;
  answers.push(await send("POST", "/v1/posts", { json: unkeyed }));
  sandbox.bluesky.faults.add({ kind: "not_sent", code: "ECONNREFUSED", times: 100 });
  answers.push(await send("POST", `/v1/profiles/${profileId}/check`));
  await clock.advance(30_000);
  for (let sent = 0; sent < 120; sent++) await send("GET", "/v1/networks");
  answers.push(await send("GET", "/v1/networks"));
  answers.push(await faultOfOurs());
  return Object.fromEntries(answers.map(({ status, body: failure }) => [status, failure]));
}

async function faultOfOurs(): Promise<Answer> {
  const clock = manualClock();
  const { send } = await createRest({
    clock,
    storage: { ...memoryStorage({ clock }), increment: () => Promise.reject(new Error("disk full")) },
  });
  return send("GET", "/v1/posts");
}
