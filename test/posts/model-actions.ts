import { isoTime } from "../../src/ports/clock.ts";
import { isNow, type UpdatePost } from "../../src/posts/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import type { SocialService } from "../../src/service.ts";
import { SocialError } from "../../src/wire/errors.ts";
import type { Action, When } from "./model-steps.ts";
import { hasStarted } from "./model-store.ts";
import type { ModelWorld } from "./model-world.ts";

type PostAction = Extract<Action, { do: "create" | "update" | "mend" | "cancel" | "retry" }>;

/**
 * Runs an action and compares the result with the model's. Of concurrent
 * actions the model knows only the results that none of them may have.
 */
export async function act(
  world: ModelWorld,
  { act: action, process }: { act: Action; process: number },
  { isAlone }: { isAlone: boolean },
): Promise<void> {
  const social = world.processes[process] as SocialService;
  const profileId = "profile" in action ? world.profiles[action.profile]?.id : undefined;
  try {
    if (action.do === "runDue") await social.runDue();
    else if (action.do === "disconnect") await social.profiles.disconnect(profileId ?? "");
    else if (action.do === "reconnect") await reconnect(world, social, action.profile);
    else await actOnPost(world, social.posts, { action, isAlone });
  } catch (error) {
    if (!isExpected(error)) world.findings.push(`${action.do}: ${error instanceof Error ? error.stack : error}`);
  }
}

function isExpected(error: unknown): boolean {
  return SocialError.is(error) && (error.code === "conflict" || error.code === "invalid_request");
}

async function reconnect(world: ModelWorld, { profiles }: SocialService, index: number): Promise<void> {
  const connection = world.connections[index];
  if (connection === undefined) return;
  const { id } = await profiles.connect(connection);
  if (id !== world.profiles[index]?.id) world.findings.push(`connected again as ${id}`);
}

async function actOnPost(
  world: ModelWorld,
  posts: SocialService["posts"],
  { action, isAlone }: { action: PostAction; isAlone: boolean },
): Promise<void> {
  const id = action.do === "create" ? null : postOf(world, action.post);
  if (id === undefined) return;
  const before = id === null ? null : await posts.get(id);
  const body = bodyFor(world, action);
  try {
    const after = await request(posts, { action, id, body });
    if (action.do === "create") world.postIds.push(after.id);
    if (action.do === "cancel") world.cancelled.add(after.id);
    if (isAlone && action.do === "retry" && before !== null) {
      const complaints = isRepeated(world, action, after.id) ? begunAgain : wronglyRetried;
      world.findings.push(...complaints(before, after));
    }
    if (isAlone) world.findings.push(...complaintsAbout(world, { action, before, after, body }));
    if (action.do === "retry" && action.key !== null) world.retried.add(`${after.id} ${action.key}`);
  } catch (error) {
    const words = wordsOf(body);
    if (words !== undefined) world.refused.add(words);
    if (isAlone && before !== null) world.findings.push(...complaintsAboutRefusal(world, { action, before, error }));
    throw error;
  }
}

function postOf({ postIds, store }: ModelWorld, number: number): string | undefined {
  const isOver = (id: string): boolean => ["published", "cancelled"].includes(store.statusOf(id) ?? "");
  const open = postIds.filter((id) => !isOver(id));
  const candidates = number > 3 || open.length === 0 ? postIds : open;
  return candidates.at(-1 - (number % Math.max(1, candidates.length)));
}

function request(
  posts: SocialService["posts"],
  { action, id, body }: { action: PostAction; id: string | null; body: UpdatePost },
): Promise<Post> {
  if (id === null) return posts.create({ profile_ids: [], ...body });
  if (action.do === "update" || action.do === "mend") return posts.update(id, body);
  if (action.do !== "retry") return posts.cancel(id);
  return posts.retry(id, action.key === null ? {} : { idempotency_key: `retry-000${action.key}` });
}

/** True: a retry of this post under this key has begun before. */
function isRepeated({ retried }: ModelWorld, action: PostAction, id: string): boolean {
  return action.do === "retry" && retried.has(`${id} ${action.key}`);
}

/** A repeated retry begins nothing. */
function begunAgain(before: Post, after: Post): string[] {
  const isBegun = after.targets.some(({ id, attempts }) => {
    const target = before.targets.find((each) => each.id === id);
    return target !== undefined && attempts > target.attempts;
  });
  return isBegun ? [`a repeated retry has begun ${after.id} again`] : [];
}

function wordsOf({ text, networks = {} }: UpdatePost): string | undefined {
  const [own] = Object.values(networks);
  return text ?? (own?.text as string | undefined);
}

function bodyFor(world: ModelWorld, action: PostAction): UpdatePost {
  if (action.do === "cancel" || action.do === "retry") return {};
  const text = `version ${++world.versions}.`;
  if (action.do === "mend") {
    const networks = { [networkNames[action.network] ?? ""]: { text, thread: [text] } };
    return { networks, ...(action.isNow ? { publish_now: true } : {}) };
  }
  const thread = action.isThread ? [`${text} Part 1`, `${text} Part 2`] : null;
  const addressed =
    action.to === null ? {} : { profile_ids: action.to.map((index) => world.profiles[index]?.id ?? "") };
  return { text, thread, ...addressed, ...timeOf(world, action) };
}

const networkNames = ["bluesky", "mastodon", "discord"];

function timeOf({ clock }: ModelWorld, { do: name, when }: { do: string; when: When | "no time" | null }): UpdatePost {
  if (when === null) return {};
  if (when === "no time") return { scheduled_at: null };
  if (when === "draft") return { draft: true };
  if (when === "now") return name === "create" ? {} : { publish_now: true };
  return { scheduled_at: isoTime(clock.now() + when), draft: false };
}

interface Answered {
  action: PostAction;
  before: Post | null;
  after: Post;
  body: UpdatePost;
}

function complaintsAbout(world: ModelWorld, { action, before, after, body }: Answered): string[] {
  const expected = expectedStatus(world, { action, before, body });
  const isAsExpected = expected === "started" ? hasStarted(after.status) : after.status === expected;
  const from = before?.status ?? "nothing";
  const complaints = isAsExpected ? [] : [`${action.do} of ${from}: ${after.status} instead of ${expected}`];
  if (body.text !== undefined && after.text !== body.text) complaints.push(`${after.id} does not say ${body.text}`);
  for (const [network, own] of Object.entries(body.networks ?? {}))
    if (after.networks[network]?.text !== own?.text) complaints.push(`${after.id} does not say ${own?.text}`);
  const addressed = body.profile_ids ?? before?.targets.map(({ profile_id }) => profile_id);
  if (after.targets.map(({ profile_id }) => profile_id).join() !== addressed?.join()) {
    complaints.push(`${after.id} is addressed to others than was said`);
  }
  return complaints;
}

function expectedStatus(world: ModelWorld, { action, before, body }: Omit<Answered, "after">): string {
  if (action.do === "cancel") return "cancelled";
  if (action.do === "mend" && before !== null && isOut(before) && !action.isNow) return before.status;
  // A post that has since become a draft, or was postponed, stays so.
  if (before !== null && isRepeated(world, action, before.id) && !hasStarted(before.status)) return before.status;
  if (action.do === "retry" || body.publish_now === true) return "started";
  if (body.draft === true) return "draft";
  if (typeof body.scheduled_at === "string")
    return isNow(body.scheduled_at, world.clock.now()) ? "started" : "scheduled";
  if (action.do === "create") return "started";
  if (body.scheduled_at === null || before?.status === "failed") return "draft";
  return before?.status ?? "draft";
}

/** No target that may be live is begun again, and its target says that it was left out. */
function wronglyRetried(before: Post, after: Post): string[] {
  return before.targets.flatMap((target) => {
    const now = after.targets.find(({ id }) => id === target.id);
    if (!isDoubtful(target) || now === undefined) return [];
    if (now.attempts > target.attempts) return [`${target.id} may be live, and was begun again`];
    const isTold = now.status !== "failed" || (now.warnings ?? []).length > 0;
    return isTold ? [] : [`${target.id} may be live, and was left out without a word`];
  });
}

type Target = Post["targets"][number];

/** True: it may be live, and its network would not drop a duplicate. */
function isDoubtful({ status, error, network }: Target): boolean {
  return status === "failed" && error?.code === "timeout" && network !== "bluesky";
}

function mayBeOut({ post_ids, error }: Target): boolean {
  return post_ids.length > 0 || error?.code === "timeout";
}

/** True: a part of it is live, or may be. */
function isOut({ status, targets }: Post): boolean {
  return status === "publishing" || status === "partially_published" || targets.some(mayBeOut);
}

const takes: Readonly<Record<string, readonly string[]>> = {
  update: ["draft", "scheduled", "failed"],
  cancel: ["draft", "scheduled"],
};

function isTaken({ status, targets }: Post, action: PostAction): boolean {
  if (action.do === "retry") return targets.some((target) => target.status === "failed");
  if (action.do !== "mend" || ["draft", "scheduled"].includes(status))
    return takes[action.do]?.includes(status) ?? true;
  if (["published", "cancelled"].includes(status)) return false;
  const own = targets.filter(({ network }) => network === networkNames[action.network]);
  const isMendable = own.length > 0 && own.every((target) => target.status === "failed" && !mayBeOut(target));
  return isMendable || (status === "failed" && !targets.some(mayBeOut));
}

/** Only an action that cannot apply may be rejected; a conflict says why. */
function complaintsAboutRefusal(
  world: ModelWorld,
  { action, before, error }: { action: PostAction; before: Post; error: unknown },
): string[] {
  if (!SocialError.is(error)) return [];
  const { code, message } = error;
  if (isRepeated(world, action, before.id)) return [`a repeated retry of ${before.id} was refused: ${message}`];
  if (!isTaken(before, action)) {
    const saysWhy = action.do === "retry" || message.includes(`The post is ${before.status};`);
    return code === "conflict" && saysWhy ? [] : [`${action.do} of ${before.status}: ${code}: ${message}`];
  }
  const failed = before.targets.filter(({ status }) => status === "failed");
  const isInTheWay =
    action.do === "retry" ? failed.every(isDoubtful) : action.do === "update" && before.targets.some(mayBeOut);
  if (code === "conflict" && isInTheWay) return [];
  return code === "invalid_request" && action.do !== "cancel" ? [] : [`${action.do} of ${before.status}: ${message}`];
}
