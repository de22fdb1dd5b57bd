import type { Target } from "../../src/publishing/schema.ts";
import type { MastodonPost } from "../../src/sandbox/mastodon/posts.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import { filesOn } from "../networks/scenes.ts";
import type { CrashAccount, CrashRun, UndecidedPart } from "./crash.ts";
import { type DeliveryVerdict, judgeDeliveries } from "./delivery-verdict.ts";

/** What must never be. */
export interface Finding {
  /**
   * - `twice`: a part is public more than once, an outcome recorded for a webhook more than once
   * - `lost`: it is not, or not whole, though nothing stood in its way
   * - `stuck`: it never settled
   * - `untrue`: the store says something else than the network shows, or than a receiver was told
   * - `overlap`: two requests that publish were under way at once
   */
  what: "twice" | "lost" | "stuck" | "untrue" | "overlap";
  message: string;
}

export interface Verdict {
  findings: Finding[];
  /** Targets that say that the post may be live, on networks that can be asked. */
  undecided: number;
  /** The same where nobody could tell in that server's place, for reasons that are named: no failure. */
  excused: number;
  reasons: string[];
  /** The same where nobody can be asked. */
  unknowable: number;
  /** Targets that say that the post is certainly not there after several tries, which is true. */
  givenUp: number;
}

/** Compares what the store says in the end with what the networks show. */
export function verdictOn(run: CrashRun): Verdict & DeliveryVerdict {
  const { world, post } = run;
  const verdicts = world.accounts.map((account) => verdictOnTarget(run, account));
  const deliveries = verdictOnDeliveries(run);
  const findings = [...verdicts.flatMap((each) => each.findings), ...deliveries.findings];
  if (world.watch.overlaps() > 0) findings.push({ what: "overlap", message: "two commits at once" });
  const isOpen = post?.status === "publishing" || post?.status === "scheduled";
  if (isOpen) findings.push({ what: "stuck", message: `the post is still ${post.status}` });
  if (!isOpen && run.filesInUse > 0) {
    findings.push({ what: "stuck", message: `${run.filesInUse} files are kept for a post that has ended` });
  }
  const sum = (what: "undecided" | "excused" | "unknowable" | "givenUp"): number =>
    verdicts.reduce((total, verdict) => total + verdict[what], 0);
  const reasons = verdicts.flatMap((each) => each.reasons);
  const ends = { unknowable: sum("unknowable"), givenUp: sum("givenUp"), undecided: sum("undecided") };
  return { ...deliveries, ...ends, excused: sum("excused"), reasons, findings };
}

/** A process signs by its own clock, and some are ten minutes off. */
const toleranceSeconds = 900;

function verdictOnDeliveries({ world, post, deliveries }: CrashRun): DeliveryVerdict {
  return judgeDeliveries({
    posts: post === null ? [] : [post],
    settlements: world.settlements,
    profiles: [],
    endpoint: world.endpoint,
    rows: deliveries,
    received: world.sandbox.receivers.deliveries(),
    toleranceSeconds,
  });
}

function verdictOnTarget(run: CrashRun, { network, profileId, externalId }: CrashAccount): Verdict {
  const { world, content, kind } = run;
  const all = network.posts(world.sandbox).filter(({ account }) => account === externalId);
  const shown = all.filter(({ id }) => !world.byHand.has(id));
  const target = run.post?.targets.find((each) => each.profile_id === profileId);
  const wasHeard = world.watch.wasHeard(network.commit);
  const files = filesOn({ needs: network.needs ?? network.scene.needs }, kind === "media" || kind === "fitted" ? 1 : 0);
  const expected = { texts: content.texts, media: files };
  const evidence = { name: network.name, canBeAsked: network.canBeAsked, expected, target, shown, wasHeard };
  return judgeTarget({
    ...evidence,
    whyUndecided: (part) => network.whyUndecided?.(world, part) ?? null,
    complaint: network.complaint?.(shown, content.visibility) ?? null,
  });
}

/** One target, and what its account shows of the post. */
export interface Evidence {
  /** The account's, for people. */
  name: string;
  /** False: after a lost answer nobody can tell whether the post is there. */
  canBeAsked: boolean;
  /** The parts in order, and how many files the first has. */
  expected: { texts: readonly string[]; media: number };
  /** Undefined: the store has none. */
  target: Target | undefined;
  shown: readonly SandboxPost[];
  /** A living process was told that it is done. */
  wasHeard: boolean;
  /** Why a part need not be decided; null: it must be. @default it must be */
  whyUndecided?: (part: UndecidedPart) => string | null;
  /** What else is wrong with what is shown. @default nothing */
  complaint?: string | null;
}

export function judgeTarget(evidence: Evidence): Verdict {
  const { name, target, shown, expected } = evidence;
  const twice = expected.texts.filter((text) => shown.filter((part) => part.text === text).length > 1);
  if (twice.length > 0) return bad("twice", `on ${name}: ${twice.join(" | ")}`);
  if (target === undefined) return shown.length === 0 ? fine() : bad("untrue", "posted, but not in the store");
  if (evidence.complaint != null) return bad("untrue", `on ${name}: ${evidence.complaint}`);
  if (target.status === "pending" || target.status === "publishing") return bad("stuck", `still ${target.status}`);
  return target.status === "published" ? judgePublished(target, evidence) : judgeFailed(target, evidence);
}

function judgeFailed(target: Target, evidence: Evidence): Verdict {
  const { name, canBeAsked, shown, wasHeard } = evidence;
  const { code = "", message = "" } = target.error ?? {};
  if (code === "network_error" && message.includes("Certainly not posted")) {
    const ids = shown.map(({ id }) => id);
    return isSame(target.post_ids, ids) ? { ...fine(), givenUp: 1 } : bad("untrue", `${ids} is there: ${message}`);
  }
  const saysSo = code === "timeout" && message.includes("may be live");
  if (!saysSo) return bad("lost", `on ${name}: ${code}: ${message}`);
  const reason = reasonFor(target, evidence);
  if (reason !== null) return { ...fine(), excused: 1, reasons: [reason] };
  if (wasHeard) return bad("untrue", "the network's yes was heard, and forgotten");
  return { ...fine(), ...(canBeAsked ? { undecided: 1 } : { unknowable: 1 }) };
}

/** Undecided is the part behind the last one that is known. */
function reasonFor({ post_ids }: Target, { expected, shown, whyUndecided }: Evidence): string | null {
  const part = post_ids.length;
  const isLive = shown.some(({ text }) => text === expected.texts[part]);
  return whyUndecided?.({ part, isLive }) ?? null;
}

function judgePublished(target: Target, { shown, expected }: Evidence): Verdict {
  const texts = shown.map(({ text }) => text);
  if (!isSame(texts, expected.texts)) return bad("lost", `called published, but there is only: ${texts.join(" | ")}`);
  const [first] = shown;
  if (first === undefined || uploadedFiles(first) !== expected.media)
    return bad("lost", `${first?.media} files instead of ${expected.media}`);
  const ids = shown.map(({ id }) => id);
  if (!isSame(target.post_ids, ids)) return bad("untrue", `post_ids ${target.post_ids} instead of ${ids}`);
  const parents = shown.map(({ reply_to }) => reply_to);
  if (!isSame(parents, [null, ...ids.slice(0, -1)])) return bad("lost", "the thread is out of order");
  return target.error === null ? fine() : bad("untrue", `published, with an error: ${target.error.message}`);
}

/** Without those that the server has made of addresses in the text. */
export function uploadedFiles(post: SandboxPost & Partial<MastodonPost>): number {
  return post.files?.filter(({ address }) => address === null).length ?? post.media;
}

function fine(): Verdict {
  return { findings: [], undecided: 0, excused: 0, reasons: [], unknowable: 0, givenUp: 0 };
}

function bad(what: Finding["what"], message: string): Verdict {
  return { ...fine(), findings: [{ what, message }] };
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}
