import { Buffer } from "node:buffer";
import { contentId } from "../../networks/bluesky/content-id.ts";
import { countBytes } from "../../text/bytes.ts";
import { findLinks } from "../../text/links.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Accounts, SandboxAccount } from "./accounts.ts";
import { recordAt, rootIn } from "./views.ts";

/** What an account's owner writes in Bluesky's own app. */
export interface PostByHand {
  text: string;
  /** Where words of the text lead, as its app shortens addresses. */
  links?: Readonly<Record<string, string>>;
  /** The address of the post that it answers. */
  reply_to?: string;
  /** The address of the post that it quotes. */
  quotes?: string;
  /** What its one picture shows, in words. */
  picture?: string;
}

/** The record of a post, as Bluesky's own app writes it: names in the text are mentions. */
export function recordByHand(
  accounts: Accounts,
  { author, now, ...post }: PostByHand & { author: SandboxAccount; now: number },
): JsonObject {
  const { text, links = {}, reply_to, quotes, picture } = post;
  const mentions = findLinks(text).flatMap(({ kind, value, start, end }) => {
    const did = kind === "mention" ? accounts.find(value)?.did : undefined;
    if (did === undefined) return [];
    const index = { byteStart: countBytes(text.slice(0, start)), byteEnd: countBytes(text.slice(0, end)) };
    return [{ index, features: [{ $type: "app.bsky.richtext.facet#mention", did }] }];
  });
  const facets = [...mentions, ...linkFacets(text, links)];
  const quote = quotes === undefined ? null : { $type: "app.bsky.embed.record", record: reference(accounts, quotes) };
  const files = picture === undefined ? null : pictureEmbed(author, picture);
  const both = { $type: "app.bsky.embed.recordWithMedia", record: quote, media: files };
  const embed = quote !== null && files !== null ? both : (quote ?? files);
  return {
    $type: "app.bsky.feed.post",
    text,
    createdAt: new Date(now).toISOString(),
    ...(facets.length === 0 ? {} : { facets }),
    ...(reply_to === undefined ? {} : { reply: replyTo(accounts, reply_to) }),
    ...(embed === null ? {} : { embed }),
  };
}

/** Where words lead that stand in a text, each at its first place. */
export function linkFacets(text: string, links: Readonly<Record<string, string>>): JsonObject[] {
  return Object.entries(links).map(([words, uri]) => {
    const byteStart = countBytes(text.slice(0, text.indexOf(words)));
    const index = { byteStart, byteEnd: byteStart + countBytes(words) };
    return { index, features: [{ $type: "app.bsky.richtext.facet#link", uri }] };
  });
}

function pictureEmbed({ blobs }: SandboxAccount, alt: string): JsonObject {
  const $link = contentId("blob", Buffer.from(alt));
  const blob = { mimeType: "image/jpeg", size: 1_000 };
  blobs.set($link, blob);
  const image = { $type: "blob", ref: { $link }, ...blob };
  return { $type: "app.bsky.embed.images", images: [{ image, alt }] };
}

function replyTo(accounts: Accounts, uri: string): JsonObject {
  const parent = reference(accounts, uri);
  return { parent, root: rootIn(recordAt(accounts, uri)?.value) ?? parent };
}

function reference(accounts: Accounts, uri: string): JsonObject {
  const stored = recordAt(accounts, uri);
  if (stored === undefined) throw new Error(`The sandbox has no post ${uri}.`);
  return { uri, cid: stored.cid };
}

export function removeRecord(accounts: Accounts, uri: string): void {
  const [, did = "", place = ""] = /^at:\/\/([^/]+)\/(.+)$/.exec(uri) ?? [];
  accounts.named(did).records.delete(place);
}
