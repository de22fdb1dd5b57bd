import { createTextReader } from "../text/reading.ts";
import { SocialError } from "../wire/errors.ts";
import { createMediaReader, type MediaResult } from "./media.ts";
import {
  contentFor,
  mediaOf,
  type PlannedTarget,
  planContent,
  planTarget,
  type SharedPlan,
  type TargetContent,
} from "./plan.ts";
import type { PlanningPorts } from "./ports.ts";
import type { Addressee } from "./recipients.ts";
import type { ParsedCreatePost } from "./schema.ts";

/**
 * Plans one post for everyone whom it is addressed to. What they have in common
 * is done once: each file is looked at once, each text is read once, and what
 * one network makes of it is counted and cut once for all profiles with the same
 * limits.
 */
export interface Planner {
  plan(addressee: Addressee): Promise<PlannedTarget>;
  /** Roughly how many characters of the post are kept for a target. */
  sizeFor(addressee: Addressee): number;
  /** The post's own files in order; null: none that was planned uses it, so nobody has looked at it. */
  ownMedia(): Promise<(MediaResult | null)[]>;
}

/** What one network is to see. */
interface NetworkContent {
  content: TargetContent;
  size: number;
}

export function createPlanner(ports: PlanningPorts, accountId: string, body: ParsedCreatePost): Planner {
  const media = createMediaReader((url) => ports.inspectMedia(url, accountId));
  const { mediaTools, changeWarnings, pullProblem, location, pace } = ports;
  const readText = createTextReader();
  const contents = new Map<string, NetworkContent>();
  const plans = new Map<string, Promise<SharedPlan>>();

  function contentOf({ adapter }: Addressee): NetworkContent {
    return once(contents, adapter.spec.network, () => {
      const content = contentFor(body, adapter);
      const seen = { ...content.content, profile_ids: [], networks: { [adapter.spec.network]: content.options } };
      return { content, size: JSON.stringify(seen).length };
    });
  }

  async function makePlan({ profile, adapter }: Addressee, content: TargetContent): Promise<SharedPlan> {
    const files = await Promise.all(mediaOf(content.content.media).map(media.read));
    return planContent({ adapter, limits: profile.limits }, content, {
      media: files,
      readMedia: media.read,
      readText,
      mediaTools,
      changeWarnings,
      pullProblem,
      location,
      pace,
    });
  }

  return {
    async plan(addressee) {
      await pace();
      const { profile, adapter } = addressee;
      const { content } = contentOf(addressee);
      const key = `${adapter.spec.network} ${JSON.stringify(profile.limits)}`;
      const plan = await once(plans, key, () => makePlan(addressee, content));
      await pace();
      return planTarget(profile, plan, content.replaced);
    },
    sizeFor: (addressee) => contentOf(addressee).size,
    ownMedia: () => Promise.all(mediaOf(body.media).map((file) => (media.hasRead(file.url) ? media.read(file) : null))),
  };
}

export interface PlannedPost {
  targets: PlannedTarget[];
  /** The post's own files that some network uses, in order; null in the place of the others. */
  media: (MediaResult | null)[];
}

/** What is written for all targets of a post together, roughly, in characters: a store takes it in at one go. */
const maxForAll = 1_000_000;

/**
 * Looks at the files and plans every target.
 *
 * @throws SocialError `invalid_request` for a long post to very many profiles
 */
export async function planPost(
  ports: PlanningPorts,
  { accountId, body }: { accountId: string; body: ParsedCreatePost },
  addressees: readonly Addressee[],
): Promise<PlannedPost> {
  const planner = createPlanner(ports, accountId, body);
  const size = addressees.reduce((sum, addressee) => sum + planner.sizeFor(addressee), 0);
  if (size > maxForAll) throw tooMuch(size, addressees.length);
  const targets = await Promise.all(addressees.map(planner.plan));
  return { targets, media: await planner.ownMedia() };
}

function tooMuch(size: number, profiles: number): SocialError {
  const message =
    `The request is too large: ${profiles} profiles with about ${Math.round(size / profiles)} characters each are ` +
    `${size}; one post allows at most ${maxForAll}. Create several posts with fewer profiles each.`;
  return new SocialError("invalid_request", "The request is not valid: profile_ids.", {
    details: [{ field: "profile_ids", code: "invalid_request", message }],
  });
}

function once<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
