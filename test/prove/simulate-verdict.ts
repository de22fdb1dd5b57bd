import type { Post, Target } from "../../src/publishing/schema.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import type { IntentRow } from "../../src/sending/intent.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { filesOn } from "../networks/scenes.ts";
import { judgeRepeatedFields } from "../support/repeated-fields.ts";
import { type Finding, uploadedFiles } from "../support/verdict.ts";
import { judgeEndpoints } from "./simulate-deliveries.ts";
import type { Script } from "./simulate-script.ts";
import { complaintAbout, excuseFor, lockoutOf, type UndecidedTarget } from "./simulate-undecided.ts";
import type { SimulatedProfile, SimulatedWorld } from "./simulate-world.ts";

export interface SimulationVerdict {
  findings: Finding[];
  posts: number;
  /** Requests whose answer nobody heard. */
  unanswered: number;
  undecided: number;
  /** The undecided ones, in words. */
  undecidedNotes: string[];
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
    findings: [...world.findings, ...(await judgeRepeatedFields(world.storage))],
    posts: 0,
    unanswered: await countUnanswered(world),
    undecided: 0,
    undecidedNotes: [],
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
    for (const profile of account.profiles) {
      judgeProfile(verdict, { world, profile, posts, script });
      verdict.findings.push(...(await judgeConnection(world, profile, script)));
    }
    const endpoints = await judgeEndpoints({ world, account, posts });
    verdict.findings.push(...endpoints.findings);
    verdict.deliveries += endpoints.deliveries;
    verdict.again += endpoints.again;
  }
  return verdict;
}

async function countUnanswered({ storage }: SimulatedWorld): Promise<number> {
  const { rows } = await storage.find("intents", { where: {} });
  return rows.filter((row) => fromRow<IntentRow>(row).private.unknown_since !== null).length;
}

function judgeKeys(posts: readonly Post[]): Finding[] {
  const keys = posts.flatMap(({ idempotency_key: key }) => (key === null ? [] : [key]));
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index);
  return twice.map((key) => ({ what: "twice", message: `two posts under the key ${key}` }));
}

function judgePost({ id, status }: Post, { cancelled }: Script): Finding[] {
  if (status === "scheduled" || status === "publishing")
    return [{ what: "stuck", message: `${id} is still ${status}` }];
  if (cancelled.has(id) && status !== "cancelled") {
    return [{ what: "untrue", message: `${id} was cancelled, and is ${status}` }];
  }
  return [];
}

interface ProfileEvidence {
  world: SimulatedWorld;
  profile: SimulatedProfile;
  posts: readonly Post[];
  script: Script;
}

/** Everything that one profile's network shows must be named by a target, and the other way round. */
function judgeProfile(verdict: SimulationVerdict, { world, profile, posts, script }: ProfileEvidence): void {
  const { sandbox } = world;
  const all = sandbox.networks.flatMap((network) => network.posts());
  const shown = all.filter(({ account, id }) => account === profile.externalId && !world.byHand.has(id));
  const texts = shown.map(({ text }) => text);
  const say = (what: Finding["what"], message: string): void =>
    void verdict.findings.push({ what, message: `${profile.kind.name} ${profile.id}: ${message}` });
  for (const text of texts.filter((each, index) => texts.indexOf(each) !== index))
    say("twice", `"${text}" is there twice`);
  const explained = new Set<SandboxPost>();
  for (const post of posts) {
    const target = post.targets.find(({ profile_id }) => profile_id === profile.id);
    if (target === undefined) continue;
    const expected = post.thread ?? [post.text];
    const parts = shown.filter(({ text }) => expected.includes(text));
    for (const part of parts) explained.add(part);
    const lockout = lockoutOf(world, profile, script);
    const broken = complaintOf(target, {
      post,
      expected,
      parts,
      wasDisconnected: script.disconnected.has(profile.id),
      files: filesOn(profile.kind, post.media.length),
      wasLockedOut: lockout !== null,
    });
    if (broken !== null) say(broken.what, `${post.id} (${expected[0]}): ${broken.message}`);
    const complaint = complaintAbout(parts, { profile, script });
    if (complaint !== null) say("untrue", complaint);
    count(verdict, world, { profile, post, target, parts, script });
  }
  for (const { text } of shown.filter((part) => !explained.has(part)))
    say("untrue", `"${text}" is there, and no target says so`);
}

/** Nobody is asked to connect again what nobody has ended. */
async function judgeConnection(
  world: SimulatedWorld,
  profile: SimulatedProfile,
  script: Script,
): Promise<readonly Finding[]> {
  const { id, kind } = profile;
  const row = await world.storage.get("profiles", id);
  const isRight = row?.status === "connected" || !script.connected.has(id);
  // A login whose next token was lost on the way is ended by its network.
  if (isRight || lockoutOf(world, profile, { revoked: new Set() }) !== null) return [];
  return [{ what: "untrue", message: `${kind.name} ${id} is ${row?.status}, and nobody has ended its login` }];
}

function count(verdict: SimulationVerdict, world: SimulatedWorld, undecided: UndecidedTarget): void {
  const { target, profile, script } = undecided;
  const { id, error } = target;
  if (error?.code === "network_error") verdict.givenUp += 1;
  const lockout = error?.code === "reauthentication_required" ? lockoutOf(world, profile, script) : null;
  if (lockout !== null) {
    verdict.excused += 1;
    verdict.reasons.push(lockout);
  }
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
  verdict.undecidedNotes.push(`${profile.kind.name} ${id}, ${JSON.stringify(profile.ways)}: ${error.message}`);
}

interface TargetEvidence {
  post: Post;
  expected: readonly string[];
  /** How many files its first part has. */
  files: number;
  /** What the network shows of it. */
  parts: readonly SandboxPost[];
  wasDisconnected: boolean;
  /** Its network takes its login no more, through nobody's fault. */
  wasLockedOut: boolean;
}

/** Codes that what goes wrong in a simulation explains. */
const explicable: ReadonlySet<string> = new Set(["network_error", "internal_error", "media_error"]);

function complaintOf(target: Target, evidence: TargetEvidence): Finding | null {
  const { post, expected, files, parts, wasDisconnected, wasLockedOut } = evidence;
  const { status, post_ids, error } = target;
  const ids = parts.map(({ id }) => id);
  const areShown = isSame(ids, post_ids);
  if (status === "pending" || status === "skipped") {
    const isWaiting = status === "pending" && post.status === "draft";
    const isCancelled = status === "skipped" && post.status === "cancelled";
    if (!isWaiting && !isCancelled) return { what: "stuck", message: `${status}, and the post is ${post.status}` };
    return parts.length === 0 ? null : { what: "untrue", message: `a ${post.status} post is out` };
  }
  if (status === "publishing") return { what: "stuck", message: "still publishing" };
  if (status === "published") {
    if (
      !isSame(
        parts.map(({ text }) => text),
        expected,
      )
    )
      return { what: "lost", message: `there is only ${parts.map(({ text }) => text)}` };
    const [first] = parts;
    if (first === undefined || uploadedFiles(first) !== files) return { what: "lost", message: "without its picture" };
    const parents = parts.map(({ reply_to }) => reply_to);
    if (!isSame(parents, [null, ...ids.slice(0, -1)])) return { what: "lost", message: "the thread is out of order" };
    return areShown && error === null
      ? null
      : { what: "untrue", message: `${post_ids} instead of ${ids}, ${error?.message}` };
  }
  const { code = "", message = "" } = error ?? {};
  if (code === "timeout")
    return message.includes("may be live") ? null : { what: "untrue", message: `timeout: ${message}` };
  if (!areShown) return { what: "untrue", message: `${ids} is there instead of ${post_ids}: ${code}: ${message}` };
  if (explicable.has(code) || (code === "profile_unavailable" && wasDisconnected)) return null;
  if (code === "reauthentication_required" && wasLockedOut) return null;
  return { what: "lost", message: `${code}: ${message}` };
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}
