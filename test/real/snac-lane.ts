import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { CreatePost } from "../../src/posts/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import type { SocialService } from "../../src/service.ts";
import { png } from "../media/samples.ts";
import { startChild } from "./child.ts";
import { skippingClock } from "./skipping-clock.ts";
import type { SnacNote, SnacServer } from "./snac.ts";
import { type PostByHand, postByHand } from "./snac-by-hand.ts";
import { type Fault, type Spoil, startFront } from "./snac-front.ts";
import type { PostKind } from "./snac-posts.ts";
import type { SnacErrand } from "./snac-publisher.ts";
import { openSnacService } from "./snac-service.ts";
import { judge, type SnacVerdict } from "./snac-verdict.ts";

/** One account with all that publishes on it; each kind of post has its own, so that they run concurrently. */
export interface SnacLane {
  publish(options: SnacCase): Promise<SnacVerdict>;
  /** Images of published posts that the server no longer serves unchanged. */
  changedPictures(): string[];
  stop(): Promise<void>;
}

export interface SnacCase {
  /** The fault of the post, or of one part of a thread. @default none */
  fault?: Fault;
  /** The fault of the first upload. @default none */
  uploadFault?: Fault;
  /** The fault of the first look. @default none */
  lookFault?: Fault;
  /** The access token dies with the fault; the listener of `profile.needs_attention` gives the profile a new one. */
  tokenDies?: boolean;
  /** The owner's post from another program while the response is missing. */
  byHand: Omit<PostByHand, "visibility"> | null;
}

/** Between two cases, so that none meets an undecided post of the one before. */
const betweenCasesMs = 3 * 3_600_000;

export async function openLane(options: {
  snac: SnacServer;
  kind: PostKind;
  name: string;
  folder: string;
}): Promise<SnacLane> {
  const { snac, kind, name } = options;
  const clock = skippingClock();
  const account = await snac.addAccount(name);
  const front = await startFront(snac, clock);
  const database = join(options.folder, `${name}.db`);
  const profile = await withService(async (social) => {
    const credentials = { instance: front.host, access_token: account.access_token };
    return social.profiles.connect({ network: "mastodon", credentials });
  });
  const visibility = String(kind.options?.visibility ?? "public");
  const pictures: { bytes: Uint8Array; note: SnacNote; index: number }[] = [];
  let taken = 0;
  let isTokenDead = false;

  function withService<Value>(work: (social: SocialService) => Promise<Value>): Promise<Value> {
    return clock.run(async () => {
      const social = openSnacService({ database, clock, http: front.http });
      try {
        return await work(social);
      } finally {
        await social.stop();
      }
    });
  }

  function nextPost(): { post: CreatePost; texts: string[]; files: Uint8Array[] } {
    taken += 1;
    const texts = kind.texts.map((text) => text.replaceAll("{n}", `${name}x${taken}`));
    const files = Array.from({ length: kind.pictures ?? 0 }, (_, index) => png(taken + 8, index + 8));
    const media = files.map((bytes, index) => ({
      url: front.putPicture(`${taken}-${index}.png`, bytes),
      alt: `Picture ${index} of post ${taken}`,
    }));
    const content = texts.length > 1 ? { thread: texts } : { text: texts[0] ?? "" };
    const networks = kind.options === undefined ? {} : { networks: { mastodon: kind.options } };
    const post = { profile_ids: [profile.id], ...content, ...(media.length === 0 ? {} : { media }), ...networks };
    return { post: post as CreatePost, texts, files };
  }

  /** Waits for the one post that is under way. */
  function settled(social: SocialService): Promise<Post> {
    return new Promise((resolve) => {
      for (const name of ["post.published", "post.failed"] as const) social.on(name, ({ post }) => resolve(post));
    });
  }

  /** A connection does not wait for a server as long as a sweep is away: no time is skipped meanwhile. */
  async function reconnect(social: SocialService): Promise<void> {
    const release = clock.hold();
    account.access_token = await snac.newToken(account);
    isTokenDead = false;
    const credentials = { instance: front.host, access_token: account.access_token };
    await social.profiles.connect({ network: "mastodon", profile_id: profile.id, credentials }).finally(release);
  }

  async function publishHere(post: CreatePost): Promise<Post> {
    return withService(async (social) => {
      const outcome = settled(social);
      let reconnected: Promise<void> | null = null;
      social.on("profile.needs_attention", () => {
        reconnected = reconnect(social);
        return reconnected;
      });
      await social.start();
      await social.posts.create(post);
      const settledPost = await outcome;
      // The next case begins with a working token, whether this one missed it or not.
      await (reconnected ?? (isTokenDead ? reconnect(social) : undefined));
      return settledPost;
    });
  }

  async function goOnAfterDeath(): Promise<Post> {
    return withService(async (social) => {
      const outcome = settled(social);
      await social.start();
      return outcome;
    });
  }

  return {
    async publish({ fault, uploadFault, lookFault, tokenDies = false, byHand }) {
      clock.skip(betweenCasesMs);
      const { post, texts, files } = nextPost();
      const before = new Set(snac.notes(account.name).map(({ id }) => id));
      const foreign = new Set<string>();
      let child: ChildProcess | null = null;
      const ordered: Spoil = {
        fault: fault ?? "dropped after",
        what: "post",
        at: taken % texts.length,
        async afterwards() {
          if (byHand !== null) foreign.add(await postByHand(front, account, { ...byHand, visibility }));
          if (tokenDies) snac.revoke(account.access_token);
          isTokenDead = tokenDies;
        },
        async kill() {
          if (child === null) throw new Error("There is no process to kill.");
          const ended = once(child, "exit");
          child.kill("SIGKILL");
          await ended;
        },
      };
      front.spoil([
        ...(fault === undefined ? [] : [ordered]),
        ...(uploadFault === undefined ? [] : [{ fault: uploadFault, what: "upload" as const, at: 0 }]),
        ...(lookFault === undefined ? [] : [{ fault: lookFault, what: "look" as const, at: 0 }]),
      ]);
      const isKilled = fault?.startsWith("killed") === true;
      if (isKilled) {
        child = await startChild("snac-publisher.ts", {
          database,
          aheadMs: clock.aheadMs(),
          post,
        } satisfies SnacErrand);
        await once(child, "exit");
      }
      const { targets } = await (isKilled ? goOnAfterDeath() : publishHere(post));
      if (!front.hasSpoilt()) throw new Error(`${kind.name}: not all was spoilt.`);
      const [target] = targets;
      if (target === undefined) throw new Error("A post without a target.");
      const notes = snac.notes(account.name).filter(({ id }) => !before.has(id) && !foreign.has(id));
      const attachments = files.length + (kind.addresses ?? 0);
      const obstacle = tokenDies ? ("reauthentication_required" as const) : null;
      const verdict = judge({ texts, attachments, target, obstacle, notes });
      const first = notes.find(({ id }) => id === target.url);
      if (first !== undefined) pictures.push(...files.map((bytes, index) => ({ bytes, note: first, index })));
      return verdict;
    },
    changedPictures() {
      const isChanged = ({ bytes, note, index }: (typeof pictures)[number]): boolean => {
        const attachment = note.attachment[index];
        const shown = attachment === undefined ? null : snac.attachedBytes(account.name, attachment);
        return shown === null || !shown.equals(bytes);
      };
      return pictures.filter(isChanged).map(({ note }) => note.id);
    },
    stop: () => front.stop(),
  };
}
