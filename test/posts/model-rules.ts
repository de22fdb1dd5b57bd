/** The invariants of every history: the store, the networks and all listeners agree. */
import type { PostRow, TargetRow } from "../../src/publishing/rows.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { hasStarted } from "./model-store.ts";
import type { ModelWorld } from "./model-world.ts";

interface Seen {
  world: ModelWorld;
  posts: readonly PostRow[];
  targets: readonly TargetRow[];
  /** By profile id. */
  shown: ReadonlyMap<string, readonly SandboxPost[]>;
}

export async function findingsIn(world: ModelWorld): Promise<string[]> {
  const seen = await look(world);
  const { recorded } = await world.deliveries();
  return [
    ...world.findings,
    ...world.store.findings,
    ...foreignOrTwice(seen),
    ...seen.targets.flatMap((target) => untrueTarget(seen, target)),
    ...wrongfullyChanged(seen),
    ...differences("a listener heard", world.heard, world.store.settlements),
    ...differences("recorded for the webhook", recorded, world.store.settlements),
  ];
}

/** The work that must not be left once the networks are well and time has passed. */
export async function leftIn(world: ModelWorld): Promise<string[]> {
  const { posts, targets } = await look(world);
  const { pending } = await world.deliveries();
  const open = posts.filter(({ status, due_at }) => {
    return status === "publishing" || (status === "scheduled" && (due_at ?? 0) <= world.clock.now());
  });
  const lost = targets.filter(({ error }) => error?.code === "internal_error" && !error.message.includes("late"));
  return [
    ...open.map(({ id, status }) => `${id} is still ${status}`),
    ...lost.map(({ id, error }) => `${id}: ${error?.message}`),
    ...(pending === 0 ? [] : [`${pending} deliveries are pending`]),
  ];
}

async function look(world: ModelWorld): Promise<Seen> {
  const { storage } = world.store;
  const posts = (await storage.find("posts", { where: {} })).rows.map((row) => fromRow<PostRow>(row));
  const targets = (await storage.find("targets", { where: {} })).rows.map((row) => fromRow<TargetRow>(row));
  const networks = world.shown();
  const shown = new Map(world.profiles.map(({ id }, index) => [id, networks[index] ?? []]));
  return { world, posts, targets, shown };
}

function partsOf({ text, thread, networks }: PostRow, { network }: TargetRow): readonly string[] {
  const own = networks[network]?.text;
  if (typeof own === "string") return [own];
  return thread === null || network === "discord" ? [text] : thread;
}

/** Every live part belongs to a target of a post that has begun, with its current text. */
function foreignOrTwice({ posts, targets, shown }: Seen): string[] {
  return [...shown].flatMap(([profileId, parts]) => {
    const allowed = posts
      .filter(({ status }) => hasStarted(status))
      .flatMap((post) => {
        const own = targets.filter(({ post_id, profile_id }) => post_id === post.id && profile_id === profileId);
        return own.flatMap((target) => partsOf(post, target));
      });
    const texts = parts.map(({ text }) => text);
    return texts.flatMap((text, index) => [
      ...(allowed.includes(text) ? [] : [`"${text}" is there, and should not be`]),
      ...(texts.indexOf(text) === index ? [] : [`"${text}" is there twice`]),
    ]);
  });
}

function untrueTarget({ posts, shown }: Seen, target: TargetRow): string[] {
  const post = posts.find(({ id }) => id === target.post_id);
  if (post === undefined) return [`${target.id} has no post`];
  const parts = partsOf(post, target);
  const there = (shown.get(target.profile_id) ?? []).filter(({ text }) => parts.includes(text));
  const ids = there.map(({ id }) => id).join();
  if (target.status === "published") {
    const isWhole = there.map(({ text }) => text).join() === parts.join() && ids === target.post_ids.join();
    return isWhole ? [] : [`${target.id} is published, and there is only ${ids}`];
  }
  const mayBeLive = target.status === "publishing" || target.error?.code === "timeout";
  if (mayBeLive || ids === target.post_ids.join()) return [];
  return [`${target.id} is ${target.status} (${target.error?.code}), and there is ${ids}`];
}

/** No post shows a rejected text, and a cancelled post stays cancelled. */
function wrongfullyChanged({ world, posts }: Seen): string[] {
  return posts.flatMap(({ id, text, networks, status }) => [
    ...[text, ...Object.values(networks).map((own) => String(own.text))].flatMap((words) =>
      world.refused.has(words) ? [`${id} says "${words}", which was refused`] : [],
    ),
    ...(world.cancelled.has(id) && status !== "cancelled" ? [`${id} was cancelled, and is ${status}`] : []),
  ]);
}

function differences(what: string, some: readonly string[], others: readonly string[]): string[] {
  const [left, right] = [[...some].sort(), [...others].sort()];
  return left.join("\n") === right.join("\n")
    ? []
    : [`${what}: ${left.join("; ")}, and there was: ${right.join("; ")}`];
}
