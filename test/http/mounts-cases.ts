import type { MountWorld } from "./mounts-world.ts";

/** One request that gets the same response at every mount. */
export interface MountCase {
  name: string;
  method: string;
  /** The bytes on the wire, mount prefix included. */
  path: string;
  /** Repeated names are sent as several lines. */
  headers: [name: string, value: string][];
  body: Uint8Array | null;
  /** True: sent in pieces, without a declared length. */
  isStreamed: boolean;
  /** How often it is sent; the last response counts. */
  times: number;
  status: number;
}

type Short = Partial<Omit<MountCase, "body" | "name">> & { body?: string | Uint8Array; type?: string; key?: string };

/** The objects to which the requests are sent. */
export const host = "mount.test";
const largeText = JSON.stringify({ text: "x".repeat(1_200_000) });

/** In this order: later ones see the effects of earlier ones. */
export function mountCases({ key, busyKey, profileId, postId, draftId }: MountWorld): MountCase[] {
  const post = { profile_ids: [profileId], text: "Füchse 🦊 und 👩‍👩‍👧, é and é." };
  const body = JSON.stringify(post);
  const keyed: [string, string] = ["Idempotency-Key", "case-4711"];
  const posts = "/social/v1/posts";
  const callback = "/social/connect/mastodon/social.example/callback";
  const lost = `code=x&state=${"A".repeat(43)}`;
  const cases: Record<string, Short> = {
    "lists posts": { status: 200 },
    "creates a post with emoji": { method: "POST", body, headers: [keyed], status: 201 },
    "replays it": { method: "POST", body, headers: [keyed], status: 200 },
    "replays a streamed body": { method: "POST", body, headers: [keyed], isStreamed: true, status: 200 },
    "refuses two idempotency keys that differ": {
      method: "POST",
      body: JSON.stringify({ ...post, idempotency_key: "case-4712" }),
      headers: [keyed],
      status: 400,
    },
    "takes an idempotency key in Latin-1": {
      method: "POST",
      body: JSON.stringify({ ...post, scheduled_at: "2027-01-01T00:00:00Z" }),
      headers: [["Idempotency-Key", "clé-de-voûte"]],
      status: 201,
    },
    "retrieves a post": { path: `${posts}/${postId}`, status: 200 },
    "reads commas and percent signs in a query": {
      path: `${posts}?status=published,failed&network=bluesky%2Cmastodon&created_after=2026-01-01T00%3A00%3A00Z&limit=1`,
      status: 200,
    },
    "names an unknown parameter": { path: `${posts}?stat%75s_is=%F0%9F%A6%8A&x=%zz`, status: 400 },
    "names a parameter that is given twice": { path: `${posts}?limit=1&limit=2`, status: 400 },
    "names the field of a wrong body": { method: "POST", body: "{}", status: 400 },
    "refuses an empty body": { method: "POST", body: "", status: 400 },
    "refuses a streamed body with nothing in it": { method: "POST", body: "", isStreamed: true, status: 400 },
    "takes no body where none is needed": { method: "POST", path: `${posts}/${postId}/retry`, status: 409 },
    "changes a draft": {
      method: "PATCH",
      path: `${posts}/${draftId}`,
      body: JSON.stringify({ text: "Anders 🦊" }),
      status: 200,
    },
    "schedules it by a streamed body": {
      method: "PATCH",
      path: `${posts}/${draftId}`,
      body: JSON.stringify({ scheduled_at: "2027-01-01T00:00:00Z", draft: false }),
      isStreamed: true,
      status: 200,
    },
    "ends it, without a body": { method: "POST", path: `${posts}/${draftId}/cancel`, status: 200 },
    "refuses to change what is out": { method: "PATCH", path: `${posts}/${postId}`, body: "{}", status: 409 },
    "refuses broken JSON": { method: "POST", body: `{"text": "half`, status: 400 },
    "refuses what is no UTF-8": { method: "POST", body: Buffer.from('{"text": "\xff"}', "latin1"), status: 400 },
    "refuses a list": { method: "POST", body: "[]", status: 400 },
    "refuses __proto__": { method: "POST", body: '{"__proto__": {"text": "x"}}', status: 400 },
    "refuses half a character": { method: "POST", body: '{"text": "\\ud83e"}', status: 400 },
    "refuses a body of another type": { method: "POST", body, type: "text/plain", status: 415 },
    "refuses a form": { method: "POST", body: "text=Hello", type: "application/x-www-form-urlencoded", status: 415 },
    "refuses a body without a type": { method: "POST", body, type: "", status: 415 },
    "refuses a large body": { method: "POST", body: largeText, status: 413 },
    "refuses a large body that is streamed": { method: "POST", body: largeText, isStreamed: true, status: 413 },
    "asks for a key": { key: "", status: 401 },
    "asks for a key before it reads a body": { method: "POST", body, key: "", status: 401 },
    "reads headers that come more than once": {
      headers: [
        ["Accept", "text/html"],
        ["Accept", "application/json"],
        ["X-Forwarded-For", "192.0.2.1"],
        ["X-Forwarded-For", "192.0.2.2"],
      ],
      status: 200,
    },
    "refuses a key that comes more than once": {
      method: "POST",
      body,
      headers: [keyed, ["Idempotency-Key", "é".repeat(255)]],
      status: 400,
    },
    "does not know another path": { path: "/social/v1/nothing", status: 404 },
    "does not know a path with a slash too many": { path: "/social//v1/posts", status: 404 },
    "does not know a path that ends in a slash": { path: `${posts}/`, status: 404 },
    "names the mount outside of it": { path: "/elsewhere/v1/posts", status: 404 },
    "does not know an id of emoji": { path: `${posts}/post_%F0%9F%A6%8A%2F..%2F`, status: 404 },
    "does not know an id that cannot be decoded": { path: `${posts}/post_%zz`, status: 404 },
    "names the methods of a path": { method: "PUT", body, status: 405 },
    "has no OPTIONS": { method: "OPTIONS", status: 405 },
    "answers HEAD without a body": { method: "HEAD", path: `${posts}?limit=1`, status: 200 },
    "answers HEAD of nothing without a body": { method: "HEAD", path: "/social/v1/nothing", status: 404 },
    "knows no login of a state that nobody was given": { path: `${callback}?${lost}`, key: "", status: 400 },
    "knows none at a server with a port": {
      path: `${callback.replace("/callback", ":8443/callback")}?${lost}`,
      key: "",
      status: 400,
    },
    "knows none at a server whose port is escaped": {
      path: `${callback.replace("/callback", "%3A8443/callback")}?${lost}`,
      key: "",
      status: 400,
    },
    "knows none at a server with an escaped slash": {
      path: `${callback.replace("/callback", "%2Fmore/callback")}?${lost}`,
      key: "",
      status: 400,
    },
    "takes no way back by POST": { method: "POST", path: `${callback}?${lost}`, key: "", status: 405 },
    "serves the OpenAPI document": { path: "/social/v1/openapi.json", key: "", status: 200 },
    "says when it is enough": { method: "POST", body: "{}", key: busyKey, times: 31, status: 429 },
    "disconnects, without a body": { method: "DELETE", path: `/social/v1/profiles/${profileId}`, status: 204 },
    "shows what was disconnected": { path: `/social/v1/profiles/${profileId}`, status: 200 },
  };
  return Object.entries(cases).map(([name, short]) => filledIn(name, short, { key, path: posts }));
}

function filledIn(name: string, short: Short, usual: { key: string; path: string }): MountCase {
  const { method = "GET", path = usual.path, headers = [], isStreamed = false, times = 1, status = 200 } = short;
  const { key = usual.key, type = short.body === undefined ? "" : "application/json" } = short;
  const body = short.body === undefined ? null : Buffer.from(short.body as string);
  const standard: [string, string][] = [
    ["Authorization", key === "" ? "" : `Bearer ${key}`],
    ["Content-Type", type],
  ];
  const sent = [...standard.filter(([, value]) => value !== ""), ...headers];
  return { name, method, path, headers: sent, body, isStreamed, times, status };
}
