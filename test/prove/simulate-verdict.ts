import type { Post, Target } from "../../src/publishing/schema.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import type { IntentRow } from "../../src/sending/intent.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { type Finding, uploadedFiles } from "../support/verdict.ts";
import { judgeEndpoints } from "./simulate-deliveries.ts";
import { complaintAbout, excuseFor, type UndecidedTarget } from "./simulate-doubt.ts";
import type { Script } from "./simulate-script.ts";
import type { SimulatedProfile, SimulatedWorld } from "./simulate-world.ts";

export interface SimulationVerdict {
  findings: Finding[];
  posts: number;
  /** Requests whose answer nobody heard. */
  unheard: number;
  undecided: number;
  /** The undecided ones, in words. */
  doubts: string[];
  /** The same where nobody could tell, and why. */
  excused: number;
  reasons: string[];
  unknowable: number;
  givenUp: number;
  deliveries: number;
  again: number;
}

/** Compares what the store says in the end with what the networks and the receivers have. */
export async function judgeWorld(world: SimulatedWorld, script: Script): Promise<SimulationVerdict> {
  const { social } = world.spawn(0);
  const verdict: SimulationVerdict = {
    findings: [...world.findings],
    posts: 0,
    unheard: await countUnheard(world),
    undecided: 0,
    doubts: [],
    excused: 0,
    reasons: [],
    unknowable: 0,
    givenUp: 0,
    deliveries: 0,
    again: 0,
  };
  for (const account of world.accounts) {
    const posts: Post[] = [];
    const { rows } = await world.storage.find("posts", { where: { account_id: account.id } });
    for (const { id } of rows) posts.push(await social.forAccount(account.id).posts.get(id));
    verdict.posts += posts.length;
    verdict.findings.push(...judgeKeys(posts), ...posts.flatMap((post) => judgePost(post, script)));
    for (const profile of account.profiles) judgeProfile(verdict, { world, profile, posts, script });
    const told = await judgeEndpoints({ world, account, posts });
    verdict.findings.push(...told.findings);
    verdict.deliveries += told.deliveries;
    verdict.again += told.again;
  }
  return verdict;
}

async function countUnheard({ storage }: SimulatedWorld): Promise<number> {
  const { rows } = await storage.find("intents", { where: {} });
  return rows.filter((row) => fromRow<IntentRow>(row).private.unknown_since !== null).length;
}

function judgeKeys(posts: readonly Post[]): Finding[] {
  const keys = posts.flatMap(({ idempotency_key: key }) => (key === null ? [] : [key]));
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index);
  return twice.map((key) => ({ what: "twice", words: `two posts under the key ${key}` }));
}

function judgePost({ id, status }: Post, { cancelled }: Script): Finding[] {
  if (status === "scheduled" || status === "publishing") return [{ what: "stuck", words: `${id} is still ${status}` }];
  if (cancelled.has(id) && status !== "cancelled") {
    return [{ what: "untrue", words: `${id} was cancelled, and is ${status}` }];
  }
  return [];
}

interface ProfileEvidence {
  world: SimulatedWorld;
  profile: SimulatedProfile;
  posts: readonly Post[];
  script: Script;
}

/** Everything that one profile's network shows must be told by a target, and the other way round. */
function judgeProfile(verdict: SimulationVerdict, { world, profile, posts, script }: ProfileEvidence): void {
  const { sandbox } = world;
  const all = sandbox.networks.flatMap((network) => network.posts());
  const shown = all.filter(({ account, id }) => account === profile.externalId && !world.byHand.has(id));
  const texts = shown.map(({ text }) => text);
  const say = (what: Finding["what"], words: string): void =>
    void verdict.findings.push({ what, words: `${profile.kind.name} ${profile.id}: ${words}` });
  for (const text of texts.filter((each, index) => texts.indexOf(each) !== index))
    say("twice", `"${text}" is there twice`);
  const explained = new Set<SandboxPost>();
  for (const post of posts) {
    const target = post.targets.find(({ profile_id }) => profile_id === profile.id);
    if (target === undefined) continue;
    const expected = post.thread ?? [post.text];
    const parts = shown.filter(({ text }) => expected.includes(text));
    for (const part of parts) explained.add(part);
    const words = complaintOf(target, { post, expected, parts, wasDisconnected: script.disconnected.has(profile.id) });
    if (words !== null) say(words.what, `${post.id} (${expected[0]}): ${words.words}`);
    const complaint = complaintAbout(parts, { profile, script });
    if (complaint !== null) say("untrue", complaint);
    count(verdict, world, { profile, post, target, parts, script });
  }
  for (const { text } of shown.filter((part) => !explained.has(part)))
    say("untrue", `"${text}" is there, and no target says so`);
}

function count(verdict: SimulationVerdict, world: SimulatedWorld, undecided: UndecidedTarget): void {
  const { target, profile } = undecided;
  const { id, error } = target;
  if (error?.code === "network_error") verdict.givenUp += 1;
  if (error?.code !== "timeout") return;
  if (!profile.kind.canBeAsked || error.message.includes("disconnected")) {
    verdict.unknowable += 1;
    return;
  }
  const reason = excuseFor(world, undecided);
  if (reason !== null) {
    verdict.excused += 1;
    verdict.reasons.push(reason);
    return;
  }
  verdict.undecided += 1;
  verdict.doubts.push(`${profile.kind.name} ${id}, ${JSON.stringify(profile.ways)}: ${error.message}`);
}

interface TargetEvidence {
  post: Post;
  expected: readonly string[];
  /** What the network shows of it. */
  parts: readonly SandboxPost[];
  wasDisconnected: boolean;
}

/** Codes that what goes wrong in a simulation explains. */
const explicable: ReadonlySet<string> = new Set(["network_error", "internal_error", "media_error"]);

function complaintOf(target: Target, { post, expected, parts, wasDisconnected }: TargetEvidence): Finding | null {
  const { status, post_ids, error } = target;
  const ids = parts.map(({ id }) => id);
  const areTold = isSame(ids, post_ids);
  if (status === "pending" || status === "skipped") {
    const isWaiting = status === "pending" && post.status === "draft";
    const isCancelled = status === "skipped" && post.status === "cancelled";
    if (!isWaiting && !isCancelled) return { what: "stuck", words: `${status}, and the post is ${post.status}` };
    return parts.length === 0 ? null : { what: "untrue", words: `a ${post.status} post is out` };
  }
  if (status === "publishing") return { what: "stuck", words: "still publishing" };
  if (status === "published") {
    if (
      !isSame(
        parts.map(({ text }) => text),
        expected,
      )
    )
      return { what: "lost", words: `there is only ${parts.map(({ text }) => text)}` };
    const [first] = parts;
    if (first === undefined || uploadedFiles(first) !== post.media.length)
      return { what: "lost", words: "without its picture" };
    const parents = parts.map(({ reply_to }) => reply_to);
    if (!isSame(parents, [null, ...ids.slice(0, -1)])) return { what: "lost", words: "the thread is out of order" };
    return areTold && error === null
      ? null
      : { what: "untrue", words: `${post_ids} instead of ${ids}, ${error?.message}` };
  }
  const { code = "", message = "" } = error ?? {};
  if (code === "timeout")
    return message.includes("may be live") ? null : { what: "untrue", words: `timeout: ${message}` };
  if (!areTold) return { what: "untrue", words: `${ids} is there instead of ${post_ids}: ${code}: ${message}` };
  if (explicable.has(code) || (code === "profile_unavailable" && wasDisconnected)) return null;
  return { what: "lost", words: `${code}: ${message}` };
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}
