import { Buffer } from "node:buffer";
import { contentId } from "../../networks/bluesky/content-id.ts";
import { countBytes } from "../../text/bytes.ts";
import { findLinks } from "../../text/links.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { SandboxPorts } from "../network.ts";
import type { Accounts, SandboxAccount } from "./accounts.ts";
import type { Repository } from "./repository.ts";
import { recordAt, rootIn } from "./views.ts";

/** A post that an account's owner writes in Bluesky's own app. */
export interface PostByHand {
  /** Its text. */
  text: string;
  /** The targets of words in the text, because the app shortens URLs. */
  links?: Readonly<Record<string, string>>;
  /** The URI of the post that it replies to. */
  reply_to?: string | undefined;
  /** The URI of the post that it quotes. */
  quotes?: string;
  /** The alt text of its only image. */
  picture?: string;
  /** How far the clock of the author's device is behind, milliseconds. @default 0 */
  behindMs?: number;
}

/** What users do in Bluesky's own app. */
export interface HandPosts {
  /** The owner of the account with this DID posts without the library; returns the post's URI. */
  postAs(did: string, post: PostByHand): string;
  /**
   * The owner of the account with this DID likes a post, and its author gets a notification.
   *
   * @param behindMs how far the clock of the owner's device is behind, milliseconds. @default 0
   */
  likeAs(did: string, uri: string, behindMs?: number): void;
  /** The author deletes a post. */
  removePost(uri: string): void;
}

export function handPosts({ clock }: SandboxPorts, accounts: Accounts, repository: Pick<Repository, "add">): HandPosts {
  return {
    postAs(did, post) {
      const author = accounts.named(did);
      return repository.add(author, recordByHand(accounts, { ...post, author, now: clock.now() }));
    },
    likeAs(did, uri, behindMs = 0) {
      repository.add(accounts.named(did), likeByHand(accounts, { uri, at: clock.now() - behindMs }));
    },
    removePost(uri) {
      const [, did = "", place = ""] = /^at:\/\/([^/]+)\/(.+)$/.exec(uri) ?? [];
      accounts.named(did).records.delete(place);
    },
  };
}

/** The record of a post, as Bluesky's own app writes it: handles in the text become mentions. */
function recordByHand(
  accounts: Accounts,
  { author, now, ...post }: PostByHand & { author: SandboxAccount; now: number },
): JsonObject {
  const { text, links = {}, reply_to, quotes, picture, behindMs = 0 } = post;
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
    createdAt: new Date(now - behindMs).toISOString(),
    ...(facets.length === 0 ? {} : { facets }),
    ...(reply_to === undefined ? {} : { reply: replyTo(accounts, reply_to) }),
    ...(embed === null ? {} : { embed }),
  };
}

/** The record of a like. */
function likeByHand(accounts: Accounts, { uri, at }: { uri: string; at: number }): JsonObject {
  const subject = reference(accounts, uri);
  return { $type: "app.bsky.feed.like", subject, createdAt: new Date(at).toISOString() };
}

/** The links of words in a text, each at the word's first occurrence. */
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
