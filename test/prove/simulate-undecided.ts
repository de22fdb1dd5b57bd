import type { Post, Target } from "../../src/publishing/schema.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import { sceneOf } from "../networks/scenes.ts";
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

/** Why the profile's network took its login no more at some time, which only its owner could mend; null: it always did. */
export function lockoutOf(
  { sandbox }: SimulatedWorld,
  { id, body, externalId }: SimulatedProfile,
  { revoked }: Pick<Script, "revoked">,
): string | null {
  if (revoked.has(id)) return "the owner has taken back the login";
  return sceneOf(body.network).simulation?.lockedOut?.(sandbox, externalId) ?? null;
}

/** Why the part behind the last one that is known need not be decided; null: it must be. */
export function excuseFor(world: SimulatedWorld, undecided: UndecidedTarget): string | null {
  const { profile, post, target, parts, script } = undecided;
  const lockout = lockoutOf(world, profile, script);
  if (lockout !== null) return lockout;
  const text = (post.thread ?? [post.text])[target.post_ids.length] ?? "";
  const written = script.written.get(text);
  if (written === undefined) return null;
  const isLive = parts.some((part) => part.text === text);
  const hasSimilar = [...world.byHand.values()].some(
    ({ profileId, similarTo }) => profileId === profile.id && similarTo === text,
  );
  const { network } = profile.body;
  const posts = world.sandbox[network].posts().filter(({ account }) => account === profile.externalId);
  const { marked, ...asked } = written;
  const { kind, ways } = profile;
  const doubt = { ...asked, kind, ways, text: marked, isLive, hasSimilar, posts: posts.length };
  return sceneOf(network).simulation?.excuse?.(doubt) ?? null;
}

/** What is wrong with what a server shows of a post, past texts and order; null: nothing. */
export function complaintAbout(
  parts: readonly SandboxPost[],
  { profile: { body, ways }, script }: Pick<UndecidedTarget, "profile" | "script">,
): string | null {
  const { simulation } = sceneOf(body.network);
  for (const shown of parts) {
    const { visibility, part } = script.written.get(shown.text) as Written;
    const complaint = simulation?.complaint?.(shown, { visibility, part, ways }) ?? null;
    if (complaint !== null) return complaint;
  }
  return null;
}
