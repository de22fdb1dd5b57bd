import { isoTime } from "../../src/ports/clock.ts";
import type { CreatePost, UpdatePost } from "../../src/posts/schema.ts";
import { type Random, seededRandom } from "../prove/random.ts";
import { kindNamed, type ProfileKind } from "../prove/simulate-networks.ts";
import { markedText } from "../support/marked-texts.ts";

/** What one seed is about: decided before anything runs, so that it is the same whatever comes out. */
export interface ScenePlan {
  seed: number;
  kinds: readonly ProfileKind[];
  /** `started`: by timers, as a server does; `swept`: by `runDue` every ten seconds, as a cron job does. */
  way: "started" | "swept";
  acts: readonly SceneAct[];
  shares: SceneShares;
}

/** How often things go wrong, shares of what happens. */
export interface SceneShares {
  commits: number;
  requests: number;
  files: number;
  deliveries: number;
  /** Of the requests that publish, and of the writes before them: the process dies. */
  deaths: number;
}

export const calm: SceneShares = { commits: 0, requests: 0, files: 0, deliveries: 0, deaths: 0 };

/** What somebody does. Posts are named by their number, from 0, in the order of their creation. */
export type SceneAct = { afterMs: number } & (
  | { do: "create"; kinds: readonly number[]; body: SceneBody }
  | { do: "update"; post: number; change: UpdatePost }
  | { do: "cancel"; post: number }
  | { do: "retry"; post: number; force: boolean }
  | { do: "disconnect"; kind: number }
  | { do: "reconnect"; kind: number }
  | { do: "switch_endpoint"; status: "active" | "disabled" }
  | { do: "limit_rate"; kind: number; seconds: number }
  | { do: "expire_tokens" }
  | { do: "lag_reads"; seconds: number }
  | { do: "pass" }
);

export interface SceneBody extends Omit<CreatePost, "profile_ids" | "media" | "scheduled_at"> {
  /** Pictures that the scene has: their numbers. */
  pictures: readonly number[];
  /** Scheduled so far ahead; null: now. */
  aheadMs: number | null;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

export const picturesInScene = 3;

/** What was recorded is about these; another network changes none of it. */
const recordedKinds = [
  "bluesky",
  "mastodon",
  "mastodon look-alike that ignores keys",
  "small server",
  "discord bot",
  "discord webhook",
].map(kindNamed);

export function planScene(seed: number): ScenePlan {
  const random = seededRandom(seed * 7_919);
  const kinds = random.shuffled(recordedKinds).slice(0, random.of([1, 2, 2, 3, 4, 6]));
  const acts: SceneAct[] = [create(kinds, random)];
  const count = random.between(3, 8);
  for (let number = 1; number < count; number++) acts.push(someAct(kinds, acts, random));
  return { seed, kinds, way: random.of(["started", "swept"]), acts, shares: someShares(random) };
}

/** A third of the scenes goes well. */
function someShares(random: Random): SceneShares {
  if (random.next() < 0.33) return calm;
  return {
    commits: random.of([0, 0.2, 0.5]),
    requests: random.of([0, 0.05, 0.15]),
    files: random.of([0, 0, 0.3]),
    deliveries: random.of([0, 0.2, 0.5]),
    deaths: random.of([0, 0.15, 0.3]),
  };
}

function someAct(kinds: readonly ProfileKind[], before: readonly SceneAct[], random: Random): SceneAct {
  const posts = before.filter((act) => act.do === "create").length;
  const afterMs = random.of([0, 1, 7, 45, 120, 900, 3_600]) * secondMs;
  const post = random.between(0, posts - 1);
  const kind = random.between(0, kinds.length - 1);
  return random.of<() => SceneAct>([
    ...Array.from({ length: 5 }, () => () => ({ ...create(kinds, random), afterMs })),
    ...Array.from({ length: 3 }, () => (): SceneAct => ({ afterMs, do: "retry", post, force: random.next() < 0.2 })),
    () => ({ afterMs, do: "update", post, change: { text: markedText(random).text } }),
    () => ({ afterMs, do: "update", post, change: { publish_now: true } }),
    () => ({ afterMs, do: "cancel", post }),
    () => ({ afterMs, do: "disconnect", kind }),
    () => ({ afterMs, do: "reconnect", kind }),
    () => ({ afterMs, do: "switch_endpoint", status: random.of(["active", "disabled"]) }),
    () => ({ afterMs, do: "limit_rate", kind, seconds: random.of([5, 60, 600]) }),
    () => ({ afterMs, do: "expire_tokens" }),
    () => ({ afterMs, do: "lag_reads", seconds: random.of([0, 20, 60]) }),
    () => ({ afterMs, do: "pass" }),
  ])();
}

function create(kinds: readonly ProfileKind[], random: Random): Extract<SceneAct, { do: "create" }> {
  const chosen = kinds.flatMap((_, place) => (random.next() < 0.7 ? [place] : []));
  const addressed = chosen.length > 0 ? chosen : [0];
  const canThread = addressed.every((place) => kinds[place]?.threads === true);
  const form = random.of(["text", "text", "media", canThread ? "thread" : "text"]);
  const visibility = random.of(["public", "public", "public", "unlisted", "private"]);
  const body: SceneBody = {
    text: form === "thread" ? "" : markedText(random).text,
    thread: form === "thread" ? [0, 1, 2].map(() => markedText(random).text) : null,
    pictures: form === "media" ? someOf(picturesInScene, random) : [],
    networks: visibility === "public" ? {} : { mastodon: { visibility } },
    draft: random.next() < 0.08,
    idempotency_key: random.next() < 0.3 ? `key-of-scene-${random.between(0, 3)}` : null,
    aheadMs: random.of([null, null, 2, 10, 90].map((minutes) => (minutes === null ? null : minutes * minuteMs))),
  };
  return { afterMs: random.of([0, 3, 61]) * secondMs, do: "create", kinds: addressed, body };
}

/** One or more of the numbers from 0. */
function someOf(count: number, random: Random): number[] {
  const chosen = Array.from({ length: count }, (_, number) => number).filter(() => random.next() < 0.5);
  return chosen.length > 0 ? chosen : [0];
}

/** The arguments of `posts.create`. */
export function bodyOf(
  body: SceneBody,
  given: { profileIds: string[]; pictures: readonly string[]; now: number },
): CreatePost {
  const { pictures, aheadMs, ...rest } = body;
  return {
    ...rest,
    profile_ids: given.profileIds,
    media: pictures.map((number) => ({ url: given.pictures[number] ?? "", alt: `Picture ${number}.` })),
    scheduled_at: aheadMs === null ? null : isoTime(given.now + aheadMs),
  };
}
