import { createHash } from "node:crypto";
import { findUrls } from "../../text/urls.ts";
import { pickFields } from "../parts/fields.ts";
import { keyOf } from "./media.ts";
import type { StoredPost } from "./state.ts";

/** The length of `text` for a longer post without `note_tweet`, UTF-16 units. */
const shownBeginning = 280;

interface Shortened {
  text: string;
  urls: object[];
}

/**
 * A post in read responses, with the requested fields. https://docs.x.com/x-api/fundamentals/data-dictionary (2026-08)
 */
export function postJson(post: StoredPost, fields: readonly string[]): object {
  const { id, reply_to, media, poll } = post;
  const { text, urls } = shortened(post);
  const isLong = text.length > shownBeginning;
  const attachments = {
    media_keys: media.length === 0 ? undefined : media.map(keyOf),
    poll_ids: poll === null ? undefined : [poll.id],
  };
  const all = {
    created_at: new Date(post.created_at).toISOString(),
    entities: { urls },
    referenced_tweets: reply_to === null ? undefined : [{ type: "replied_to", id: reply_to }],
    attachments: media.length === 0 && poll === null ? undefined : attachments,
    note_tweet: isLong ? { text, entities: { urls } } : undefined,
  };
  return {
    id,
    text: isLong ? `${text.slice(0, shownBeginning - 1)}…` : text,
    edit_history_tweet_ids: [id],
    ...pickFields(all, fields),
  };
}

/**
 * Replaces each URL with one of t.co, adds one for the files, and escapes three characters for HTML, as X does
 * (unconfirmed).
 */
export function shortened(post: StoredPost): Shortened {
  const urls: object[] = [];
  let text = "";
  let position = 0;
  for (const { start, end, scheme } of findUrls(post.text, "x")) {
    const written = post.text.slice(start, end);
    const url = shortFor(`${post.id}/${start}`);
    urls.push({ url, expanded_url: scheme ? written : `http://${written}`, display_url: written });
    text += escaped(post.text.slice(position, start)) + url;
    position = end;
  }
  text += escaped(post.text.slice(position));
  if (post.media.length === 0) return { text, urls };
  const url = shortFor(`${post.id}/media`);
  const kind = post.media[0]?.kind === "video" ? "video" : "photo";
  const expanded_url = `https://x.com/${post.account.username}/status/${post.id}/${kind}/1`;
  urls.push(...post.media.map((medium) => ({ url, expanded_url, media_key: keyOf(medium) })));
  return { text: text === "" ? url : `${text} ${url}`, urls };
}

function shortFor(seed: string): string {
  return `https://t.co/${createHash("sha256").update(seed).digest("hex").slice(0, 10)}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
