import type { Post, Target } from "../../src/publishing/schema.ts";
import type { MastodonPost } from "../../src/sandbox/mastodon/posts.ts";
import { mastodonsWays } from "../../src/sandbox/mastodon/ways.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import { visibilityAt, whyUndecided } from "../support/instance-ways.ts";
import { lookAlike } from "./simulate-networks.ts";
import type { Script, Written } from "./simulate-script.ts";
import type { SimulatedProfile, SimulatedWorld } from "./simulate-world.ts";

export interface UndecidedTarget {
  profile: SimulatedProfile;
  post: Post;
  target: Target;
  /** What the network shows of it. */
  parts: readonly SandboxPost[];
  script: Script;
}

/** Why the part behind the last one that is known need not be decided; null: it must be. */
export function excuseFor(world: SimulatedWorld, undecided: UndecidedTarget): string | null {
  const { profile, post, target, parts, script } = undecided;
  const text = (post.thread ?? [post.text])[target.post_ids.length] ?? "";
  const written = script.written.get(text);
  if (written === undefined) return null;
  const isLive = parts.some((part) => part.text === text);
  const hasSimilar = [...world.byHand.values()].some(
    ({ profileId, similarTo }) => profileId === profile.id && similarTo === text,
  );
  if (profile.body.network === "bluesky") return null;
  if (profile.body.network === "discord") return hasSimilar && !isLive ? "the owner posted something similar" : null;
  const posts = world.sandbox.mastodon.posts().filter(({ account }) => account === profile.externalId);
  return whyUndecided({
    ways: { ...mastodonsWays, ...(isOn(profile, lookAlike) ? { keys: "ignored" } : {}), ...profile.ways },
    text: written.marked,
    visibility: visibilityAt(written.visibility, written.part),
    isReply: written.part > 0,
    hasFiles: written.hasFiles,
    isLive,
    // What was shown a week ago may be on no page that is read.
    wasShownBefore: false,
    hasSimilar,
    posts: posts.length,
  });
}

function isOn({ body }: SimulatedProfile, host: string): boolean {
  return body.network === "mastodon" && "instance" in body.credentials && body.credentials.instance === host;
}

/** What is wrong with what an instance shows of a post, past texts and order; null: nothing. */
export function complaintAbout(
  parts: readonly SandboxPost[],
  { profile, script }: Pick<UndecidedTarget, "profile" | "script">,
): string | null {
  if (profile.body.network !== "mastodon") return null;
  for (const { text, visibility, files } of parts as readonly MastodonPost[]) {
    const written = script.written.get(text) as Written;
    const asked = visibilityAt(written.visibility, written.part);
    const wanted = profile.ways.visibilityBecomes?.[asked] ?? asked;
    if (visibility !== wanted) return `"${text}" is ${visibility} instead of ${wanted}`;
    if (files.some((file) => !file.is_original)) return `"${text}" shows another picture`;
  }
  return null;
}
