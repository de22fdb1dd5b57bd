import * as z from "zod";
import type { AccountList, AccountLists, ListedPost, LookInput, LookResult } from "../contract/look.ts";
import type { Part } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import { readGraphPages } from "../shared/meta/pages.ts";
import { listsThatShow } from "../shared/shown-lists.ts";
import { type Api, wholeAddress } from "./api.ts";
import { type Kind, kindOf } from "./kind.ts";
import type { FacebookOptions } from "./options.ts";
import { postIdIn } from "./post-id.ts";
import { photosIn } from "./staged.ts";

const targetSchema = z.object({ id: z.union([z.string(), z.number()]).transform(String).nullish() }).nullish();

const attachmentSchema = z.object({
  media_type: z.string().nullish(),
  type: z.string().nullish(),
  url: z.string().nullish(),
  target: targetSchema,
});

/** https://github.com/facebook/facebook-business-sdk-codegen (2026-04), PagePost */
const postSchema = z.object({
  id: z.string(),
  message: z.string().nullish(),
  created_time: z.string(),
  permalink_url: z.string().nullish(),
  attachments: z
    .object({
      data: z.array(
        attachmentSchema.extend({ subattachments: z.object({ data: z.array(attachmentSchema) }).nullish() }),
      ),
    })
    .nullish(),
});

type Post = z.infer<typeof postSchema>;
type Attachment = z.infer<typeof attachmentSchema>;

const fields = "id,message,created_time,permalink_url,attachments";
const pageSize = "25";

/** Looks for a part among the Page's published posts. */
export async function findPost(
  context: NetworkContext,
  input: LookInput<FacebookOptions>,
  api: Api,
): Promise<LookResult> {
  return { parent: null, lists: [await readList(context, input, api)] };
}

async function readList(context: NetworkContext, input: LookInput<FacebookOptions>, api: Api): Promise<AccountList> {
  const { part, since } = input;
  const from = String(Math.floor(since / 1000));
  const url = api.endpoint([context.profile.external_id, "published_posts"], { fields, since: from, limit: pageSize });
  const { items, isWhole } = await readGraphPages(context, {
    name: "Facebook",
    url,
    schema: postSchema,
    isPast: ({ created_time }) => Date.parse(created_time) < since,
  });
  const photos = photosIn(input.staged);
  const posts = items.map((post) => toSeen(post, { part, photos, page: context.profile.external_id }));
  return { posts, isWhole, showsSuch: !isTargeted(part), name: listName(part) };
}

/** True: the post is targeted. Whether the Page's list shows targeted posts is not documented. */
function isTargeted({ options }: Part<FacebookOptions>): boolean {
  return options.targeting !== undefined;
}

function listName(part: Part<FacebookOptions>): string {
  return isTargeted(part) ? "published_posts, targeted" : "published_posts";
}

function toSeen(
  post: Post,
  { part, photos, page }: { part: Part<FacebookOptions>; photos: readonly string[]; page: string },
): ListedPost {
  const attachments = attachmentsOf(post);
  const ids = new Set(attachments.flatMap(({ target }) => target?.id ?? []));
  return {
    published: {
      id: postIdIn(page, post.id),
      url: wholeAddress(post.permalink_url ?? `/${post.id}`),
      ref: null,
    },
    created_at: Date.parse(post.created_time),
    texts: textsOf(post, attachments),
    parent: null,
    isSameKind: shownKind(attachments) === sortOf(part),
    // It is not documented that a post's photos keep the ids of the uploads, so only a match counts.
    origin: photos.some((id) => ids.has(id)) ? "ours" : null,
  };
}

function attachmentsOf({ attachments }: Post): Attachment[] {
  return (attachments?.data ?? []).flatMap(({ subattachments, ...own }) => [own, ...(subattachments?.data ?? [])]);
}

/** The texts to compare: with the URL of the link card, and without. */
function textsOf({ message }: Post, attachments: readonly Attachment[]): string[] {
  const text = message ?? "";
  const links = attachments.flatMap(({ url, media_type, type }) =>
    url == null || sortOfAttachment({ media_type, type }) !== "text" ? [] : [unwrapped(url)],
  );
  return [...new Set([text, ...links.map((link) => withLink(text, link))])];
}

function withLink(text: string, link: string): string {
  return text === "" ? link : `${text}\n${link}`;
}

/** The target of a link. Facebook redirects links through `https://l.facebook.com/l.php?u=…`. */
function unwrapped(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, pathname, searchParams } = new URL(url);
  const isWrapped = hostname.endsWith(".facebook.com") && pathname === "/l.php";
  return isWrapped ? (searchParams.get("u") ?? url) : url;
}

type Sort = "text" | "photos" | "video";

function sortOf(part: Part<FacebookOptions>): Sort {
  const sorts: Readonly<Partial<Record<Kind, Sort>>> = { video: "video", reel: "video" };
  return sorts[kindOf(part)] ?? (part.media.length > 0 ? "photos" : "text");
}

/** A text-only post has no attachment. A link card is an attachment that is neither photo nor video. */
function shownKind(attachments: readonly Attachment[]): Sort {
  const sorts = attachments.map(sortOfAttachment);
  if (sorts.includes("video")) return "video";
  return sorts.includes("photos") ? "photos" : "text";
}

function sortOfAttachment({ media_type, type }: Pick<Attachment, "media_type" | "type">): Sort {
  const words = `${media_type ?? ""} ${type ?? ""}`;
  if (/video|reel/i.test(words)) return "video";
  return /photo|album/i.test(words) ? "photos" : "text";
}

/** The text, with the URL of its link card if it has one, because Facebook shows both. Stories have no text. */
export function textForms(part: Part<FacebookOptions>): string[] {
  if (part.post_type === "story") return [""];
  return part.link === null ? [part.text] : [withLink(part.text, part.link.url)];
}

const dayMs = 24 * 3_600_000;

/** The list of targeted posts counts once it has shown one. */
export function lists(api: Api): AccountLists<FacebookOptions> {
  return listsThatShow({
    isKnown: ({ part }) => !isTargeted(part),
    nameOf: ({ part }) => listName(part),
    read: (context, input) => readList(context, { ...input, since: context.now() - dayMs }, api),
  });
}
