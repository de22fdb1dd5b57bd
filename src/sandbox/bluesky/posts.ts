import * as z from "zod";
import type { SandboxPost } from "../network.ts";
import type { SandboxAccount } from "./accounts.ts";

/** All posts of the accounts, in the order of publication. */
export function postsOf(accounts: readonly SandboxAccount[]): SandboxPost[] {
  const posts = accounts.flatMap(postsOfOne);
  return posts.sort((a, b) => a.at - b.at).map(({ post }) => post);
}

const postSchema = z.looseObject({
  text: z.string(),
  createdAt: z.string(),
  reply: z.looseObject({ parent: z.looseObject({ uri: z.string() }) }).optional(),
  embed: z.looseObject({ $type: z.string() }).optional(),
});

const mediaSchema = z.looseObject({
  images: z.array(z.looseObject({ alt: z.string() })).optional(),
  items: z.array(z.looseObject({ alt: z.string() })).optional(),
  video: z.unknown().optional(),
  alt: z.string().optional(),
  media: z.unknown().optional(),
});

function postsOfOne(account: SandboxAccount): { at: number; post: SandboxPost }[] {
  return [...account.records.values()].flatMap(({ uri, value, written_at }) => {
    if (value.$type !== "app.bsky.feed.post") return [];
    const { text, createdAt, reply, embed } = postSchema.parse(value);
    const alt = altTexts(embed);
    const rkey = uri.slice(uri.lastIndexOf("/") + 1);
    const post: SandboxPost = {
      id: uri,
      account: account.did,
      text,
      media: alt.length,
      alt,
      reply_to: reply?.parent.uri ?? null,
      url: `https://bsky.app/profile/${account.did}/post/${rkey}`,
      created_at: createdAt,
    };
    return [{ at: written_at, post }];
  });
}

/** One for each file of an embed. */
function altTexts(embed: unknown): string[] {
  const parsed = mediaSchema.safeParse(embed);
  if (!parsed.success) return [];
  const { images, items, video, alt, media } = parsed.data;
  if (video !== undefined) return [alt ?? ""];
  return [...(images ?? []), ...(items ?? [])]
    .map((each) => each.alt)
    .concat(media === undefined ? [] : altTexts(media));
}
