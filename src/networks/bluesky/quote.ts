import { z } from "zod";
import { PublishingError } from "../../errors.ts";
import type { Json } from "../../json.ts";
import type { StageContext } from "../request.ts";
import { resolveHandle } from "./server.ts";
import { readAnswer, xrpc } from "./xrpc.ts";

const postsSchema = z.object({ posts: z.array(z.object({ uri: z.string(), cid: z.string() })) });

const atUriPattern = /^at:\/\/([^/]{1,2048})\/app\.bsky\.feed\.post\/([A-Za-z0-9._:~-]{1,512})$/;
const webPattern = /^https:\/\/bsky\.app\/profile\/([^/]{1,2048})\/post\/([A-Za-z0-9._:~-]{1,512})$/;

/** The quoted post's address and content id: both go into the record. */
export async function findQuoted(context: StageContext, address: string): Promise<Json> {
  const [, author, recordKey] = atUriPattern.exec(address) ?? webPattern.exec(address) ?? [];
  if (author === undefined) throw notFound(address);
  const pds = String(context.profile.known.pds);
  const did = author.startsWith("did:") ? author : await resolveHandle(context, pds, author);
  if (did === null) throw notFound(address);
  const uri = `at://${did}/app.bsky.feed.post/${recordKey}`;
  const response = await context.request({ method: "GET", url: xrpc(pds, "app.bsky.feed.getPosts", { uris: uri }) });
  const [post] = readAnswer(postsSchema, response).posts;
  if (post === undefined) throw notFound(address);
  return { uri: post.uri, cid: post.cid };
}

function notFound(address: string): PublishingError {
  return new PublishingError("invalid_request", `networks.bluesky.quote: Bluesky has no post at ${address}.`);
}
