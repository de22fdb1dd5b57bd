import type { CreatePost } from "../../src/posts/schema.ts";
import type { Random } from "./random.ts";

/** What every process of an arena is told. */
export interface ArenaWorld {
  /** The SQLite file. */
  database: string;
  /** Where all requests go: the arena hands them on to the networks. */
  lineUrl: string;
  /** Bluesky's server; default: the public one, which the sandbox answers for. */
  blueskyService?: string;
  /** The moment from which time runs fast, milliseconds since 1970, and how fast. */
  time: { fastFrom: number; speed: number };
}

/** A post as it is to be published, and what each of its networks must show. */
export interface PlannedPost {
  key: string;
  body: CreatePost;
  texts: string[];
}

/** A connected account, as posts are addressed to it. */
export interface Addressable {
  profileId: string;
  threads: boolean;
}

/** Posts, threads and pictures for one to three accounts each; every text is there once in the world. */
export function planPosts(
  count: number,
  options: { accounts: readonly Addressable[]; picture: string; random: Random; mostProfiles: number },
): PlannedPost[] {
  const { accounts, picture, random } = options;
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const key = `post number ${number}`;
    const kind = random.of(["text", "text", "media", "thread"] as const);
    const able = kind === "thread" ? accounts.filter(({ threads }) => threads) : accounts;
    const chosen = new Set(
      Array.from({ length: random.between(1, options.mostProfiles) }, () => random.of(able).profileId),
    );
    const base = { profile_ids: [...chosen], idempotency_key: key };
    const texts = kind === "thread" ? [1, 2, 3].map((part) => textOf(number, part)) : [textOf(number, 1)];
    if (kind === "thread") return { key, texts, body: { ...base, thread: texts } };
    const body = { ...base, text: texts[0] ?? "" };
    return { key, texts, body: kind === "text" ? body : { ...body, media: [{ url: picture, alt: "A square." }] } };
  });
}

function textOf(number: number, part: number): string {
  return `Post ${number}, part ${part}: only once, whatever happens.`;
}
