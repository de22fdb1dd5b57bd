import * as z from "zod";
import type { InboxContext, Rereading, StoredMessage } from "../contract/inbox.ts";
import type { NetworkResponse } from "../contract/request.ts";
import { readAnswer, xrpc } from "./api.ts";
import { isOwn, keyOf } from "./inbox-thread.ts";

/** Maximum number of posts per request. https://docs.bsky.app/docs/api/app-bsky-feed-get-posts (2026-08) */
export const maxPosts = 25;

/** Reads only whether a post exists. */
const postsSchema = z.object({ posts: z.array(z.object({ uri: z.string() })) });
const profilesSchema = z.object({ profiles: z.array(z.object({ did: z.string() })) });

/** Finds deleted posts; posts cannot be edited. A post whose author is not visible either is hidden, and may come back. */
export async function readAgain(context: InboxContext, messages: readonly StoredMessage[]): Promise<Rereading> {
  const ask = async (method: string, parameter: string, values: readonly string[]): Promise<NetworkResponse> => {
    const url = new URL(xrpc(String(context.profile.account_facts.pds), method, {}));
    for (const value of values) url.searchParams.append(parameter, value);
    return context.request({ method: "GET", url: url.href });
  };
  // The log reports deleted messages.
  const posted = messages.filter(({ key, external_id }) => key === keyOf(external_id));
  if (posted.length === 0) return { facts: [], gone: [] };
  const uris = posted.map(({ external_id }) => external_id);
  const { posts } = readAnswer(postsSchema, await ask("app.bsky.feed.getPosts", "uris", uris));
  const shown = new Set(posts.map(({ uri }) => uri));
  // The view service may not have the account's own posts yet.
  const missing = posted.filter(({ external_id: uri }) => !shown.has(uri) && !isOwn(context, uri));
  const authors = [...new Set(missing.flatMap(({ author_id }) => author_id ?? []))];
  if (authors.length === 0) return { facts: [], gone: [] };
  // https://docs.bsky.app/docs/api/app-bsky-actor-get-profiles (2026-08)
  const { profiles } = readAnswer(profilesSchema, await ask("app.bsky.actor.getProfiles", "actors", authors));
  const there = new Set(profiles.map(({ did }) => did));
  return { facts: [], gone: missing.filter(({ author_id }) => there.has(author_id ?? "")).map(({ key }) => key) };
}
