import * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";
import type { Accounts, SandboxAccount, StoredRecord } from "./accounts.ts";
import { embedView } from "./embeds.ts";

const placePattern = /^at:\/\/([^/]+)\/(.+)$/;

export function recordAt(accounts: Accounts, uri: string): StoredRecord | undefined {
  const [, author = "", place = ""] = placePattern.exec(uri) ?? [];
  return accounts.find(author)?.records.get(place);
}

const referenceSchema = z.looseObject({ uri: z.string() });
const replySchema = z.looseObject({ reply: z.looseObject({ root: referenceSchema, parent: referenceSchema }) });

/** The URIs of the post that a post replies to, and of the first post of its thread; undefined: it replies to none. */
export function replyOf(value: JsonObject | undefined): { root: string; parent: string } | undefined {
  const { data } = replySchema.safeParse(value);
  return data && { root: data.reply.root.uri, parent: data.reply.parent.uri };
}

/**
 * The reference that a reply to this post has to the first post of the thread, which may be deleted by then: the same
 * as in this post. Undefined: this post is the first.
 */
export function rootIn(value: JsonObject | undefined): JsonObject | undefined {
  const { reply } = value ?? {};
  return replyOf(value) === undefined ? undefined : ((reply as JsonObject).root as JsonObject);
}

/** A post as the view service shows it to one account; undefined: it does not show it. */
export function postView(
  accounts: Accounts,
  options: { uri: string; viewer: SandboxAccount; shown: (uri: string) => StoredRecord | undefined },
): JsonObject | undefined {
  const { viewer, shown } = options;
  const author = accounts.find(placePattern.exec(options.uri)?.[1] ?? "");
  const post = shown(options.uri);
  if (author === undefined || author.status === "takendown" || post === undefined) return undefined;
  const root = replyOf(post.value)?.root ?? post.uri;
  const embed = embedView(post.value.embed, author.did, (uri) => quotedView(accounts, shown(uri)));
  return {
    uri: post.uri,
    cid: post.cid,
    author: { did: author.did, handle: author.handle, displayName: author.display_name },
    record: post.value,
    indexedAt: new Date(post.written_at).toISOString(),
    ...(embed === undefined ? {} : { embed }),
    viewer: {
      embeddingDisabled: author !== viewer && forbids(shown(gateOf(post.uri, "postgate")), "embeddingRules"),
      replyDisabled: !root.startsWith(`at://${viewer.did}/`) && forbids(shown(gateOf(root, "threadgate")), "allow"),
    },
  };
}

function quotedView(accounts: Accounts, stored: StoredRecord | undefined): JsonObject | undefined {
  const author = accounts.find(placePattern.exec(stored?.uri ?? "")?.[1] ?? "");
  if (stored === undefined || author === undefined) return undefined;
  const { did, handle } = author;
  return {
    $type: "app.bsky.embed.record#viewRecord",
    uri: stored.uri,
    cid: stored.cid,
    author: { did, handle },
    value: stored.value,
    indexedAt: new Date(stored.written_at).toISOString(),
  };
}

/** A gate has the same record key as its post. */
function gateOf(uri: string, gate: "postgate" | "threadgate"): string {
  return uri.replace("app.bsky.feed.post", `app.bsky.feed.${gate}`);
}

/**
 * A rule list against quotes forbids them if it has an entry; a list of who may reply forbids replies if it has none.
 * Mentions and followers are not simulated.
 */
function forbids(gate: StoredRecord | undefined, list: "embeddingRules" | "allow"): boolean {
  const rules = gate?.value[list];
  if (!Array.isArray(rules)) return false;
  return list === "allow" ? rules.length === 0 : rules.length > 0;
}
